package cli

import (
	"os"

	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/learned"
)

// LearningOff says why automatic learning is off (design section 11); "" where it is on.
func (e *Env) LearningOff(c *config.Config) string {
	switch p := c.Permissions["memory_learn"]; {
	case !c.Memory.Enabled:
		return "memory.enabled is false"
	case !c.Memory.AutoLearn:
		return "memory.auto_learn is false"
	case p == "ask" || p == "deny":
		return "permissions.memory_learn is " + p
	case e.ReadOnly():
		return "LECODE_READONLY is set"
	}
	return ""
}

// Reread is Settings as the files are now, for what has to be asked again
// after a model has answered.
func (e *Env) Reread() (*config.Config, error) {
	e.settings = nil
	return e.Settings()
}

// IsTerminal reports whether a stream of the process is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isTerminal(f)
}

// Person reports whether somebody is at a terminal: stdin, stdout or stderr is one.
func (e *Env) Person() bool {
	for _, stream := range []any{e.Stdin, e.Stdout, e.Stderr} {
		if IsTerminal(stream) {
			return true
		}
	}
	return false
}

// Checkout is the project's files, for facts that are about one (design section 15.8).
func (s Stores) Checkout() learned.Checkout {
	c := learned.Checkout{Sources: s.Sources}
	if s.Project.Checkout != nil {
		c.Dir = *s.Project.Checkout
	}
	return c
}
