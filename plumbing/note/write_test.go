package note

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

func TestWriteAndRead(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{Memory, Scratchpad, "daily/2026-12-02.md", "notes/x.md"} {
		_, err := f.Read(ctx, name)
		fails(t, "read", err, plumbing.ErrNotFound, name)
		if _, err := os.Stat(f.memory); name == Memory && !errors.Is(err, fs.ErrNotExist) {
			t.Error("reading made the folder")
		}
		got, err := f.Write(ctx, name, "# One\r\nx", Replace)
		must(t, err)
		want := Written{File: name, Bytes: 8, Created: true, Digest: digest([]byte("# One\r\nx"))}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		got, err = f.Write(ctx, name, "", Replace)
		must(t, err)
		backup := name + ".bak"
		if d := cmp.Diff(Written{File: name, BytesBefore: 8, Backup: &backup, Digest: digest(nil)}, got); d != "" {
			t.Error(d)
		}
		f.holds(backup, "# One\r\nx")
		n, err := f.Read(ctx, name)
		if err != nil || n.File != name || n.Text != "" || n.Bytes != 0 || n.Digest != digest(nil) || n.Modified.IsZero() {
			t.Errorf("%+v, %v", n, err)
		}
	}
}

func TestAppend(t *testing.T) {
	for name, c := range map[string]struct{ before, more, after string }{
		"new":                       {"", "a", "a\n"},
		"to a line":                 {"a\n", "b\n", "a\nb\n"},
		"to an open line":           {"a", "b", "a\nb\n"},
		"several":                   {"a\n", "b\n\nc", "a\nb\n\nc\n"},
		"an empty line":             {"a\n", "\n", "a\n\n"},
		"to CRLF":                   {"a\r\nb\r\n", "c\nd", "a\r\nb\r\nc\r\nd\r\n"},
		"CRLF to CRLF":              {"a\r\n", "c\r\nd\r\n", "a\r\nc\r\nd\r\n"},
		"to an open CRLF line":      {"a\r\nb", "c", "a\r\nb\r\nc\r\n"},
		"to a mixed file":           {"a\r\nb\n", "c\nd", "a\r\nb\nc\nd\n"},
		"to an open line, mixed":    {"a\r\nb\nc", "d", "a\r\nb\nc\nd\n"},
		"lone CRs stay":             {"a\rb\r\n", "c\rd\n", "a\rb\r\nc\rd\r\n"},
		"to a BOM":                  {"\uFEFFa", "b", "\uFEFFa\nb\n"},
		"CRLF to LF stays as given": {"a\n", "b\r\n", "a\nb\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			if c.before != "" {
				f.plant(Memory, c.before)
			}
			w, err := f.Write(ctx, Memory, c.more, Append)
			must(t, err)
			f.holds(Memory, c.after)
			if w.Bytes != int64(len(c.after)) || w.BytesBefore != int64(len(c.before)) || w.Created != (c.before == "") {
				t.Errorf("%+v", w)
			}
			if c.before != "" {
				f.holds(Memory+".bak", c.before)
			}
		})
	}
}

func TestWriteInvalid(t *testing.T) {
	f := newFixture(t)
	for what, c := range map[string]struct {
		content string
		mode    Mode
		says    string
	}{
		"mode":              {"x", "truncate", `"append" or "replace"`},
		"no mode":           {"x", "", `"append" or "replace"`},
		"nothing to append": {"", Append, "nothing to append"},
		"NUL":               {"a\x00", Replace, "NUL"},
		"bad UTF-8":         {"a\xff", Append, "UTF-8"},
		"too much":          {strings.Repeat("x", MaxFile+1), Replace, "16777216"},
	} {
		_, err := f.Write(ctx, Memory, c.content, c.mode)
		fails(t, what, err, plumbing.ErrInvalid, c.says)
	}
	if list, err := os.ReadDir(f.dir); err != nil || len(list) > 0 {
		t.Errorf("made %v, %v", list, err)
	}
	f.plant(Memory, "gr\xfc\xdfe\n")
	_, err := f.Write(ctx, Memory, "x", Append)
	fails(t, "append to Latin-1", err, plumbing.ErrInvalid, "not valid UTF-8", Memory)
	f.holds(Memory, "gr\xfc\xdfe\n")
	_, err = f.Write(ctx, Memory, "x", Replace)
	must(t, err)
	f.holds(Memory+".bak", "gr\xfc\xdfe\n")
}

// A file that is too large to be read whole can be replaced, not added to.
func TestLargeFile(t *testing.T) {
	f := newFixture(t)
	large := strings.Repeat("0123456789abcde\n", MaxFile/16+1)
	f.plant(Memory, large)
	_, read := f.Read(ctx, Memory)
	_, appends := f.Write(ctx, Memory, "x", Append)
	_, edit := f.Edit(ctx, Memory, "0", "1", true)
	for what, err := range map[string]error{"read": read, "append": appends, "edit": edit} {
		fails(t, what, err, plumbing.ErrInvalid, "16777216", Memory)
	}
	w, err := f.Write(ctx, Memory, "small", Replace)
	must(t, err)
	if w.BytesBefore != int64(len(large)) {
		t.Errorf("%+v", w)
	}
	f.holds(Memory+".bak", large)
	f.plant(Memory, large[:MaxFile])
	_, err = f.Write(ctx, Memory, "x", Append)
	fails(t, "append", err, plumbing.ErrInvalid, "grow over")
	if n, err := f.Read(ctx, Memory); err != nil || n.Bytes != MaxFile {
		t.Errorf("%d, %v", n.Bytes, err)
	}
}

