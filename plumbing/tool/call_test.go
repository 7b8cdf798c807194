package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

func TestNotes(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ name, args, want string }{
		{"memory_search", `{"pattern":"tabs"}`, "No hits.\n"},
		{"memory_write", `{"content":"Tabs.","file":"MEMORY.md","mode":"append"}`, "Wrote MEMORY.md: 6 bytes, a new file.\n"},
		{"memory_write", `{"content":"Tests first.","file":"MEMORY.md","mode":"append"}`,
			"Wrote MEMORY.md: 19 bytes, before it had 6; the text before is kept in MEMORY.md.bak.\n"},
		{"memory_read", `{"file":"MEMORY.md"}`, "Tabs.\nTests first.\n"},
		{"memory_edit", `{"file":"MEMORY.md","new":"Spaces.","old":"Tabs."}`,
			"Replaced 1 place in MEMORY.md, line 1: 21 bytes, before it had 19; the text before is kept in MEMORY.md.bak.\n"},
		{"memory_edit", `{"all":true,"file":"MEMORY.md","new":"S","old":"s"}`,
			"Replaced 4 places in MEMORY.md, lines 1, 2, 2, 2: 21 bytes, before it had 21; the text before is kept in MEMORY.md.bak.\n"},
		{"memory_write", `{"content":"a\u200bb\r\nx","file":"notes/a.md","mode":"replace"}`, "Wrote notes/a.md: 8 bytes, a new file.\n"},
		{"memory_read", `{"file":"notes/a.md"}`, "a<U+200B>b\nx\n"},
		{"memory_search", `{"pattern":"^a|irSt"}`, "MEMORY.md:2: TeStS firSt.\nnotes/a.md:1: a<U+200B>b\n"},
		{"memory_write", `{"content":"","file":"scratchpad.md","mode":"replace"}`, "Wrote scratchpad.md: 0 bytes, a new file.\n"},
		{"memory_read", `{"file":"scratchpad.md"}`, "[the file is empty]\n"},
	} {
		if d := cmp.Diff(c.want, w.must(c.name, c.args)); d != "" {
			t.Errorf("%s %s: %s", c.name, c.args, d)
		}
	}
}

