package agent

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// TestGoesOnAfterAFailedWrite: a session whose log could not be written to is
// attached anew at the next prompt, with all that was stored.
func TestGoesOnAfterAFailedWrite(t *testing.T) {
	w := newWorld(t)
	w.say("one", "two", "three")
	a := w.open(Options{})
	w.prompt(a, "first")
	id := a.Standing().SessionID
	log := filepath.Join(w.dir, "config/sessions/kettle-1", id+".jsonl")
	other := filepath.Join(w.dir, "other")
	if err := os.Link(log, other); err != nil { // a second name is another program's doing
		t.Fatal(err)
	}
	if _, err := a.Prompt(t.Context(), Input{Text: "second"}); !errors.Is(err, plumbing.ErrConflict) && !errors.Is(err, plumbing.ErrRefused) {
		t.Fatalf("error %v", err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	w.prompt(a, "third")
	if a.Standing().SessionID != id {
		t.Error("it is another session")
	}
	if d := cmp.Diff([]string{"one", "two"}, w.said()); d != "" {
		t.Error(d)
	}
}

// said is what the model answered, as it is stored.
func (w *world) said() (list []string) {
	for _, e := range kinds[Answered](w) {
		list = append(list, e.Response.Text())
	}
	return list
}
