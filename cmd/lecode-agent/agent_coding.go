package main

import (
	"os"

	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/secret"
	"github.com/lecode/lecode/porcelain/coding"
	"github.com/lecode/lecode/porcelain/permission"
)

// addCoding gives the agent the tools that look at files and change them, and
// the shell. What the shell starts may not write the memory (design section 7).
func (w *wiring) addCoding(*config.Config) error {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // nothing then begins with ~
	}
	w.box = coding.New(coding.Options{
		Workspace: permission.Workspace{Root: w.root(), Home: home,
			Never: []string{w.stores.Config.Dir, w.stores.Cache.Dir}}, // the memory is changed by its tools only
		Dir: w.dir(), Env: w.guarded(), Shell: w.e.Getenv("SHELL"), TempDir: os.TempDir(), Now: w.e.Now(),
	})
	w.deps.Tools = append(w.deps.Tools, w.box.Tools()...)
	w.deps.Finished = w.box.Finished
	w.parts = append(w.parts, func() {
		if err := w.box.Close(); err != nil {
			w.e.Note("%v", err)
		}
	})
	return nil
}

// guarded is the environment of what a model starts: a lecode among that finds
// the same stores, and writes to none of them.
func (w *wiring) guarded() []string {
	return append(os.Environ(), "LECODE_CONFIG_DIR="+w.stores.Config.Dir, "LECODE_CACHE_DIR="+w.stores.Cache.Dir, "LECODE_READONLY=1")
}

// addMask takes secrets out of what tools print, unless that is not wanted.
func (w *wiring) addMask(settings *config.Config) error {
	if settings.Privacy.MaskSecrets {
		w.deps.Mask = secret.Mask
	}
	return nil
}
