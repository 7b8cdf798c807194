package agent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

func names(list []provider.Tool) string {
	var out []string
	for _, t := range list {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}

// A child has a context and tools of its own, keeps nothing, and never writes memory.
func TestChild(t *testing.T) {
	w := newWorld(t)
	writer := note("memory_write", permission.Write)
	wrote := false
	writer.Run = func(context.Context, Call) (Result, error) { wrote = true; return Result{}, nil }
	w.d.Tools = []Tool{note("look", permission.Read), writer}
	w.settings.Permissions = map[string]string{"memory_write": "allow"}
	w.calls(`task {"prompt":"Count the files."}`)
	w.calls("look {}", "memory_write {}", "task {}") // the child
	w.say("There are two.")                          // the child
	w.say("Two files.")
	a := w.open(Options{})
	out := w.prompt(a, "How many?")
	if out.Text != "Two files." || out.Requests != 4 || out.Usage.Calls != 4 || wrote {
		t.Errorf("%+v, wrote %v", out, wrote)
	}
	if got := names(w.requests[0].Tools) + " / " + names(w.requests[1].Tools); got != "look memory_write task / look" {
		t.Error(got)
	}
	if len(w.requests[1].Messages) != 1 || w.requests[1].Messages[0].Content[0].Text != "Count the files." {
		t.Errorf("the child sees %+v", w.requests[1].Messages)
	}
	results := w.requests[2].Messages[2].Content
	if len(results) != 3 || results[0].Text != "look done\n" || !results[1].IsError || !results[2].IsError {
		t.Errorf("%+v", results)
	}
	want := "user:How many? | call:task | memory_usage | memory_usage | result:There are two. | assistant:Two files."
	if diff := cmp.Diff(want, w.log("id1")); diff != "" {
		t.Error(diff)
	}
	if s := a.Standing(); s.Usage.Calls != 4 {
		t.Errorf("%+v", s.Usage)
	}
}

// A child keeps the generation of the request that it came from.
func TestStaleChild(t *testing.T) {
	w, id := learned(t)
	w.calls(`task {"prompt":"What is the code name?"}`)
	w.do(func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
		w.forget(id)
		return provider.Response{Blocks: []provider.Block{provider.Text("Heron.")}, Finish: provider.FinishStop}, nil
	})
	w.say("I do not know.")
	a := w.open(Options{})
	out := w.prompt(a, "Ask a child.")
	if out.Text != "I do not know." || strings.Contains(w.log(a.Standing().SessionID), "Heron") {
		t.Errorf("%+v, %s", out, w.log(a.Standing().SessionID))
	}
}

func chained(w *world, phases ...config.Phase) {
	w.settings.Chains = map[string]config.Chain{"review": {Phases: phases}}
}

func TestChain(t *testing.T) {
	w := newWorld(t)
	w.d.Tools = []Tool{note("act", permission.Write)}
	chained(w, config.Phase{Prompt: "Look at it.", Mode: "readonly"}, config.Phase{Prompt: "Mend it.", Mode: "auto"})
	w.say("seen", "mended")
	a := w.open(Options{})
	out, err := a.Chain(context.Background(), "review", "the parser")
	if err != nil || out.Text != "mended" || out.Requests != 2 {
		t.Fatalf("%+v, %v", out, err)
	}
	want := "user:/chain review the parser | synthetic:Look at it. | assistant:seen | synthetic:Mend it. | assistant:mended"
	if diff := cmp.Diff(want, w.log("id1")); diff != "" {
		t.Error(diff)
	}
	if got := names(w.requests[0].Tools) + " / " + names(w.requests[1].Tools); got != "task / act task" {
		t.Errorf("tools of the phases: %s", got)
	}
	if _, err := a.Chain(context.Background(), "revue", ""); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("an unknown chain: %v", err)
	}
	// An undo, and the chain can still begin: what was typed comes first.
	if _, err := a.Undo(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	w.say("seen", "mended")
	if _, err := a.Chain(context.Background(), "review", ""); err != nil {
		t.Error(err)
	}
}

// A failure, a pause or a forget stops a chain.
func TestChainStops(t *testing.T) {
	for name, c := range map[string]struct {
		first func(*world, string)
		kind  error
	}{
		"failure": {func(w *world, _ string) { w.answer(provider.Response{Finish: provider.FinishStop}) }, plumbing.ErrModel},
		"forget": {func(w *world, id string) {
			w.do(func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
				w.forget(id)
				return provider.Response{Blocks: []provider.Block{provider.Text("Heron")}, Finish: provider.FinishStop}, nil
			})
		}, plumbing.ErrConflict},
		"pause": {func(w *world, _ string) { w.window = 4096; w.say("ok") }, plumbing.ErrPaused},
	} {
		t.Run(name, func(t *testing.T) {
			w, id := learned(t)
			chained(w, config.Phase{Prompt: "one", Mode: "default"}, config.Phase{Prompt: strings.Repeat("two ", 8000), Mode: "default"})
			c.first(w, id)
			a := w.open(Options{})
			_, err := a.Chain(context.Background(), "review", "")
			wantKind(t, err, c.kind)
			if len(w.requests) != 1 {
				t.Errorf("%d requests", len(w.requests))
			}
		})
	}
}

