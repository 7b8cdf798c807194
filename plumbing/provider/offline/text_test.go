package offline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "One is here. Two is there! Is three?", []string{"One is here.", "Two is there!", "Is three?"}},
		{"numbers and names", "It takes 8.4 s with v1.2.3 of os.Exit in a.go. Fine.", []string{"It takes 8.4 s with v1.2.3 of os.Exit in a.go.", "Fine."}},
		{"abbreviations", "Use e.g. Redis, i.e. no disk. J. Weiß agrees.", []string{"Use e.g. Redis, i.e. no disk.", "J. Weiß agrees."}},
		{"a name that is lower case", "Done. svc-heron-batch owns it. curl says so.", []string{"Done.", "svc-heron-batch owns it.", "curl says so."}},
		{"run on", "It truncates the value.So we round it. The fmt.Println call stays.", []string{"It truncates the value.", "So we round it.", "The fmt.Println call stays."}},
		{"quoted", `He said "No way." Then he left.`, []string{`He said "No way."`, "Then he left."}},
		{"lists", "- [ ] first thing\n* second thing\n1. third thing\n> quoted thing\n## A heading", []string{"first thing", "second thing", "third thing", "quoted thing", "A heading"}},
		{"code", "Look:\n```go\nx := 1 // no words\n```\nThat was code.\n\tindented\n    also\n12\treturn x;\n7: y", []string{"Look:", "That was code."}},
		{"behind a fence", "```\nx\n``` It stays.", []string{"It stays."}},
		{"tags", "</command> It stays.\n<b>\n<x>y</x>", []string{"It stays."}},
		{"nothing", " \n\t\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			prose(c.text, func(line string) { sentences(line, func(s string) { got = append(got, s) }) })
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestShapes(t *testing.T) {
	for text, want := range map[string]shape{
		"/srv/a": path, "./x": path, "~/a/b": path, `C:\Users\x.ini`: path, "src/cart.js": path, "main.go": path, ".gitignore": path, "docs/": path,
		"and/or": plain, "TCP/IP": plain, "e.g": plain, "/": plain, "well-known": plain, "don't": plain, "OK": plain, "word": plain, "URL": plain, "東京": plain,
		"37": number, "8.4": number, "1,250": number, "0,30000000000000004": number, "30%": number, "$12": number, "12:30": number,
		"getFoo": identifier, "settled_at": identifier, "OPS-4417": identifier, "v1.2.3": identifier, "os.Exit": identifier, "svc-a-b": identifier,
		"9f3c2ab71d": identifier, "--flag": identifier, "A=b": identifier, "20310417.3": number,
		"https://example.com/a": link,
	} {
		if got := shapeOf(text); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "a\r\nb\rc\n": "a\nb\nc\n", "\x1b[31mred\x1b[0m": "red", "a\x00b\x07": "ab", "x\u2028y": "x\ny", "a\xffb": "a\uFFFDb", "\x1b[": "[", "naïve": "naïve",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestShortForms(t *testing.T) {
	for text, want := range map[string]string{
		"Deploys go out with make ship REGION=eu-west.":                        "make ship REGION=eu-west",
		"ssh heron-7 'sudo systemctl restart ferry' brings it back.":           "ssh heron-7 'sudo systemctl restart ferry'",
		"A snapshot is taken by pg_dump -Fc orders > orders.dump.":             "pg_dump -Fc orders > orders.dump",
		"We make a plan and go home.":                                          "",
		"The staging cluster has 37 shards.":                                   "cluster has 37 shards",
		"A cold start takes 8.4 s on the small machine.":                       "start takes 8.4 s",
		"The lease is handed over by renewQuorumLease.":                        "renewQuorumLease",
		"See [the page](https://example.com/x) and `some code` there.":         "https://example.com/x) and `some code`",
		"Fixtures for the tax tables sit under test/fixtures/vat/2031-q2.json": "test/fixtures/vat/2031-q2.json",
	} {
		if got := shortForm(text, tokens(text), nil); got != want {
			t.Errorf("%q is short %q, want %q", text, got, want)
		}
	}
}

func TestEnded(t *testing.T) {
	for _, c := range []struct {
		name, result string
		failed       bool
		state        state
		detail       string
	}{
		{"claude", "Exit code 1\n\nReferenceError: x is not defined\n    at total (/a.js:7:2)", true, failed, "ReferenceError: x is not defined"},
		{"codex", "Process exited with code 3\nOutput:\nls: cannot access 'x': No such file", false, failed, "ls: cannot access 'x': No such file"},
		{"codex, fine", "Process exited with code 0\nOutput:\n4 passed, 0 failed", false, ok, "4 passed, 0 failed"},
		{"python", "Traceback (most recent call last):\n  File \"a.py\"\nValueError: bad\n(Open file: n/a)", false, failed, "ValueError: bad"},
		{"shell", "bash: foo: command not found", false, failed, "bash: foo: command not found"},
		{"said by the tool", "<tool_use_error>String not found.</tool_use_error>", true, failed, "String not found."},
		{"go", "ok  \texample.com/a\t0.1s", false, ok, "ok  \texample.com/a\t0.1s"},
		{"one line", "\n344\n(Open file: /x.py)\n(Current directory: /)\nbash-$", false, ok, "344"},
		{"much", "a\nb\nc", false, ok, ""},
		{"a listing that speaks of errors", "src/errors.go\nsrc/error_test.go", false, ok, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			st, detail := (&call{done: true, failed: c.failed, result: c.result}).ended()
			if st != c.state || detail != c.detail {
				t.Errorf("%s %q, want %s %q", st, detail, c.state, c.detail)
			}
		})
	}
	if st, _ := (&call{}).ended(); st != unknown {
		t.Error("a call without a result has not ended")
	}
}

// TestWritten: the files that the tools of many agents change.
func TestWritten(t *testing.T) {
	for _, c := range []struct{ tool, args, result, want string }{
		{"Edit", `{"file_path":"/a/b.js","old_string":"x"}`, "", "/a/b.js"},
		{"write", `{"filePath":"b.ts","content":""}`, "", "b.ts"},
		{"str_replace_editor", `{"command":"create","path":"/a.py"}`, "", "/a.py"},
		{"str_replace_editor", `{"command":"view","path":"/a.py"}`, "", ""},
		{"apply_patch", `{"input":"*** Begin Patch\n*** Update File: src/a.go\n@@\n*** Add File: b.go\n*** End Patch"}`, "", "src/a.go b.go"},
		{"edit", `{"start_line":1}`, "[File: /t/r.py (9 lines total)]\n1:x", "/t/r.py"},
		{"bash", `{"command":"edit 1:2\nx\nend_of_edit"}`, "File updated.\n[File: /t/r.py (9 lines total)]", "/t/r.py"},
		{"bash", `{"command":"cat > notes.md <<'E'\nx\nE"}`, "", "notes.md"},
		{"shell", `{"command":["bash","-lc","touch a.txt"]}`, "", "a.txt"},
		{"read_file", `{"path":"a.txt"}`, "", ""},
		{"TodoWrite", `{"todos":[]}`, "", ""},
		{"bash", `{"command":"npm test"}`, "ok", ""},
	} {
		b := activityBuilder{}
		b.add(&call{name: c.tool, args: gjson.Parse(c.args), seq: 3, done: true, result: c.result, end: 4})
		var got []string
		for _, f := range b.files {
			got = append(got, f.text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.args, s, c.want)
		}
	}
}
