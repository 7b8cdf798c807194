package transcript

import (
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	for name, c := range map[string]struct{ head, want string }{
		"empty":                                {"", ""},
		"spaces":                               {" \n \n", ""},
		"text":                                 {"# A title\n{\"type\":\"user\"}\n", ""},
		"number":                               {"7", ""},
		"an unknown object":                    {`{"a":1}` + "\n", ""},
		"lecode":                               {`{"id":"0198","project":{"root":"/p","slug":"p"},"seq":0,"time":"2026-12-02T04:21:56.116Z","type":"session","version":1,"writer":"agent"}` + "\n" + `{"seq":1}`, FormatLecode},
		"lecode cut off":                       {`{"id":"0198","seq":0,"type":"session","ver`, ""},
		"pi's header":                          {`{"type":"session","version":3,"id":"01a2","timestamp":"2026-12-02T04:08:54.361Z","cwd":"/home/dev/shop"}` + "\n", ""},
		"lecode, reordered":                    {`{"type":"session","version":1,"seq":0}` + "\n", ""},
		"claude":                               {`{"type":"summary","summary":"x","leafUuid":"l"}` + "\n", formatClaude},
		"claude, CRLF and BOM":                 {"\uFEFF\r\n" + `{"type":"user","sessionId":"s","message":{"role":"user","content":"x"}}` + "\r\n", formatClaude},
		"claude behind lines of no kind":       {strings.Repeat(`{"type":"x"}`+"\n", 10) + `{"type":"mode","sessionId":"s"}` + "\n", formatClaude},
		"claude, a first line that is cut off": {`{"type":"user","uuid":"u","message":{"role":"user","content":"` + strings.Repeat("x", 1000), formatClaude},
		"claude, cut off before anything":      {`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user"`, ""},
		"claude, cut off behind the content":   {`{"type":"user","uuid":"u","message":{"role":"user","content":"x"},"cw`, formatClaude},
		"claude with a lone surrogate and a repeated key": {`{"type":"user","type":"user","uuid":"u","message":{"content":"\ud83d"}}`, formatClaude},
		"qwen":                       {`{"uuid":"e5","parentUuid":null,"sessionId":"98","type":"user","message":{"role":"user","parts":[{"text":"Hi"}]}}` + "\n", ""},
		"gemini":                     {`{"sessionId":"e8","projectHash":"e8","kind":"main"}` + "\n" + `{"id":"d0","type":"user","content":"x"}` + "\n", ""},
		"codex":                      {`{"timestamp":"2026-12-02T04:13:20.723Z","ordinal":0,"type":"session_meta","payload":{"id":"01"}}` + "\n", ""},
		"swe":                        {`{"history": [{"role": "system", "content": "x", "agent": "main"}]}`, formatSWE},
		"swe, indented, steps first": {"{\n  \"environment\": \"main\",\n  \"trajectory\": [\n    {\n      \"action\": \"ls\",\n      \"observation\": \"x\"", formatSWE},
		"swe without steps":          {`{"trajectory":[],"history":[]}`, ""},
		"mini-swe-agent":             {`{"info":{"config":{}},"messages":[{"role":"system","content":"x"}],"trajectory_format":"mini-swe-agent-1"}`, ""},
		"a list of messages":         {`[{"role":"system","content":"x"}]`, ""},
		"SQLite":                     {"SQLite format 3\x00", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Detect([]byte(c.head))
			if got != c.want || ok != (c.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, c.want)
			}
		})
	}
}

func TestFormatsOpen(t *testing.T) {
	for _, f := range formats() {
		if (f.open == nil) != (f.name == FormatLecode) {
			t.Errorf("format %q: whether it can be opened is wrong", f.name)
		}
	}
}