// What the stores refuse reaches the model with the kind, and with a way out that a model has.
func TestErrors(t *testing.T) {
	w := newWorld(t)
	id := w.remember("Tabs.", 1, 1)
	w.write("MEMORY.md", "a a\n")
	w.write("notes/Style.md", "x\n")
	ref := string(must(canon.Marshal(w.ref(2, 2))))
	correct := func(revision int, id, ref, text string) string {
		return fmt.Sprintf(`{"expected_revision":%d,"fact_id":%q,"source_snapshot":%s,"text":%q}`, revision, id, ref, text)
	}
	const none = "f-000000000000000000000000"
	for _, c := range []struct {
		name, args string
		kind       error
		says       string
	}{
		{"memory_read", `{"file":"notes/none.md"}`, plumbing.ErrNotFound, `"notes/none.md" does not exist: there are "MEMORY.md", "notes/Style.md"`},
		{"memory_read", `{"file":"notes/style.md"}`, plumbing.ErrNotFound, `there is "notes/Style.md"`},
		{"memory_edit", `{"file":"scratchpad.md","new":"b","old":"a"}`, plumbing.ErrNotFound, `there are "MEMORY.md"`},
		{"memory_edit", `{"file":"MEMORY.md","new":"b","old":"a"}`, plumbing.ErrConflict, "2 times, on lines 1, 1"},
		{"memory_edit", `{"file":"MEMORY.md","new":"b","old":"c"}`, plumbing.ErrConflict, "does not hold the old text"},
		{"memory_edit", `{"file":"MEMORY.md","new":"b","old":""}`, plumbing.ErrInvalid, "memory_search finds"},
		{"memory_write", `{"content":"","file":"MEMORY.md","mode":"append"}`, plumbing.ErrInvalid, "nothing to append"},
		{"memory_write", `{"content":"a\u0000b","file":"MEMORY.md","mode":"append"}`, plumbing.ErrInvalid, "NUL"},
		{"memory_search", `{"pattern":"(?=x)"}`, plumbing.ErrInvalid, "(?="},
		{"memory_search", `{"pattern":""}`, plumbing.ErrInvalid, "the pattern is empty"},
		{"memory_list", `{"offset":-1}`, plumbing.ErrInvalid, "offset -1"},
		{"memory_recall", `{"fact_id":"tabs"}`, plumbing.ErrInvalid, `"tabs" is not a fact ID: memory_list lists the facts`},
		{"memory_recall", `{"fact_id":"` + none + `"}`, plumbing.ErrNotFound, "there is no fact " + none + ": memory_list lists"},
		{"memory_recall", `{"fact_id":"` + id + `","offset":100000}`, plumbing.ErrInvalid, "past the end"},
		{"memory_recall", `{"fact_id":"` + id + `","offset":-1}`, plumbing.ErrInvalid, "below 0"},
		{"memory_recall", `{"fact_id":"` + id + `","limit":0}`, plumbing.ErrInvalid, "below 1"},
		{"memory_recall", `{"end_seq":1,"session_id":"../s1","start_seq":1}`, plumbing.ErrInvalid, "memory_list lists"},
		{"memory_recall", `{"end_seq":1,"session_id":"s","start_seq":1}`, plumbing.ErrNotFound, ""},
		{"memory_recall", `{"end_seq":9,"session_id":"s1","start_seq":1}`, plumbing.ErrNotFound, ""},
		{"memory_recall", `{"end_seq":1,"session_id":"s1","start_seq":2}`, plumbing.ErrInvalid, ""},
		{"memory_recall", `{"end_seq":1,"session_id":"s1","start_seq":0}`, plumbing.ErrInvalid, ""},
		{"memory_recall", `{"end_seq":201,"session_id":"s1","start_seq":1}`, plumbing.ErrInvalid, "200"},
		{"memory_correct", correct(9, id, ref, "x"), plumbing.ErrConflict, "revision 1, not 9"},
		{"memory_correct", correct(1, none, ref, "x"), plumbing.ErrNotFound, "memory_recall, unchanged"},
		{"memory_correct", correct(1, id, ref, " "), plumbing.ErrInvalid, "it is empty"},
		{"memory_correct", correct(1, id, strings.Replace(ref, "[2]", "[1]", 1), "x"), plumbing.ErrConflict, "stale"},
		{"memory_correct", correct(1, id, strings.Replace(ref, "[2]", "[9]", 1), "x"), plumbing.ErrNotFound, "missing"},
		{"memory_correct", correct(1, id, strings.Replace(ref, "[2]", "[]", 1), "x"), plumbing.ErrInvalid, "seqs is empty: take the revision"},
		{"memory_correct", correct(1, id, strings.Replace(ref, "[2]", "[2,1]", 1), "x"), plumbing.ErrInvalid, "ascending"},
		{"memory_correct", correct(1, id, strings.Replace(ref, "sha256:", "sha256:0", 1), "x"), plumbing.ErrInvalid, "digest"},
		{"memory_forget", `{"fact_id":"MEMORY.md"}`, plumbing.ErrInvalid, "memory_list lists"},
		{"memory_forget", `{"fact_id":"` + none + `"}`, plumbing.ErrNotFound, "memory_list lists"},
	} {
		r, err := w.call(c.name, c.args)
		if !errors.Is(err, c.kind) || !strings.Contains(Failure(err), c.says) || strings.Contains(Failure(err), "`lecode ") || r.Text != "" {
			t.Errorf("%s %s: %v, %q; want %v saying %q", c.name, c.args, Failure(err), r.Text, c.kind, c.says)
		}
	}
	if text := w.must("memory_read", `{"file":"MEMORY.md"}`); text != "a a\n" {
		t.Errorf("MEMORY.md is %q", text)
	}
	if f := must(w.Facts.Get(t.Context(), id)); f.Current().Number != 1 {
		t.Errorf("the fact is at revision %d", f.Current().Number)
	}
}

