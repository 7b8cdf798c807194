package learn

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// texts is the facts that there are, with the status of their evidence.
func (w *world) texts() []string {
	w.t.Helper()
	list, err := w.Facts.List(context.Background(), fact.Page{})
	w.must(err)
	texts := []string{}
	for _, f := range list {
		status, err := w.Facts.Status(context.Background(), f, w.Facts, session.Durable)
		w.must(err)
		texts = append(texts, string(status)+" "+f.Current().Text)
	}
	return texts
}

func TestApply(t *testing.T) {
	w := newWorld(t)
	id := w.talk(user("Please fix the build.\n"+lint+"\nThen deploy."), assistant("Done."),
		user("What does go.mod say?"), call("c1", "read", "go.mod"), result("c1", "read", "1\tmodule kettle"), assistant(`go.mod contains "module kettle"`))
	p := w.plan(id)
	a := w.apply(p, answer(preferred(lint, 1),
		offer{Kind: learned.KindFact, Quote: "1\tmodule kettle", Text: `go.mod contains "module kettle"`, Seqs: []int64{3, 4, 5, 6}},
		preferred("Please fix it today.", 1), preferred("not said", 1)))
	if d := cmp.Diff([]string{"valid " + lint, `valid go.mod contains "module kettle"`}, w.texts()); d != "" {
		t.Error(d)
	}
	want := learned.Event{CompactSeq: 11, Considered: []int64{1, 2, 3, 4, 5, 6}, Generation: 0, Model: "m", Outcome: "learned",
		Facts: a.Event.Facts, Proposals: []learned.Proposal{}, Type: "learning",
		ReasonCounts: map[string]int64{"temporary_preference": 1, "exact_text_mismatch": 1}}
	if d := cmp.Diff(want, a.Event); d != "" || len(a.Event.Facts) != 2 {
		t.Error(d)
	}
	log := w.log(id)
	if n := strings.Count(log, `"purpose":"learning"`); n != 1 || strings.Contains(log, "not said") || strings.Contains(log, "Please fix it today") {
		t.Errorf("%d usage events, or rejected text in the log", n)
	}
	// Applied again it is a conflict, and leaves the log as it is.
	p.Response = said(answer(preferred(lint, 1)))
	_, err := Apply(context.Background(), w.Deps, id, p)
	wantKind(t, err, plumbing.ErrConflict)
	if w.log(id) != log {
		t.Error("the second time changed the log")
	}
	_, err = Make(context.Background(), w.Deps, id, 0, roomy, "m")
	wantKind(t, err, plumbing.ErrNo)
}

// TestApplyCutOff: what was remembered before a crash is the same fact when the plan is applied again.
func TestApplyCutOff(t *testing.T) {
	w := newWorld(t)
	id := w.talk(user(lint+" Use tabs."), assistant("Yes."))
	p := w.plan(id)
	ref, err := w.Sources.Snapshot(context.Background(), w.Facts, id, 1, 1)
	w.must(err)
	first, err := w.Facts.Remember(context.Background(), lint, &ref.Ref, fact.RememberOptions{})
	w.must(err)
	a := w.apply(p, answer(preferred(lint, 1), preferred("Use tabs.", 1)))
	if len(a.Event.Facts) != 2 || a.Event.Facts[0].ID != first.Fact.ID || a.Event.Facts[0].Outcome != "retried" || a.Event.Facts[1].Outcome != "created" {
		t.Errorf("%+v", a.Event.Facts)
	}
}

// TestDeduplicate: all revisions count, also what was corrected away, and the incumbent stays as it is.
func TestDeduplicate(t *testing.T) {
	w := newWorld(t)
	id := w.talk(user("Always use tabs."), assistant("Yes."))
	a := w.apply(w.plan(id), answer(preferred("Always use tabs.", 1)))
	other := w.talk(user("always  USE tabs."), assistant("Yes."), user("Use spaces."), assistant("ok"))
	ref, err := w.Sources.Snapshot(context.Background(), w.Facts, other, 3, 3)
	w.must(err)
	_, err = w.Facts.Correct(context.Background(), a.Event.Facts[0].ID, 1, "Use spaces.", &ref.Ref, fact.CorrectOptions{})
	w.must(err)
	b := w.apply(w.plan(other), answer(preferred("always  USE tabs.", 1)))
	want := []learned.Fact{{ID: a.Event.Facts[0].ID, Outcome: "deduplicated", Revision: 2}}
	if d := cmp.Diff(want, b.Event.Facts); d != "" || b.Outcome != "learned" {
		t.Error(d, b.Outcome)
	}
	if d := cmp.Diff([]string{"valid Use spaces."}, w.texts()); d != "" {
		t.Error(d)
	}
}

