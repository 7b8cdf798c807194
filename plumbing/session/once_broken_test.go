package session

import (
	"context"
	"errors"
	"iter"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
)

// Each of these was a defect once: the way in is the test.

// A case: one damaged bit in the last index entry while a writer is attached makes an undo vanish with the next append.
func TestHoldsChainLost(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 0))
	if err := w.undo(id, 0); err != nil {
		t.Fatal(err)
	}
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Append(context.Background(), [][]byte{[]byte(user("b"))}, 0); err != nil {
		t.Fatal(err)
	}
	name := w.opt.Cache.Path(w.indexName(id))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-10] ^= 1 // A case: one bit of the last entry
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Append(context.Background(), [][]byte{[]byte(user("c"))}, 0); err != nil {
		t.Fatal(err)
	}
	a.Close()
	l := w.open(id)
	v, err := l.Visibility(forgets{})
	if err != nil {
		t.Fatal(err)
	}
	for seq := int64(1); seq <= 2; seq++ {
		if ok, _ := v.Visible(seq, Durable); ok {
			t.Errorf("record %d is undone and shows as visible", seq)
		}
	}
}

// A case: the log is deleted or replaced by another program under an attached writer: acknowledged and gone.
func TestHoldsUnlinked(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := os.Remove(w.path(id)); err != nil {
		t.Fatal(err)
	}
	if seqs, err := a.Append(context.Background(), [][]byte{[]byte(user("a"))}, 0); err == nil {
		t.Errorf("acknowledged %v into a file that is not there", seqs)
	}
}

// A case: another program appends under an attached writer: its bytes are overwritten without a word.
func TestHoldsOverwrites(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	f, err := os.OpenFile(w.path(id), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("z", 900) + "\n"
	f.WriteString(other)
	f.Close()
	seqs, err := a.Append(context.Background(), [][]byte{[]byte(user("a"))}, 0)
	if err == nil && !strings.Contains(w.read(id), other) {
		c := w.open(id).Corruption()
		t.Errorf("acknowledged %v, the other bytes are overwritten, and the log is now %+v", seqs, c)
	}
}

// A case: times that are not RFC 3339 with three decimals.
func TestHoldsTimes(t *testing.T) {
	for _, bad := range []string{"2026-01-02T15:04:05,000Z", "2026-01-02T3:04:05.000Z"} {
		w := newWorld(t)
		if _, err := w.tryAppend(w.new(), `{"type":"cancel","time":"`+bad+`"}`); err == nil {
			t.Errorf("stored time %q", bad)
		}
	}
}

// A case: an import goes on with an assistant message inside an undone exchange if an event comes first.
func TestHoldsImportAfterUndo(t *testing.T) {
	w := newWorld(t)
	records := []string{`{"content":[{"text":"a","type":"text"}],"origin":"user","role":"user","type":"message"}`}
	run := func() error {
		_, err := w.Import(context.Background(), ImportOptions{ID: "x", From: ImportedFrom{"f", "x"}, Records: seqOf(records), Generation: zero})
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	if err := w.undo("x", 0); err != nil {
		t.Fatal(err)
	}
	records = append(records, `{"foreign":{},"type":"foreign"}`, `{"content":[{"text":"b","type":"text"}],"origin":"generated","role":"assistant","type":"message"}`)
	wantKind(t, run(), plumbing.ErrConflict)
}

// A case: records of an import that are not the user's get the generation; foreign events do not.
func TestHoldsForeignGeneration(t *testing.T) {
	w := newWorld(t)
	records := []string{`{"foreign":{"summary":"s"},"time":"2026-01-02T03:04:05.006Z","type":"foreign"}`}
	_, err := w.Import(context.Background(), ImportOptions{ID: "x", From: ImportedFrom{"f", "x"}, Records: seqOf(records), Generation: five})
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := w.open("x").Entry(1); e.Generation != 5 {
		t.Errorf("generation %d, want 5", e.Generation)
	}
}

// A case: an import's record that has a seq or generation already makes a log that never opens.
func TestHoldsImportWritesCorrupt(t *testing.T) {
	w := newWorld(t)
	records := []string{`{"seq":1,"type":"cancel"}`}
	_, err := w.Import(context.Background(), ImportOptions{ID: "x", From: ImportedFrom{"f", "x"}, Records: seqOf(records), Generation: zero})
	if err == nil && w.open("x").Corruption() != nil {
		t.Errorf("the import reports success and the session is corrupt: %v", w.open("x").Corruption())
	}
}

// A case: an undo whose range lies beyond it hides what comes later.
func TestHoldsUndoOfTheFuture(t *testing.T) {
	w := newWorld(t)
	in := `{"id":"x","project":{"root":"/o","slug":"o"},"seq":0,"type":"session","version":1}` + "\n" + `{"from":1,"seq":1,"to":999999,"type":"undo"}` + "\n"
	w.new() // makes the folder
	w.write("x", strings.Replace(in, `{"root":"/o","slug":"o"}`, `{"root":"/kettle","slug":"kettle-1"}`, 1))
	w.append("x", user("a"))
	if got := w.visible("x", forgets{}, Durable); got != "2" {
		t.Errorf("visible %q, want 2", got)
	}
}

// A case: bytes after the last newline are a torn tail, also when they are many.
func TestHoldsLongTail(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"))
	w.write(id, w.read(id)+strings.Repeat("\x00", 17<<20))
	if c := w.open(id).Corruption(); c != nil {
		t.Errorf("corrupt: %+v", c)
	}
}

// A case: a copy that is not there is not found, not refused.
func TestHoldsMissingCopy(t *testing.T) {
	_, err := newWorld(t).Attach(context.Background(), "s1~2")
	wantKind(t, err, plumbing.ErrNotFound)
}

// A case: a project whose root is not UTF-8 has no sessions at all.
func TestHoldsRootBytes(t *testing.T) {
	w := newWorld(t)
	w.opt.Project.Root = "/k\xffttle"
	_, err := w.New(context.Background())
	if err != nil && !errors.Is(err, plumbing.ErrInvalid) && !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("an error of no kind (exit 70): %v", err)
	}
}

// A case: base64 of a file block and the files of a tool result are not looked at.
func TestHoldsBlocks(t *testing.T) {
	for _, c := range []string{
		`{"type":"file","name":"n","media_type":"m","data":"!!!"}`,
		`{"type":"tool_result","id":"c","name":"n","text":"","is_error":false,"files":"x"}`,
	} {
		w := newWorld(t)
		if _, err := w.tryAppend(w.new(), `{"type":"message","role":"tool","origin":"generated","generation":0,"content":[`+c+`]}`); err == nil {
			t.Errorf("stored %s", c)
		}
	}
}

// A case: a tool result in a user's own message.
func TestHoldsToolResultAsUser(t *testing.T) {
	w := newWorld(t)
	if _, err := w.tryAppend(w.new(), `{"type":"message","role":"user","origin":"user","content":[{"type":"tool_result","id":"c","name":"n","text":"x","is_error":false}]}`); err == nil {
		t.Error("stored a tool's output as a person's words")
	}
}

func seqOf(list []string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, r := range list {
			if !yield([]byte(r), nil) {
				return
			}
		}
	}
}

func zero(t time.Time) int64 { return 0 }
func five(t time.Time) int64 { return 5 }