// The file names of case N4 are refused by every tool that takes one, before anything is opened or made.
func TestFileNames(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"", ".", "..", "../x", "notes/../x.md", "notes/a/../../x.md", "/etc/passwd", `notes/..\x.md`, "notes/C:x.md", "C:x",
		"notes/%2e%2e/x.md", "notes/x\x00y.md", "notes/.md", "notes/-x.md", "notes/CON.md", "notes/x.md.md", "notes/x.bak", "notes/x.md.bak",
		"notes/" + strings.Repeat("x", 300) + ".md", "notes/a\u202eb.md", "daily/2026-13-45.md", "memory.md", "facts.sqlite3", "notes"} {
		file := string(must(canon.Marshal(name)))
		for tool, args := range map[string]string{
			"memory_read": `{"file":` + file + `}`, "memory_write": `{"content":"x","file":` + file + `,"mode":"append"}`,
			"memory_edit": `{"file":` + file + `,"new":"b","old":"a"}`,
		} {
			if r, err := w.call(tool, args); !errors.Is(err, plumbing.ErrInvalid) || r.Text != "" {
				t.Errorf("%s %s: %q, %v", tool, file, r.Text, err)
			}
		}
	}
	if _, err := os.Lstat(w.config.Path("memory")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The whole way of a fact: listed, recalled, corrected with what was recalled, forgotten.
func TestFacts(t *testing.T) {
	w := newWorld(t)
	id := w.remember("Tabs.", 1, 1)
	listed := w.must("memory_list", `{}`)
	if gjson.Get(listed, "facts.0.id").Str != id || gjson.Get(listed, "facts.0.status").Str != "valid" || strings.Contains(listed, "Tabs") {
		t.Errorf("listed: %s", listed)
	}
	recalled := w.must("memory_recall", `{"end_seq":2,"session_id":"s1","start_seq":2}`)
	args := fmt.Sprintf(`{"expected_revision":1,"fact_id":%q,"source_snapshot":%s,"text":"Tabs; two spaces in YAML."}`,
		id, gjson.Get(recalled, "source").Raw)
	corrected := w.must("memory_correct", args)
	if gjson.Get(corrected, "revision").Int() != 2 || gjson.Get(corrected, "text").Str != "Tabs; two spaces in YAML." {
		t.Errorf("corrected: %s", corrected)
	}
	if text := gjson.Get(w.must("memory_recall", `{"fact_id":"`+id+`"}`), "fact_text").Str; text != "Tabs; two spaces in YAML." {
		t.Errorf("recalled: %q", text)
	}
	for _, changed := range []bool{true, false} {
		got := w.must("memory_forget", `{"fact_id":"`+id+`"}`)
		if gjson.Get(got, "type").Str != "forgotten" || gjson.Get(got, "changed").Bool() != changed || gjson.Get(got, "generation").Int() != 1 {
			t.Errorf("forgotten: %s", got)
		}
	}
	if got := w.must("memory_list", `{}`); !strings.Contains(got, `"facts":[],"learning":null,"next_offset":null,"offset":0,"total":0`) {
		t.Errorf("after: %s", got)
	}
	if _, err := w.call("memory_recall", `{"fact_id":"`+id+`"}`); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("recalled after: %v", err)
	}
}

