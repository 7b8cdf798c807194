package agent

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

// learned is a world with a fact that another session tells.
func learned(t *testing.T) (*world, string) {
	w := newWorld(t)
	w.say("noted")
	first := w.open(Options{})
	w.prompt(first, "The code name is Heron.")
	id := w.remember("id1", "The code name is Heron.")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	w.events, w.requests = nil, nil
	return w, id
}

// A forget while the model answers drops the answer; the turn is asked again once.
func TestForgetDuringAwait(t *testing.T) {
	w, id := learned(t)
	w.do(func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
		w.forget(id)
		return provider.Response{Blocks: []provider.Block{provider.Text("It is Heron.")}, Finish: provider.FinishStop}, nil
	})
	w.say("I do not know.")
	a := w.open(Options{})
	out := w.prompt(a, "What is the code name?")
	if out.Text != "I do not know." || out.Requests != 2 || out.Usage.Calls != 2 {
		t.Errorf("%+v", out)
	}
	if !strings.Contains(w.requests[0].System, "Heron") || strings.Contains(w.requests[1].System, "Heron") {
		t.Error("the second request is made with what was forgotten")
	}
	log := w.log(a.Standing().SessionID)
	if diff := cmp.Diff("user:What is the code name? | memory_usage | assistant:I do not know.", log); diff != "" {
		t.Error(diff)
	}
	if s := kinds[Stale](w); len(s) != 1 || !s[0].Again {
		t.Errorf("%+v", s)
	}
	w.say("fine")
	w.prompt(a, "Thanks.")
	if got := len(w.requests[2].Messages); got != 3 {
		t.Errorf("%d messages after it, want 3", got)
	}
}

func TestForgottenTwice(t *testing.T) {
	w, id := learned(t)
	other := w.open(Options{})
	w.say("noted")
	w.prompt(other, "And the colour is red.")
	second := w.remember(other.Standing().SessionID, "And the colour is red.")
	other.Close()
	for _, f := range []string{id, second} {
		w.do(func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
			w.forget(f)
			return provider.Response{Blocks: []provider.Block{provider.Text("x")}, Finish: provider.FinishStop}, nil
		})
	}
	a := w.open(Options{})
	out, err := a.Prompt(context.Background(), Input{Text: "What do you know?"})
	wantKind(t, err, plumbing.ErrConflict)
	if out.Stopped != "stale" || out.Text != "" {
		t.Errorf("%+v", out)
	}
}

// Once something was changed, nothing is asked again.
func TestForgetAfterAnEffect(t *testing.T) {
	for class, want := range map[permission.Class]bool{permission.Read: true, permission.Write: false, permission.Execute: false, permission.Network: false} {
		t.Run(string(class), func(t *testing.T) {
			w, id := learned(t)
			w.settings.Permissions["act"] = "allow"
			tl := note("act", class)
			tl.Run = func(context.Context, Call) (Result, error) { w.forget(id); return Result{Text: "Heron\n"}, nil }
			w.d.Tools = []Tool{tl}
			w.calls("act {}")
			w.say("again")
			a := w.open(Options{})
			out, err := a.Prompt(context.Background(), Input{Text: "go"})
			if again := err == nil && out.Text == "again"; again != want {
				t.Fatalf("%+v, %v", out, err)
			}
			if !want {
				wantKind(t, err, plumbing.ErrConflict)
				return
			}
			for _, m := range w.requests[1].Messages {
				for _, b := range m.Content {
					if strings.Contains(b.Text, "Heron") {
						t.Error("a result from before the forget is sent again")
					}
				}
			}
		})
	}
}

// A turn that forgets by itself has done what was asked and ends.
func TestOwnForget(t *testing.T) {
	w, id := learned(t)
	w.settings.Permissions["memory_forget"] = "allow"
	tl := note("memory_forget", permission.Write)
	tl.Run = func(context.Context, Call) (Result, error) { w.forget(id); return Result{Text: "forgotten\n"}, nil }
	w.d.Tools = []Tool{tl}
	w.calls("memory_forget {}")
	a := w.open(Options{})
	out, err := a.Prompt(context.Background(), Input{Text: "Forget the name."})
	if err != nil || out.Stopped != "forgot" || out.Requests != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	w.say("yes?")
	w.prompt(a, "And now?")
	if got := len(w.requests[1].Messages); got != 2 {
		t.Errorf("%d messages, want the two prompts: what was generated before is older", got)
	}
}

// What was asked may itself be forgotten.
func TestPromptForgotten(t *testing.T) {
	w := newWorld(t)
	a := w.open(Options{})
	w.do(func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
		w.forget(w.remember("id1", "The code name is Heron."))
		return provider.Response{Blocks: []provider.Block{provider.Text("ok")}, Finish: provider.FinishStop}, nil
	})
	_, err := a.Prompt(context.Background(), Input{Text: "The code name is Heron."})
	wantKind(t, err, plumbing.ErrConflict)
	if !strings.Contains(err.Error(), "no longer there") {
		t.Error(err)
	}
}

// What ended in the background joins the next request with the generation that
// it began in, or not at all.
func TestBackground(t *testing.T) {
	w, id := learned(t)
	finished := []Finished{{Text: "b1 ended", Generation: 0}}
	w.d.Finished = func() []Finished { f := finished; finished = nil; return f }
	w.say("seen")
	a := w.open(Options{})
	w.prompt(a, "go")
	if diff := cmp.Diff("user:go | synthetic:b1 ended | assistant:seen", w.log(a.Standing().SessionID)); diff != "" {
		t.Error(diff)
	}
	w.forget(id)
	finished = []Finished{{Text: "b2 ended with Heron", Generation: 0}}
	w.say("nothing")
	w.prompt(a, "and now")
	if log := w.log(a.Standing().SessionID); strings.Contains(log, "b2") {
		t.Errorf("older output was taken: %s", log)
	}
	if n := kinds[Notice](w); len(n) != 1 || !strings.Contains(n[0].Text, "dropped") {
		t.Errorf("%+v", n)
	}
}
