package transcript

import (
	"strings"
	"testing"
)

// lines joins lines as Claude Code writes them.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// typedLine is a line of an older version (no promptSource in the file) with this content.
func typedLine(content string) string {
	return `{"type":"user","sessionId":"s","message":{"role":"user","content":` + content + `}}`
}

const foreignUser = `"foreign":{"message":{"role":"user"},"sessionId":"s","type":"user"},`

func TestClaudeLine(t *testing.T) {
	const (
		user  = `"origin":"user","role":"user","type":"message"}`
		synth = `"origin":"synthetic","role":"user","type":"message"}`
		tool  = `"origin":"generated","role":"tool","type":"message"}`
	)
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"typed": {typedLine(`"Use tabs."`), []string{
			`{"content":[{"text":"Use tabs.","type":"text"}],` + foreignUser + user}},
		"typed, times and the rest": {
			`{"parentUuid":null,"type":"user","timestamp":"2026-12-02T04:21:56.116Z","cwd":"/p","n":9007199254740993,"promptSource":"typed","sessionId":"s","message":{"role":"user","content":"Hi"}}`,
			[]string{`{"content":[{"text":"Hi","type":"text"}],"foreign":{"cwd":"/p","message":{"role":"user"},"n":9007199254740993,"parentUuid":null,"promptSource":"typed","sessionId":"s","type":"user"},"origin":"user","role":"user","time":"2026-12-02T04:21:56.116Z","type":"message"}`}},
		"a time of another form stays": {
			`{"type":"mode","timestamp":"2026-12-02T06:21:56.1167+02:00"}`,
			[]string{`{"foreign":{"timestamp":"2026-12-02T06:21:56.1167+02:00","type":"mode"},"time":"2026-12-02T04:21:56.116Z","type":"foreign"}`}},
		"no time": {
			`{"type":"mode","timestamp":"yesterday"}`,
			[]string{`{"foreign":{"timestamp":"yesterday","type":"mode"},"type":"foreign"}`}},
		"mixed, wrapper first": {typedLine(`"<system-reminder>r</system-reminder>\nUse tabs."`), []string{
			`{"content":[{"text":"<system-reminder>r</system-reminder>\n","type":"text"}],` + foreignUser + `"origin":"synthetic","role":"user","split":{"part":1,"parts":2},"type":"message"}`,
			`{"content":[{"text":"Use tabs.","type":"text"}],"origin":"user","role":"user","split":{"part":2,"parts":2},"type":"message"}`}},
		"mixed, words first": {typedLine(`[{"type":"text","text":"Use tabs."},{"type":"text","text":"<ide_selection>x</ide_selection>","cache_control":{"a":1}}]`), []string{
			`{"content":[{"text":"Use tabs.","type":"text"}],"foreign":{"message":{"content":[{},{"cache_control":{"a":1}}],"role":"user"},"sessionId":"s","type":"user"},"origin":"user","role":"user","split":{"part":1,"parts":2},"type":"message"}`,
			`{"content":[{"text":"<ide_selection>x</ide_selection>","type":"text"}],"origin":"synthetic","role":"user","split":{"part":2,"parts":2},"type":"message"}`}},
		"tool result": {typedLine(`[{"type":"tool_result","tool_use_id":"t","content":"out","is_error":true}]`), []string{
			`{"content":[{"files":[],"id":"t","is_error":true,"name":null,"text":"out","type":"tool_result"}],` + foreignUser + tool}},
		"tool result of items": {
			typedLine(`[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}},{"type":"tool_reference","tool_name":"x"}]}]`),
			[]string{`{"content":[{"files":[{"data":"aGk=","media_type":"image/png","name":null,"type":"file"}],"id":"t","is_error":false,"name":null,"text":"a\nb","type":"tool_result"}],"foreign":{"message":{"content":[{"content":[{},{},{},{"tool_name":"x","type":"tool_reference"}]}],"role":"user"},"sessionId":"s","type":"user"},` + tool}},
		"tool result without content": {typedLine(`[{"type":"tool_result","tool_use_id":"t"}]`), []string{
			`{"content":[{"files":[],"id":"t","is_error":false,"name":null,"text":"","type":"tool_result"}],` + foreignUser + tool}},
		"a prompt behind a tool result": {typedLine(`[{"type":"tool_result","tool_use_id":"t","content":"out"},{"type":"text","text":"Summarise the conversation."}]`), []string{
			`{"content":[{"files":[],"id":"t","is_error":false,"name":null,"text":"out","type":"tool_result"}],` + foreignUser + `"origin":"generated","role":"tool","split":{"part":1,"parts":2},"type":"message"}`,
			`{"content":[{"text":"Summarise the conversation.","type":"text"}],"origin":"synthetic","role":"user","split":{"part":2,"parts":2},"type":"message"}`}},
		"image and words": {typedLine(`[{"type":"text","text":"Look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]`), []string{
			`{"content":[{"text":"Look","type":"text"},{"data":"aGk=","media_type":"image/png","name":null,"type":"file"}],` + foreignUser + user}},
		"a named document": {typedLine(`[{"type":"document","title":"spec.pdf","source":{"type":"base64","media_type":"application/pdf","data":"aGk=","more":1}}]`), []string{
			`{"content":[{"data":"aGk=","media_type":"application/pdf","name":"spec.pdf","type":"file"}],"foreign":{"message":{"content":[{"source":{"more":1}}],"role":"user"},"sessionId":"s","type":"user"},` + user}},
		"an image elsewhere has no place": {typedLine(`[{"type":"image","source":{"type":"url","url":"u"}}]`), []string{
			`{"foreign":{"message":{"content":[{"source":{"type":"url","url":"u"},"type":"image"}],"role":"user"},"sessionId":"s","type":"user"},"type":"foreign"}`}},
		"empty": {typedLine(`""`), []string{
			`{"foreign":{"message":{"content":"","role":"user"},"sessionId":"s","type":"user"},"type":"foreign"}`}},
		"no content": {`{"type":"user","message":{"role":"user"}}`, []string{`{"foreign":{"message":{"role":"user"},"type":"user"},"type":"foreign"}`}},
		"no message": {`{"type":"user","text":"x"}`, []string{`{"foreign":{"text":"x","type":"user"},"type":"foreign"}`}},
		"another role": {`{"type":"user","message":{"role":"assistant","content":"x"}}`,
			[]string{`{"foreign":{"message":{"content":"x","role":"assistant"},"type":"user"},"type":"foreign"}`}},
		"white space only": {typedLine(`" \n"`), []string{`{"content":[{"text":" \n","type":"text"}],` + foreignUser + synth}},
		"summary":          {`{"type":"summary","summary":"s","leafUuid":"l"}`, []string{`{"foreign":{"leafUuid":"l","summary":"s","type":"summary"},"type":"foreign"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := read(t, formatClaude, lines(c.line))
			same(t, got, c.want...)
		})
	}
}

func TestClaudeAnswer(t *testing.T) {
	got, report := read(t, formatClaude, lines(
		`{"type":"assistant","sessionId":"s","requestId":"q","message":{"role":"assistant","id":"m1","model":"big","usage":{"input_tokens":7,"output_tokens":1,"cache_read_input_tokens":3,"cache_creation_input_tokens":0,"tier":"x"},"content":[{"type":"thinking","thinking":"Hm.","signature":"sig"},{"type":"redacted_thinking","data":"b3BhcXVl"}]}}`,
		`{"type":"assistant","message":{"role":"assistant","id":"m1","model":"big","content":[{"type":"tool_use","id":"t","name":"Read","input":{"b":1,"a":2},"caller":{"type":"direct"}}]}}`,
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"<persisted-output>\nsee file"}]}}`,
		`{"type":"assistant","isApiErrorMessage":true,"requestId":"q2","message":{"role":"assistant","model":"<synthetic>","content":"API Error: 529"}}`,
		`{"type":"assistant","message":{"role":"assistant","id":"m3","model":"big","content":[],"usage":{"input_tokens":1}}}`,
		`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":""},{"type":"server_tool_use","id":"w","name":"web_search","input":{}}]}}`,
	))
	same(t, got,
		`{"call_id":"m1","content":[{"signature":"sig","text":"Hm.","type":"reasoning"},{"data":"b3BhcXVl","signature":null,"text":"","type":"reasoning"}],"foreign":{"message":{"role":"assistant","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":3,"input_tokens":7,"output_tokens":1,"tier":"x"}},"requestId":"q","sessionId":"s","type":"assistant"},"model":"big","origin":"generated","role":"assistant","type":"message","usage":{"cache_read_tokens":3,"cache_write_tokens":0,"cost":null,"input_tokens":7,"output_tokens":1}}`,
		`{"call_id":"m1","content":[{"arguments":{"a":2,"b":1},"id":"t","name":"Read","type":"tool_call"}],"foreign":{"message":{"content":[{"caller":{"type":"direct"}}],"role":"assistant"},"type":"assistant"},"model":"big","origin":"generated","role":"assistant","type":"message","usage":null}`,
		`{"content":[{"files":[],"id":"t","is_error":false,"name":"Read","text":"<persisted-output>\nsee file","type":"tool_result"}],"foreign":{"message":{"role":"user"},"type":"user"},"origin":"generated","role":"tool","type":"message"}`,
		`{"call_id":"q2","content":[{"text":"API Error: 529","type":"text"}],"foreign":{"isApiErrorMessage":true,"message":{"role":"assistant"},"requestId":"q2","type":"assistant"},"model":"<synthetic>","origin":"generated","role":"assistant","type":"message","usage":null}`,
		`{"call_id":"m3","foreign":{"message":{"content":[],"id":"m3","model":"big","role":"assistant","usage":{"input_tokens":1}},"type":"assistant"},"model":"big","type":"foreign","usage":{"cache_read_tokens":null,"cache_write_tokens":null,"cost":null,"input_tokens":1,"output_tokens":null}}`,
		`{"call_id":null,"foreign":{"message":{"content":[{"text":"","type":"text"},{"id":"w","input":{},"name":"web_search","type":"server_tool_use"}],"role":"assistant"},"type":"assistant"},"model":null,"type":"foreign","usage":null}`,
	)
	if report.Assistant != 3 || report.Tool != 1 || report.External != 1 || report.Foreign["assistant"] != 2 || report.UnknownBlocks["server_tool_use"] != 1 {
		t.Errorf("report %+v", report)
	}
	if u := report.Usage; u.Calls != 4 || u.UnknownUsageCalls != 2 || u.InputTokens != 8 || u.OutputTokens != 1 || u.CacheReadTokens != 3 {
		t.Errorf("usage %+v", u)
	}
}

func TestClaudeForeignKinds(t *testing.T) {
	_, report := read(t, formatClaude, lines(
		`{"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":"x"}`,
		`{"type":"attachment","attachment":{"type":"queued_command","prompt":"typed while it worked"}}`,
		`{"type":"progress"}`, `{"type":"queue-operation"}`, `{"no":"type"}`, `{"type":"<b>"}`, `{}`,
	))
	want := map[string]int64{"system/compact_boundary": 1, "attachment/queued_command": 1, "progress": 1, "queue-operation": 1, "other": 3}
	for kind, n := range want {
		if report.Foreign[kind] != n {
			t.Errorf("kind %q: got %d, want %d", kind, report.Foreign[kind], n)
		}
	}
	if len(report.Foreign) != len(want) || report.User != 0 {
		t.Errorf("report %+v", report)
	}
}

func TestKindsAreBounded(t *testing.T) {
	m := map[string]int64{}
	for i := range 200 {
		count(m, "kind-"+strings.Repeat("x", i))
	}
	if len(m) > maxKinds+1 || m["other"] == 0 {
		t.Errorf("%d kinds", len(m))
	}
}
