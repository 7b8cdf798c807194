//go:build unix

package coding

import (
	"errors"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/permission"
)

// TestNever: lecode's own folders are outside, though they lie in the workspace.
func TestNever(t *testing.T) {
	b := newShell(t)
	b.o.Workspace.Never = []string{b.path(".config/lecode")}
	b.put(".config/lecode/config.toml", "needle\n")
	b.put(".config/other", "needle\n")
	b.link(".config/lecode", "link")
	file := b.path(".config/lecode/config.toml")
	for _, c := range []struct {
		tool, args string
		outside    bool
	}{
		{"read", `{"path":".config/lecode/config.toml"}`, true},
		{"read", `{"path":"link/config.toml"}`, true},
		{"read", `{"path":".config/other"}`, false},
		{"write", content(".config/lecode/config.toml", "x\n"), true},
		{"write", content(".config/lecode/new", "x\n"), true},
		{"edit", one(".config/lecode/config.toml", "needle", "x"), true},
		{"ls", `{"path":".config/lecode"}`, true},
		{"ls", `{"path":"."}`, false},
		{"bash", bashArgs("echo x > .config/lecode/config.toml"), true},
		{"bash", bashArgs("rm -r ."), true},
		{"bash", bashArgs("cat .config/other"), false},
	} {
		n, err := b.tools[c.tool].Needs(t.Context(), b.callOf(c.tool, c.args))
		if err != nil || (len(n.Outside) > 0) != c.outside {
			t.Errorf("%s %s: %v %+v", c.tool, c.args, err, n.Outside)
		}
		v := permission.Rules{Mode: permission.Auto, Settings: map[string]string{c.tool: "allow"}}.Judge(n, nil)
		if (v.Setting == permission.Ask) != c.outside {
			t.Errorf("%s %s: %+v", c.tool, c.args, v)
		}
	}
	if _, err := b.call("write", content("link/config.toml", "x\n")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("through a link: %v", err)
	}
	for tool, args := range map[string]string{"grep": `{"pattern":"needle"}`, "glob": `{"pattern":"**/*"}`, "ls": `{"path":".config","depth":3}`} {
		if got := b.must(tool, args); strings.Contains(got, "config.toml") || !strings.Contains(got, "other") {
			t.Errorf("%s: %q", tool, got)
		}
	}
	if got := b.must("grep", `{"pattern":"needle","path":".config/lecode"}`); !strings.Contains(got, "needle") { // where it was asked for
		t.Errorf("%q", got)
	}
	b.must("write", content(".config/lecode/new", "x\n"))
	if b.holds(".config/lecode/config.toml") != "needle\n" || b.holds(".config/lecode/new") != "x\n" {
		t.Error(file)
	}
}

// TestGuardNeeds: what takes the guard away is said of the call.
func TestGuardNeeds(t *testing.T) {
	b := newShell(t)
	for _, child := range []bool{false, true} {
		c := b.callOf("bash", bashArgs("env -u LECODE_READONLY lecode forget f1"))
		c.Child = child
		n, err := b.tools["bash"].Needs(t.Context(), c)
		if err != nil || !strings.Contains(n.Why, "LECODE_READONLY") {
			t.Errorf("%v %+v", err, n)
		}
		var g permission.Grants
		g.Add(n)
		if v := (permission.Rules{Mode: permission.Auto, Settings: map[string]string{"bash": "allow"}}).Judge(n, &g); v.Setting != permission.Ask {
			t.Errorf("%+v", v)
		}
	}
}
