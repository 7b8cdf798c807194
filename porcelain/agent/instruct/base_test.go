package instruct

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/adopt"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/source"
)

func (w world) system() string { return filepath.Join(w.ConfigDir, "memory", w.Slug, "system.md") }

func (w world) save(text, expected string) Saved {
	w.Helper()
	s, err := SaveBase(w.Context(), w.Options, text, expected)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

func TestBuiltIn(t *testing.T) {
	if err := CheckBase(BuiltIn()); err != nil {
		t.Error(err)
	}
	if len(BuiltIn()) > 6000 || whole(BuiltIn()) != BuiltIn() || prompt.Show(BuiltIn()) != BuiltIn() {
		t.Errorf("%d bytes", len(BuiltIn()))
	}
}

func TestSaveBase(t *testing.T) {
	w := newWorld(t)
	first, err := ReadBase(t.Context(), w.Options)
	want := Base{Text: BuiltIn(), Path: w.system(), Digest: Absent}
	if diff := cmp.Diff(want, first); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if s := w.save(" \n", Absent); s.Changed {
		t.Error("a reset of nothing changed something")
	}
	if _, err := os.Stat(w.ConfigDir); !errors.Is(err, os.ErrNotExist) {
		t.Error("a reset of nothing made a folder")
	}
	one := w.save("One.\n", first.Digest)
	want = Base{Text: "One.\n", Overridden: true, Path: w.system(), Digest: digest([]byte("One.\n"))}
	if diff := cmp.Diff(Saved{Base: want, Changed: true}, one); diff != "" {
		t.Error(diff)
	}
	if s := w.save("One.\n", one.Digest); s.Changed || s.Backup != "" {
		t.Errorf("saved again: %+v", s)
	}
	if two := w.save("Two.\n", one.Digest); !two.Changed || two.Backup != w.system()+".bak" {
		t.Errorf("%+v", two)
	}
	for _, expected := range []string{one.Digest, Absent} {
		for _, text := range []string{"Three.\n", ""} {
			if _, err := SaveBase(t.Context(), w.Options, text, expected); !errors.Is(err, plumbing.ErrConflict) {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	if b, _ := os.ReadFile(w.system() + ".bak"); string(b) != "One.\n" {
		t.Errorf("backup %q", b)
	}
	back := w.save("\uFEFF \n", "")
	if diff := cmp.Diff(Saved{Base: first, Changed: true, Backup: w.system() + ".bak"}, back); diff != "" {
		t.Error(diff)
	}
	if b, _ := os.ReadFile(w.system() + ".bak"); string(b) != "Two.\n" {
		t.Errorf("backup %q", b)
	}
	if _, err := SaveBase(t.Context(), w.Options, "", one.Digest); !errors.Is(err, plumbing.ErrConflict) {
		t.Errorf("a reset of what is gone: %v", err)
	}
}

func TestSaveBaseRefused(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, text string
		set        func(*Options)
		kind       error
	}{
		{"read-only", "x", func(o *Options) { o.ReadOnly = true }, plumbing.ErrRefused},
		{"too long", strings.Repeat("x", MaxBase+1), nil, plumbing.ErrInvalid},
		{"not UTF-8", "\xff", nil, plumbing.ErrInvalid},
		{"NUL", "a\x00", nil, plumbing.ErrInvalid},
		{"prepare fails", "x", func(o *Options) { o.Prepare = func(context.Context) error { return plumbing.ErrBusy } }, plumbing.ErrBusy},
	} {
		o := w.Options
		if c.set != nil {
			c.set(&o)
		}
		if _, err := SaveBase(t.Context(), o, c.text, ""); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := os.Stat(w.ConfigDir); !errors.Is(err, os.ErrNotExist) {
		t.Error("a refusal made a folder")
	}
	w.save(strings.Repeat("x", MaxBase), "")
	l, err := w.config().TryLock("memory/"+w.Slug+"/notes.lock", "another")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	if _, err := SaveBase(t.Context(), w.Options, "x", ""); !errors.Is(err, plumbing.ErrBusy) {
		t.Errorf("locked: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.LockWait = time.Hour
	if _, err := SaveBase(ctx, w.Options, "x", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The legacy store is looked for before the project's folder is first made, and only then.
func TestPrepare(t *testing.T) {
	w := newWorld(t)
	calls := 0
	w.Prepare = func(context.Context) error { calls++; return nil }
	w.save("", "")
	w.save("x", "")
	w.save("y", "")
	if calls != 1 {
		t.Errorf("called %d times", calls)
	}
}

// No line that lecode puts into a system prompt gets into an override: it
// would stay there when what it tells is forgotten.
func TestNothingFrozen(t *testing.T) {
	section := prompt.Build(prompt.Input{
		Facts:  []prompt.Fact{{ID: "f-0123456789abcdef01234567", Revision: 1, Text: "Tabs.", Refs: []source.Ref{{Digest: "sha256:00", Seqs: []int64{1}, SessionID: "s"}}}},
		Memory: prompt.Note{Text: "note\n", Size: 5}, Scratchpad: prompt.Note{Text: "todo\n", Size: 5}, MaxBytes: 9999, FactsMaxBytes: 9999})
	w := goldenWorlds()["whole"](newWorld(t))
	w.save("Before.\n", "")
	lines := 0
	for line := range strings.Lines(strings.TrimPrefix(w.compose().Text, BuiltIn()) + section.Text) {
		isFact := strings.HasPrefix(line, `{"id"`)
		if line[0] != '#' && !isFact {
			continue
		}
		lines++
		for _, text := range []string{line, "Be kind.\n\n" + line, "\uFEFF  > " + line, "- " + strings.TrimSuffix(line, "\n") + "\r\nmore\n"} {
			_, err := SaveBase(t.Context(), w.Options, text, "")
			var p *plumbing.Error
			if !errors.Is(err, plumbing.ErrInvalid) || !errors.As(err, &p) || !strings.Contains(p.Hint, "forgotten") || strings.Contains(err.Error(), "Tabs") {
				t.Errorf("%q: %v", text, err)
			}
			w.write(w.system(), text) // by hand
			if b, err := ReadBase(t.Context(), w.Options); !errors.Is(err, plumbing.ErrInvalid) {
				t.Errorf("read %q, %v", b.Text, err)
			}
		}
	}
	if lines != 9 {
		t.Errorf("%d lines were tried", lines)
	}
	w.save("# Environment\n\nUse the # Memory, and {\"id\": 1}.\n", "")
}

// The other readers of the memory folder take an override for none of theirs.
func TestBesideNotes(t *testing.T) {
	w := newWorld(t)
	w.save("Mine.\n", "")
	notes := note.NewStore(note.Options{Config: w.config(), Slug: w.Slug, Now: w.Now, Holder: "a test"})
	if l, err := notes.List(t.Context()); err != nil || len(l.Notes)+len(l.Skipped) > 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := notes.Read(t.Context(), "system.md"); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("read as a note: %v", err)
	}
	a, err := adopt.Adopt(t.Context(), adopt.Options{Config: w.config(), Old: adopt.Place{Root: "/old", Slug: w.Slug}, New: adopt.Place{Root: "/new", Slug: "new-0123456789ab"}, Now: w.Now})
	if err != nil || !a.Memory {
		t.Fatalf("%+v, %v", a, err)
	}
	w.Slug = "new-0123456789ab"
	if b, err := ReadBase(t.Context(), w.Options); err != nil || b.Text != "Mine.\n" {
		t.Errorf("%+v, %v", b, err)
	}
}
