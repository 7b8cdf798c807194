package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/porcelain/agent/instruct"
)

// promptWait is how long a save of the base prompt waits for another one.
const promptWait = 30 * time.Second

// instructions is what the system prompt is made from, but for the memory: the
// base prompt, AGENTS.md and skills of the active checkout.
func (w *wiring) instructions() instruct.Options {
	o := instruct.Options{
		Dir: w.dir(), ConfigDir: w.stores.Config.Dir, Slug: w.stores.Project.Slug, Now: w.e.Now(), OS: runtime.GOOS,
		ReadOnly: w.e.ReadOnly(), Holder: "lecode agent", LockWait: promptWait, Prepare: w.stores.Notes.Prepare,
	}
	if c := w.stores.Project.Checkout; c != nil {
		o.Checkout = *c
	}
	return o
}

// addInstructions gives the agent its system prompt, and the tool that reads a skill.
func (w *wiring) addInstructions(*config.Config) error {
	o := w.instructions()
	w.deps.System = func(ctx context.Context) (string, []string, error) {
		now := o
		settings, err := w.settings()
		if err != nil {
			return "", nil, err
		}
		now.NoMemory = !settings.Memory.Enabled
		if a := w.agent; a != nil {
			s := a.Standing()
			now.Model, now.Mode = s.Model, s.Mode
		}
		s, err := instruct.Compose(ctx, now)
		return s.Text, s.Warnings, err
	}
	w.deps.Tools = append(w.deps.Tools, instruct.SkillTool(o))
	return nil
}

// dir is the active working directory, links resolved.
func (w *wiring) dir() string {
	if wd, err := os.Getwd(); err == nil {
		if real, err := filepath.EvalSymlinks(wd); err == nil {
			return real
		}
		return wd
	}
	return w.root()
}

// root is the active checkout's root, or where there is none the project's.
func (w *wiring) root() string {
	if c := w.stores.Project.Checkout; c != nil {
		return *c
	}
	return w.stores.Project.Root
}
