package transcript

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestUsageOfAnAnswer(t *testing.T) {
	line := func(id, usage, more string) string {
		return `{"type":"assistant",` + more + `"message":{"role":"assistant",` + id + `"content":"x","usage":{` + usage + `}}}`
	}
	m, n := `"id":"m",`, `"id":"n",`
	say := func(in, out, cost string) string {
		return fmt.Sprintf(`{"cache_read_tokens":null,"cache_write_tokens":null,"cost":%s,"input_tokens":%s,"output_tokens":%s}`, cost, in, out)
	}
	null := "null"
	for name, c := range map[string]struct {
		lines []string
		want  []string // usage of each record
		total UsageTotals
	}{
		"repeated over the lines": {
			[]string{line(m, `"input_tokens":9,"output_tokens":4`, ""), line(m, `"input_tokens":9,"output_tokens":4`, ""), line(n, `"input_tokens":1`, "")},
			[]string{say("9", "4", null), null, say("1", null, null)},
			UsageTotals{Calls: 2, InputTokens: 10, OutputTokens: 4}},
		"the last known value of each field": {
			[]string{line(m, `"input_tokens":9,"output_tokens":1`, ""), line(m, `"output_tokens":350`, ""), line(m, ``, "")},
			[]string{say("9", "1", null), say("9", "350", null), null},
			UsageTotals{Calls: 1, InputTokens: 9, OutputTokens: 350}},
		"known late": {
			[]string{line(m, ``, ""), line(m, `"output_tokens":0`, "")},
			[]string{null, say(null, "0", null)},
			UsageTotals{Calls: 1}},
		"never known": {
			[]string{line(m, ``, ""), line(m, ``, ""), line("", ``, ""), line("", ``, "")},
			[]string{null, null, null, null},
			UsageTotals{Calls: 3, UnknownUsageCalls: 3}},
		"lines of two answers mixed": {
			[]string{line(m, `"output_tokens":1`, ""), line(n, `"output_tokens":2`, ""), line(m, `"output_tokens":1`, ""), line(n, `"output_tokens":5`, "")},
			[]string{say(null, "1", null), say(null, "2", null), null, say(null, "5", null)},
			UsageTotals{Calls: 2, OutputTokens: 6}},
		"cost of an older version": {
			[]string{line(m, `"output_tokens":1`, `"costUSD":0.25,`), line(n, `"output_tokens":1`, `"costUSD":1e-2,`)},
			[]string{say(null, "1", "0.25"), say(null, "1", "1e-2")},
			UsageTotals{Calls: 2, OutputTokens: 2, Cost: ptr(0.26)}},
		"no counts": {
			[]string{line(m, `"input_tokens":-1,"output_tokens":"7","cache_read_input_tokens":1.5,"cache_creation_input_tokens":9007199254740993`, `"costUSD":-1,`)},
			[]string{null},
			UsageTotals{Calls: 1, UnknownUsageCalls: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			records, report := read(t, formatClaude, lines(c.lines...))
			var got []string
			for _, r := range records {
				got = append(got, string(decodeObject([]byte(r))["usage"]))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("usage of the records (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.total, report.Usage); diff != "" {
				t.Errorf("totals (-want +got):\n%s", diff)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

func TestRecentForgetsTheOldest(t *testing.T) {
	r := newRecent[int]()
	for i := range maxRecent + 2 {
		r.set(fmt.Sprint(i), i)
		r.set(fmt.Sprint(i), i)
	}
	if _, ok := r.get("1"); ok {
		t.Error("an old key is remembered")
	}
	if v, ok := r.get("2"); !ok || v != 2 {
		t.Error("a key is forgotten too early")
	}
	if len(r.values) != maxRecent || len(r.order) != maxRecent {
		t.Errorf("%d values, %d keys", len(r.values), len(r.order))
	}
}

func TestTokens(t *testing.T) {
	for s, want := range map[string]*int64{"0": ptr(int64(0)), "9007199254740992": ptr(int64(maxTokens)), "9007199254740993": nil, "1e3": nil, "-1": nil, "null": nil, "": nil} {
		if got := tokens(jsontext.Value(s)); !cmp.Equal(got, want) {
			t.Errorf("tokens(%q) = %v", s, got)
		}
	}
}
