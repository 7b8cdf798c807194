package permission

import (
	"slices"
	"strings"
)

// flagSpec says which flags a program may have, as getopt does.
type flagSpec struct {
	short string // letters; ":" after one that takes a value
	long  string // words without "--"; "=" after one that takes a value, "=?" where it may, after "="
	stop  bool   // flags end at the first operand
	// numbers: -5 and +5 are flags, too.
	numbers bool
}

// flags are the words of a command, told apart.
type flags struct {
	operands []arg
	set      map[string]bool
	value    map[string]arg
	values   []valued // all of them, as they came
}

// valued is a flag with its value.
type valued struct {
	name string
	arg
}

// parseFlags tells flags from operands; false where a flag is not in the spec,
// or a word is not known that may be one.
func parseFlags(spec flagSpec, args []arg) (flags, bool) {
	f := flags{set: map[string]bool{}, value: map[string]arg{}}
	for len(args) > 0 {
		a := args[0]
		switch {
		case a.fixed() && a.text == "--":
			f.operands = append(f.operands, args[1:]...)
			return f, true
		case !a.known && (a.text == "" || a.text[0] == '-'):
			return f, false
		case spec.numbers && len(a.text) > 1 && strings.ContainsAny(a.text[:1], "-+") && isDigits(a.text[1:]):
			args = args[1:]
		case len(a.text) < 2 || a.text[0] != '-':
			if spec.stop {
				f.operands = args
				return f, true
			}
			f.operands = append(f.operands, a)
			args = args[1:]
		default:
			used, ok := f.flag(spec, args)
			if !ok {
				return f, false
			}
			args = args[used:]
		}
	}
	return f, true
}

// flag takes one word of flags, with the value that follows; it returns how many words.
func (f *flags) flag(spec flagSpec, args []arg) (used int, ok bool) {
	if !args[0].fixed() {
		return 0, false
	}
	text := args[0].text
	if strings.HasPrefix(text, "--") {
		return f.longFlag(spec, text[2:], args[1:])
	}
	for i := 1; i < len(text); i++ {
		at := strings.IndexByte(spec.short, text[i])
		if at < 0 || text[i] == ':' {
			return 0, false
		}
		name := text[i : i+1]
		f.set[name] = true
		if at+1 == len(spec.short) || spec.short[at+1] != ':' {
			continue
		}
		if i+1 < len(text) {
			f.put(name, arg{text: text[i+1:], known: true})
			return 1, true
		}
		return f.following(name, args[1:])
	}
	return 1, true
}

func (f *flags) longFlag(spec flagSpec, text string, rest []arg) (used int, ok bool) {
	name, value, has := strings.Cut(text, "=")
	known := strings.Fields(spec.long)
	f.set[name] = true
	switch {
	case has && (slices.Contains(known, name+"=") || slices.Contains(known, name+"=?")):
		f.put(name, arg{text: value, known: true})
		return 1, true
	case !has && slices.Contains(known, name+"="):
		return f.following(name, rest)
	case !has && (slices.Contains(known, name) || slices.Contains(known, name+"=?")):
		return 1, true
	}
	return 0, false
}

// following takes the next word for a value.
func (f *flags) following(name string, rest []arg) (used int, ok bool) {
	if len(rest) == 0 || !rest[0].fixed() {
		return 0, false
	}
	f.put(name, rest[0])
	return 2, true
}

func (f *flags) put(name string, a arg) {
	f.value[name] = a
	f.values = append(f.values, valued{name, a})
}