func TestHandoff(t *testing.T) {
	w := newWorld(t)
	w.summaries(good, "answer")
	a := w.open(Options{})
	if _, _, err := a.Handoff(context.Background(), ""); !errors.Is(err, plumbing.ErrNo) {
		t.Errorf("nothing said: %v", err)
	}
	for range 4 {
		w.prompt(a, "question about /srv/ledger.db")
	}
	before := a.Standing().SessionID
	id, out, err := a.Handoff(context.Background(), "Go on.")
	if err != nil || id == before || a.Standing().SessionID != id || out.Text != "answer" {
		t.Fatalf("%q, %+v, %v", id, out, err)
	}
	m := w.requests[len(w.requests)-1].Messages
	if len(m) != 2 || !strings.Contains(m[0].Content[0].Text, "Summary 1") || !strings.Contains(m[0].Content[0].Text, before) ||
		!strings.Contains(m[0].Content[0].Text, "question about") {
		t.Errorf("%+v", m)
	}
	// The seed is generated: the next forget ends it, and what it carried.
	if log := w.log(id); !strings.HasPrefix(log, "synthetic:") {
		t.Error(log)
	}
	w.forget(w.remember(before, "question about /srv/ledger.db"))
	w.prompt(a, "What was it about?")
	for _, m := range w.requests[len(w.requests)-1].Messages {
		if strings.Contains(m.Content[0].Text, "ledger") {
			t.Error("the hand-over outlives a forget")
		}
	}
}

func TestSwitch(t *testing.T) {
	w := newWorld(t)
	w.say("one", "two", "three")
	a := w.open(Options{})
	w.prompt(a, "first")
	first := a.Standing().SessionID
	if err := a.Switch(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	w.prompt(a, "second")
	if err := a.Switch(context.Background(), "nope"); !errors.Is(err, plumbing.ErrNotFound) || a.Standing().SessionID == first {
		t.Errorf("%v, now in %q", err, a.Standing().SessionID)
	}
	if err := a.Switch(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	w.prompt(a, "third")
	if diff := cmp.Diff("user:first | assistant:one | user:third | assistant:three", w.log(first)); diff != "" {
		t.Error(diff)
	}
}

// Tools that come and go are there from the next prompt on.
func TestGuests(t *testing.T) {
	w := newWorld(t)
	w.d.Tools = []Tool{note("look", permission.Read)}
	var guests []Tool
	w.d.Guests = func(context.Context) []Tool { return guests }
	a := w.open(Options{})
	w.say("one", "two")
	w.prompt(a, "one")
	guests = []Tool{note("mcp__far__see", permission.Network)}
	w.prompt(a, "two")
	if got := names(w.requests[0].Tools) + " / " + names(w.requests[1].Tools); got != "look task / look mcp__far__see task" {
		t.Error(got)
	}
}

func TestMask(t *testing.T) {
	w := newWorld(t)
	w.d.Mask = func(s string) (string, []string) {
		if !strings.Contains(s, "s3cret") {
			return s, nil
		}
		return strings.ReplaceAll(s, "s3cret", "[masked: key]"), []string{"key"}
	}
	tl := note("look", permission.Read)
	tl.Run = func(_ context.Context, c Call) (Result, error) {
		c.Progress("it is s3cret")
		return Result{Text: "the key is s3cret\n", Detail: "s3cret"}, nil
	}
	w.d.Tools = []Tool{tl}
	w.calls("look {}")
	w.say("done")
	w.prompt(w.open(Options{}), "What is s3cret?")
	if log := w.log("id1"); strings.Count(log, "s3cret") != 1 || !strings.Contains(log, "[masked: key]") {
		t.Errorf("only the user's own words may hold it: %s", log)
	}
	if p := kinds[Progressed](w); len(p) != 1 || strings.Contains(p[0].Text, "s3cret") {
		t.Errorf("%+v", p)
	}
	if c := kinds[Called](w); len(c) != 1 || strings.Contains(c[0].Result.Detail, "s3cret") || len(c[0].Masked) != 1 {
		t.Errorf("%+v", c)
	}
}

func TestPermission(t *testing.T) {
	for name, c := range map[string]struct {
		ask     permission.Asker
		denied  int64
		settled string
	}{
		"nobody": {nil, 2, ""},
		"no": {func(context.Context, permission.Need, permission.Verdict) (permission.Answer, error) {
			return permission.Refuse, nil
		}, 2, ""},
		"once": {func(context.Context, permission.Need, permission.Verdict) (permission.Answer, error) {
			return permission.Once, nil
		}, 0, ""},
		"denied": {func(context.Context, permission.Need, permission.Verdict) (permission.Answer, error) {
			return permission.Once, nil
		}, 2, "deny"},
		"allowed": {nil, 0, "allow"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.d.Ask = c.ask
			if c.settled != "" {
				w.settings.Permissions["act"] = c.settled
			}
			w.d.Tools = []Tool{note("act", permission.Write)}
			w.calls("act {}", "act {}")
			w.say("done")
			if out := w.prompt(w.open(Options{}), "go"); out.Denied != c.denied || out.Calls != 2 || out.Text != "done" {
				t.Errorf("%+v\n%s", out, w.log("id1"))
			}
		})
	}
	w := newWorld(t)
	asked := 0
	w.d.Ask = func(context.Context, permission.Need, permission.Verdict) (permission.Answer, error) {
		asked++
		return permission.Session, nil
	}
	w.d.Tools = []Tool{note("act", permission.Write)}
	w.calls("act {}", "act {}")
	w.say("done")
	if out := w.prompt(w.open(Options{}), "go"); out.Denied != 0 || asked != 1 {
		t.Errorf("%+v, asked %d times", out, asked)
	}
}
