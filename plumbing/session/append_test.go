package session

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func TestAppendStoresCanonicalLines(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	seqs := w.append(id, user("a <b> & é"), assistant("c", 2),
		`{ "type":"title", "title":"T", "zz":1.0, "a":9007199254740993 }`,
		`{"type":"cancel","seq":4,"time":"2026-01-01T00:00:00.000Z"}`)
	if diff := cmp.Diff([]int64{1, 2, 3, 4}, seqs); diff != "" {
		t.Error(diff)
	}
	want := `{"id":"s1","project":{"root":"/kettle","slug":"kettle-1"},"seq":0,"time":"2026-01-02T03:04:05.006Z","type":"session","version":1,"writer":"plumbing"}
{"content":[{"text":"a <b> & é","type":"text"}],"origin":"user","role":"user","seq":1,"time":"2026-01-02T03:04:05.006Z","type":"message"}
{"content":[{"text":"c","type":"text"}],"generation":2,"origin":"generated","role":"assistant","seq":2,"time":"2026-01-02T03:04:05.006Z","type":"message"}
{"a":9007199254740993,"seq":3,"time":"2026-01-02T03:04:05.006Z","title":"T","type":"title","zz":1.0}
{"seq":4,"time":"2026-01-01T00:00:00.000Z","type":"cancel"}
`
	if diff := cmp.Diff(want, w.read(id)); diff != "" {
		t.Error(diff)
	}
	info, err := w.Info(context.Background(), id)
	if err != nil || info.Records != 4 || info.Messages != 2 || *info.Title != "T" || info.Updated != "2026-01-01T00:00:00.000Z" {
		t.Errorf("info %+v, %v", info, err)
	}
}

func TestAppendRefuses(t *testing.T) {
	message := func(extra string) string {
		return `{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"x"}]` + extra + `}`
	}
	for name, c := range map[string]struct {
		line string
		kind error
	}{
		"empty":               {"", plumbing.ErrInvalid},
		"spaces":              {"   ", plumbing.ErrInvalid},
		"not an object":       {"[1]", plumbing.ErrInvalid},
		"lone surrogate":      {`{"type":"title","title":"x\ud83d"}`, plumbing.ErrInvalid},
		"raw surrogate":       {"{\"type\":\"title\",\"title\":\"\xed\xa0\xbd\"}", plumbing.ErrInvalid},
		"invalid UTF-8":       {"{\"type\":\"title\",\"title\":\"\xff\"}", plumbing.ErrInvalid},
		"duplicate key":       {`{"type":"title","title":"x","title":"y"}`, plumbing.ErrInvalid},
		"duplicate escaped":   {`{"type":"title","title":"x","titl\u0065":"y"}`, plumbing.ErrInvalid},
		"NaN":                 {`{"type":"title","title":"x","n":NaN}`, plumbing.ErrInvalid},
		"BOM":                 {"\ufeff" + message(""), plumbing.ErrInvalid},
		"deep":                {`{"type":"title","title":"x","n":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}`, plumbing.ErrInvalid},
		"too long":            {`{"type":"title","title":"` + strings.Repeat("x", 17<<20) + `"}`, plumbing.ErrInvalid},
		"no type":             {`{"role":"user"}`, plumbing.ErrInvalid},
		"type of a command":   {`{"type":"undo","from":1,"to":1}`, plumbing.ErrInvalid},
		"unknown type":        {`{"type":"note"}`, plumbing.ErrInvalid},
		"wrong seq":           {message(`,"seq":7`), plumbing.ErrConflict},
		"negative seq":        {message(`,"seq":-1`), plumbing.ErrInvalid},
		"seq 2^63":            {message(`,"seq":9223372036854775808`), plumbing.ErrInvalid},
		"bad time":            {message(`,"time":"2026-01-02T03:04:05Z"`), plumbing.ErrInvalid},
		"no origin":           {`{"type":"message","role":"user","content":[{"type":"text","text":"x"}]}`, plumbing.ErrInvalid},
		"assistant as user":   {`{"type":"message","role":"assistant","origin":"user","content":[{"type":"text","text":"x"}]}`, plumbing.ErrInvalid},
		"user with a gen":     {message(`,"generation":0`), plumbing.ErrInvalid},
		"no generation":       {`{"type":"message","role":"tool","origin":"generated","content":[{"type":"text","text":"x"}]}`, plumbing.ErrInvalid},
		"future generation":   {assistant("x", 4), plumbing.ErrInvalid},
		"no content":          {`{"type":"message","role":"user","origin":"user","content":[]}`, plumbing.ErrInvalid},
		"content a string":    {`{"type":"message","role":"user","origin":"user","content":"x"}`, plumbing.ErrInvalid},
		"unknown block":       {`{"type":"message","role":"user","origin":"user","content":[{"type":"poem"}]}`, plumbing.ErrInvalid},
		"block lacks a field": {`{"type":"message","role":"tool","origin":"generated","generation":0,"content":[{"type":"tool_result","id":"c","name":"n","text":"x"}]}`, plumbing.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new()
			seqs, err := w.tryAppend(id, user("before"), c.line, user("after"))
			wantKind(t, err, c.kind)
			var line *LineError
			if !errors.As(err, &line) || line.Index != 1 {
				t.Errorf("error %v does not name line 2", err)
			}
			if diff := cmp.Diff([]int64{1}, seqs); diff != "" {
				t.Errorf("the line before the bad one: %s", diff)
			}
			if got := strings.Count(w.read(id), "\n"); got != 2 {
				t.Errorf("%d lines in the log, want 2", got)
			}
		})
	}
}

