package cli

// Group says whom a command is for, as Git sorts its own (design section 8).
type Group string

// The groups, in the order in which help lists them.
const (
	Porcelain    Group = "porcelain"
	Manipulator  Group = "manipulator"
	Interrogator Group = "interrogator"
)

// The two programs (design section 1).
const (
	ProgramLight = "lecode"
	ProgramAgent = "lecode-agent"
)

// Row is a line of the one table of commands.
type Row struct {
	Name    string
	Group   Group
	Program string // which program runs it
	Writes  bool   // refused when LECODE_READONLY is set (design section 7)
	Summary string // a line for `lecode help`
}

// Table names every command of both programs. Help, the hand-over and the
// nearest-name hint come from it; a test holds it against the grammars.
var Table = []Row{
	{"help", Porcelain, ProgramLight, false, "explain a command or show a guide"},
	{"why", Porcelain, ProgramLight, false, "say who said a fact, where and when, and whether it still holds"},
	{"config", Porcelain, ProgramLight, false, "print the settings and where each comes from"},
	{"slug", Interrogator, ProgramLight, false, "print the identity of the project that a directory belongs to"},
	{"new-session", Manipulator, ProgramLight, true, "start a session log"},
	{"append", Manipulator, ProgramLight, true, "append records from stdin to a session"},
	{"import", Manipulator, ProgramLight, true, "read another agent's transcript into a session"},
	{"undo", Manipulator, ProgramLight, true, "hide the last visible exchange, or the one that holds a seq"},
	{"redo", Manipulator, ProgramLight, true, "take back the latest undo"},
	{"clear", Manipulator, ProgramLight, true, "begin the working context anew"},
	{"remember", Manipulator, ProgramLight, true, "store a fact with the evidence on stdin"},
	{"attach-source", Manipulator, ProgramLight, true, "give a revision the evidence on stdin"},
	{"correct", Manipulator, ProgramLight, true, "append a revision with the evidence on stdin"},
	{"forget", Manipulator, ProgramLight, true, "forget facts and all that they stand on, for good"},
	{"delete-session", Manipulator, ProgramLight, true, "delete a session's log"},
	{"sessions", Interrogator, ProgramLight, false, "list the project's sessions"},
	{"log", Interrogator, ProgramLight, false, "print the records of a session"},
	{"snapshot", Interrogator, ProgramLight, false, "name visible messages as evidence, by hash"},
	{"validate", Interrogator, ProgramLight, false, "check evidence against the session logs"},
	{"facts", Interrogator, ProgramLight, false, "list facts with their status"},
	{"recall", Interrogator, ProgramLight, false, "print a fact or a range with its validated evidence"},
	{"provenance", Interrogator, ProgramLight, false, "list a fact's revisions and what they stand on"},
	{"exclusions", Interrogator, ProgramLight, false, "list the positions that were forgotten"},
	{"export", Interrogator, ProgramLight, false, "print a session's log for import elsewhere"},
	{"generation", Interrogator, ProgramLight, false, "print how often this project has forgotten something"},
	{"prompt", Interrogator, ProgramLight, false, "print the memory section of a system prompt"},
	{"fsck", Interrogator, ProgramLight, false, "check all that lies on the disk for this project"},

	{"compact", Manipulator, ProgramAgent, true, "summarise what a session's older exchanges said"},
	{"learn", Manipulator, ProgramAgent, true, "propose facts from new evidence"},
	{"complete", Manipulator, ProgramAgent, true, "answer a plan with a model"},
	{"models", Interrogator, ProgramAgent, false, "list models and their limits"},
	{"estimate", Interrogator, ProgramAgent, false, "estimate tokens"},
	{"run", Porcelain, ProgramAgent, true, "run one prompt without a terminal"},
	{"mcp", Porcelain, ProgramAgent, true, "serve the memory to other agents"},
	{"eval", Porcelain, ProgramAgent, true, "measure recall and trust"},
}

// Find returns the row of a command.
func Find(name string) (Row, bool) {
	for _, r := range Table {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}

// nearest returns the known word that is the fewest edits from name, or "" where none is close.
func nearest(name string, known []string) string {
	best, least := "", 2+len(name)/4
	for _, k := range known {
		if d := edits(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// names lists the commands.
func names() []string {
	list := make([]string, len(Table))
	for i, r := range Table {
		list[i] = r.Name
	}
	return list
}

// edits is the Levenshtein distance of two short words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
