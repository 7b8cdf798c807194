package session

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func TestCheckID(t *testing.T) {
	for id, ok := range map[string]bool{
		"a": true, "0198-ab.c_d": true, strings.Repeat("a", 128): true, "a~2": true, "a~17": true, "CON": true,
		"": false, ".": false, "..": false, "../../etc/passwd": false, "a/b": false, "/abs": false, "x\x00y": false,
		strings.Repeat("a", 129): false, strings.Repeat("a", 10000): false, "-rf": false, " id": false, "id ": false,
		"a~": false, "a~1": false, "a~02": false, "a~b": false, "a~2~3": false, "~2": false, "ä": false, "a\n": false,
	} {
		if err := CheckID(id); (err == nil) != ok {
			t.Errorf("CheckID(%.20q) = %v", id, err)
		} else if err != nil {
			wantKind(t, err, plumbing.ErrInvalid)
		}
	}
}

func TestOpenCorrupt(t *testing.T) {
	good := func(w *world, id string) string { w.append(id, user("a"), user("b"), user("c")); return w.read(id) }
	for name, c := range map[string]struct {
		change func(lines []string) string
		last   int64
		line   int64
	}{
		"NULs in the middle": {func(l []string) string {
			return l[0] + l[1] + l[2] + strings.Repeat("\x00", 300) + "\n" + l[3]
		}, 2, 4},
		"NULs at the end":  {func(l []string) string { return l[0] + l[1] + strings.Repeat("\x00", 64) + "\n" }, 1, 3},
		"two of one seq":   {func(l []string) string { return l[0] + l[1] + l[1] + l[3] }, 1, 3},
		"seq out of order": {func(l []string) string { return l[0] + l[2] + l[1] }, 0, 2},
		"CRLF":             {func(l []string) string { return strings.ReplaceAll(strings.Join(l, ""), "\n", "\r\n") }, 0, 1},
		"a BOM":            {func(l []string) string { return "\ufeff" + strings.Join(l, "") }, 0, 1},
		"a blank line":     {func(l []string) string { return l[0] + l[1] + "\n" + l[2] }, 1, 3},
		"not canonical":    {func(l []string) string { return l[0] + strings.Replace(l[1], `,"origin"`, `, "origin"`, 1) }, 0, 2},
		"a second header":  {func(l []string) string { return l[0] + l[1] + l[0] }, 1, 3},
		"no header":        {func(l []string) string { return l[1] + l[2] }, 0, 1},
		"negative seq":     {func(l []string) string { return l[0] + strings.Replace(l[1], `"seq":1`, `"seq":-1`, 1) }, 0, 2},
		"seq 2^63": {func(l []string) string {
			return l[0] + strings.Replace(l[1], `"seq":1`, `"seq":9223372036854775808`, 1)
		}, 0, 2},
		"empty":           {func(l []string) string { return "" }, 0, 1},
		"spaces":          {func(l []string) string { return "     \n" }, 0, 1},
		"a line too long": {func(l []string) string { return l[0] + l[1] + strings.Repeat("x", 17<<20) + "\n" + l[2] }, 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new()
			w.write(id, c.change(strings.SplitAfter(good(w, id), "\n")))
			for range 2 { // from the scan, then from the index
				l := w.open(id)
				if l.Corruption() == nil || l.Corruption().Line != c.line || l.Last() != c.last {
					t.Fatalf("corruption %+v, last %d", l.Corruption(), l.Last())
				}
				wantKind(t, l.Corruption().Err(id), plumbing.ErrCorrupt)
			}
			info, err := w.List(context.Background())
			if err != nil || len(info) != 1 || info[0].Corrupt == nil {
				t.Errorf("list %+v, %v", info, err)
			}
			_, err = w.tryAppend(id, user("d"))
			wantKind(t, err, plumbing.ErrCorrupt)
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	other := newWorld(t)
	other.opt.Project.Root = "/pot"
	theirs := other.new()
	for name, c := range map[string]struct {
		prepare func(path string) error
		kind    error
	}{
		"a link":      {func(p string) error { return os.Symlink(other.path(theirs), p) }, plumbing.ErrRefused},
		"a hard link": {func(p string) error { return os.Link(other.path(theirs), p) }, plumbing.ErrRefused},
		"a FIFO":      {func(p string) error { return syscall.Mkfifo(p, 0o600) }, plumbing.ErrRefused},
		"a directory": {func(p string) error { return os.Mkdir(p, 0o700) }, plumbing.ErrRefused},
		"another project": {func(p string) error {
			return os.WriteFile(p, []byte(strings.Replace(other.read(theirs), `"s1"`, `"x"`, 1)), 0o600)
		}, plumbing.ErrRefused},
		"another name": {func(p string) error { return os.WriteFile(p, []byte(w.read(id)), 0o600) }, plumbing.ErrCorrupt},
		"a newer version": {func(p string) error {
			return os.WriteFile(p, []byte(strings.ReplaceAll(strings.Replace(w.read(id), `"version":1`, `"version":2`, 1), `"s1"`, `"x"`)), 0o600)
		}, plumbing.ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			p := w.path("x")
			defer os.RemoveAll(p)
			if err := c.prepare(p); err != nil {
				t.Fatal(err)
			}
			_, err := w.Open(context.Background(), "x")
			wantKind(t, err, c.kind)
			_, err = w.Attach(context.Background(), "x")
			wantKind(t, err, c.kind)
			if list, err := w.List(context.Background()); name != "another project" && name != "a FIFO" && err != nil {
				t.Errorf("list: %v, %v", list, err)
			}
		})
	}
	t.Run("a linked folder", func(t *testing.T) {
		v := newWorld(t)
		v.new()
		dir := v.opt.Config.Path(v.dir())
		if err := errors.Join(os.Rename(dir, dir+".moved"), os.Symlink(dir+".moved", dir)); err != nil {
			t.Fatal(err)
		}
		_, err := v.Open(context.Background(), "s1")
		wantKind(t, err, plumbing.ErrRefused)
	})
}

// TestEveryCut cuts a log at every byte: it opens, shows a prefix of the records, and can be appended to.
func TestEveryCut(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 0), user("c"))
	whole := w.read(id)
	lines := strings.SplitAfter(whole, "\n")
	for cut := range len(whole) {
		w.write(id, whole[:cut])
		l := w.open(id)
		full := int64(strings.Count(whole[:cut], "\n"))
		if full == 0 {
			if l.Corruption() == nil {
				t.Fatalf("cut at %d: a log without a header passes", cut)
			}
			continue
		}
		if l.Corruption() != nil || l.Last() != full-1 {
			t.Fatalf("cut at %d: %v, last %d", cut, l.Corruption(), l.Last())
		}
		for seq := range full {
			if got := string(mustRecord(t, l, seq)) + "\n"; got != lines[seq] {
				t.Fatalf("cut at %d: record %d reads %q", cut, seq, got)
			}
		}
		if cut%16 != 0 {
			continue // appending fsyncs several files
		}
		w.append(id, user("d"))
		if c := w.open(id).Corruption(); c != nil {
			t.Fatalf("cut at %d, then appended: %v", cut, c)
		}
	}
}

