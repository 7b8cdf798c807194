package slash

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/permission"
)

// Agent is what the commands ask of a runner; *agent.Agent is one.
type Agent interface {
	Standing() agent.Standing
	Compact(ctx context.Context) (compact.Applied, error)
	Undo(ctx context.Context, seq int64) (session.Event, error)
	Redo(ctx context.Context) (session.Event, error)
	Clear(ctx context.Context) (session.Event, error)
	Switch(ctx context.Context, sessionID string) error
	SetModel(name string) error
	SetMode(m permission.Mode)
	Handoff(ctx context.Context, words string) (sessionID string, o agent.Outcome, err error)
	Chain(ctx context.Context, name, words string) (agent.Outcome, error)
	CallTool(ctx context.Context, generation *int64, name string, args []byte) (string, error)
}

// Base is the base prompt: what a system prompt begins with, apart from
// instructions, skills and the memory (design section 12). Each method returns
// a page for a person; instruct.Edit is one.
type Base interface {
	Show(ctx context.Context) (string, error)
	Set(ctx context.Context, text string) (string, error)
	Reset(ctx context.Context) (string, error)
}

// Server is an MCP server of the configuration, as it stands.
type Server struct {
	Name  string
	How   string // its program or address
	State string // such as "ready"
	Error string // why it is not there; "": it is
	Class string // of its tools
	Tools int    // that are offered
}

// Deps is what the commands work on.
type Deps struct {
	Agent Agent
	// Memory is what the words of /memory work on; session, caller and tool are filled in here.
	Memory   memory.Deps
	Settings func() (*config.Config, error)
	Ledger   usage.Ledger
	Base     Base
	Models   func() []string // names for agent.model, for /model and completion; may be nil
	Servers  func() []Server // may be nil: there are none
	Granted  func() []string // what a person allowed until the agent ends, a line each; may be nil
	Now      func() time.Time
}

// Answer is what a command has to say.
type Answer struct {
	// Value is what was found or done, for callers that print objects: those of
	// memory.Answer, session.Event (/undo, /redo, /clear), compact.Applied,
	// []Listed (/sessions), Spending (/usage); nil where only the page says it.
	Value any
	// Warnings name what was skipped and why.
	Warnings []string
	// No: what was asked about is known and the answer is no.
	No bool
	// Quit: the agent is to end.
	Quit bool
	// Outcome is set where turns ran, of a chain or after a hand-over, beside an
	// error too; the last answer is not on the page.
	Outcome *agent.Outcome

	print func(*memory.Paper)
}

// Print writes the answer for a person to read; where it is not empty it ends with a newline.
func (a Answer) Print(s memory.Style) string {
	if m, ok := a.Value.(memory.Answer); ok {
		return m.Print(s)
	}
	if a.print == nil {
		return ""
	}
	p := memory.NewPaper(s)
	a.print(p)
	return p.String()
}

// page is an answer that is written already.
func page(text string, err error) (Answer, error) {
	if err != nil {
		return Answer{}, err
	}
	return Answer{print: func(p *memory.Paper) { p.Text(text) }}, nil
}

// say is an answer of one line.
func say(format string, a ...any) Answer {
	line := fmt.Sprintf(format, a...)
	return Answer{print: func(p *memory.Paper) { p.Line(line) }}
}

// Prompt tells words for the model from a command. A command is a slash and
// one word of letters, digits, "-" and "_" that begins the line; so a path
// ("/etc/hosts is wrong"), a comment ("/* … */") and a lone slash are words for
// the model. "//" at the beginning stands for a slash of the text itself:
// "//tmp is full" is the prompt "/tmp is full".
func Prompt(line string) (text string, isPrompt bool) {
	rest, slashed := strings.CutPrefix(line, "/")
	if !slashed {
		return line, true
	}
	if strings.HasPrefix(rest, "/") {
		return rest, true
	}
	name, _ := word(rest)
	other := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }
	return line, name == "" || strings.IndexFunc(name, other) >= 0 || strings.IndexFunc(rest, unicode.IsSpace) == 0
}

// word takes the first word off a line; white space before and behind it goes.
func word(line string) (first, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// Run does what a line that begins with a slash says. An unknown command, and
// wrong arguments, are plumbing.ErrInvalid with the nearest name or the usage;
// a command that cannot run during a turn is plumbing.ErrBusy; the other errors
// are those of the agent, the stores and the settings.
func Run(ctx context.Context, d Deps, line string) (Answer, error) {
	name, args := word(strings.TrimPrefix(line, "/"))
	c, ok := Find(name)
	if !ok {
		return Answer{}, unknown(name)
	}
	if !c.Busy && d.Agent.Standing().Busy {
		return Answer{}, plumbing.Fail(plumbing.ErrBusy, fmt.Sprintf("/%s cannot run during a turn", name),
			"wait for its end, or interrupt it")
	}
	if args != "" && c.Usage == "" {
		return Answer{}, c.wrong()
	}
	return c.run(ctx, d, args)
}

// wrong says how the command is used.
func (c Command) wrong() error {
	if c.Usage == "" {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("/%s takes no argument", c.Name), "")
	}
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("/%s does not take these arguments", c.Name),
		fmt.Sprintf("usage: /%s %s", c.Name, c.Usage))
}

func unknown(name string) error {
	hint := "`/help` lists them; for the model, write //" + name
	if near := nearest(name); near != "" {
		hint = fmt.Sprintf("did you mean /%s? For the model, write //%s", near, name)
	}
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("there is no command /%s", name), hint)
}
