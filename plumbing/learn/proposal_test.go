package learn

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/session"
)

// standing is the proposals of the latest learning that still stand, as text and why.
func (w *world) standing(id string) string {
	w.t.Helper()
	found, err := learned.Latest(context.Background(), w.Sources, w.Facts, id)
	w.must(err)
	var list []string
	for _, p := range found.Proposals {
		list = append(list, p.Why+" "+p.Text)
	}
	return strings.Join(list, "; ")
}

// TestProposals: what is left to decide is shown only as long as its evidence holds.
func TestProposals(t *testing.T) {
	w := newWorld(t)
	first := w.talk(user("Use tabs."), assistant("Yes."))
	known := w.apply(w.plan(first), answer(preferred("Use tabs.", 1))).Event.Facts[0].ID
	id := w.talk(user("I prefer spaces."), assistant("Noted."))
	o := preferred("I prefer spaces.", 1)
	o.Conflicts = []string{known}
	a := w.apply(w.plan(id), answer(o))
	want := []learned.Conflict{{ID: known, Revision: 1}}
	if a.Outcome != "proposed" || len(a.Proposals) != 1 || cmp.Diff(want, a.Proposals[0].Conflicts) != "" {
		t.Fatalf("%+v", a)
	}
	all := "conflict I prefer spaces."
	if d := cmp.Diff([]string{"valid Use tabs."}, w.texts()); d != "" || w.standing(id) != all || w.standing("") == "" {
		t.Errorf("%s, standing %q", d, w.standing(id))
	}
	w.undo(id, 1)
	if got := w.standing(id); got != "" {
		t.Errorf("after an undo: %q", got)
	}
	w.attached(id, func(a *session.Writer) error { _, err := a.Redo(context.Background()); return err })
	if got := w.standing(id); got != all {
		t.Errorf("after a redo: %q", got)
	}
	w.edit(id, `"text":"I prefer spaces.","why"`, `"text":"I prefer evil.","why"`)
	if got := w.standing(id); got != "" {
		t.Errorf("of an event that was edited: %q", got)
	}
	w.edit(id, `"text":"I prefer evil.","why"`, `"text":"I prefer spaces.","why"`)
	w.forgetSomething()
	if got := w.standing(id); got != "" {
		t.Errorf("after a forget: %q", got)
	}
}

// TestConflictMoved: a fact that was corrected while the model thought is no longer the one that it saw.
func TestConflictMoved(t *testing.T) {
	w := newWorld(t)
	first := w.talk(user("Use tabs."), assistant("Yes."), user("Use hard tabs."), assistant("ok"))
	known := w.apply(w.plan(first), answer(preferred("Use tabs.", 1))).Event.Facts[0].ID
	id := w.talk(user("I prefer spaces."), assistant("Noted."))
	p := w.plan(id)
	ref, err := w.Sources.Snapshot(context.Background(), w.Facts, first, 3, 3)
	w.must(err)
	_, err = w.Facts.Correct(context.Background(), known, 1, "Use hard tabs.", &ref.Ref, fact.CorrectOptions{})
	w.must(err)
	o := preferred("I prefer spaces.", 1)
	o.Conflicts = []string{known}
	if a := w.apply(p, answer(o)); a.Outcome != "rejected" || a.ReasonCounts["invalid_conflicts"] != 1 {
		t.Errorf("%+v", a)
	}
}

// TestImported: in another agent's transcript nothing was typed here, and no tool of lecode's has read.
func TestImported(t *testing.T) {
	w := newWorld(t)
	text := `go.mod contains "module kettle"`
	id := w.new(append([]string{user("Use tabs."), call("c1", "read", "go.mod"), result("c1", "read", "1\tmodule kettle"), assistant(text)}, tail()...)...)
	w.edit(id, `"id":"`+id+`",`, `"id":"`+id+`","imported":{"format":"claude-code","source_id":"x"},`)
	w.compact(id)
	a := w.apply(w.plan(id), answer(preferred("Use tabs.", 1),
		offer{Kind: learned.KindFact, Quote: "1\tmodule kettle", Text: text, Seqs: []int64{1, 2, 3, 4}}))
	if a.Outcome != "proposed" || w.standing(id) != "imported Use tabs." || a.ReasonCounts["unverified_project_evidence"] != 1 || len(w.texts()) != 0 {
		t.Errorf("%+v", a)
	}
}
