package transcript

import (
	"testing"
)

func TestSWEOlder(t *testing.T) {
	got, report := read(t, formatSWE, `{
  "environment": "swe_main",
  "trajectory": [
    {"action": "ls\n", "observation": "a.py", "response": "Look.\n`+"```\\nls\\n```"+`", "state": "{\"dir\": 1}", "thought": "Look.\n"},
    {"action": "submit\n", "observation": "the diff", "response": "Done.", "state": "{}", "thought": "Other."}
  ],
  "history": [
    {"role": "system", "content": "SETTING: …", "agent": "primary"},
    {"role": "user", "content": "Here is a demonstration.", "agent": "primary", "is_demo": true},
    {"role": "assistant", "content": "So one does it.", "agent": "primary", "is_demo": true},
    {"role": "user", "content": "Solve this.\nISSUE:\nTabs, please.\nAlways.\n\nINSTRUCTIONS:\nGo.\n", "agent": "primary"},
    {"role": "assistant", "content": "Look.\n`+"```\\nls\\n```"+`", "thought": "Look.\n", "action": "ls\n", "agent": "primary"},
    {"role": "user", "content": "a.py\n(Open file: n/a)", "agent": "primary"},
    {"role": "assistant", "content": "Done.", "thought": "Done.\n", "action": "submit\n", "agent": "primary"}
  ],
  "info": {"exit_status": "submitted", "model_stats": {"instance_cost": 0.5, "tokens_sent": 70, "tokens_received": 8, "api_calls": 3}}
}`)
	same(t, got,
		`{"foreign":{"agent":"primary","content":"SETTING: …","role":"system"},"type":"foreign"}`,
		`{"content":[{"text":"Here is a demonstration.","type":"text"}],"foreign":{"agent":"primary","is_demo":true,"role":"user"},"origin":"synthetic","role":"user","type":"message"}`,
		`{"foreign":{"agent":"primary","content":"So one does it.","is_demo":true,"role":"assistant"},"type":"foreign"}`,
		`{"content":[{"text":"Solve this.\nISSUE:\n","type":"text"}],"foreign":{"agent":"primary","role":"user"},"origin":"synthetic","role":"user","split":{"part":1,"parts":3},"type":"message"}`,
		`{"content":[{"text":"Tabs, please.\nAlways.","type":"text"}],"origin":"user","role":"user","split":{"part":2,"parts":3},"type":"message"}`,
		`{"content":[{"text":"\n\nINSTRUCTIONS:\nGo.\n","type":"text"}],"origin":"synthetic","role":"user","split":{"part":3,"parts":3},"type":"message"}`,
		"{\"call_id\":null,\"content\":[{\"text\":\"Look.\\n```\\nls\\n```\",\"type\":\"text\"},{\"arguments\":{\"command\":\"ls\\n\"},\"id\":\"import-4\",\"made_by\":\"import\",\"name\":\"bash\",\"type\":\"tool_call\"}],\"foreign\":{\"agent\":\"primary\",\"role\":\"assistant\",\"thought\":\"Look.\\n\"},\"model\":null,\"origin\":\"generated\",\"role\":\"assistant\",\"type\":\"message\",\"usage\":null}",
		`{"content":[{"files":[],"id":"import-4","is_error":false,"name":"bash","text":"a.py\n(Open file: n/a)","type":"tool_result"}],"foreign":{"agent":"primary","role":"user"},"origin":"generated","role":"tool","type":"message"}`,
		`{"call_id":null,"content":[{"text":"Done.","type":"text"}],"foreign":{"action":"submit\n","agent":"primary","role":"assistant","thought":"Done.\n"},"model":null,"origin":"generated","role":"assistant","type":"message","usage":null}`,
		`{"foreign":{"trajectory":{"state":"{\"dir\": 1}"}},"type":"foreign"}`,
		`{"foreign":{"trajectory":{"observation":"the diff","state":"{}","thought":"Other."}},"type":"foreign"}`,
		`{"foreign":{"environment":"swe_main"},"type":"foreign"}`,
		`{"foreign":{"info":{"exit_status":"submitted","model_stats":{"api_calls":3,"instance_cost":0.5,"tokens_received":8,"tokens_sent":70}}},"type":"foreign","usage":{"cache_read_tokens":null,"cache_write_tokens":null,"cost":0.5,"input_tokens":70,"output_tokens":8}}`,
	)
	if report.MadeUpCalls != 1 || report.User != 1 || report.Synthetic != 3 || report.SplitLines != 1 || report.Foreign["demonstration"] != 1 {
		t.Errorf("report %+v", report)
	}
	if u := report.Usage; u.Calls != 3 || u.UnknownUsageCalls != 0 || u.InputTokens != 70 || u.OutputTokens != 8 || *u.Cost != 0.5 {
		t.Errorf("usage %+v", u)
	}
}