// What is known and does not hold is an answer with its status and no text, not a failure.
func TestRecallStatuses(t *testing.T) {
	w := newWorld(t)
	w.say("Else.")
	id, other := w.remember("Tabs.", 1, 1), w.remember("Else.", 3, 3)
	status := func(want, args string) {
		t.Helper()
		got := w.must("memory_recall", args)
		if gjson.Get(got, "status").Str != want || (want != "valid") != (gjson.Get(got, "source_text").Type == gjson.Null) {
			t.Errorf("want %s: %s", want, got)
		}
	}
	status("valid", `{"fact_id":"`+id+`"}`)
	w.must("memory_forget", `{"fact_id":"`+id+`"}`)
	status("hidden", `{"end_seq":1,"session_id":"s1","start_seq":1}`)
	status("valid", `{"fact_id":"`+other+`"}`)
	if err := w.sessions.Delete(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	status("missing", `{"fact_id":"`+other+`"}`)
	if got := w.must("memory_list", `{}`); !strings.Contains(got, `"status":"missing"`) {
		t.Errorf("listed: %s", got)
	}
}

func TestRights(t *testing.T) {
	w := newWorld(t)
	id := w.remember("Tabs.", 1, 1)
	args := map[string]string{
		"memory_read": `{"file":"MEMORY.md"}`, "memory_search": `{"pattern":"x"}`, "memory_list": `{}`, "memory_recall": `{"fact_id":"` + id + `"}`,
		"memory_write": `{"content":"x","file":"MEMORY.md","mode":"append"}`, "memory_edit": `{"file":"MEMORY.md","new":"b","old":"a"}`,
		"memory_correct": `{}`, "memory_forget": `{"fact_id":"` + id + `"}`,
	}
	w.write("MEMORY.md", "a\n")
	for _, c := range []Caller{{Child: true}, {ReadOnly: true}} {
		for _, tool := range Tools() {
			_, err := Call(t.Context(), w.Deps, c, tool.Name, []byte(args[tool.Name]))
			if refused := errors.Is(err, plumbing.ErrRefused); refused != (tool.Class == Write) {
				t.Errorf("%s for %+v: %v", tool.Name, c, err)
			}
		}
	}
	if text := w.must("memory_read", `{"file":"MEMORY.md"}`); text != "a\n" {
		t.Errorf("MEMORY.md is %q", text)
	}
	if n := must(w.Facts.Count(t.Context())); n != 1 {
		t.Errorf("%d facts", n)
	}
}

// A correction whose request is older than a forget is refused.
func TestCorrectOfAnOldRequest(t *testing.T) {
	w := newWorld(t)
	w.say("Something else.")
	id, other := w.remember("Tabs.", 1, 1), w.remember("Else.", 3, 3)
	args := fmt.Sprintf(`{"expected_revision":1,"fact_id":%q,"source_snapshot":%s,"text":"Two."}`, id, must(canon.Marshal(w.ref(2, 2))))
	before := must(w.Facts.Generation())
	w.must("memory_forget", `{"fact_id":"`+other+`"}`)
	if _, err := Call(t.Context(), w.Deps, Caller{Generation: &before}, "memory_correct", []byte(args)); !errors.Is(err, plumbing.ErrConflict) {
		t.Errorf("error %v", err)
	}
	after := before + 1
	if _, err := Call(t.Context(), w.Deps, Caller{Generation: &after}, "memory_correct", []byte(args)); err != nil {
		t.Errorf("error %v", err)
	}
}

func TestFailure(t *testing.T) {
	busy := &plumbing.Error{Kind: plumbing.ErrBusy, Message: "it is locked"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("plain"), "error: plain\n"},
		{plumbing.Fail(plumbing.ErrInvalid, "it is wrong", "do this"), "error: it is wrong: do this\n"},
		{fmt.Errorf("while: %w", plumbing.Fail(plumbing.ErrInvalid, "it is wrong", "that")), "error: while: it is wrong: that\n"},
		{busy, "error: it is locked: try again in a moment\n"},
		{fmt.Errorf("read: %w", context.Canceled), "error: the call was interrupted\n"},
		{errors.New("a\nb\u202e\xff"), "error: a b<U+202E>\uFFFD\n"},
		{errors.New(strings.Repeat("x", 5000)), "error: " + strings.Repeat("x", 2048-len("error: ")) + "…\n"},
	} {
		if got := Failure(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestCancelled(t *testing.T) {
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Call(ctx, w.Deps, Caller{}, "memory_read", []byte(`{"file":"MEMORY.md"}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
