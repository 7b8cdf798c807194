package memview

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: -want +got\n%s", name, d)
	}
}

var noon = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)

const (
	useTabs = "f-0123456789abcdef01234567"
	secret  = "f-89abcdef0123456789abcdef"
)

// fake is a memory that says what a test wants, and writes down what is done to it.
type fake struct {
	mu sync.Mutex
	Deps
	asked   []string
	fails   map[string]error // by the name of a function
	outcome fact.Outcome     // of remember
	facts   []memory.Listed
	gone    map[string]bool
	texts   map[string]string // replaced in what is told, for hostile words
	now     time.Time
}

// ask notes a call and says how it fails.
func (f *fake) ask(name string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, strings.TrimSpace(name+" "+fmt.Sprintln(args...)))
	return f.fails[name]
}

func (f *fake) said(prefix string) (list []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.asked {
		if strings.HasPrefix(a, prefix) {
			list = append(list, a)
		}
	}
	return list
}

func listed(id, text string, status source.Status, file string) memory.Listed {
	ref := source.Ref{Digest: "sha256:" + strings.Repeat("0", 64), SessionID: "0198c7d2-5a5e-7cc0-8f3f-52a1c0ffee00", Seqs: []int64{2, 3}}
	l := memory.Listed{Status: status, Fact: fact.Fact{ID: id, Created: noon.Add(-80 * time.Hour),
		Revisions: []fact.Revision{{Number: 1, Text: text, Created: noon.Add(-76 * time.Hour), Refs: []source.Ref{ref},
			Provenance: []fact.Position{{SessionID: ref.SessionID, Seq: 2}, {SessionID: ref.SessionID, Seq: 3}}}}}}
	if file != "" {
		l.File = &file
	}
	if status == source.Unverified {
		l.Fact.Revisions[0].Refs = nil
	}
	return l
}

func said(seq int64, role, text string) memory.Message {
	at := "2026-11-29T08:00:00.000Z"
	m := memory.Message{Seq: seq, Role: role, Origin: "generated", Time: &at, Text: &text}
	if role == "user" {
		m.Origin = "user"
	}
	return m
}

// newFake is a memory with a bit of everything.
func newFake() *fake {
	f := &fake{fails: map[string]error{}, gone: map[string]bool{}, now: noon}
	f.facts = []memory.Listed{
		listed(useTabs, "Indent with tabs, never with spaces, in every file of this project.", source.Valid, ""),
		listed("f-111111111111111111111111", "go.mod contains \"go 1.26\"", source.Valid, learned.Changed),
		listed(secret, "The token is 漢字.", source.Hidden, ""),
		listed("f-222222222222222222222222", "x", source.Stale, ""),
		listed("f-333333333333333333333333", "x", source.Missing, ""),
		listed("f-444444444444444444444444", "x", source.Unverified, ""),
	}
	f.Deps = f.looks()
	f.changes()
	return f
}

// looks is the functions that only tell.
func (f *fake) looks() Deps {
	return Deps{
		Now:     func() time.Time { f.mu.Lock(); defer f.mu.Unlock(); return f.now },
		Facts:   f.list,
		Why:     f.why,
		Recall:  f.recall,
		Foresee: f.foresee,
		Sessions: func(context.Context) (Sessions, error) {
			title, bad := "Set up the build", &session.Corruption{Line: 3}
			return Sessions{"s-now", []session.Info{
				{ID: "s-now", Updated: "2026-12-02T11:00:00.000Z", Messages: 12, Title: &title},
				{ID: "s-bad", Updated: "2026-12-02T11:30:00.000Z", Messages: 1, Corrupt: bad},
				{ID: "0198c7d2-5a5e-7cc0-8f3f-52a1c0ffee00", Updated: "2026-11-29T08:00:00.000Z", Messages: 1},
			}}, f.ask("sessions")
		},
		Messages: f.messages,
		Learning: func(context.Context) (*learned.Found, error) {
			return &learned.Found{SessionID: "s-now", Seq: 40, Time: noon.Add(-3 * time.Minute), Event: learned.Event{
				Outcome: learned.Proposed, Model: "tape", ReasonCounts: map[string]int64{"temporary_preference": 2, "secret_like": 1},
				Facts: []learned.Fact{{ID: useTabs, Revision: 1, Outcome: "deduplicated"}},
				Proposals: []learned.Proposal{
					{Text: f.text("Indent with four spaces."), Why: learned.WhyConflict, Conflicts: []learned.Conflict{{ID: useTabs, Revision: 1}}, Source: f.ref(5)},
					{Text: "I'd rather have short lines.", Why: learned.WhyUncertain, Cropped: true, Source: f.ref(7)},
				}}}, f.ask("learning")
		},
		Quoted: func(_ context.Context, r source.Ref) (Quoted, error) {
			return Quoted{source.Valid, []memory.Message{f.message(r.Seqs[0])}}, f.ask("quoted", r.Seqs)
		},
		Injected: func(context.Context) (Injected, error) { return f.injected(), f.ask("injected") },
		Summaries: func(context.Context) (History, error) {
			in, out := int64(1200), int64(300)
			return History{"s-now", []Summary{
				{Summary: session.Summary{Seq: 60, CoveredThrough: 50, Model: "tape", Text: f.text("The user wants tabs."), Prior: &session.Prior{Seq: 30}},
					Standing: session.Holds, InForce: true, Time: noon.Add(-time.Hour), First: 21, Input: &in, Output: &out},
				{Summary: session.Summary{Seq: 30, CoveredThrough: 20, Model: "tape", Text: "Old."}, Standing: session.Holds, First: 1},
				{Summary: session.Summary{Seq: 10, CoveredThrough: 8, Model: "tape", Text: "Older."}, Standing: session.Hidden, First: 1},
			}}, f.ask("summaries")
		},
		Loss: func(_ context.Context, _ string, seq int64) (compact.Loss, error) {
			return compact.Loss{Lost: []compact.Lost{{Kind: compact.Path, Seqs: []int64{22}, Text: f.text("cmd/main.go")}, {Kind: compact.Rule, Seqs: []int64{23, 24}, Text: "Never push."}},
				Carried: map[compact.Kind]int64{compact.Path: 2, compact.Number: 1}}, f.ask("loss", seq)
		},
	}
}

