package tui

import (
	"context"
	"os/exec"

	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/slash"
)

// Agent is what the screen asks of a runner; *agent.Agent is one.
type Agent interface {
	Prompt(ctx context.Context, in agent.Input) (agent.Outcome, error)
	Standing() agent.Standing
}

// Session is what a screen works on, once it is there. Functions may be nil
// where a comment does not say otherwise. All but Memory, Shell and Standing are
// called from other goroutines than the one that draws, and may take their time.
type Session struct {
	Agent Agent // not nil
	// Slash does what a line that begins with a slash says; not nil.
	Slash func(ctx context.Context, line string) (slash.Answer, error)
	Names slash.Source // for completion
	// Verdict says what is wrong with a turn that ended before its time.
	Verdict func(agent.Outcome) error
	// Keep writes into the project's settings what a person always allows, and
	// says where; plumbing.ErrNo: this cannot be kept.
	Keep func(ctx context.Context, n permission.Need) (where string, err error)
	// Files are the files of the checkout for "@", relative, slash-separated.
	Files func(ctx context.Context) []string
	// Said are prompts of the project's sessions, the oldest first, to go back to.
	Said func(ctx context.Context) []string
	// Past is the end of the session that is attached, at most so many messages.
	Past func(ctx context.Context, messages int) (Past, error)
	// Shell is a line as a program to run for the person.
	Shell func(ctx context.Context, line string) *exec.Cmd
	// Memory opens the memory as a page, for "/memory" alone and a key.
	Memory func(ctx context.Context) Page
	// LearningOff says why automatic learning is off; "": it is on.
	LearningOff func() string
	// Facts is how many facts the next request tells the model, as things stand.
	Facts func(ctx context.Context) (int64, error)
	Place func() string // branch or worktree, for the status line
	// Close lets the session go; it is called once, when nothing runs any more.
	Close func()
}

// Past is the end of a session as it was.
type Past struct {
	Messages []Spoken
	Earlier  int // messages before them
}

// Spoken is a message of the past.
type Spoken struct {
	User bool // else the model
	Text string
}

// Opener makes a session ready for a screen that is drawn already. ask and on
// are for agent.Deps.
type Opener func(ctx context.Context, ask permission.Asker, on func(agent.Event)) (*Session, error)
