package memview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/memory"
)

var ctx = context.Background()

// world is a project with a session s1, in folders of the test's own.
type world struct {
	Stores
	t    *testing.T
	last *prompt.Gathered
}

const talk = `{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"hello"}]}
{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"please use tabs"}]}
{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"tabs, noted"},{"arguments":{"path":"a"},"id":"c1","name":"read","type":"tool_call"}]}
{"type":"message","role":"tool","origin":"generated","generation":0,"content":[{"files":[],"id":"c1","is_error":false,"name":"read","text":"1\tmodule x","type":"tool_result"}]}
{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"text","text":"done"}]}
{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"thanks"}]}`

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	now := noon
	clock := func() time.Time { now = now.Add(time.Second); return now }
	config, p := file.Tree{Dir: dir + "/config"}, session.Project{Root: "/kettle", Slug: "kettle-1"}
	w := &world{t: t}
	sessions := session.NewStore(session.Options{Config: config, Cache: file.Tree{Dir: dir + "/cache"}, Project: p,
		Now: clock, NewID: func() (string, error) { return "s1", nil }, Holder: "the test"})
	v := source.Validator{Sessions: sessions}
	facts := fact.NewStore(fact.Options{Config: config, Slug: p.Slug, Validator: v, Now: clock, Enabled: true})
	notes := note.NewStore(note.Options{Config: config, Slug: p.Slug, Now: clock})
	t.Cleanup(func() { facts.Close() })
	w.Memory = memory.Deps{Notes: notes, Facts: facts, Sources: v, Sessions: sessions, Now: clock,
		Tool: func(ctx context.Context, generation *int64, name string, args []byte) (string, error) {
			r, err := tool.Call(ctx, tool.Deps{Facts: facts, Notes: notes, Sources: v}, tool.Caller{Generation: generation, SessionID: "s1"}, name, args)
			return r.Text, err
		}}
	w.Session = func() string { return "s1" }
	w.Caps = func() (prompt.Caps, bool, error) { return prompt.Caps{MaxBytes: 4096, FactsMaxBytes: 4096}, true, nil }
	w.Section = func() (prompt.Stores, func()) {
		return prompt.Stores{Generation: facts.Generation, Note: func(context.Context, string) (prompt.Note, error) {
			return prompt.Note{Text: "- We use tabs.\n", Size: 15}, nil
		}}, func() {}
	}
	w.Last = func() *prompt.Gathered { return w.last }
	must(sessions.New(ctx))
	w.write(func(a *session.Writer) error {
		_, err := a.Append(ctx, bytes.Split([]byte(talk), []byte("\n")), 9)
		return err
	})
	return w
}

func (w *world) write(do func(*session.Writer) error) {
	w.t.Helper()
	a := must(w.Memory.Sessions.Attach(ctx, "s1"))
	defer a.Close()
	if err := do(a); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) remember(text string, start, end int64) string {
	w.t.Helper()
	s := must(w.Memory.Sources.Snapshot(ctx, w.Memory.Facts, "s1", start, end))
	return must(w.Memory.Facts.Remember(ctx, text, &s.Ref, fact.RememberOptions{})).Fact.ID
}

// sum appends a summary of the first records, as compact does.
func (w *world) sum(through int64) {
	w.t.Helper()
	s := must(w.Memory.Sources.Snapshot(ctx, w.Memory.Facts, "s1", 1, through))
	event := must(json.Marshal(map[string]any{"call_id": "c", "covered_through": through, "covers": []source.Ref{s.Ref}, "generation": 0,
		"model": "tape", "prior": nil, "summary": "They use tabs.", "type": "compact",
		"usage": map[string]any{"cache_read_tokens": nil, "cache_write_tokens": nil, "cost": nil, "input_tokens": 120, "output_tokens": 30}}, json.Deterministic(true)))
	w.write(func(a *session.Writer) error { _, err := a.AppendEvent(ctx, event); return err })
}

func (w *world) hand() *hand {
	f := newFake()
	f.Deps = w.Stores.Deps()
	return newHand(w.t, f)
}

