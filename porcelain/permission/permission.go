// Package permission decides whether a call of a tool may run (design section
// 12): by what the call needs, the settings of the user, the mode, and what was
// allowed before.
//
// It knows classes, settings, command lines and the workspace. It must not know
// any tool, model or store, and asks nobody: whoever runs a call asks the person
// where a verdict says so. Start with Rules.Judge; Line parses a command line.
package permission

import "context"

// Class is what a call does at most.
type Class string

// The classes, from the least to the most that can be done (design section 12).
const (
	Read    Class = "read"
	Write   Class = "write"
	Execute Class = "execute"
	Network Class = "network"
)

// Mode is how much is asked.
type Mode string

// The modes (design section 12): Default asks as the settings say, ReadOnly
// refuses all that does more than read, Auto asks for nothing within the
// workspace that is not set to ask or deny.
const (
	Default  Mode = "default"
	ReadOnly Mode = "readonly"
	Auto     Mode = "auto"
)

// Setting is what becomes of a call.
type Setting string

// The settings (design section 12). Where nobody can be asked, Ask is Deny.
const (
	Allow Setting = "allow"
	Ask   Setting = "ask"
	Deny  Setting = "deny"
)

// Need is what one call is about to do.
type Need struct {
	Tool    string // its name, as the model calls it
	Group   string // a name that settings may use for several tools, such as that of an MCP server; may be empty
	Class   Class  // the strongest of what it does
	Summary string // one line for a person: the exact command, the file; not yet made visible
	Detail  string // more for a person, such as a diff; may be empty
	// Commands are the commands of a command line, as Line gives them; nil for other tools.
	Commands []Command
	// Host is where a call of class network goes, such as "example.org"; may be
	// empty. What a person allows for a session is allowed for that host only.
	Host string
	// Outside are absolute paths outside the workspace that it touches; such a call is always asked for.
	Outside []string
	// Why says why the class is what it is, where that is not plain; may be empty.
	Why string
}

// Command is one command of a command line, as it would be run.
//
// A redirection that does more than read what is known is a command of its own,
// with ">", ">>" or "<" for its first word and the target for its second.
type Command struct {
	Words []string // from the program on, up to the first that is not known without running anything
	Class Class
	Why   string // why it is of that class
	// Known says that Words are all its words, and that nothing in the line
	// changes what they mean, such as another PATH. A setting that allows, and
	// what was allowed for a session, needs it.
	Known bool
	// Cut says that Words end before the command does, so that more may follow.
	Cut bool
	// Also are other words for the same, for settings that ask or deny: with
	// what it was wrapped in, without its folder or the flags before a subcommand.
	// Empty words say that it may run any command at all.
	Also [][]string
	// Guard says that it sets or takes away LECODE_READONLY (design section 7), or
	// may: no setting, mode or session allows it, it is always asked for.
	Guard bool
	// Line is the whole command line.
	Line string `json:"-"`
}

// Verdict is what the rules say of a call.
type Verdict struct {
	Setting Setting
	Why     string // one clause for a person and for the model
	Rule    string // the setting that decided, such as "permissions.bash"; "" for a default or a mode
}

// Answer is what a person said to a question.
type Answer string

// The answers.
const (
	Once    Answer = "once"
	Session Answer = "session" // this and what is alike, until the agent ends
	Always  Answer = "always"  // as Session, and to be kept in the project's config.toml
	Refuse  Answer = "deny"
)

// Asker asks a person for a call; nil stands for nobody, and then Ask is Deny.
type Asker func(ctx context.Context, n Need, v Verdict) (Answer, error)
