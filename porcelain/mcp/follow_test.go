package mcp

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/transcript"
)

// followed is a transcript that grows, and the follower of it.
type followed struct {
	*world
	*Follower
	file string
	ids  int
	last string // uuid
}

func follow(t *testing.T) *followed {
	w := newWorld(t)
	f := &followed{world: w, file: filepath.Join(t.TempDir(), "t.jsonl")}
	f.Follower = &Follower{File: f.file, Sessions: w.sessions, Log: w.note,
		Generation: func() (func(time.Time) int64, error) { return func(time.Time) int64 { return 0 }, nil }}
	return f
}

// typed is a line that a user typed, behind the last one.
func (f *followed) typed(text string) string {
	f.ids++
	parent := "null"
	if f.last != "" {
		parent = fmt.Sprintf("%q", f.last)
	}
	f.last = fmt.Sprintf("u%d", f.ids)
	return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%s,"sessionId":"talk","promptSource":"typed","timestamp":"2026-01-02T11:00:00.000Z","message":{"role":"user","content":%q}}`+"\n", f.last, parent, text)
}

// write adds to the file.
func (f *followed) write(s string) {
	f.t.Helper()
	h, err := os.OpenFile(f.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	f.ok(err)
	_, err = h.WriteString(s)
	f.ok(err)
	f.ok(h.Close())
}

// replace puts another file in its place.
func (f *followed) replace(s string) {
	f.t.Helper()
	f.ok(os.WriteFile(f.file+".new", []byte(s), 0o600))
	f.ok(os.Rename(f.file+".new", f.file))
}

// wants refreshes and checks how many records are there then, and what was told meanwhile.
func (f *followed) wants(records int64, told ...string) {
	f.t.Helper()
	f.log = nil
	id := f.Refresh(context.Background())
	if len(f.log) != len(told) {
		f.t.Fatalf("told %q, want %d lines", f.log, len(told))
	}
	for i, want := range told {
		if !strings.Contains(f.log[i], want) {
			f.t.Errorf("told %q, want %q", f.log[i], want)
		}
	}
	if records == 0 {
		if id != "" {
			f.t.Errorf("session %q", id)
		}
		return
	}
	info, err := f.sessions.Info(context.Background(), "talk")
	f.ok(err)
	if info.Records != records || id != "talk" {
		f.t.Errorf("%d records in session %q, want %d", info.Records, id, records)
	}
	f.same()
}

// same checks that a whole import finds nothing to add or to refuse, where the file is as it was followed.
func (f *followed) same() {
	f.t.Helper()
	b, err := os.ReadFile(f.file)
	f.ok(err)
	whole := b[:strings.LastIndexByte(string(b), '\n')+1]
	tr, err := transcript.Open("claude-code", strings.NewReader(string(whole)), int64(len(whole)), "whole")
	if err != nil {
		return
	}
	generation, _ := f.Generation()
	got, err := f.sessions.Import(context.Background(), session.ImportOptions{ID: tr.ID,
		From: session.ImportedFrom{Format: tr.Format, SourceID: tr.SourceID}, Records: tr.Records(), Generation: generation})
	if err == nil && got.Appended != 0 {
		f.t.Errorf("a whole import appends %d more", got.Appended)
	}
}

func TestFollowGrows(t *testing.T) {
	f := follow(t)
	f.wants(0, "it is not there")
	f.wants(0) // said once
	a := f.typed("a")
	f.write(a[:20])
	f.wants(0)
	f.write(a[20:])
	f.wants(1, "1 new records in session talk")
	f.wants(1)
	b, c := f.typed("b"), f.typed("c")
	f.write(b + c[:len(c)-1]) // the last line is torn, though it is whole JSON
	f.wants(2, "1 new records")
	f.write("\n" + f.typed("d"))
	f.wants(4, "2 new records")
}

// TestFollowReadsWhatIsNew counts the bytes read when a long file has grown by a line.
func TestFollowReadsWhatIsNew(t *testing.T) {
	f := follow(t)
	for range 2000 {
		f.write(f.typed(strings.Repeat("x", 500)))
	}
	f.wants(2000, "2000 new")
	line := f.typed("one more")
	f.write(line)
	r, err := os.Open(f.file)
	f.ok(err)
	defer r.Close()
	info, err := r.Stat()
	f.ok(err)
	counted := &counter{r: r}
	if why, err := f.place.changed(counted, info); why != "" || err != nil {
		t.Fatal(why, err)
	}
	more, err := f.place.g.Look(counted, info.Size())
	f.ok(err)
	n := 0
	for _, err := range f.place.g.Records() {
		f.ok(err)
		n++
	}
	if !more || n != 1 {
		t.Errorf("%d records", n)
	}
	if most := int64(2*maxEnds + 4*len(line)); counted.n > most {
		t.Errorf("read %d bytes for a line of %d, want at most %d", counted.n, len(line), most)
	}
}

type counter struct {
	r io.ReaderAt
	n int64
}

func (c *counter) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(p, at)
	c.n += int64(n)
	return n, err
}

func TestFollowChanged(t *testing.T) {
	begin := func(t *testing.T) (f *followed, text string) {
		f = follow(t)
		text = f.typed("use tabs") + f.typed("b")
		f.write(text)
		f.wants(2, "2 new")
		return f, text
	}
	t.Run("replaced by the same and more", func(t *testing.T) {
		f, text := begin(t)
		f.replace(text + f.typed("c"))
		f.wants(3, "was replaced", "1 new records")
	})
	t.Run("replaced by something else", func(t *testing.T) {
		f, text := begin(t)
		f.replace(strings.Replace(text, "tabs", "TABS", 1))
		f.wants(2, "was replaced", "record 1 differs")
		f.wants(2) // said once, and nothing is tried again while it stays as it is
		f.write(f.typed("c"))
		f.wants(2)
		f.replace(text)
		f.wants(2)
	})
	t.Run("cut", func(t *testing.T) {
		f, text := begin(t)
		f.ok(os.Truncate(f.file, int64(strings.Index(text, "\n")+1)))
		f.wants(2, "was cut", "the source no longer has it")
	})
	t.Run("edited and grown", func(t *testing.T) {
		f, text := begin(t)
		f.ok(os.WriteFile(f.file, []byte(strings.Replace(text, "tabs", "TABS", 1)+f.typed("c")), 0o600))
		f.wants(2, "was edited", "record 1 differs")
	})
	t.Run("gone and back", func(t *testing.T) {
		f, text := begin(t)
		f.ok(os.Remove(f.file))
		f.log = nil
		if id := f.Refresh(context.Background()); id != "talk" || len(f.log) != 1 {
			t.Errorf("%q, %q", id, f.log)
		}
		f.write(text + f.typed("c"))
		f.wants(3, "1 new")
	})
	t.Run("the session deleted", func(t *testing.T) {
		f, _ := begin(t)
		f.ok(f.sessions.Delete(context.Background(), "talk"))
		f.write(f.typed("c"))
		f.wants(3, "3 new")
	})
	t.Run("an event of lecode's own", func(t *testing.T) {
		f, _ := begin(t)
		a, err := f.sessions.Attach(context.Background(), "talk")
		f.ok(err)
		_, err = a.Clear(context.Background())
		f.ok(err)
		f.ok(a.Close())
		f.write(f.typed("c"))
		f.wants(4, "1 new")
	})
	t.Run("a line that is none", func(t *testing.T) {
		f, _ := begin(t)
		f.write("no JSON\n")
		f.wants(2, "line 3")
		f.wants(2)
	})
}

// TestFollowLate: an answer that stands before its prompt waits for it.
func TestFollowLate(t *testing.T) {
	f := follow(t)
	f.write(f.typed("a"))
	f.wants(1, "1 new")
	prompt := f.typed("b")
	answer := fmt.Sprintf(`{"type":"assistant","uuid":"x","parentUuid":%q,"sessionId":"talk","timestamp":"2026-01-02T11:00:00.000Z","message":{"role":"assistant","content":"c"}}`+"\n", f.last)
	f.write(answer)
	f.log = nil
	f.Refresh(context.Background())
	if info, err := f.sessions.Info(context.Background(), "talk"); err != nil || info.Records != 1 || len(f.log) != 0 {
		t.Fatalf("%d records, told %q, %v", info.Records, f.log, err)
	}
	f.write(prompt)
	f.wants(3, "2 new")
}

// TestFollowWhere: the list of facts says where the conversation stands.
func TestFollowWhere(t *testing.T) {
	f := follow(t)
	opt := f.options()
	opt.Follow = f.Follower
	c := f.client(opt)
	blocks := func() (list []string) {
		res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "memory_list"})
		f.ok(err)
		for _, b := range res.Content {
			list = append(list, b.(*sdk.TextContent).Text)
		}
		return list
	}
	if got := blocks(); len(got) != 1 {
		t.Errorf("%q", got)
	}
	f.write(f.typed("a") + f.typed("b") + `{"type":"mode","sessionId":"talk"}` + "\n")
	if got := blocks(); len(got) != 2 || got[1] != "This conversation is session \"talk\", so far positions 1 to 3; the user's last words are at 2.\n" {
		t.Errorf("%q", got)
	}
	if !strings.Contains(c.InitializeResult().Instructions, "memory_list says which session") {
		t.Error("the instructions do not say so")
	}
}

func TestFollowRefuses(t *testing.T) {
	f := follow(t)
	f.ok(os.Mkdir(f.file, 0o700))
	f.wants(0, "not a regular file")
	f.ok(os.Remove(f.file))
	f.write("{\"a\":1}\n")
	f.wants(0, "its format cannot be told")
	if err := (&Follower{Format: "swe-agent"}).Check(); err == nil {
		t.Error("one document is followed")
	}
	if err := (&Follower{Format: "claude-code"}).Check(); err != nil {
		t.Error(err)
	}
}
