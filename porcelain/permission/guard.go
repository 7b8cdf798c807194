package permission

import (
	"slices"
	"strings"
)

// guardName is the variable that keeps the commands of a model from changing
// memory (design section 7).
const guardName = "LECODE_READONLY"

const guardWhy = guardName + " keeps commands from changing memory, and this line sets it or takes it away, or may"

// isGuard: Windows does not tell upper from lower case in names of variables.
func isGuard(name string) bool { return strings.EqualFold(name, guardName) }

// mentions: the text holds the name, quoted in whatever way, other than as
// $NAME, which only reads it.
func mentions(text string) bool {
	text = strings.ToUpper(strings.NewReplacer("\\\n", "", `\`, "", `'`, "", `"`, "").Replace(text))
	for {
		before, after, ok := strings.Cut(text, guardName)
		if !ok {
			return false
		}
		if !strings.HasSuffix(before, "$") && !strings.HasSuffix(before, "${") {
			return true
		}
		text = after
	}
}

// mayGuard: a command of the line may set the guard by words that are not looked
// into: as text that it runs, or as a name that is not known.
func (w *walker) mayGuard() bool {
	said := mentions(w.line)
	return slices.ContainsFunc(w.commands, func(c Command) bool {
		if c.Class == Read || c.Class == Write {
			return false
		}
		name := ""
		if len(c.Words) > 0 {
			name = program(c.Words[0])
		}
		switch {
		case contains([]string{"unset", "read", "mapfile", "readarray", "getopts"}, name) && c.Cut, name == "printf" && c.Cut && len(c.Words) > 1 && c.Words[1] == "-v":
			return true
		case name == "printenv", name == "env" && len(c.Words) == 1 && !c.Cut:
			return false // they show it
		}
		return said && (name == "" || name == "printf" || runsText(name) || mentions(strings.Join(c.Words, "\x00")))
	})
}

// drops: a wrapper that gives a program fresh variables, or may, and has one of
// lecode's own among its words. understood says that its flags are known.
func drops(args []arg, understood bool) bool {
	name := program(at(args, 0))
	fresh := contains([]string{"sudo", "doas", "su", "runuser", "systemd-run"}, name) || name == "exec" && !understood
	return fresh && isLecode(strings.Fields(strings.Join(texts(args)[1:], " ")))
}

// clears: what runs without the variables may be lecode, or start it.
func clears(c Command) bool { return c.Class != Read && c.Class != Write }

// isLecode: one of lecode's own programs is among the words.
func isLecode(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		base := strings.TrimSuffix(strings.ToLower(word[strings.LastIndexAny(word, `/\`)+1:]), ".exe")
		return base == "lecode" || strings.HasPrefix(base, "lecode-")
	})
}