// TestOutcomes: one row an outcome that no fact comes of.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name, answer, outcome, reason string
	}{
		{"empty", ` {"candidates":[]}` + "\n", "no_candidates", ""},
		{"fence", "```json\n{\"candidates\":[]}\n```", "failed", "invalid_json"},
		{"prose", "Nothing to learn.", "failed", "invalid_json"},
		{"schema", `{"candidates":{}}`, "failed", "response_schema"},
		{"too large", strings.Repeat("x", 3*2048+1), "failed", "output_too_large"},
		{"not said", answer(preferred("Never said.", 1)), "rejected", "exact_text_mismatch"},
		{"the assistant", answer(preferred("Noted it.", 2)), "rejected", "invalid_preference_source"},
		{"behind the summary", answer(preferred("go on", 3)), "rejected", "invalid_source"},
		{"a correction", answer(preferred("Actually, use tabs.", 1)), "proposed", ""},
	} {
		w := newWorld(t)
		id := w.talk(user("Actually, use tabs."), assistant("Noted it."))
		a := w.apply(w.plan(id), c.answer)
		want := map[string]int64{}
		if c.reason != "" {
			want[c.reason] = 1
		}
		if d := cmp.Diff(want, a.ReasonCounts); d != "" || a.Outcome != c.outcome || len(a.Event.Facts) != 0 || len(w.texts()) != 0 {
			t.Errorf("%s: %s %s", c.name, a.Outcome, d)
		}
		if n := strings.Count(w.log(id), `"type":"memory_usage"`); n != 1 {
			t.Errorf("%s: %d usage events", c.name, n)
		}
	}
}

// TestStale: whatever changes between the plan and its answer, nothing is kept of the answer.
func TestStale(t *testing.T) {
	for name, change := range map[string]func(w *world, id string) error{
		"undo": func(w *world, id string) error { w.undo(id, 1); return nil },
		"clear": func(w *world, id string) error {
			w.attached(id, func(a *session.Writer) error { _, err := a.Clear(context.Background()); return err })
			return nil
		},
		"edit":           func(w *world, id string) error { w.edit(id, "Use tabs.", "Use caps."); return nil },
		"edit elsewhere": func(w *world, id string) error { w.edit(id, "Noted.", "Noted!"); return nil },
		"forget":         func(w *world, id string) error { w.forgetSomething(); return nil },
		"forget it": func(w *world, id string) error {
			ref, err := w.Sources.Snapshot(context.Background(), w.Facts, id, 1, 1)
			w.must(err)
			r, err := w.Facts.Remember(context.Background(), "Tabs", &ref.Ref, fact.RememberOptions{})
			w.must(err)
			_, err = w.Facts.Forget(context.Background(), r.Fact.ID)
			return err
		},
		"the gate": func(w *world, id string) error {
			w.Gate = func(context.Context) error { return errors.New("the session was switched") }
			return nil
		},
	} {
		w := newWorld(t)
		id := w.talk(user("Use tabs."), assistant("Noted."))
		p := w.plan(id)
		w.must(change(w, id))
		a := w.apply(p, answer(preferred("Use tabs.", 1)))
		if d := cmp.Diff(map[string]int64{"stale_context": 1}, a.ReasonCounts); d != "" || a.Outcome != "stale" {
			t.Errorf("%s: %s %s", name, a.Outcome, d)
		}
		for _, text := range w.texts() {
			if strings.HasSuffix(text, "Use tabs.") {
				t.Errorf("%s: there is a fact", name)
			}
		}
	}
}