func TestSWENewer(t *testing.T) {
	got, report := read(t, formatSWE, `{"trajectory":[{"action":"ls","observation":"a.py","response":"I look.","thought":"I look.","execution_time":0.25,"messages":[{"role":"user","content":[{"type":"text","text":"<pr_description>\nTabs, please.\n</pr_description>\nImplement it.","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":"cut"}]},{"extra":true}],
"history":[
{"role":"user","content":[{"type":"text","text":"<pr_description>\nTabs, please.\n</pr_description>\nImplement it.","cache_control":{"type":"ephemeral"}}]},
{"role":"assistant","content":"I look.","thought":"I look.","action":"ls","thinking_blocks":[{"type":"thinking","thinking":"Hm.","signature":"s"}],"tool_calls":[{"function":{"arguments":"{ \"command\": \"ls\"}","name":"bash"},"id":"c1","type":"function"},{"function":{"arguments":"oops","name":"bash"},"id":"c2"}]},
{"role":"tool","content":[{"type":"text","text":"a.py"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk=","detail":"low"}},{"type":"image_url","image_url":{"url":"u"}}],"tool_call_ids":["c1","c2"],"message_type":"observation"},
{"role":"user","content":"Your output was not formatted correctly."},
{"role":"assistant","content":null,"action":"pwd"},
{"role":"user","content":"/"},
{"role":"assistant","content":"","tool_calls":[{"id":"c3"}]},
{"role":"wizard","content":"x"}],
"info":{"model_stats":{"tokens_sent":0,"tokens_received":0,"api_calls":2}},"info":7}`)
	same(t, got,
		`{"content":[{"text":"<pr_description>\n","type":"text"}],"foreign":{"content":[{"cache_control":{"type":"ephemeral"}}],"role":"user"},"origin":"synthetic","role":"user","split":{"part":1,"parts":3},"type":"message"}`,
		`{"content":[{"text":"Tabs, please.","type":"text"}],"origin":"user","role":"user","split":{"part":2,"parts":3},"type":"message"}`,
		`{"content":[{"text":"\n</pr_description>\nImplement it.","type":"text"}],"origin":"synthetic","role":"user","split":{"part":3,"parts":3},"type":"message"}`,
		`{"call_id":null,"content":[{"signature":"s","text":"Hm.","type":"reasoning"},{"text":"I look.","type":"text"},{"arguments":{"command":"ls"},"id":"c1","name":"bash","type":"tool_call"},{"arguments":"oops","id":"c2","name":"bash","type":"tool_call"}],"foreign":{"action":"ls","role":"assistant","thought":"I look.","tool_calls":[{"function":{"arguments":"{ \"command\": \"ls\"}"},"type":"function"},{}]},"model":null,"origin":"generated","role":"assistant","type":"message","usage":null}`,
		`{"content":[{"files":[{"data":"aGk=","media_type":"image/png","name":null,"type":"file"}],"id":"c1","is_error":false,"name":"bash","text":"a.py","type":"tool_result"},{"files":[],"id":"c2","is_error":false,"name":"bash","text":"","type":"tool_result"}],"foreign":{"content":[{},{"image_url":{"detail":"low"}},{"image_url":{"url":"u"},"type":"image_url"}],"message_type":"observation","role":"tool"},"origin":"generated","role":"tool","type":"message"}`,
		`{"content":[{"text":"Your output was not formatted correctly.","type":"text"}],"foreign":{"role":"user"},"origin":"synthetic","role":"user","type":"message"}`,
		`{"call_id":null,"content":[{"arguments":{"command":"pwd"},"id":"import-4","made_by":"import","name":"bash","type":"tool_call"}],"foreign":{"content":null,"role":"assistant"},"model":null,"origin":"generated","role":"assistant","type":"message","usage":null}`,
		`{"content":[{"files":[],"id":"import-4","is_error":false,"name":"bash","text":"/","type":"tool_result"}],"foreign":{"role":"user"},"origin":"generated","role":"tool","type":"message"}`,
		`{"call_id":null,"foreign":{"content":"","role":"assistant","tool_calls":[{"id":"c3"}]},"model":null,"type":"foreign","usage":null}`,
		`{"foreign":{"content":"x","role":"wizard"},"type":"foreign"}`,
		`{"foreign":{"trajectory":{"execution_time":0.25,"messages":[null,{"content":"cut","role":"user"}]}},"type":"foreign"}`,
		`{"foreign":{"trajectory":{"extra":true}},"type":"foreign"}`,
		`{"foreign":{"info":{"model_stats":{"api_calls":2,"tokens_received":0,"tokens_sent":0}}},"type":"foreign"}`,
		`{"foreign":{"info":7},"type":"foreign"}`,
	)
	if report.UnknownBlocks["tool_call"] != 1 || report.UnknownBlocks["image_url"] != 1 || report.Foreign["wizard"] != 1 || report.Usage.UnknownUsageCalls != 3 {
		t.Errorf("report %+v", report)
	}
}

