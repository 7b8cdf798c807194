package usage

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func records(lines ...string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, l := range lines {
			if !yield([]byte(l), nil) {
				return
			}
		}
	}
}

func TestOfRecords(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  Totals
	}{
		"T1: the lines of one answer": {[]string{
			`{"call_id":"m1","role":"assistant","type":"message","usage":{"input_tokens":100,"output_tokens":7}}`,
			`{"call_id":"m1","role":"assistant","type":"message","usage":null}`,
			`{"call_id":"m1","role":"assistant","type":"message","usage":{"input_tokens":100,"output_tokens":7}}`,
		}, Totals{Calls: 1, InputTokens: 100, OutputTokens: 7, UnknownCostCalls: 1}},
		"T5: the last known value of each count": {[]string{
			`{"call_id":"m1","role":"assistant","type":"message","usage":{"input_tokens":9,"output_tokens":1}}`,
			`{"call_id":"m1","role":"assistant","type":"message","usage":{"output_tokens":120}}`,
			`{"call_id":"m1","role":"assistant","type":"message","usage":{"output_tokens":350}}`,
			`{"call_id":"m1","role":"assistant","type":"message","usage":{"cache_read_tokens":4,"output_tokens":null}}`,
		}, Totals{Calls: 1, InputTokens: 9, OutputTokens: 350, CacheReadTokens: 4, UnknownCostCalls: 1}},
		"T2: no usage is unknown, not 0": {[]string{
			`{"role":"assistant","type":"message","usage":null}`,
			`{"role":"assistant","type":"message"}`,
			`{"call_id":null,"role":"assistant","type":"message","usage":{"cost":null,"input_tokens":null}}`,
		}, Totals{Calls: 3, UnknownUsageCalls: 3, UnknownCostCalls: 3}},
		"events of the memory, and nothing else": {[]string{
			`{"call_id":"a","type":"compact","usage":{"cost":0.5,"input_tokens":10,"output_tokens":1}}`,
			`{"call_id":"b","type":"memory_usage","usage":{"input_tokens":20,"output_tokens":2}}`,
			`{"call_id":"a","type":"memory_usage","usage":{"input_tokens":10,"output_tokens":1}}`,
			`{"call_id":"c","type":"learning","usage":{"input_tokens":5}}`,
			`{"role":"user","type":"message","usage":{"input_tokens":5}}`,
			`{"role":"tool","type":"message"}`,
			`{"seq":3,"type":"omitted"}`,
			`{"type":"clear"}`,
		}, Totals{Calls: 2, InputTokens: 30, OutputTokens: 3, Cost: dollars(0.5), UnknownCostCalls: 1}},
		"odd numbers are not known": {[]string{
			`{"role":"assistant","type":"message","usage":{"input_tokens":1.5,"output_tokens":-1}}`,
			`{"role":"assistant","type":"message","usage":{"input_tokens":99999999999999999999,"output_tokens":"7"}}`,
			`{"role":"assistant","type":"message","usage":[1]}`,
		}, Totals{Calls: 3, UnknownUsageCalls: 3, UnknownCostCalls: 3}},
	} {
		got, err := OfRecords(records(c.lines...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestOfRecordsFails(t *testing.T) {
	broken := errors.New("broken")
	_, err := OfRecords(func(yield func([]byte, error) bool) { yield(nil, broken) })
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// FuzzRead: a ledger of any bytes is read to its end, quotes nothing, and every
// call counts once.
func FuzzRead(f *testing.F) {
	good := `{"call_id":"c1","estimate":100,"model":"m","priced":null,"provider":"p","purpose":"compact","session_id":"s1","time":"2026-03-10T20:00:00.000Z","type":"call","usage":{"input_tokens":70}}` + "\n"
	f.Add([]byte(good + good))
	f.Add([]byte(good + "x\n{}\n" + good[:40]))
	f.Add([]byte("\n\n{\"type\":\"call\"}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		seen := map[string]bool{}
		var sum Totals
		lines := int64(0)
		for line, err := range read(strings.NewReader(string(b))) {
			lines++
			var d *Damaged
			if errors.As(err, &d) {
				if d.Line < 1 || d.Reason == "" {
					t.Errorf("%+v", d)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if seen[line.CallID] || line.check() != nil {
				t.Errorf("%+v", line)
			}
			seen[line.CallID] = true
			sum.Add(line.Usage, line.Estimate, line.Priced)
		}
		if most := int64(strings.Count(string(b), "\n")); lines > most || sum.Calls != int64(len(seen)) || sum.Tokens() < 0 {
			t.Errorf("%d of %d lines, %+v", lines, most, sum)
		}
	})
}
