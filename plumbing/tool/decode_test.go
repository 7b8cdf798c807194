package tool

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// What is wrong with arguments is named, all of it at once.
func TestDecode(t *testing.T) {
	ref := refOf(digest, `[1]`, `"s1"`)
	correct := func(ref string) string {
		return `{"expected_revision":1,"fact_id":"f","source_snapshot":` + ref + `,"text":"x"}`
	}
	for _, c := range []struct{ name, args, says string }{
		{"memory_wipe", `{}`, `there is no tool "memory_wipe": the tools are memory_read, `},
		{"memory_read", ``, `the field "file" is missing: memory_read takes file`},
		{"memory_read", ` `, "not valid JSON at byte 1: unexpected EOF"},
		{"memory_read", `[]`, "a JSON object is due, not an array: give one JSON object"},
		{"memory_read", `null`, "a JSON object is due, not null"},
		{"memory_read", `"MEMORY.md"`, "a JSON object is due, not a string"},
		{"memory_read", `{"file":"MEMORY.md"}{}`, "not valid JSON at byte 20"},
		{"memory_read", `{"file":"MEMORY.md"`, "not valid JSON"},
		{"memory_read", `{'file':'MEMORY.md'}`, "not valid JSON"},
		{"memory_read", "{\"file\":\"\xff\"}", "not valid JSON at byte 9: invalid UTF-8"},
		{"memory_read", `{"file":"\ud800"}`, "not valid JSON at byte 9: surrogate"},
		{"memory_read", `{"file":"MEMORY.md","file":"x"}`, `the arguments of memory_read: the field "file" is there twice: give one JSON object`},
		{"memory_read", `{"file":"MEMORY.md","x":{"y":1,"\u0079":2}}`, `the field "x.y" is there twice`},
		{"memory_correct", correct(strings.Replace(ref, "{", `{"seqs":[2],`, 1)), `the field "source_snapshot.seqs" is there twice`},
		{"memory_read", `{"File":"MEMORY.md"}`, `the field "file" is missing; there is no field "File", but "file": memory_read takes file`},
		{"memory_read", `{"path":"MEMORY.md"}`, `the field "file" is missing; there is no field "path": memory_read takes file`},
		{"memory_read", `{"file":1}`, `the field "file" is not a string`},
		{"memory_read", `{"file":null}`, `the field "file" is not a string`},
		{"memory_write", `{"content":"x","mode":"Append"}`, `the field "file" is missing; the field "mode" is neither append nor replace: memory_write takes content, file, mode`},
		{"memory_edit", `{"all":1,"file":"MEMORY.md","new":"b","old":"a"}`, `the field "all" is neither true nor false: memory_edit takes [all], file, new, old`},
		{"memory_list", `{"offset":1.5}`, `the field "offset" is not a whole number`},
		{"memory_list", `{"offset":"0"}`, `the field "offset" is not a whole number`},
		{"memory_list", `{"offset":1e400}`, `the field "offset" is not a whole number`},
		{"memory_list", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}`, `there is no field "e"; 2 more fields are unknown`},
		{"memory_list", `{"` + strings.Repeat("x", 1000) + `":1}`, strings.Repeat("x", 60) + `"…: memory_list takes [offset]`},
		{"memory_list", `{"\u202e":1}`, `there is no field "\u202e"`},
		{"memory_recall", `{}`, "give either fact_id alone, or session_id with start_seq and end_seq"},
		{"memory_recall", `{"fact_id":"f","session_id":"s1"}`, "give either fact_id alone"},
		{"memory_recall", `{"fact_id":"f","start_seq":0,"end_seq":0,"session_id":""}`, "give either fact_id alone"},
		{"memory_recall", `{"session_id":"s1","start_seq":1}`, "give either fact_id alone"},
		{"memory_recall", `{"offset":0}`, "give either fact_id alone"},
		{"memory_correct", correct(`null`), `the field "source_snapshot" is not an object with digest, seqs and session_id`},
		{"memory_correct", correct(`{"seqs":[1]}`), `the field "source_snapshot.digest" is missing; the field "source_snapshot.session_id" is missing`},
		{"memory_correct", correct(strings.Replace(ref, "{", `{"type":"source_ref",`, 1)), `there is no field "source_snapshot.type"`},
		{"memory_correct", correct(refOf(digest, `["1"]`, `"s1"`)), `the field "source_snapshot.seqs" is not an array of whole numbers`},
		{"memory_correct", correct(refOf(digest, `{}`, `"s1"`)), `the field "source_snapshot.seqs" is not an array of whole numbers`},
	} {
		err := Check(c.name, []byte(c.args))
		if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(Failure(err), c.says) {
			t.Errorf("%s %s: %s; want %q", c.name, c.args, Failure(err), c.says)
		}
		if r, callErr := Call(t.Context(), Deps{}, Caller{}, c.name, []byte(c.args)); r.Text != "" || fmt.Sprint(callErr) != fmt.Sprint(err) {
			t.Errorf("%s %s: Call says %v", c.name, c.args, callErr)
		}
	}
	for _, c := range [][2]string{{"memory_list", ""}, {"memory_list", " {}\n"}, {"memory_list", `{"offset":2e1}`}, {"memory_correct", correct(ref)}} {
		if err := Check(c[0], []byte(c[1])); err != nil {
			t.Errorf("%s %q: %v", c[0], c[1], err)
		}
	}
}

func TestWhole(t *testing.T) {
	for raw, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "1.0": 1, "1e3": 1000, "12.50e1": 125, "9007199254740993": 9007199254740993,
		"9007199254740992.0": 1 << 53, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
	} {
		if n, ok := whole([]byte(raw)); !ok || n != want {
			t.Errorf("%s is %d, %v", raw, n, ok)
		}
	}
	for _, raw := range []string{"1.5", "1e-1", "9223372036854775808", "1e300", "1e999", "9007199254740994.0", `"1"`, "true", "null", "[1]"} {
		if n, ok := whole([]byte(raw)); ok {
			t.Errorf("%s is %d", raw, n)
		}
	}
}