// changes is the functions that change the memory, and those of the notes.
func (f *fake) changes() {
	f.Deps.Forget = func(_ context.Context, id string) (fact.Receipt, error) {
		if err := f.ask("forget", id); err != nil {
			return fact.Receipt{}, err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.gone[id] = true
		return fact.Receipt{Changed: true, FactID: id, Generation: 4, GenerationBefore: 3, Revisions: 1,
			Positions: f.facts[0].Fact.Revisions[0].Provenance, Remains: fact.Remains()}, nil
	}
	f.Deps.Evidence = func(_ context.Context, id string, first, last int64) (Evidence, error) {
		e := Evidence{Generation: 3, Snapshot: source.Snapshot{Generated: first != last,
			Ref: source.Ref{SessionID: id, Digest: "sha256:" + strings.Repeat("1", 64)}}}
		for n := first; n <= last; n++ {
			e.Snapshot.Seqs = append(e.Snapshot.Seqs, n)
			e.Messages = append(e.Messages, f.message(n))
		}
		return e, f.ask("evidence", id, first, last)
	}
	f.Deps.Correct = func(_ context.Context, c Correction) error {
		return f.ask("correct", c.FactID, c.Revision, c.Evidence.Snapshot.SessionID, c.Evidence.Snapshot.Seqs, c.Evidence.Generation, c.Text)
	}
	f.Deps.Remember = func(_ context.Context, r Remembering) (fact.Result, error) {
		err := f.ask("remember", r.Evidence.Snapshot.SessionID, r.Evidence.Snapshot.Seqs, r.Evidence.Generation, r.Text)
		return fact.Result{Fact: f.facts[0].Fact, Outcome: f.outcome}, err
	}
	f.Deps.Notes = func(context.Context) (note.Listing, error) {
		return note.Listing{Notes: []note.Info{{File: "MEMORY.md", Bytes: 42, Modified: noon.Add(-time.Hour)},
			{File: "daily/2026-12-01.md", Bytes: 12_345, Modified: noon.Add(-20 * time.Hour)}, {File: "notes/漢字 style.md", Bytes: 1, Modified: noon}},
			Skipped: []note.Skipped{{File: "notes/link.md", Err: plumbing.Fail(plumbing.ErrRefused, "it is a link", "")}}}, f.ask("notes")
	}
	f.Deps.Note = func(_ context.Context, file string) (note.Note, error) {
		return note.Note{File: file, Text: "# Memory\r\n\r\n- " + f.text("We use tabs.") + "\n" + strings.Repeat("more\n", 30), Bytes: 42, Modified: noon}, f.ask("note", file)
	}
	f.Deps.SearchNotes = func(_ context.Context, p string) (note.Found, error) {
		return note.Found{Matches: []note.Match{{File: "MEMORY.md", Line: 20, Text: "more tabs"}}, Truncated: true}, f.ask("search", p)
	}
}

// text is a text, or the hostile one that a test has for it.
func (f *fake) text(t string) string {
	if h, ok := f.texts[""]; ok {
		return h + t
	}
	return t
}

func (f *fake) ref(seq int64) source.Ref {
	return source.Ref{SessionID: "s-now", Seqs: []int64{seq}, Digest: "sha256:" + strings.Repeat("2", 64)}
}

func (f *fake) list(_ context.Context, q Query) (Facts, error) {
	err := f.ask("facts", q.Offset, q.Words)
	f.mu.Lock()
	defer f.mu.Unlock()
	got := Facts{Offset: q.Offset}
	var all []memory.Listed
	for _, l := range f.facts {
		if !f.gone[l.Fact.ID] && strings.Contains(l.Fact.Current().Text, q.Words) {
			l.Fact.Revisions = []fact.Revision{l.Fact.Revisions[0]}
			l.Fact.Revisions[0].Text = f.text(l.Fact.Revisions[0].Text)
			all = append(all, l)
		}
	}
	if n := int64(len(all)); q.Words == "" {
		got.Total = &n
	}
	all = all[min(int(q.Offset), len(all)):]
	got.More = len(all) > memory.FactsPage
	got.Facts = all[:min(len(all), memory.FactsPage)]
	return got, err
}

func (f *fake) why(_ context.Context, id string) (memory.Reason, error) {
	if err := f.ask("why", id); err != nil {
		return memory.Reason{}, err
	}
	text, ref := f.text("Indent with tabs, never with spaces, in every file of this project."), f.facts[0].Fact.Current().Refs[0]
	r := memory.Reason{ID: id, Status: source.Valid, Created: noon, Revisions: []memory.Revision{{Number: 1, Created: noon, Text: &text, Source: &ref, Status: source.Valid,
		Session: &memory.Session{ID: ref.SessionID, Started: "2026-11-29T08:00:00.000Z"}, Messages: []memory.Message{f.message(1), f.message(2)}}}}
	r.Revisions[0].Messages[1].Evidence = true
	if id == secret {
		r.Status, r.Revisions[0].Status, r.Revisions[0].Why = source.Hidden, source.Hidden, &memory.Cause{Code: memory.Undone, Seq: 2}
	}
	return r, nil
}

func (f *fake) message(seq int64) memory.Message {
	if seq%2 == 0 {
		return said(seq, "assistant", f.text(fmt.Sprintf("answer %d, at some length, so that it has to be broken on a narrow terminal", seq)))
	}
	return said(seq, "user", f.text(fmt.Sprintf("question %d", seq)))
}

// messages is a session of 250 messages.
func (f *fake) messages(_ context.Context, w Window) (Messages, error) {
	const last = 250
	err := f.ask("messages", w.SessionID, w.From, w.Back, w.Limit)
	first, end := max(w.From, 1), min(int64(last), w.From+int64(w.Limit)-1)
	if w.Back {
		if end = w.From - 1; w.From == 0 {
			end = last
		}
		first = max(1, end-int64(w.Limit)+1)
	}
	got := Messages{Before: first > 1, After: end < last}
	for n := first; n <= end; n++ {
		got.List = append(got.List, f.message(n))
	}
	return got, err
}

func (f *fake) recall(_ context.Context, id string, offset int64) (recall.Page, error) {
	text, source_ := f.text("Indent with tabs."), f.text(fmt.Sprintf(`[{"content":"from %d"}]`, offset))
	p := recall.Page{FactID: &id, FactText: &text, Source: &f.facts[0].Fact.Current().Refs[0], SourceText: &source_, Status: source.Valid, Offset: offset}
	if offset == 0 {
		next := int64(4096)
		p.NextOffset = &next
	}
	if id == secret {
		p = recall.Page{FactID: &id, Status: source.Hidden}
	}
	return p, f.ask("recall", id, offset)
}

func (f *fake) foresee(_ context.Context, id string) (Forgetting, error) {
	return Forgetting{Fact: f.facts[0].Fact, Status: source.Valid, Positions: f.facts[0].Fact.Revisions[0].Provenance,
		Stops: []memory.Listed{listed("f-555555555555555555555555", f.text("Tabs are eight wide."), source.Valid, "")}, Looked: 5000, Summaries: 1, SessionID: "s-now", Remains: fact.Remains()}, f.ask("foresee", id)
}

func (f *fake) injected() Injected {
	stale, hidden := source.Stale, string(source.Hidden)
	room := prompt.WhyFactsMaxBytes
	h := source.Hidden
	return Injected{Caps: prompt.Caps{MaxBytes: 32768, FactsMaxBytes: 8192}, Gathered: prompt.Gathered{Generation: 3,
		Section: prompt.Section{Bytes: 500, Text: "# facts\n{\"id\":\"" + useTabs + "\",\"refs\":[],\"revision\":1,\"text\":\"Indent with tabs.\"}\n# memory\n> - We use tabs. " + f.text("") + "\n",
			Facts: []prompt.Shown{{ID: useTabs, Revision: 1}}, Omitted: []prompt.Omitted{{What: "f-111111111111111111111111", Bytes: 9000, Why: room}, {What: "MEMORY.md", Bytes: 77, Why: prompt.WhyMaxBytes}}},
		Looked:   []prompt.Looked{{ID: useTabs, Revision: 1}, {ID: secret, Revision: 2, Status: &h, Why: &hidden}, {ID: "f-111111111111111111111111", Revision: 1, Status: &stale, Why: &room}},
		Warnings: []prompt.Warning{{What: "scratchpad.md", Err: plumbing.Fail(plumbing.ErrRefused, "scratchpad.md is a link", "")}}}}
}
