package secret

import "strings"

// class says which group of characters a byte belongs to; sets are sums of them.
type class uint8

const (
	digit class = 1 << iota
	hexLower
	restLower
	upper
	dash
	underscore
	dot
	base64Sign // + / =

	hex   = digit | hexLower
	alnum = digit | hexLower | restLower | upper
	word  = alnum | dash | underscore
	ident = alnum | underscore
	b64   = alnum | base64Sign
	capit = digit | upper
)

func classOf(b byte) class {
	switch {
	case b >= '0' && b <= '9':
		return digit
	case b >= 'a' && b <= 'f':
		return hexLower
	case b >= 'g' && b <= 'z':
		return restLower
	case b >= 'A' && b <= 'Z':
		return upper
	}
	switch b {
	case '-':
		return dash
	case '_':
		return underscore
	case '.':
		return dot
	case '+', '/', '=':
		return base64Sign
	}
	return 0
}

// run is how many bytes of s from its beginning are of a set.
func run(s string, set class) int {
	for i := range len(s) {
		if classOf(s[i])&set == 0 {
			return i
		}
	}
	return len(s)
}

// begins reports whether a token may begin behind before: not within a word,
// where an escape or a colour is none.
func begins(before string) bool {
	if before == "" || classOf(before[len(before)-1])&alnum == 0 {
		return true
	}
	n := len(before)
	switch {
	case n >= 2 && before[n-2] == '\\' && strings.IndexByte("nrtbf", before[n-1]) >= 0, // \n
		n >= 3 && before[n-3] == '%' && isHex(before[n-2:]),      // %3D
		n >= 6 && before[n-6:n-4] == `\u` && isHex(before[n-4:]), // \u003d
		n >= 4 && before[n-4:n-2] == `\x` && isHex(before[n-2:]), // \x1b
		before[n-1] == 'm' && coloured(before[max(0, n-32):n-1]):
		return true
	}
	return false
}

// coloured reports whether s ends like a terminal's colour without its m:
// ESC [ and parameters, the ESC as a byte or spelt out.
func coloured(s string) bool {
	s = strings.TrimRight(s, "0123456789;:")
	s, bracket := strings.CutSuffix(s, "[")
	if !bracket {
		return false
	}
	for _, esc := range []string{"\x1b", `\x1b`, `\033`, `\u001b`, `\e`} {
		if strings.HasSuffix(s, esc) {
			return true
		}
	}
	return false
}

func isHex(s string) bool { return run(strings.ToLower(s), hex) == len(s) }
