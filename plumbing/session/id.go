package session

import (
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// CheckID reports whether id has the form of a session ID:
// [A-Za-z0-9][A-Za-z0-9._-]{0,127}, and for a copy "~" and a number from 2
// behind it (design section 4). It looks at no file. The error wraps
// plumbing.ErrInvalid.
func CheckID(id string) error {
	base, number, copied := strings.Cut(id, "~")
	if validBase(base) && (!copied || validCopy(number)) {
		return nil
	}
	shown := id
	if len(shown) > 80 {
		shown = shown[:80] + "…"
	}
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a session ID", shown),
		"give the exact ID that `lecode sessions` lists")
}

func validBase(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !alnum && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return true
}

func validCopy(s string) bool {
	return len(s) > 0 && len(s) <= 9 && s[0] >= '1' && s[0] <= '9' && s != "1" && strings.Trim(s, "0123456789") == ""
}

// Key is the part of a session ID up to "~": an exclusion holds for the
// original and every copy alike.
func Key(id string) string {
	key, _, _ := strings.Cut(id, "~")
	return key
}

// IsCopy reports whether id names a copy: to read, cite and search, never appended to.
func IsCopy(id string) bool { return strings.Contains(id, "~") }
