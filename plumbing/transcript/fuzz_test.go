package transcript

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// fuzzRead reads data as format and checks what holds of any input: no panic,
// every record canonical and of a known shape, every fault the source's.
func fuzzRead(t *testing.T, format string, data []byte) (records []string, report Report, err error) {
	t.Helper()
	tr, err := Open(format, bytes.NewReader(data), int64(len(data)), "fuzz")
	if err == nil {
		for b, e := range tr.Records() {
			if err = e; err != nil {
				break
			}
			if _, err := canon.Check(b, nil); err != nil {
				t.Fatalf("record %d: %v: %s", len(records), err, b)
			}
			checkShape(t, b)
			records = append(records, string(b))
		}
		report = tr.Report()
	}
	if err != nil && !errors.Is(err, plumbing.ErrInvalid) {
		t.Fatalf("error %v does not wrap ErrInvalid", err)
	}
	return records, report, err
}

// checkShape checks what the append rules of design section 4 ask of a record.
func checkShape(t *testing.T, b []byte) {
	t.Helper()
	o := decodeObject(b)
	for _, key := range []string{"seq", "generation"} {
		if o[key] != nil {
			t.Fatalf("a record has a %s: %s", key, b)
		}
	}
	if o.text("type") == typeForeign {
		return
	}
	blocks, _ := o.array("content")
	origin := map[string]string{roleUser: originUser, roleAssistant: originGenerated, roleTool: originGenerated}[o.text("role")]
	if o.text("type") != typeMessage || len(blocks) == 0 || origin == "" || o.text("origin") != origin && o.text("origin") != originSynthetic {
		t.Fatalf("no record of a known shape: %s", b)
	}
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte(`{"type":"session","version":1,"seq":0}` + "\n"))
	f.Add([]byte(`{"type":"user","uuid":"u","message":{"role":"user","content":[{"type":"text"`))
	f.Add([]byte(`{"history":[{"role":"x","content":""}],"trajectory":[{}]}`))
	f.Fuzz(func(t *testing.T, head []byte) {
		if name, ok := Detect(head); ok == (name == "") {
			t.Errorf("Detect says %q, %v", name, ok)
		}
	})
}

// FuzzClaude also checks growth: where no line had to wait for its parent, the
// records of a part are the first of the whole.
func FuzzClaude(f *testing.F) {
	f.Add([]byte(lines(typedLine(`"A <system-reminder>r</system-reminder>"`), node("b", "a"), node("a", ""), mode)))
	f.Add([]byte(lines(`{"type":"assistant","message":{"role":"assistant","id":"m","content":[{"type":"thinking","thinking":"h"}],"usage":{"output_tokens":1}}}`)))
	f.Add([]byte(lines(typedLine(`[{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"base64","media_type":"m","data":"d"}}]}]`))))
	f.Add([]byte("\uFEFF{\"type\":\"user\",\"a\":\"\\ud83d\"}\r\n\n{\"a\":1,\"a\":2}\n{\"torn"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, report, err := fuzzRead(t, formatClaude, data)
		if err != nil || report.Moved > 0 {
			return
		}
		for cut, c := range data {
			if c != '\n' || len(bytes.TrimSpace(bytes.TrimPrefix(data[:cut], []byte("\uFEFF")))) == 0 {
				continue
			}
			part, _, err := fuzzRead(t, formatClaude, data[:cut+1])
			if err != nil || len(part) > len(whole) || !cmp.Equal(part, whole[:len(part)]) {
				t.Fatalf("the first %d bytes: %v\n%s", cut+1, err, cmp.Diff(whole, part))
			}
		}
	})
}

func FuzzSWE(f *testing.F) {
	f.Add([]byte(`{"history":[{"role":"user","content":"ISSUE:\nx\nINSTRUCTIONS:\n"},{"role":"assistant","content":"x","action":"y"},{"role":"user","content":[]}],"trajectory":[{"action":"y","messages":[{}]}],"info":{"model_stats":{"tokens_sent":1,"tokens_received":2}}}`))
	f.Add([]byte(`{"history":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"n","arguments":"{}"}}],"thinking_blocks":[{"type":"thinking","thinking":""}]},{"role":"tool","tool_call_ids":["a"],"content":""}]}`))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzRead(t, formatSWE, data) })
}

func FuzzRepair(f *testing.F) {
	f.Add([]byte(`{"a":"\ud83d\ude00\ud83d"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		fixed, fix := repair(b)
		if fix == nil && !bytes.Equal(fixed, b) {
			t.Errorf("%q became %q unsaid", b, fixed)
		}
		if _, again := repair(fixed); again != nil {
			t.Errorf("%q is repaired to %q, which is not whole", b, fixed)
		}
	})
}
