package slash

import (
	"context"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/memory"
)

// Command is a line of the table.
type Command struct {
	Name    string // without the slash
	Usage   string // its arguments, as in "[SEQ]"; empty: it takes none
	Summary string
	// Busy says that it may run during a turn.
	Busy bool
	// Complete gives what the argument that is being typed may become; nil: nothing is known.
	Complete func(s Source, args string) []string

	run func(ctx context.Context, d Deps, args string) (Answer, error)
}

// Commands is the one table: what there is, in the order of the help.
func Commands() []Command {
	return []Command{
		{"help", "[COMMAND]", "list the commands, or explain one", true, completeNames, help},
		{"memory", "WORD …", "look at the memory and change it; /memory help lists the words", true, completeMemory, words},
		{"compact", "", "sum up the older exchanges of this session", false, nil, compactNow},
		{"clear", "", "begin the context anew; what was learned stays", false, nil, clearContext},
		{"undo", "[SEQ]", "hide the last exchange, or the one that holds a record", false, nil, undo},
		{"redo", "", "take back the latest undo", false, nil, redo},
		{"sessions", "", "list the sessions of this project, the newest first", true, nil, sessions},
		{"resume", "ID|-", "go on with another session, by its ID or the end of it; - is the latest other one of the agent", false, completeSessions, resume},
		{"new", "", "begin a new session at the next prompt", false, nil, begin},
		{"handoff", "[WORDS]", "begin a new session with what it has to know, and what it is to go on with", false, nil, handoff},
		{"chain", "[NAME [WORDS]]", "run the phases of a chain, or list the chains", false, completeChains, chain},
		{"model", "[NAME]", "say which model answers, or change it from the next request on", true, completeModels, model},
		{"mode", "[default|readonly|auto]", "say how much is asked, or change it", true, completeModes, mode},
		{"permissions", "", "show what is set and what was allowed until the end", true, nil, permissions},
		{"editsys", "[show|set TEXT|reset]", "show or change the base of the system prompt", true, completeEditsys, editsys},
		{"mcp", "", "list the MCP servers and their tools", true, nil, servers},
		{"usage", "", "show what model calls took, in this session and today", true, nil, spending},
		{"quit", "", "end", true, nil, quit},
	}
}

// Find returns the command of a name.
func Find(name string) (Command, bool) {
	for _, c := range Commands() {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

// line is the command with its arguments, as a person types it.
func (c Command) line() string {
	if c.Usage == "" {
		return "/" + c.Name
	}
	return "/" + c.Name + " " + c.Usage
}

// help lists the table, or shows a line of it.
func help(_ context.Context, _ Deps, args string) (Answer, error) {
	list := Commands()
	if args != "" {
		name, rest := word(args)
		if len(name) > 1 && name[0] == '/' {
			name = name[1:]
		}
		c, ok := Find(name)
		if !ok {
			return Answer{}, unknown(name)
		}
		if rest != "" {
			return Answer{}, plumbing.Fail(plumbing.ErrInvalid, "/help takes one command", "`/help` lists them")
		}
		list = []Command{c}
	}
	return Answer{print: func(p *memory.Paper) {
		for _, c := range list {
			p.Line(c.line())
			p.Under(c.Summary)
			if len(list) == 1 && !c.Busy {
				p.Under("It cannot run during a turn.")
			}
		}
		if len(list) > 1 {
			p.Faint("A line that begins with // is sent with one slash; a path is sent as it is. !command runs in your shell.")
			p.Faint("On the screen: enter sends, alt+enter begins a line, tab completes, esc interrupts, ctrl+o shows the calls, alt+m the memory, ctrl+c twice leaves.")
		}
	}}, nil
}

func quit(context.Context, Deps, string) (Answer, error) { return Answer{Quit: true}, nil }
