package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/permission"
)

// What is always allowed is in the project's file, and in no way against what is set.
func TestKeep(t *testing.T) {
	w := wired(t, "[permissions]\nedit = \"ask\"\n")
	need := func(tool string) permission.Need {
		return permission.Need{Tool: tool, Class: permission.Write, Summary: tool}
	}
	where, err := w.keep(t.Context(), need("write"))
	if err != nil || !strings.Contains(where, `"write" = "allow"`) {
		t.Fatalf("%q, %v", where, err)
	}
	if again, err := w.keep(t.Context(), need("write")); err != nil || again != where {
		t.Errorf("again: %q, %v", again, err)
	}
	settings, err := w.settings()
	if err != nil || settings.Permissions["write"] != "allow" || settings.Permissions["edit"] != "ask" {
		t.Errorf("%v, %v", settings.Permissions, err)
	}
	if _, err := w.keep(t.Context(), need("edit")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("against what is set: %v", err)
	}
	path := w.stores.Config.Path("memory/" + w.stores.Project.Slug + "/config.toml")
	if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "write") != 1 {
		t.Errorf("%q, %v", text, err)
	}
}
