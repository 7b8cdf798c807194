package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
)

// deps is the world as the words see it; what tools are called with goes into calls.
func (w *world) deps(calls *[]string) Deps {
	config := file.Tree{Dir: filepath.Dir(filepath.Dir(filepath.Dir(w.log)))}
	return Deps{
		Notes: note.NewStore(note.Options{Config: config, Slug: "kettle-1", Now: now, Holder: "the test"}),
		Facts: w.Facts, Sources: w.sources, Sessions: w.Sessions, Now: now,
		Tool: func(_ context.Context, generation *int64, name string, args []byte) (string, error) {
			g := "nil"
			if generation != nil {
				g = fmt.Sprint(*generation)
			}
			*calls = append(*calls, fmt.Sprintf("%s %s %s", name, g, args))
			return "", errors.New("asked and denied")
		},
	}
}

// TestToolsAreCalled: both words that write go through the tool and nothing
// else, with the arguments of design section 8 and, for a correction, the
// generation from before its evidence was captured.
func TestToolsAreCalled(t *testing.T) {
	w := newWorld(t)
	var calls []string
	d := w.deps(&calls)
	for _, line := range []string{"correct " + w.fact + " 1 s1 5 5 Two  spaces.", "forget " + w.fact} {
		if _, err := Run(ctx, d, Split(line)); err == nil || !strings.Contains(err.Error(), "denied") {
			t.Errorf("%s: %v, want what the tool says", line, err)
		}
	}
	s, err := w.sources.Snapshot(ctx, w.Facts, "s1", 5, 5)
	must(t, err)
	ref, err := json.Marshal(s.Ref)
	must(t, err)
	want := []string{
		fmt.Sprintf(`memory_correct 0 {"expected_revision":1,"fact_id":%q,"source_snapshot":%s,"text":"Two  spaces."}`, w.fact, ref),
		fmt.Sprintf(`memory_forget nil {"fact_id":%q}`, w.fact),
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
	if f, err := w.Facts.Get(ctx, w.fact); err != nil || f.Current().Number != 1 {
		t.Errorf("revision %d, %v: something wrote past the tool", f.Current().Number, err)
	}
}

// TestCallerIsTold: what to type next is said in the caller's words.
func TestCallerIsTold(t *testing.T) {
	w := newWorld(t)
	for i := range 25 {
		w.remember(fmt.Sprintf("Fact %d.", i), 2, 2)
	}
	d := w.deps(new([]string))
	for caller, want := range map[Caller]string{"": "more: lecode memory facts 20\n", "/memory": "more: /memory facts 20\n"} {
		d.Call = caller
		a, err := Run(ctx, d, []string{"facts"})
		must(t, err)
		if text := a.Print(Style{Width: 80}); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestLearning: the latest event counts, of one session or of all; a clear behind it hides nothing.
func TestLearning(t *testing.T) {
	w := newWorld(t)
	d := w.deps(new([]string))
	event := func(outcome, more string) {
		w.write(func(a *session.Writer) error {
			_, err := a.AppendEvent(ctx, []byte(`{"outcome":"`+outcome+`"`+more+`,"type":"learning"}`))
			if err == nil {
				_, err = a.Clear(ctx)
			}
			return err
		})
	}
	got, err := d.latestLearning(ctx)
	if err != nil || got != nil {
		t.Fatalf("%+v, %v: want none", got, err)
	}
	event("no_candidates", "")
	event("learned", `,"facts":["f-1","f-2"],"proposals":[{"text":"PELICAN"}],"reason_counts":{"invalid_text":2,"candidate_schema":1}`)
	for _, id := range []string{"", "s1"} {
		d.SessionID = id
		got, err = d.latestLearning(ctx)
		must(t, err)
		want := "learned, 2 facts (candidate_schema 1, invalid_text 2), session s1, record 8, age now"
		if said := sayLearning(d, got); said != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
	d.SessionID = "gone"
	if got, err = d.latestLearning(ctx); err != nil || got != nil {
		t.Errorf("%+v, %v: want none", got, err)
	}
}

// TestEdit: what an editor does to the copy, and what then is in MEMORY.md and in the folder for copies.
func TestEdit(t *testing.T) {
	for _, c := range []struct {
		name   string
		before string // "" is none
		do     func(d Deps, path string) error
		kind   error
		after  string
		kept   string
	}{
		{"first", "", write("new\n"), nil, "new\n", ""},
		{"changed", "old\r\n", write("new\r\n"), nil, "new\r\n", ""},
		{"unchanged", "old\n", func(Deps, string) error { return nil }, nil, "old\n", ""},
		{"removed", "old\n", func(_ Deps, path string) error { return os.Remove(path) }, nil, "old\n", ""},
		{"fails", "old\n", func(Deps, string) error { return plumbing.Fail(plumbing.ErrRefused, "x", "") }, plumbing.ErrRefused, "old\n", ""},
		{"fails late", "old\n", func(d Deps, path string) error {
			return errors.Join(write("new\n")(d, path), plumbing.Fail(plumbing.ErrRefused, "x", ""))
		}, plumbing.ErrRefused, "old\n", "new\n"},
		{"overtaken", "old\n", func(d Deps, path string) error {
			_, err := d.Notes.Write(ctx, note.Memory, "theirs\n", note.Replace)
			return errors.Join(err, write("new\n")(d, path))
		}, plumbing.ErrConflict, "theirs\n", "new\n"},
		{"overtaken first", "", func(d Deps, path string) error {
			_, err := d.Notes.Write(ctx, note.Memory, "theirs\n", note.Replace)
			return errors.Join(err, write("new\n")(d, path))
		}, plumbing.ErrConflict, "theirs\n", "new\n"},
		{"no text", "old\n", write("a\x00b"), plumbing.ErrInvalid, "old\n", "a\x00b"},
		{"not UTF-8", "old\n", write("a\xff"), plumbing.ErrInvalid, "old\n", "a\xff"},
		{"emptied", "old\n", write(""), nil, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, copies := newWorld(t).deps(new([]string)), t.TempDir()
			if c.before != "" {
				_, err := d.Notes.Write(ctx, note.Memory, c.before, note.Replace)
				must(t, err)
			}
			_, err := Edit(ctx, d, Editing{TempDir: copies, Open: func(path string) error { return c.do(d, path) }})
			if !errors.Is(err, c.kind) || c.kind == nil && err != nil {
				t.Errorf("%v, want %v", err, c.kind)
			}
			n, err2 := d.Notes.Read(ctx, note.Memory)
			must(t, err2)
			if n.Text != c.after {
				t.Errorf("MEMORY.md holds %q, want %q", n.Text, c.after)
			}
			left, err2 := filepath.Glob(copies + "/*/MEMORY.md")
			must(t, err2)
			kept := ""
			if len(left) > 0 {
				b, err := os.ReadFile(left[0])
				must(t, err)
				kept = string(b)
			}
			if kept != c.kept || (kept != "") != strings.Contains(hint(err), "your text is in") {
				t.Errorf("%q is kept, want %q; said: %v", kept, c.kept, hint(err))
			}
		})
	}
}

func write(text string) func(Deps, string) error {
	return func(_ Deps, path string) error { return os.WriteFile(path, []byte(text), 0o600) }
}

func hint(err error) string {
	var e *plumbing.Error
	errors.As(err, &e)
	if e == nil {
		return ""
	}
	return e.Hint
}
