package tool

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/canon"
)

// event appends an event of a type that only lecode itself writes.
func (w *world) event(line string) {
	w.t.Helper()
	a, err := w.sessions.Attach(w.t.Context(), "s1")
	if err != nil {
		w.t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.AppendEvent(context.Background(), []byte(line)); err != nil {
		w.t.Fatal(err)
	}
}

// memory_list tells the latest learning of the caller's session: codes and counts only.
func TestListTellsLearning(t *testing.T) {
	w := newWorld(t)
	list := func(session string) string {
		t.Helper()
		r, err := Call(t.Context(), w.Deps, Caller{SessionID: session}, "memory_list", nil)
		if err != nil {
			t.Fatal(err)
		}
		return gjson.Get(r.Text, "learning").Raw
	}
	if got := list("s1"); got != "null" {
		t.Errorf("before: %s", got)
	}
	w.event(`{"facts":[],"generation":0,"outcome":"rejected","proposals":[],"reason_counts":{"invalid_json":1},"type":"learning"}`)
	w.say("I said: use tabs.")
	ref, err := w.Sources.Snapshot(t.Context(), w.Facts, "s1", 4, 4)
	if err != nil {
		t.Fatal(err)
	}
	source, err := canon.Marshal(ref.Ref)
	if err != nil {
		t.Fatal(err)
	}
	proposal := func(text string) string {
		return `{"conflicts":[{"id":"f-0123456789abcdef01234567","revision":1},{"id":"SECRET","revision":1}],"cropped":false,"kind":"explicit_user_preference","source":` +
			string(source) + `,"text":"` + text + `","why":"conflict"}`
	}
	// Of the three proposals one says what its source says.
	w.event(`{"facts":[{"text":"SECRET"}],"generation":0,"outcome":"learned","proposals":[{"text":"SECRET"},` + proposal("use tabs.") + `,` + proposal("SECRET") +
		`],"reason_counts":{"exact_text_mismatch":2},"type":"learning"}`)
	w.say("Later.")
	want := `{"fact_count":1,"outcome":"learned","proposal_count":1,"proposals":[{"conflicts":[{"id":"f-0123456789abcdef01234567","revision":1}],"kind":"explicit_user_preference","source":` +
		string(source) + `,"why":"conflict"}],"reason_counts":{"exact_text_mismatch":2},"seq":5,"session_id":"s1"}`
	if d := cmp.Diff(want, list("s1")); d != "" {
		t.Error(d)
	}
	for _, other := range []string{"", "s2", "../s1"} {
		if got := list(other); got != "null" {
			t.Errorf("session %q: %s", other, got)
		}
	}
	w.must("memory_forget", `{"fact_id":"`+w.remember("Tabs.", 1, 1)+`"}`)
	if got := list("s1"); gjson.Get(got, "proposal_count").Int() != 0 || gjson.Get(got, "outcome").Str != "learned" {
		t.Errorf("after a forget: %s", got)
	}
}