// TestForesee: what is told before a forget is what comes of it.
func TestForesee(t *testing.T) {
	w := newWorld(t)
	w.sum(5)
	gone := w.remember("Indent with tabs.", 2, 2)
	same := w.remember("Tabs, please.", 2, 2)
	model := w.remember("The model noted tabs.", 3, 3)
	stays := w.remember("They say hello.", 1, 1)
	f := must(w.foresee(ctx, gone))
	var stops []string
	for _, l := range f.Stops {
		stops = append(stops, l.Fact.ID)
	}
	want := []string{same, model}
	slices.Sort(stops)
	slices.Sort(want)
	if d := cmp.Diff(want, stops); d != "" {
		t.Errorf("stops: %s", d)
	}
	if d := cmp.Diff([]fact.Position{{SessionID: "s1", Seq: 2}}, f.Positions); d != "" {
		t.Error(d)
	}
	if f.Summaries != 1 || !f.All || f.Looked != 4 || len(f.Remains) == 0 || f.Status != source.Valid {
		t.Errorf("%+v", f)
	}
	history := must(w.summaries(ctx)) // asking about what may be changes nothing
	if len(history.Summaries) != 1 || !history.Summaries[0].InForce {
		t.Errorf("the summary: %+v", history)
	}
	r := must(w.forget(ctx, gone))
	if d := cmp.Diff(f.Positions, r.Positions); d != "" {
		t.Errorf("the receipt: %s", d)
	}
	var valid []string
	for _, l := range must(w.facts(ctx, Query{})).Facts {
		if l.Status == source.Valid {
			valid = append(valid, l.Fact.ID)
		}
	}
	if d := cmp.Diff([]string{stays}, valid); d != "" {
		t.Errorf("what holds: %s", d)
	}
	if s := must(w.summaries(ctx)).Summaries[0]; s.InForce || s.Standing == session.Holds {
		t.Errorf("the summary holds: %+v", s)
	}
	if _, err := w.foresee(ctx, gone); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("again: %v", err)
	}
}

// TestHistory tells of a summary what it covers and took.
func TestHistory(t *testing.T) {
	w := newWorld(t)
	w.sum(5)
	s := must(w.summaries(ctx)).Summaries[0]
	if s.First != 1 || s.CoveredThrough != 5 || *s.Input != 120 || *s.Output != 30 || s.Time.IsZero() || s.Text != "They use tabs." {
		t.Errorf("%+v", s)
	}
	loss := must(w.Stores.Deps().Loss(ctx, "s1", s.Seq))
	if loss.CoveredThrough != 5 {
		t.Errorf("%+v", loss)
	}
	w.Session = func() string { return "" }
	if h := must(w.summaries(ctx)); h.SessionID != "" {
		t.Errorf("%+v", h)
	}
	w.Session = func() string { return "later" }
	if h := must(w.summaries(ctx)); h.SessionID != "later" || h.Summaries != nil {
		t.Errorf("%+v", h)
	}
}

// TestWindows: only what may be evidence is offered, in both directions.
func TestWindows(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		w             Window
		want          string
		before, after bool
	}{
		{Window{From: 1, Limit: 2}, "1 hello|2 please use tabs", false, true},
		{Window{From: 3, Limit: 9}, "3 tabs, noted\ncalls read {\"path\":\"a\"}|4 read says:\n1\tmodule x|5 done|6 thanks", false, false},
		{Window{Back: true, Limit: 2}, "5 done|6 thanks", true, false},
		{Window{From: 3, Back: true, Limit: 9}, "1 hello|2 please use tabs", false, false},
		{Window{From: 1, Back: true, Limit: 9}, "", false, false},
		{Window{From: 99, Limit: 9}, "", false, false},
	} {
		c.w.SessionID = "s1"
		got := must(w.messages(ctx, c.w))
		var all []string
		for _, m := range got.List {
			all = append(all, fmt.Sprint(m.Seq, " ", *m.Text))
		}
		if d := cmp.Diff(c.want, strings.Join(all, "|")); d != "" || got.Before != c.before || got.After != c.after {
			t.Errorf("%+v: %v %v %s", c.w, got.Before, got.After, d)
		}
	}
	w.write(func(a *session.Writer) error { _, err := a.Undo(ctx, w.Memory.Facts, 6); return err })
	if got := must(w.messages(ctx, Window{SessionID: "s1", Back: true, Limit: 1})); got.List[0].Seq != 5 {
		t.Errorf("what was undone is offered: %+v", got.List)
	}
	if _, err := w.messages(ctx, Window{SessionID: "none"}); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("no session: %v", err)
	}
}

