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
	Writes  bool   // refused when LECODE_READONLY is set (design section 7); a Writer says it for each call
	Summary string // a line for `lecode help`
}

// Table names every command of both programs. Help, the hand-over and the
// nearest-name hint come from it; a test holds it against the grammars.
var Table = []Row{
	{"agent", Porcelain, ProgramAgent, true, "talk to the agent, on a screen or a line at a time: what `lecode` alone does"},
	{"run", Porcelain, ProgramAgent, true, "give the agent one prompt and print its answer"},
	{"help", Porcelain, ProgramLight, false, "explain a command or show a guide"},
	{"status", Porcelain, ProgramLight, false, "show the project, its memory, and what its model calls took"},
	{"why", Porcelain, ProgramLight, false, "say who said a fact, where and when, and whether it still holds"},
	{"memory", Porcelain, ProgramLight, true, "look at the memory and change it, in the words of /memory"},
	{"config", Porcelain, ProgramLight, false, "print the settings and where each comes from, or ask for them (--setup)"},
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
	{"note", Manipulator, ProgramLight, true, "read, write, edit, search and list the Markdown memory"},
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
	{"tool", Manipulator, ProgramLight, true, "run one memory tool as a model would, or list them"},
	{"usage", Interrogator, ProgramLight, false, "print what model calls took, from the ledger"},
	{"fsck", Interrogator, ProgramLight, false, "check all that lies on the disk for this project"},

	{"compact", Manipulator, ProgramAgent, true, "sum up the older exchanges of a session, or plan, apply or judge that"},
	{"learn", Manipulator, ProgramAgent, true, "learn facts from what a summary newly covers, or plan or apply that"},
	{"complete", Manipulator, ProgramAgent, true, "ask a model: a plan or a request on stdin"},
	{"estimate", Interrogator, ProgramAgent, false, "reckon how many tokens a text or a request is, never too few"},
	{"models", Interrogator, ProgramAgent, false, "list models with their windows and prices"},
	{"mcp", Porcelain, ProgramAgent, true, "serve the memory to other agents"},
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
