package client

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
)

// prefix begins the name of every tool of a server, so that none can pass for a
// tool of lecode's own.
const prefix = "mcp__"

const (
	maxName    = 64 // bytes of a name, which every model takes
	maxServer  = 20 // bytes of the server in a name that is cut
	hashDigits = 10
)

// toolName is the name that models call a tool by. It depends on the two names
// alone, so that nothing that another server offers can change it: where it
// would not say which server and which tool it is, it ends in a hash of both.
func toolName(server, tool string) string {
	s, t := clean(server), clean(tool)
	name := prefix + s + "__" + t
	if plain(server) && t == tool && t != "" && len(name) <= maxName && !hashed().MatchString(t) {
		return name
	}
	s = cut(s, maxServer)
	room := maxName - len(prefix) - len(s) - len("__") - len("_") - hashDigits
	return prefix + s + "__" + cut(t, room) + "_" + hash(server, tool)
}

// groupName is the name that settings may use for all tools of a server.
func groupName(server string) string {
	if plain(server) && len(prefix)+len(server) <= maxName {
		return prefix + server
	}
	return prefix + cut(clean(server), maxServer) + "_" + hash(server)
}

// plain: what follows the first "__" after it in a name is the tool.
func plain(server string) bool {
	return clean(server) == server && !strings.Contains(server, "__") && !strings.HasSuffix(server, "_") && !hashed().MatchString(server)
}

// hashed are the names that could be mistaken for one with a hash.
var hashed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_[0-9a-f]{10}$`) })

// clean puts _ for each byte that a name must not have.
func clean(name string) string {
	b := []byte(name)
	for i, c := range b {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			b[i] = '_'
		}
	}
	return string(b)
}

func cut(s string, n int) string { return s[:min(len(s), n)] }

// hash tells lists of names apart, whatever is in them.
func hash(names ...string) string {
	h := sha256.New()
	for _, n := range names {
		one := sha256.Sum256([]byte(n))
		h.Write(one[:])
	}
	return hex.EncodeToString(h.Sum(nil))[:hashDigits]
}
