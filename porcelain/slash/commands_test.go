package slash

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/memory"
)

// What each command asks of the agent, and says.
func TestCommands(t *testing.T) {
	for _, c := range []struct{ line, did, says string }{
		{"/undo", "undo 0", "Records 3 to 6 are hidden; /redo takes it back."},
		{"/undo 4", "undo 4", "Records 3 to 6"},
		{"/redo", "redo", "The undo at record 9 is taken back."},
		{"/clear", "clear", "The context begins anew"},
		{"/new", `switch ""`, "The next prompt begins a new session."},
		{"/resume s1", `switch "s1"`, "This is session s1 now."},
		{"/resume s2", "", "This is session s2 already."},
		{"/handoff the  tests, next", `handoff "the  tests, next"`, "This is session new now; it begins with what session s2 came to."},
		{"/handoff", `handoff ""`, "session new"},
		{"/model near/x", "model near/x", "The next request goes to near/x."},
		{"/model", "", "m answers."},
		{"/mode", "", "The mode is default."},
		{"/mode readonly", "", "The mode is readonly now."},
		{"/mcp", "", "No MCP server is configured"},
		{"/chain", "", "No chain is configured"},
		{"/sessions", "", "There are no sessions yet."},
	} {
		d, f := newDeps(t)
		_, text := saying(t, d, c.line)
		if !strings.Contains(text, c.says) || strings.Join(f.did, ";") != c.did {
			t.Errorf("%s: did %q, said %q", c.line, f.did, text)
		}
	}
}

// The agent's own errors come through as they are.
func TestFailures(t *testing.T) {
	for _, line := range []string{"/undo", "/redo", "/clear", "/new", "/resume s1", "/handoff", "/model x", "/compact"} {
		d, f := newDeps(t)
		f.fails = plumbing.Fail(plumbing.ErrConflict, "it changed", "")
		a, err := Run(t.Context(), d, line)
		if !errors.Is(err, plumbing.ErrConflict) || a.Value != nil || a.Print(memory.Style{}) != "" {
			t.Errorf("%s: %+v, %v", line, a, err)
		}
	}
}

