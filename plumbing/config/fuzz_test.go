package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// Whatever stands in the file: it is read or refused with a line for a person,
// what is read is within its bounds, and what is listed of it reads back as the same.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		"", "\ufeff", everything, disabledText, "memory.enabled = false", "memory = {enabled = false}", "hooks = [{}]", "[[hooks]]\n[[hooks]]\n[hooks.x]",
		"[[chains.a.phases]]\nprompt='x'\n[[chains.a.phases]]\nprompt='''y\n'''", "[a]\r\n[a.b]\r\n", "x = [\n[[1],\n2]]", "[mcp.m]\nurl='http://x'\nenv={A='1'}",
		"permissions.\"a\\u0062\" = 'ask'", "[permissions]\n'bash:go test' = 'allow'", "[providers]\na.type='exec'\na.command=['x']", "x = 1979-05-27T07:32:00Z", "[compaction]\nmid_turn_threshold=1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "config.toml"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(Options{ConfigDir: dir})
		if err != nil {
			var e *plumbing.Error
			if !errors.As(err, &e) || e.Kind != plumbing.ErrInvalid || e.Hint == "" || strings.ContainsAny(e.Message, "\n\x1b\x00") {
				t.Errorf("error %q", err)
			}
			return
		}
		if c.Memory.FactsMaxBytes < 0 || c.Memory.FactsMaxBytes > 65_536 {
			t.Errorf("facts_max_bytes %d", c.Memory.FactsMaxBytes)
		}
		again, err := Load(Options{ConfigDir: rewrite(t, c)})
		if err != nil {
			t.Fatalf("what was listed does not read back: %v", err)
		}
		if diff := cmp.Diff(c.Settings(), again.Settings(), cmp.FilterPath(isPlace, cmp.Ignore())); diff != "" {
			t.Error(diff)
		}
		checkLines(t, c, data)
	})
}

const disabledText = "[memory]\nenabled = false\n"

// isPlace: where a value came from differs when it is written anew.
func isPlace(p cmp.Path) bool {
	name := p.Last().String()
	return name == ".Line" || name == ".File" || name == ".Origin"
}

// rewrite writes the settings as dotted keys; of lists of tables and of variables, whose values are not listed, it writes the tables.
func rewrite(t *testing.T, c *Config) string {
	var b strings.Builder
	for _, s := range c.Settings() {
		section, _, _ := strings.Cut(s.Key, ".")
		switch section {
		case "agent", "memory", "compaction", "privacy":
			if s.Value != "" {
				b.WriteString(s.Key + " = " + s.Value + "\n")
			}
		}
	}
	for tool, v := range c.Permissions {
		b.WriteString("permissions." + tomlString(tool) + " = " + tomlString(v) + "\n")
	}
	table := func(head string, fields []field) {
		b.WriteString(head + "\n")
		for _, f := range fields {
			if env, ok := f.to.(*map[string]string); ok {
				for name, v := range *env {
					b.WriteString("env." + name + " = " + tomlString(v) + "\n")
				}
			} else if v := f.get(); !isZero(v) {
				b.WriteString(f.name + " = " + text(v) + "\n")
			}
		}
	}
	for name, p := range c.Providers {
		table("[providers."+tomlString(name)+"]", providerFields(&p))
	}
	for i := range c.Hooks {
		table("[[hooks]]", hookFields(&c.Hooks[i]))
	}
	for name, chain := range c.Chains {
		for _, p := range chain.Phases {
			table("[[chains."+tomlString(name)+".phases]]", phaseFields(&p))
		}
	}
	for name, s := range c.MCP {
		table("[mcp."+tomlString(name)+"]", serverFields(&s))
	}
	return write(t, b.String()+"# end\n", "")
}

// checkLines: a value from the file stands on a line of the file.
func checkLines(t *testing.T, c *Config, data []byte) {
	n := int64(strings.Count(string(data), "\n") + 1)
	for _, s := range c.Settings() {
		if s.Origin == FromUser && (s.Line == nil || *s.Line < 1 || *s.Line > n) {
			t.Errorf("%s stands on line %v of %d", s.Key, s.Line, n)
		}
	}
}

func TestNearest(t *testing.T) {
	known := (&Config{}).plainKeys()
	for wrong, want := range map[string]string{
		"memory.enabled": "memory.enabled", "memory.MAX_BYTES": "memory.max_bytes", "mask_secret": "privacy.mask_secrets",
		"memory.max_token_per_day": "memory.max_tokens_per_day", "modle": "agent.model", "": "agent.model",
		strings.Repeat("agent.model", 10_000): "agent.model", // any would do, but soon
	} {
		if got := nearest(wrong, known); got != want {
			t.Errorf("nearest(%.40q) = %q, want %q", wrong, got, want)
		}
	}
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"abc", "abd", 1}, {"abc", "acb", 2}, {"abc", "bc", 1}, {"ABC", "abc", 0}, {"é", "e", 1}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d", tt.a, tt.b, got)
		}
	}
}

// BenchmarkLoad: the common case, without files, costs two system calls.
func BenchmarkLoad(b *testing.B) {
	full := write(b, everything, "")
	for name, dir := range map[string]string{"none": b.TempDir(), "user": full} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(Options{ConfigDir: dir, Slug: slug, Env: func(string) string { return "" }}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("stat", func(b *testing.B) {
		path := filepath.Join(full, "nope")
		for b.Loop() {
			os.Stat(path)
			os.Stat(path)
		}
	})
}
