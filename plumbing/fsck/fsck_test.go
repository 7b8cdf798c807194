package fsck

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/session"
)

// Each fault is found under its code, and nothing else is; a repair leaves
// what only a person can mend. No check writes a byte.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant func(*world)
		want  []string
		after []string // what a repair leaves
	}{
		{"nothing", func(*world) {}, []string{}, []string{}},
		{"torn", func(w *world) {
			w.edit(w.sessions("s1.jsonl"), "\n{\"content\":[{\"text\":\"lunch", "\n{\"content\":[{\"text\":\"lunch")
			w.tail("torn")
		},
			[]string{"index_stale s1", "log_torn s1.jsonl:6"}, []string{}},
		{"seq", func(w *world) { w.edit(w.sessions("s1.jsonl"), `"seq":3`, `"seq":4`) },
			[]string{"index_stale s1", "log_corrupt s1.jsonl:4", "ref_stale s1.jsonl:2"}, []string{"log_corrupt s1.jsonl:4", "ref_stale s1.jsonl:2"}},
		{"zeros", func(w *world) { w.tail("\x00\x00\n"); w.fresh() },
			[]string{"log_corrupt s1.jsonl:6", "ref_stale s1.jsonl:2"}, []string{"log_corrupt s1.jsonl:6", "ref_stale s1.jsonl:2"}},
		{"empty log", func(w *world) { w.write(w.sessions("s2.jsonl"), "") }, []string{"log_corrupt s2.jsonl:1"}, []string{"log_corrupt s2.jsonl:1"}},
		{"foreign", func(w *world) { w.edit(w.sessions("s1.jsonl"), "/kettle", "/potter"); w.fresh2() },
			[]string{"log_foreign s1.jsonl:1", "ref_refused s1.jsonl:2"}, []string{"log_foreign s1.jsonl:1", "ref_refused s1.jsonl:2"}},
		{"renamed", func(w *world) { must(w.t, os.Rename(w.sessions("s1.jsonl"), w.sessions("s5.jsonl"))) },
			[]string{"index_orphan s1", "log_corrupt s5.jsonl:1", "ref_missing s1.jsonl:2"}, []string{"log_corrupt s5.jsonl:1", "ref_missing s1.jsonl:2"}},
		{"changed", func(w *world) { w.edit(w.sessions("s1.jsonl"), "PELICAN", "CONDOR7"); w.fresh() },
			[]string{"ref_stale s1.jsonl:2"}, []string{"ref_stale s1.jsonl:2"}},
		{"ahead", func(w *world) {
			w.append("s1", strings.Replace(strings.Split(talk, "\n")[1], `"generation":0`, `"generation":4`, 1))
		},
			[]string{"log_ahead s1.jsonl:6"}, []string{"log_ahead s1.jsonl:6"}},
		{"undo of nothing", func(w *world) {
			w.tail(`{"from":5,"seq":5,"to":9,"type":"undo"}` + "\n" + `{"seq":6,"type":"redo","undo":1}` + "\n")
			w.fresh()
		},
			[]string{"log_record s1.jsonl:6", "log_record s1.jsonl:7"}, []string{"log_record s1.jsonl:6", "log_record s1.jsonl:7"}},
		{"index bit", func(w *world) { w.flip(w.indexes("s1"), 256+32+8) }, []string{"index_damaged s1"}, []string{}},
		{"index head", func(w *world) { w.flip(w.indexes("s1"), 60) }, []string{"index_damaged s1"}, []string{}},
		{"index lies", func(w *world) { w.lie(2, 16, 1) }, []string{"index_damaged s1"}, []string{}},
		{"index hides", func(w *world) { w.lie(2, 24, 3) }, []string{"index_damaged s1"}, []string{}},
		{"index short", func(w *world) { must(w.t, os.Truncate(w.indexes("s1"), 300)) }, []string{"index_damaged s1"}, []string{}},
		{"index orphan", func(w *world) { w.write(w.indexes("s9"), "x") }, []string{"index_orphan s9"}, []string{}},
		{"temporary", func(w *world) {
			w.write(w.sessions(".tmp-s9.jsonl-A"), "x")
			w.write(w.memory(".tmp-facts.sqlite3-A"), "x")
			w.write(w.memory("notes/.tmp-a.md-A"), "x")
			w.write(w.indexes(".tmp-s1-A"), "x")
			w.write(w.dir+"/config/.tmp-config.toml-A", "x")
			w.write(w.dir+"/config/memory/.tmp-legacy-A/notes/a.md", "x")
		}, []string{"temporary_file .tmp-a.md-A", "temporary_file .tmp-config.toml-A", "temporary_file .tmp-facts.sqlite3-A", "temporary_file .tmp-legacy-A", "temporary_file .tmp-s1-A", "temporary_file .tmp-s9.jsonl-A"}, []string{}},
		{"aliases", func(w *world) { w.write(w.memory("aliases"), "{}\n") }, []string{"aliases_damaged aliases"}, []string{"aliases_damaged aliases"}},
		{"lock", func(w *world) { w.write(w.sessions("s1.lock.lock~"), ""); w.write(w.sessions("~.lock"), "") }, []string{"lock_stray ~.lock"}, []string{"lock_stray ~.lock"}},
		{"link", func(w *world) {
			must(w.t, os.Symlink(w.sessions("s1.jsonl"), w.sessions("s2.jsonl")))
			must(w.t, os.Symlink("/nowhere", w.sessions("s2.lock")))
			must(w.t, os.Mkdir(w.memory("MEMORY.md"), 0o700))
			must(w.t, os.Link(w.memory("facts.lock"), w.memory("notes.md")))
		}, []string{"not_plain MEMORY.md", "not_plain facts.lock", "not_plain notes.md", "not_plain s2.jsonl", "not_plain s2.lock"},
			[]string{"not_plain MEMORY.md", "not_plain facts.lock", "not_plain notes.md", "not_plain s2.jsonl", "not_plain s2.lock"}},
		{"bits", func(w *world) {
			must(w.t, os.Chmod(w.memory("facts.sqlite3"), 0o640))
			must(w.t, os.Chmod(w.sessions(""), 0o755))
		},
			[]string{"permissions facts.sqlite3", "permissions kettle-1"}, []string{"permissions facts.sqlite3", "permissions kettle-1"}},
		{"linked config", func(w *world) { must(w.t, os.Symlink("/etc/hostname", w.memory("config.toml"))) }, []string{}, []string{}},
		{"note", func(w *world) {
			w.write(w.memory("notes/a.md"), "ä\nb\xffc")
			w.write(w.memory("daily/2026-01-02.md"), "fine ä")
		},
			[]string{"note_not_text a.md:2"}, []string{"note_not_text a.md:2"}},
		{"no database", func(w *world) { w.write(w.memory("facts.sqlite3"), "hello") }, []string{"facts_corrupt facts.sqlite3"}, []string{"facts_corrupt facts.sqlite3"}},
		{"journal", func(w *world) { w.write(w.memory("facts.sqlite3-journal"), "half") }, []string{"facts_journal facts.sqlite3"}, []string{}},
		{"deleted", func(w *world) { must(w.t, w.store.Delete(ctx, "s1")) }, []string{"ref_missing s1.jsonl:2"}, []string{"ref_missing s1.jsonl:2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.remember("The codeword is PELICAN.", 1, 1)
			w.facts.Close()
			c.plant(w)
			before := w.state()
			got := w.codes(w.Check)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(before, w.state()); d != "" {
				t.Errorf("a check wrote:\n%s", d)
			}
			must(t, w.Repair(ctx, func(Finding) error { return nil }))
			if d := cmp.Diff(c.after, w.codes(w.Check)); d != "" {
				t.Errorf("after the repair: %s", d)
			}
		})
	}
}