// An editor that saves in between is noticed (N2).
func TestWriteIf(t *testing.T) {
	f := newFixture(t)
	_, err := f.WriteIf(ctx, Memory, "one", Replace, Absent)
	must(t, err)
	_, err = f.WriteIf(ctx, Memory, "two", Replace, Absent)
	fails(t, "absent", err, plumbing.ErrConflict, "someone else", Memory)
	n, err := f.Read(ctx, Memory)
	must(t, err)
	_, err = f.WriteIf(ctx, Memory, "two", Replace, n.Digest)
	must(t, err)
	f.plant(Memory, "saved by an editor")
	_, err = f.WriteIf(ctx, Memory, "three", Replace, digest([]byte("two")))
	fails(t, "changed", err, plumbing.ErrConflict, "read it again")
	f.holds(Memory, "saved by an editor")
	f.holds(Memory+".bak", "one")
	_, err = f.WriteIf(ctx, Scratchpad, "x", Replace, n.Digest)
	fails(t, "missing", err, plumbing.ErrConflict)
	for _, d := range []string{"x", "sha256:", "sha256:" + strings.Repeat("g", 64), n.Digest + "0", strings.ToUpper(n.Digest)} {
		_, err = f.WriteIf(ctx, Memory, "x", Replace, d)
		fails(t, d, err, plumbing.ErrInvalid, "digest")
	}
}

// Prepare runs while there is no folder, before anything is read or made, and can stop that.
func TestPrepare(t *testing.T) {
	f := newFixture(t)
	ran, stop := 0, errors.New("stop")
	o := f.opt
	o.Prepare = func(context.Context) error {
		if _, err := os.Stat(f.memory); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the folder is there before Prepare")
		}
		ran++
		return stop
	}
	s := NewStore(o)
	if _, err := s.Write(ctx, Memory, "x", Replace); !errors.Is(err, stop) {
		t.Error(err)
	}
	if _, err := s.Read(ctx, Memory); !errors.Is(err, stop) {
		t.Error(err)
	}
	if _, err := s.Write(ctx, "../x", "x", Replace); !errors.Is(err, plumbing.ErrInvalid) || ran != 2 {
		t.Error(err, ran)
	}
	stop = nil
	for range 2 {
		if _, err := s.Write(ctx, Memory, "x", Replace); err != nil {
			t.Error(err)
		}
	}
	if ran != 3 {
		t.Errorf("ran %d times", ran)
	}
}

func TestBusy(t *testing.T) {
	f := newFixture(t)
	_, err := f.Write(ctx, Memory, "x", Replace)
	must(t, err)
	l, err := f.opt.Config.TryLock(f.name("notes.lock"), "somebody")
	must(t, err)
	f.opt.LockWait = 10 * time.Millisecond
	_, err = f.Write(ctx, Memory, "y", Replace)
	fails(t, "write", err, plumbing.ErrBusy, "somebody")
	_, err = f.Edit(ctx, Memory, "x", "y", false)
	fails(t, "edit", err, plumbing.ErrBusy, "somebody")
	if n, err := f.Read(ctx, Memory); err != nil || n.Text != "x" {
		t.Error("reading waits for the writer", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = f.Write(gone, Memory, "y", Replace); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	must(t, l.Unlock())
}

// A failure between the backup and the new text, or before, loses nothing and leaves no temporary file.
func TestNothingIsLost(t *testing.T) {
	f := newFixture(t)
	f.plant(Memory, "old")
	must(t, os.Mkdir(f.path(Memory+".bak"), 0o700)) // a backup cannot be made
	_, err := f.Write(ctx, Memory, "new", Replace)
	fails(t, "write", err, plumbing.ErrRefused, Memory+".bak")
	f.holds(Memory, "old")
	if d := cmp.Diff([]string{Memory, Memory + ".bak"}, f.names()); d != "" {
		t.Error(d)
	}
}

func TestTodayAndDaily(t *testing.T) {
	f := newFixture(t)
	if got := f.Today(); got != "daily/2026-12-03.md" { // 23:30 in UTC, five hours later where the user is
		t.Error(got)
	}
	if got, err := Daily("2024-02-29"); got != "daily/2024-02-29.md" || err != nil {
		t.Error(got, err)
	}
	for _, date := range []string{"", "2026-13-45", "2025-02-29", "2026-1-2", "20261202", "today", "../x", "2026-12-02 ", "2026-12-02\n", "12026-12-02"} {
		_, err := Daily(date)
		fails(t, date, err, plumbing.ErrInvalid, "YYYY-MM-DD", "is not a date")
	}
}

// The folder of the memory may be a file (issue 4), or be missing whole.
func TestFolderIsAFile(t *testing.T) {
	f := newFixture(t)
	must(t, os.MkdirAll(filepath.Dir(f.memory), 0o700))
	must(t, os.WriteFile(f.memory, []byte("x"), 0o600))
	for what, err := range f.all() {
		fails(t, what, err, plumbing.ErrRefused, slug, "not a directory")
	}
	f = newFixture(t)
	f.opt.Config = file.Tree{Dir: filepath.Join(f.dir, "none")}
	for what, err := range f.all() {
		switch what {
		case "read", "edit":
			fails(t, what, err, plumbing.ErrNotFound)
		default:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// all calls every verb on MEMORY.md and the whole.
func (f *fixture) all() map[string]error {
	all := map[string]error{}
	_, all["list"] = f.List(ctx)
	_, all["search"] = f.Search(ctx, "x", SearchOptions{})
	_, all["read"] = f.Read(ctx, Memory)
	_, all["edit"] = f.Edit(ctx, Memory, "old", "new", false)
	_, all["write"] = f.Write(ctx, Memory, "x", Replace)
	_, all["append"] = f.Write(ctx, Memory, "x", Append)
	return all
}