// TestEveryFlip changes every byte of a log: it is corrupt, torn, or another
// valid log, and then the digest of what it says has changed with it.
func TestEveryFlip(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 0))
	whole := w.read(id)
	for i := range len(whole) {
		b := []byte(whole)
		b[i] ^= 0x01
		os.Remove(w.path(id))
		w.write(id, string(b))
		l, err := w.Open(context.Background(), id)
		if err != nil {
			if !errors.Is(err, plumbing.ErrRefused) && !errors.Is(err, plumbing.ErrCorrupt) {
				t.Fatalf("byte %d: %v", i, err)
			}
			continue
		}
		same := l.Corruption() == nil && l.TornBytes() == 0
		if same {
			for seq := range l.Last() + 1 {
				start := strings.Index(string(b), string(mustRecord(t, l, seq)))
				same = same && start >= 0
			}
			if !same {
				t.Fatalf("byte %d: the records are not the file's", i)
			}
		}
		l.Close()
	}
}

func TestIndexIsNeverBelieved(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 0), user("c"))
	name := w.opt.Cache.Path(w.indexName(id))
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		b := append([]byte(nil), whole...)
		b[i] ^= 0x40
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		l := w.open(id)
		if l.Last() != 3 {
			t.Fatalf("byte %d of the index: last %d", i, l.Last())
		}
		for seq := int64(0); seq <= 3; seq++ {
			e, err := l.Entry(seq)
			if err != nil || !strings.Contains(string(mustRecord(t, l, seq)), `"seq":`+string(rune('0'+seq))) {
				t.Fatalf("byte %d of the index, record %d: %+v, %v", i, seq, e, err)
			}
		}
	}
	if err := os.RemoveAll(w.opt.Cache.Dir); err != nil {
		t.Fatal(err)
	}
	w.append(id, user("d"))
	if diff := cmp.Diff("1 2 3 4", w.visible(id, forgets{}, Working)); diff != "" {
		t.Error(diff)
	}
}

func TestReadOnlyCache(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	if err := os.RemoveAll(w.opt.Cache.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.opt.Cache.Dir, []byte("a file where the cache should be"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.append(id, user("a"))
	w.append(id, user("b"))
	if diff := cmp.Diff("1 2", w.visible(id, forgets{}, Working)); diff != "" {
		t.Error(diff)
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"id":"s","project":{"root":"/","slug":"s"},"seq":0,"type":"session","version":1}` + "\n" + `{"seq":1,"type":"title"}` + "\n"))
	f.Add([]byte("\x00\n\n{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := scan(memory(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if s.end > int64(len(b)) || s.count == 0 && s.corrupt == nil {
			t.Errorf("%+v", s)
		}
	})
}

func FuzzIndexHeader(f *testing.F) {
	f.Add(header{count: 3, end: 10, corrupt: &Corruption{1, 2, "why"}}.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, ok := decodeHeader(b); ok && (h.count < 0 || h.end > h.stamp.Size) {
			t.Errorf("%+v", h)
		}
		if len(b) >= entrySize {
			decodeEntry(b, 0)
		}
	})
}

// TestLinkInsideTheTree: a link to another log of the same folder is a link all the same.
func TestLinkInsideTheTree(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	if err := os.Symlink(id+".jsonl", w.path("x")); err != nil {
		t.Fatal(err)
	}
	_, err := w.Open(context.Background(), "x")
	wantKind(t, err, plumbing.ErrRefused)
	if err := os.Symlink("elsewhere", w.opt.Config.Path(w.lockName(id))); err != nil {
		t.Fatal(err)
	}
	_, err = w.Attach(context.Background(), id)
	wantKind(t, err, plumbing.ErrRefused)
	if _, err := os.Lstat(w.opt.Config.Path(w.dir() + "/elsewhere")); err == nil {
		t.Error("a planted lock link was followed")
	}
}