func TestAppendLongRecords(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	for _, n := range []int{65535, 65536, 1 << 20, 15 << 20} {
		w.append(id, user(strings.Repeat("x", n)))
	}
	w.append(id, user("short"))
	l := w.open(id)
	line, err := l.Record(5)
	if err != nil || !strings.Contains(string(line), "short") {
		t.Fatalf("the record after the long ones: %v", err)
	}
	if n := len(mustRecord(t, l, 4)); n < 15<<20 {
		t.Errorf("record 4 has %d bytes", n)
	}
}

func mustRecord(t testing.TB, l *Log, seq int64) []byte {
	t.Helper()
	b, err := l.Record(seq)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTornTailIsSetAside(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"))
	for n := 1; n <= 3; n++ {
		torn := "{\"content\":[{\"text\":\"caf\xc3"
		w.write(id, w.read(id)+torn)
		before := w.open(id)
		if before.Corruption() != nil || before.TornBytes() != int64(len(torn)) {
			t.Fatalf("a torn tail reads as %v, %d bytes", before.Corruption(), before.TornBytes())
		}
		seqs := w.append(id, user("b"))
		if diff := cmp.Diff([]int64{int64(1 + 2*n)}, seqs); diff != "" {
			t.Error(diff)
		}
		got, err := os.ReadFile(w.opt.Config.Path(w.dir() + "/" + id + ".torn-" + string(rune('0'+n))))
		if err != nil || string(got) != torn {
			t.Errorf("torn-%d holds %q, %v", n, got, err)
		}
	}
	if c := w.open(id).Corruption(); c != nil {
		t.Error(c)
	}
}

func TestWholeRecordWithoutNewlineIsTorn(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"))
	w.write(id, strings.TrimSuffix(w.read(id), "\n"))
	if got := w.open(id).Last(); got != 0 {
		t.Errorf("last is %d", got)
	}
	if diff := cmp.Diff([]int64{2}, w.append(id, user("b"))); diff != "" {
		t.Error(diff)
	}
}

func TestAttachNamesTheHolder(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Attach(context.Background(), id)
	wantKind(t, err, plumbing.ErrBusy)
	if err == nil || !strings.Contains(err.Error(), "the test (process ") {
		t.Errorf("%v does not name the holder", err)
	}
	a.Close()
	w.append(id, user("free again"))
}

func TestAttachRefuses(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	if err := os.WriteFile(w.path("s1~2"), []byte(strings.Replace(w.read(id), `"s1"`, `"s1~2"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := w.Attach(context.Background(), "s1~2")
	wantKind(t, err, plumbing.ErrRefused)
	_, err = w.Attach(context.Background(), "nope")
	wantKind(t, err, plumbing.ErrNotFound)
	if _, err := os.Stat(w.opt.Config.Path(w.lockName("nope"))); !os.IsNotExist(err) {
		t.Error("a lock was made for a session that is not there")
	}
	w.write(id, w.read(id)+"\x00\x00\x00\n")
	_, err = w.Attach(context.Background(), id)
	wantKind(t, err, plumbing.ErrCorrupt)
}