// TestLive: a person corrects a fact and forgets it, with real stores below.
func TestLive(t *testing.T) {
	w := newWorld(t)
	id := w.remember("Indent with tabs.", 2, 2)
	h := w.hand()
	h.sees("1-1 of 1 fact", "› valid Indent with tabs.", "s1 2")
	h.press("w")
	h.sees("> please use tabs", "1 the user", "(beside it)", "holds: the records are there")
	h.press("r")
	h.sees("revision 1: Indent with tabs.", "session s1, record 2", `"text":"please use tabs"`)
	h.press("esc", "c", "enter")
	h.sees("chosen: record 2")
	h.press("enter", "ctrl+u", "Use tabs only.", "enter", "y")
	h.sees("corrected: revision 1 is now 2", "revision 2", "Use tabs only.")
	h.press("esc", "f")
	h.sees("the fact with 2 revisions", "session s1, record 2: no model is shown", "no other fact stops holding")
	h.press("y")
	h.sees("Forgot "+id+" with 2 revisions.", "session s1, record 2", "Generation: 1, before 0.")
	h.press("esc")
	h.sees("There are no facts yet.")
	h.press("2")
	h.sees("There are no notes yet.")
	h.press("3")
	h.sees("Nothing was learned yet")
	h.press("4")
	h.sees("What the next request will carry", "2 lines of MEMORY.md and scratchpad.md")
	kept := w.remember("They say hello.", 1, 1)
	w.last = &prompt.Gathered{Section: prompt.Section{Bytes: 7, Facts: []prompt.Shown{{ID: id, Revision: 2}, {ID: kept, Revision: 1}},
		Text: "# Memory\n{\"id\":\"" + id + "\",\"text\":\"Use tabs only.\"}\n{\"id\":\"" + kept + "\",\"text\":\"They say hello.\"}\n"}}
	h.press("ctrl+r")
	h.sees("What the last request carried of the memory.", "7 of 4096 bytes", "not told any more", "+ They say hello.")
	told := h.screen(100, 40)
	h.press("enter")
	if told += h.screen(100, 40); strings.Contains(told, "Use tabs only.") || strings.Count(told, "They say hello.") != 2 {
		t.Errorf("a forgotten fact is told:\n%s", told)
	}
	h.press("esc")
	h.press("5")
	h.sees("Nothing of this session was summed up yet.")
}

// TestForgottenMeanwhile: words that were forgotten after they were chosen are no evidence, and another's correction is a conflict.
func TestForgottenMeanwhile(t *testing.T) {
	w := newWorld(t)
	id, other := w.remember("Indent with tabs.", 2, 2), w.remember("They say hello.", 1, 1)
	h := w.hand()
	h.press("c", "enter", "enter", " Always.", "enter")
	if _, err := w.Memory.Facts.Forget(ctx, other); err != nil {
		t.Fatal(err)
	}
	h.press("y")
	h.sees("error:", "what you wrote is kept", "Always.")
	h.press("esc", "esc", "enter", "enter", "y")
	h.sees("corrected: revision 1 is now 2")
	h.press("esc", "c", "enter", "enter", "enter")
	h.sees("that is what the fact says already, on the same words")
	h.press("!", "enter")
	s := must(w.Memory.Sources.Snapshot(ctx, w.Memory.Facts, "s1", 2, 2))
	must(w.Memory.Facts.Correct(ctx, id, 2, "Another's.", &s.Ref, fact.CorrectOptions{}))
	h.press("y")
	h.sees("error:", "r reads the fact as it is now")
	h.press("r", "y")
	h.sees("corrected: revision 3 is now 4")
}

// TestSearchFacts: a filter is literal, and what may not be told is not.
func TestSearchFacts(t *testing.T) {
	w := newWorld(t)
	w.remember("Indent with tabs.", 2, 2)
	w.remember("50% of it.", 1, 1)
	got := must(w.facts(ctx, Query{Words: "%"}))
	if len(got.Facts) != 1 || got.Total != nil || got.More {
		t.Errorf("%+v", got)
	}
	w.write(func(a *session.Writer) error { _, err := a.Undo(ctx, w.Memory.Facts, 2); return err })
	h := w.hand()
	h.sees("hidden (not told: hidden)")
	if s := h.screen(100, 40); strings.Contains(s, "Indent") {
		t.Errorf("told:\n%s", s)
	}
	if q := must(w.quoted(ctx, got.Facts[0].Fact.Current().Refs[0])); q.Status != source.Valid || len(q.Messages) != 1 {
		t.Errorf("%+v", q)
	}
	w.Caps = func() (prompt.Caps, bool, error) { return prompt.Caps{}, false, nil }
	h = w.hand()
	h.press("4")
	h.sees("The memory is disabled (memory.enabled)")
}