func TestSWEFaults(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a message that is none": {`{"history":["x"]}`, "sample: message 0 of the history: a JSON object is due, not a string"},
		"a step that is none":    {`{"history":[],"trajectory":[7]}`, "sample: step 0 of the trajectory: a JSON object is due, not a number"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collect(t, open(t, formatSWE, c.text))
			invalid(t, err, c.want)
		})
	}
}

func TestSWEOddBytes(t *testing.T) {
	got, report := read(t, formatSWE, "\uFEFF"+`{"history":[{"role":"system","content":"\ud83d"},{"role":"user","role":"user"}],"x":{"a":1,"a":2},"history":7}`)
	same(t, got,
		`{"foreign":{"content":"`+"\uFFFD"+`","role":"system"},"repaired":{"bytes":0,"sha256":"`+"9674a782afdc21c8a026f6ffc505963b83c5673d35ff61ba514f95b03f7ce7bf"+`","surrogates":1},"type":"foreign"}`,
		`{"foreign":{"base64":"eyJyb2xlIjoidXNlciIsInJvbGUiOiJ1c2VyIn0=","why":"duplicate keys"},"type":"foreign"}`,
		`{"foreign":{"base64":"eyJhIjoxLCJhIjoyfQ==","member":"x","why":"duplicate keys"},"type":"foreign"}`,
		`{"foreign":{"history":7},"type":"foreign"}`,
	)
	if report.UnreadLines != 2 || report.RepairedSurrogates != 1 {
		t.Errorf("report %+v", report)
	}
}

func TestSplitIssue(t *testing.T) {
	for name, c := range map[string]struct {
		text, issue string
	}{
		"classic":               {"Here:\nISSUE:\n\n  Fix it.\n\nINSTRUCTIONS:\nGo.", "Fix it."},
		"at the start":          {"ISSUE:\nFix it.\nINSTRUCTIONS:\nGo.", "Fix it."},
		"cut at the first mark": {"ISSUE:\nA\nINSTRUCTIONS:\nB\nINSTRUCTIONS:\nGo.", "A"},
		"pull request":          {"x\n<pr_description>\nFix it.\n</pr_description>\ny", "Fix it."},
		"empty":                 {"ISSUE:\n\nINSTRUCTIONS:\nGo.", ""},
		"no end":                {"ISSUE:\nFix it.", ""},
		"not alone on its line": {"The ISSUE:\nFix it.\nINSTRUCTIONS:\nGo.", ""},
		"another template":      {"The description is:\nFix it.\nINSTRUCTIONS:\nGo.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			before, issue, after, found := splitIssue(c.text)
			if issue != c.issue || found != (c.issue != "") {
				t.Errorf("got %q, %v", issue, found)
			}
			if found && before+issue+after != c.text {
				t.Errorf("the parts are %q, %q, %q", before, issue, after)
			}
		})
	}
}

func TestUnsplitTemplateIsSynthetic(t *testing.T) {
	_, report := read(t, formatSWE, `{"history":[{"role":"user","content":"Solve the challenge.\nINSTRUCTIONS:\nGo."},{"role":"user","content":"More."}]}`)
	if report.UnsplitPrompts != 1 || report.Synthetic != 2 || report.User != 0 {
		t.Errorf("report %+v", report)
	}
}
