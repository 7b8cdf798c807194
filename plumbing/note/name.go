package note

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/lecode/lecode/plumbing"
)

// MaxName is the most bytes that NAME.md may have: its backup NAME.md.bak then
// fits into the 255 bytes that file systems give a name.
const MaxName = 255 - len(backupSuffix)

// backupSuffix ends the name of the copy of what a file held before its last write.
const backupSuffix = ".bak"

// CheckFile tells whether file is the name of a Markdown file of the store:
// MEMORY.md, scratchpad.md, daily/YYYY-MM-DD.md with a date of the calendar,
// or notes/NAME.md. Anything else is plumbing.ErrInvalid and says which rule
// it breaks. It opens nothing, and every entry point asks it first (cases N4,
// A13).
//
// NAME is printable NFC text whose only space is U+0020; it holds no separator
// of either kind, no "..", none of <>:"|?*, and no invisible character; it
// begins with no dot, dash or space and ends in no dot or space, nor in .md or
// .bak; it is no device name of Windows; NAME.md has at most MaxName bytes.
// A new note must also differ from those that are there by more than case,
// which Write looks after.
func CheckFile(file string) error {
	if file == Memory || file == Scratchpad {
		return nil
	}
	if date, ok := strings.CutPrefix(file, "daily/"); ok {
		date, ok = strings.CutSuffix(date, ".md")
		if !ok || !isDate(date) {
			return invalidFile(file, "a daily log is named daily/YYYY-MM-DD.md, with a day of the calendar")
		}
		return nil
	}
	name, ok := strings.CutPrefix(file, "notes/")
	if !ok {
		return invalidFile(file, "a file is MEMORY.md, scratchpad.md, daily/YYYY-MM-DD.md or notes/NAME.md"+meant(file))
	}
	if fault := nameFault(name); fault != "" {
		return invalidFile(file, fault)
	}
	return nil
}

func invalidFile(file, rule string) error {
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s is not a file of the memory", show(file)), rule)
}

// show quotes a name for an error line: what is not printable is escaped, and a long one is cut.
func show(name string) string {
	const most = 120
	if len(name) <= most {
		return strconv.Quote(name)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return strconv.Quote(name[:cut]) + "…"
}

// meant is what a user may have meant who left out the folder, or wrote another case.
func meant(file string) string {
	guess := ""
	bare := strings.TrimSuffix(file, ".md")
	switch {
	case strings.EqualFold(file, Memory), strings.EqualFold(bare, "memory"):
		guess = Memory
	case strings.EqualFold(file, Scratchpad), strings.EqualFold(bare, "scratchpad"):
		guess = Scratchpad
	case isDate(bare):
		guess = "daily/" + bare + ".md"
	case nameFault(bare+".md") == "":
		guess = "notes/" + bare + ".md"
	default:
		return ""
	}
	return "; did you mean " + strconv.Quote(guess) + "?"
}

// nameFault is the rule that NAME.md breaks; nothing where it keeps them all.
func nameFault(file string) string {
	name, ok := strings.CutSuffix(file, ".md")
	switch {
	case !ok:
		return "a note is named notes/NAME.md"
	case name == "":
		return "the name of a note is empty"
	case len(file) > MaxName:
		return fmt.Sprintf("the name of a note has at most %d bytes with its .md", MaxName)
	case !utf8.ValidString(name):
		return "the name of a note is UTF-8"
	case strings.ContainsAny(name, `/\`):
		return "the name of a note holds no / and no \\: notes lie in notes/ itself"
	case strings.Contains(name, ".."):
		return `the name of a note holds no ".."`
	case name[0] == '.' || name[0] == '-' || name[0] == ' ':
		return "the name of a note begins with no dot, dash or space"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "the name of a note ends in no dot or space"
	case hasSuffixFold(name, ".md") || hasSuffixFold(name, backupSuffix):
		return "NAME in notes/NAME.md ends in neither .md nor .bak"
	case isDevice(name):
		return "the name of a note is no device of Windows (CON, NUL, COM1 and the like)"
	}
	for _, r := range name {
		if fault := runeFault(r); fault != "" {
			return fault
		}
	}
	if !norm.NFC.IsNormalString(name) {
		return "the name of a note is in Unicode's composed form (NFC)"
	}
	return ""
}

func runeFault(r rune) string {
	switch {
	case unicode.IsControl(r):
		return fmt.Sprintf("the name of a note holds no control characters (U+%04X)", r)
	case strings.ContainsRune(`<>:"|?*`, r):
		return `the name of a note holds none of < > : " | ? *`
	case r != ' ' && unicode.IsSpace(r), !unicode.IsGraphic(r), r == utf8.RuneError,
		unicode.In(r, unicode.Zs, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) && r != ' ':
		return fmt.Sprintf("the name of a note holds no invisible or undefined characters (U+%04X)", r)
	}
	return ""
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// isDevice: Windows opens a device for these names, whatever follows a dot.
func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	number, ok := strings.CutPrefix(base, "COM")
	if !ok {
		number, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}

// fold is what of a name a file system may go by that folds case or normalises.
func fold(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(name)))
}

// twin finds the note in notes/ whose name differs from file's by case or
// normal form only, "" where there is none; exact reports whether file itself
// is there.
func (s *Store) twin(file string) (twin string, exact bool, err error) {
	base, ok := strings.CutPrefix(file, "notes/")
	if !ok {
		return "", false, nil
	}
	list, err := s.opt.Config.ReadDir(s.name("notes"))
	if err != nil {
		return "", false, err
	}
	want := fold(base)
	for _, e := range list {
		switch {
		case e.Name() == base:
			exact = true
		case fold(e.Name()) == want:
			twin = path.Join("notes", e.Name())
		}
	}
	return twin, exact, nil
}