func TestCompact(t *testing.T) {
	d, f := newDeps(t)
	f.compact = compact.Applied{Event: compact.Event{CoveredThrough: 12, Summary: "We use tabs.\x1b[31m\nAnd Go."}}
	a, text := saying(t, d, "/compact")
	if _, ok := a.Value.(compact.Applied); !ok || !strings.Contains(text, "records up to 12") || !strings.Contains(text, "We use tabs.<U+001B>[31m\nAnd Go.\n") {
		t.Errorf("%T, %q", a.Value, text)
	}
	f.fails = plumbing.ErrNo
	if a, text := saying(t, d, "/compact"); a.No || !strings.Contains(text, "nothing to sum up yet") {
		t.Errorf("%+v, %q", a, text)
	}
	f.fails = &plumbing.Error{Kind: plumbing.ErrPaused, Message: "blocked", Cause: &compact.Blocked{First: 3, Last: 5, Why: "incomplete"}}
	_, err := Run(t.Context(), d, "/compact")
	var p *plumbing.Error
	if !errors.Is(err, plumbing.ErrPaused) || !errors.As(err, &p) || !strings.Contains(p.Message, "records 3 to 5: they are incomplete") ||
		!strings.Contains(p.Hint, "/undo 3") || !strings.Contains(p.Hint, "/handoff") {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestChain(t *testing.T) {
	d, f := newDeps(t)
	settings, _ := d.Settings()
	settings.Chains = map[string]config.Chain{"fix": {Phases: []config.Phase{{Prompt: "Find the cause.", Mode: "readonly"}, {Prompt: "Mend it.", Mode: "default"}}}}
	f.outcome.Text, f.outcome.Denied = "done", 1
	a, text := saying(t, d, "/chain fix  the  test")
	if a.Outcome == nil || a.Outcome.Denied != 1 || text != "" || f.did[0] != `chain fix "the  test"` {
		t.Errorf("%+v, %q, %v", a, text, f.did)
	}
	if _, text := saying(t, d, "/chain"); !strings.Contains(text, "/chain fix\n") || !strings.Contains(text, "1. (readonly) Find the cause.") {
		t.Error(text)
	}
	f.fails = plumbing.ErrPaused
	if a, err := Run(t.Context(), d, "/chain fix"); !errors.Is(err, plumbing.ErrPaused) || a.Outcome == nil {
		t.Errorf("%+v, %v: what ran until then is lost", a, err)
	}
}

// A hand-over that was made stands, whatever became of its first turn.
func TestHandoff(t *testing.T) {
	d, f := newDeps(t)
	f.outcome.Text = "so"
	if a, _ := saying(t, d, "/handoff go on"); a.Outcome == nil || a.Outcome.Text != "so" {
		t.Errorf("%+v", a)
	}
	if a, _ := saying(t, d, "/handoff"); a.Outcome != nil {
		t.Errorf("%+v: no turn ran", a.Outcome)
	}
	f.fails, f.handed = plumbing.ErrModel, "new"
	a, err := Run(t.Context(), d, "/handoff go on")
	if !errors.Is(err, plumbing.ErrModel) || a.Outcome == nil || !strings.Contains(a.Print(memory.Style{}), "This is session new now") {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestModels(t *testing.T) {
	d, _ := newDeps(t)
	d.Models = func() []string { return []string{"offline", "m", "near/x"} }
	_, text := saying(t, d, "/model")
	if diff := cmp.Diff("m answers.\n      /model offline\n      /model near/x\n", text); diff != "" {
		t.Error(diff)
	}
}

func TestSettingsPages(t *testing.T) {
	d, _ := newDeps(t)
	settings, _ := d.Settings()
	if _, text := saying(t, d, "/permissions"); !strings.Contains(text, "reading is allowed, the rest is asked for") || strings.Contains(text, "allowed  ") {
		t.Error(text)
	}
	settings.Permissions = map[string]string{"write": "allow", "bash": "deny"}
	d.Granted = func() []string { return []string{"bash: go test"} }
	_, text := saying(t, d, "/permissions")
	want := "mode        default\nset         permissions.bash = deny\nset         permissions.write = allow\nallowed     bash: go test\n"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	d.Servers = func() []Server {
		return []Server{{"docs", "docs-server --stdio", "ready", "", "read", 2}, {"far", "https://example.org/mcp", "failed", "it does not answer\x1b", "network", 0}}
	}
	_, text = saying(t, d, "/mcp")
	want = "docs: ready, tools: 2 (read)\n      docs-server --stdio\nfar: failed, tools: 0 (network)\n      https://example.org/mcp\n      it does not answer<U+001B>\n"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
}

// base is a base prompt that is kept nowhere.
type base struct{ text string }

func (b *base) Show(context.Context) (string, error) { return "It is:\n\n" + b.text, nil }
func (b *base) Set(_ context.Context, text string) (string, error) {
	if strings.Contains(text, "fact") {
		return "", plumbing.Fail(plumbing.ErrInvalid, "it holds a fact", "")
	}
	b.text = text
	return "Saved.\n", nil
}
func (b *base) Reset(context.Context) (string, error) { b.text = ""; return "Reset.\n", nil }

func TestEditsys(t *testing.T) {
	d, _ := newDeps(t)
	b := &base{}
	d.Base = b
	for _, c := range []struct{ line, says, text string }{
		{"/editsys", "It is:\n\n", ""}, {"/editsys set Speak  like\na pirate.", "Saved.\n", "Speak  like\na pirate."},
		{"/editsys show", "It is:\n\nSpeak  like\na pirate.\n", "Speak  like\na pirate."}, {"/editsys reset", "Reset.\n", ""},
	} {
		if _, said := saying(t, d, c.line); said != c.says || b.text != c.text {
			t.Errorf("%s: %q, %q", c.line, said, b.text)
		}
	}
	if a, err := Run(t.Context(), d, "/editsys set a fact"); !errors.Is(err, plumbing.ErrInvalid) || a.Print(memory.Style{}) != "" {
		t.Errorf("%v", err)
	}
}

func TestUsage(t *testing.T) {
	d, f := newDeps(t)
	if _, text := saying(t, d, "/usage"); text != "session     no calls\ntoday       no calls\n" {
		t.Error(text)
	}
	cost := 0.25
	f.standing.Usage = usage.Totals{Calls: 3, UnknownUsageCalls: 3, UnknownCostCalls: 3, EstimatedTokens: 900}
	if err := d.Ledger.Append(t.Context(), usage.Line{CallID: "c", Purpose: usage.Answer, Model: "m", Provider: "p", Usage: &usage.Tokens{InputTokens: new(int64), Cost: &cost}}); err != nil {
		t.Fatal(err)
	}
	a, text := saying(t, d, "/usage")
	if !strings.Contains(text, "3 calls, tokens unknown (at most 900 by estimate), cost unknown") || !strings.Contains(text, "today       1 call") || strings.Contains(text, "$0.0000") {
		t.Error(text)
	}
	if s := a.Value.(Spending); s.Today.Calls != 1 || s.Session.Calls != 3 {
		t.Errorf("%+v", s)
	}
}

// The words of /memory go past the agent's permissions and hooks, and say how to go on in its terms.
func TestMemory(t *testing.T) {
	d, f := newDeps(t)
	if _, err := d.Memory.Notes.Write(t.Context(), note.Memory, strings.Repeat("Deploys are on Mondays.\n", 10), note.Replace); err != nil {
		t.Fatal(err)
	}
	if _, text := saying(t, d, "/memory show"); !strings.Contains(text, "[96 of 240 bytes; all of it: /memory edit]") {
		t.Error(text)
	}
	if a, _ := saying(t, d, "/memory search nothing of it"); !a.No {
		t.Error("a search without a hit is no answer of no")
	}
	f.fails = plumbing.ErrRefused
	if _, err := Run(t.Context(), d, "/memory forget f-0123456789abcdef01234567"); !errors.Is(err, plumbing.ErrRefused) && !errors.Is(err, plumbing.ErrNotFound) {
		t.Error(err)
	}
}

func TestSessions(t *testing.T) {
	d, f := newDeps(t)
	store := d.Memory.Sessions
	begin := func(times ...int) string {
		t.Helper()
		info, err := store.New(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		w, err := store.Attach(t.Context(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		for _, minute := range times {
			record := fmt.Sprintf(`{"time":"2026-12-02T11:%02d:00.000Z","title":"T%d","type":"title"}`, minute, minute)
			if _, err := w.Append(context.Background(), [][]byte{[]byte(record)}, 0); err != nil {
				t.Fatal(err)
			}
		}
		return info.ID
	}
	first, second, third := begin(50), begin(20), begin(40)
	f.standing.SessionID = first
	a, text := saying(t, d, "/sessions")
	var order []string
	for _, l := range a.Value.([]Listed) {
		order = append(order, fmt.Sprintf("%s %v", l.ID, l.Current))
	}
	if diff := cmp.Diff([]string{first + " true", third + " false", second + " false"}, order); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text, "*  s1       10 min") {
		t.Error(text)
	}
	if id, err := Latest(t.Context(), store, ""); err != nil || id != first {
		t.Errorf("the latest is %s, %v", id, err)
	}
	if _, err := Run(t.Context(), d, "/resume -"); err != nil || f.did[0] != fmt.Sprintf("switch %q", third) {
		t.Errorf("%v, %v", f.did, err)
	}
}

// Only sessions that the agent began are gone on with by themselves.
func TestLatestIsTheAgents(t *testing.T) {
	d, _ := newDeps(t)
	if _, err := Latest(t.Context(), d.Memory.Sessions, ""); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("of none: %v", err)
	}
	_, err := d.Memory.Sessions.Import(t.Context(), session.ImportOptions{ID: "theirs", From: session.ImportedFrom{Format: "claude-code", SourceID: "x"},
		Records: func(func([]byte, error) bool) {}, Generation: nil})
	if err != nil {
		t.Fatal(err)
	}
	if id, err := Latest(t.Context(), d.Memory.Sessions, ""); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("%s, %v", id, err)
	}
	info, err := d.Memory.Sessions.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if id, err := Latest(t.Context(), d.Memory.Sessions, ""); err != nil || id != info.ID {
		t.Errorf("%s, %v", id, err)
	}
	if id, err := Latest(t.Context(), d.Memory.Sessions, info.ID); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("but that one: %s, %v", id, err)
	}
}
