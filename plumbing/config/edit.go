package config

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/lecode/lecode/plumbing"
)

// fileName is what the files are called, in messages and on the disk.
const fileName = "config.toml"

const byteOrderMark = "\ufeff"

// Set returns a config.toml in which a key has a value: bool, int, int64,
// float64, string or []string. The key is written as TOML writes it, with dots
// and quotes: `permissions."bash:go test"`. A table that is missing is added;
// where the value stands already, the file comes back as it is. Every other
// byte stays: order, comments, line ends, a byte order mark.
//
// What has no one safe place wraps plumbing.ErrInvalid, naming the line: a file
// that is no TOML, a key that stands in an inline table, in a list of tables or
// for a table, a list with comments in it. The result is read again, and is
// given only if it says what the file said and this. Whether lecode knows the
// key is for Load, and for Writer, to judge.
func Set(file []byte, key string, value any) ([]byte, error) {
	path, err := splitKey(key)
	if err != nil {
		return nil, err
	}
	text, data, err := encode(key, value)
	if err != nil {
		return nil, err
	}
	body := bytes.TrimPrefix(file, []byte(byteOrderMark))
	want, _, err := parse(body, fileName)
	if err != nil {
		return nil, err
	}
	if was, ok := valueAt(want, path); ok && reflect.DeepEqual(was, data) {
		return bytes.Clone(file), nil
	}
	edited, err := readDocument(body).set(path, text)
	if err != nil {
		return nil, err
	}
	got, _, err := parse(edited, fileName)
	if err != nil || !setAt(want, path, data) || !reflect.DeepEqual(got, want) {
		return nil, plumbing.Fail(plumbing.ErrInvalid, quote(key)+" cannot be set in config.toml as it stands", "write it there by hand")
	}
	return append(bytes.Clone(file[:len(file)-len(body)]), edited...), nil
}

// splitKey reads a dotted key as TOML does; it must be all that there is.
func splitKey(key string) ([]string, error) {
	const rest = " = 0"
	var p unstable.Parser
	p.Reset([]byte(key + rest))
	var path []string
	if p.NextExpression() && p.Expression().Kind == unstable.KeyValue {
		e := p.Expression()
		// In `a = 1 # = 0` the value is not the one that was put behind the key.
		if end := e.Raw.Offset + e.Raw.Length; int(end) == len(key)+len(rest) && int(e.Value().Raw.Offset) == int(end)-1 {
			path = keyOf(e)
		}
	}
	if len(path) == 0 || p.NextExpression() || p.Error() != nil {
		return nil, plumbing.Fail(plumbing.ErrInvalid, quote(key)+" is no key", `write it as memory.enabled or permissions."bash:go test"`)
	}
	return path, nil
}

// keyOf is the dotted key of an expression.
func keyOf(e *unstable.Node) []string {
	var path []string
	for it := e.Key(); it.Next(); {
		path = append(path, string(it.Node().Data))
	}
	return path
}

// encode is a value as TOML has it, and as reading that gives it back.
func encode(key string, value any) (string, any, error) {
	switch v := value.(type) {
	case bool, int64:
		return text(v), v, nil
	case int:
		return text(int64(v)), int64(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			break
		}
		s := text(v)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s, v, nil
	case string:
		if utf8.ValidString(v) {
			return text(v), v, nil
		}
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
			if !utf8.ValidString(s) {
				return "", nil, noValue(key)
			}
		}
		return text(v), list, nil
	}
	return "", nil, noValue(key)
}

func noValue(key string) error {
	return plumbing.Fail(plumbing.ErrInvalid, "the value for "+quote(key)+" cannot be written as TOML", "give a string in UTF-8, a list of such, a number, true or false")
}

// keyText is a dotted key as TOML has it.
func keyText(path []string) string {
	parts := make([]string, len(path))
	for i, p := range path {
		parts[i] = p
		if p == "" || strings.IndexFunc(p, func(r rune) bool { return !isWord(r) && r != '-' }) >= 0 {
			parts[i] = tomlString(p)
		}
	}
	return strings.Join(parts, ".")
}

// valueAt looks a key up in a tree.
func valueAt(tree map[string]any, path []string) (any, bool) {
	for _, p := range path[:len(path)-1] {
		next, ok := tree[p].(map[string]any)
		if !ok {
			return nil, false
		}
		tree = next
	}
	v, ok := tree[path[len(path)-1]]
	return v, ok
}

// setAt sets a key in a tree; it fails where something that is no table is in the way.
func setAt(tree map[string]any, path []string, value any) bool {
	for _, p := range path[:len(path)-1] {
		if _, ok := tree[p]; !ok {
			tree[p] = map[string]any{}
		}
		next, ok := tree[p].(map[string]any)
		if !ok {
			return false
		}
		tree = next
	}
	tree[path[len(path)-1]] = value
	return true
}

// SetAll is Set for several keys, in order.
func SetAll(file []byte, edits []Edit) ([]byte, error) {
	for _, e := range edits {
		var err error
		if file, err = Set(file, e.Key, e.Value); err != nil {
			return nil, err
		}
	}
	return file, nil
}

// Edit is a key and the value that it is to have, as Set takes them.
type Edit struct {
	Key   string
	Value any
}