func (w *world) tail(bytes string) {
	w.t.Helper()
	f, err := os.OpenFile(w.sessions("s1.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	must(w.t, err)
	_, err = f.WriteString(bytes)
	must(w.t, err)
	must(w.t, f.Close())
}

// fresh2 makes the index of a session that its store refuses.
func (w *world) fresh2() {
	w.t.Helper()
	_, err := w.store.Info(ctx, "s1")
	must(w.t, err)
}

func (w *world) flip(path string, at int) {
	w.t.Helper()
	b, err := os.ReadFile(path)
	must(w.t, err)
	b[at] ^= 1
	must(w.t, os.WriteFile(path, b, 0o600))
}

// lie changes one byte of an index entry and makes its checksum good again.
func (w *world) lie(seq, at int, to byte) {
	w.t.Helper()
	b, err := os.ReadFile(w.indexes("s1"))
	must(w.t, err)
	e := b[256+32*seq:][:32]
	if e[at] == to {
		w.t.Fatal("that is no lie")
	}
	e[at] = to
	binary.LittleEndian.PutUint32(e[28:], crc32.ChecksumIEEE(e[:28]))
	must(w.t, os.WriteFile(w.indexes("s1"), b, 0o600))
}

// What is in use is no fault and stays: a writer's torn line, its temporary file, a fresh one.
func TestInUseIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.write(w.sessions(".tmp-s1.jsonl-A"), "x")
	a, err := w.store.Attach(ctx, "s1")
	must(t, err)
	w.tail("half a li")
	if d := cmp.Diff([]string{"temporary_file .tmp-s1.jsonl-A"}, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
	must(t, w.Repair(ctx, func(f Finding) error { t.Errorf("mended %s", f.Code); return nil }))
	must(t, a.Close())
	w.opt.Now = func() time.Time { return time.Time{} } // before every file
	must(t, w.Repair(ctx, func(f Finding) error {
		if f.Code == TemporaryFile {
			t.Error("a fresh temporary file was removed")
		}
		return nil
	}))
	w.opt.Now = now
	must(t, w.Repair(ctx, func(Finding) error { return nil }))
	if d := cmp.Diff([]string{}, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
}

// An index that the writer has extended agrees with the scan, whatever types it holds.
func TestIndexOfEveryType(t *testing.T) {
	w := newWorld(t)
	a, err := w.store.Attach(ctx, "s1")
	must(t, err)
	for _, typ := range []string{session.TypeUndo, session.TypeRedo, session.TypeClear, session.TypeCancel, session.TypeCompact, session.TypeUsage,
		session.TypeLearning, session.TypeTitle, session.TypeRecovered, session.TypeOmitted, session.TypeForeign, "unheard", "of"} {
		more := ""
		switch typ {
		case session.TypeUndo:
			more = `"from":1,"to":2,`
		case session.TypeRedo:
			more = `"undo":5,`
		}
		line := `{` + more + `"type":"` + typ + `"}`
		if typ == session.TypeRedo {
			line = `{"type":"redo","undo":5}`
		}
		_, err := a.AppendEvent(ctx, []byte(line))
		must(t, err)
	}
	must(t, a.Close())
	if d := cmp.Diff([]string{}, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
}

func TestFoundEndsTheCheck(t *testing.T) {
	w := newWorld(t)
	w.write(w.indexes("s8"), "x")
	w.write(w.indexes("s9"), "x")
	n, stop := 0, os.ErrClosed
	if err := w.Check(ctx, func(Finding) error { n++; return stop }); err != stop || n != 1 {
		t.Errorf("%v after %d findings", err, n)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := w.Check(gone, func(Finding) error { return nil }); err != context.Canceled {
		t.Errorf("after a cancel: %v", err)
	}
}

func FuzzBadText(f *testing.F) {
	f.Add([]byte("a\nä"))
	f.Add([]byte{0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		line, at, err := badText(bytes.NewReader(b))
		must(t, err)
		valid := strings.ToValidUTF8(string(b), "") == string(b) && !bytes.Contains(b, []byte{0})
		if valid != (line == 0) {
			t.Fatalf("%q: line %d", b, line)
		}
		if line > 0 && (at >= int64(len(b)) || line != int64(bytes.Count(b[:at], []byte("\n")))+1) {
			t.Fatalf("%q: line %d, byte %d", b, line, at)
		}
	})
}