func (w *world) forgetSomething() {
	w.t.Helper()
	r, err := w.Facts.Add(context.Background(), "something else", nil)
	w.must(err)
	_, err = w.Facts.Forget(context.Background(), r.Fact.ID)
	w.must(err)
}

// TestGone: with the session goes all that could be written to it.
func TestGone(t *testing.T) {
	w := newWorld(t)
	id := w.talk(user("Use tabs."), assistant("Noted."))
	p := w.plan(id)
	p.Response = said(answer(preferred("Use tabs.", 1)))
	w.must(os.Remove(w.path(id)))
	_, err := Apply(context.Background(), w.Deps, id, p)
	wantKind(t, err, plumbing.ErrNotFound)
	_, err = Apply(context.Background(), w.Deps, "other", p)
	wantKind(t, err, plumbing.ErrConflict)
	if len(w.texts()) != 0 {
		t.Error("there is a fact")
	}
}

// lateValidator lets something happen inside the transaction that would insert.
type lateValidator struct {
	source.Validator
	do func()
}

func (v *lateValidator) Validate(ctx context.Context, ex session.Exclusions, ref source.Ref, p session.Purpose) (source.Status, error) {
	if v.do != nil {
		do := v.do
		v.do = nil
		do()
	}
	return v.Validator.Validate(ctx, ex, ref, p)
}

// TestStaleInTransaction: the evidence is looked at again where the fact is inserted.
func TestStaleInTransaction(t *testing.T) {
	w := newWorld(t)
	late := &lateValidator{Validator: w.Sources}
	w.Facts.Close()
	w.Facts = fact.NewStore(fact.Options{Config: w.tree(), Slug: "kettle-1", Validator: late, Now: w.now(), Enabled: true})
	_, err := w.Facts.Add(context.Background(), "there is a database", nil)
	w.must(err)
	id := w.talk(user("Use tabs."), assistant("Noted."))
	p := w.plan(id)
	late.do = func() { w.edit(id, "Use tabs.", "Use caps.") }
	p.Response = said(answer(preferred("Use tabs.", 1)))
	a, err := Apply(context.Background(), w.Deps, id, p)
	if err == nil && (a.Outcome != "stale" || len(a.Event.Facts) != 0) || late.do != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if d := cmp.Diff([]string{"unverified there is a database"}, w.texts()); d != "" {
		t.Error(d)
	}
}

// TestFail: a call that failed is an outcome, and its usage is kept once.
func TestFail(t *testing.T) {
	w := newWorld(t)
	id := w.talk(user("Use tabs."), assistant("Noted."))
	p := w.plan(id)
	r := provider.Response{CallID: "call-9", Model: "m"}
	a, err := Fail(context.Background(), w.Deps, p, r)
	w.must(err)
	if a.Outcome != "failed" || a.ReasonCounts["extraction_error"] != 1 || !strings.Contains(w.log(id), `"call_id":"call-9","model":"m","purpose":"learning"`) {
		t.Errorf("%+v", a)
	}
	// Somebody stopped it: only the usage, and the same records may be looked at again.
	other := w.talk(user("Use tabs."), assistant("Noted."))
	p = w.plan(other)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for range 2 {
		w.must(compact.Account(ctx, compact.Deps{Sessions: w.Sessions}, p, r))
	}
	if log := w.log(other); strings.Count(log, "call-9") != 1 || strings.Contains(log, `"type":"learning"`) {
		t.Error("the usage of a stopped call is not there once")
	}
	w.plan(other)
}

// TestNoRejectedText: no byte of what was rejected is anywhere on the disk.
func TestNoRejectedText(t *testing.T) {
	w := newWorld(t)
	id := w.talk(user("Use tabs. "+lint), assistant("Noted."))
	const secret = "PELICAN"
	_ = w.apply(w.plan(id), answer(preferred("Use "+secret, 1), preferred(secret, 9), preferred("Use tabs.", 1),
		offer{Kind: secret, Quote: secret, Text: secret, Conflicts: []string{secret}}))
	w.Facts.Close()
	w.must(filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), secret) {
			t.Errorf("%s holds rejected text", e.Name())
		}
		return err
	}))
	if d := cmp.Diff([]string{"valid Use tabs."}, w.texts()); d != "" {
		t.Error(d)
	}
}
