package hook

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func itoa(n int) string { return strconv.Itoa(n) }

// The objects that the package documents, byte by byte.
func TestObjects(t *testing.T) {
	a := About{SessionID: "0198", ProjectRoot: "/p\xff", Mode: "auto", Model: "openai/m"}
	const (
		head  = `"mode":"auto","model":"openai/m",`
		root  = `"project_root":"/p` + "\uFFFD" + `",`
		sid   = `"session_id":"0198"`
		child = `"child":null,`
	)
	call := Call{Tool: "bash", ID: "c1", Class: "execute", Arguments: []byte(`{"command":"ls -l","n":9007199254740993}`),
		Commands: []Command{{Words: []string{"ls", "-l\xff"}, Class: "read"}, {Class: "execute"}}}
	for _, c := range []struct {
		event  string
		object map[string]any
		want   string
	}{
		{SessionStart, About{ProjectRoot: "/p", Mode: "auto", Model: "openai/m"}.SessionStart(true),
			`{"event":"session_start",` + head + `"new":true,"project_root":"/p","session_id":null}`},
		{Prompt, a.Prompt("hi\xff"), `{"event":"prompt",` + head + root + `"prompt":"hi` + "\uFFFD" + `",` + sid + `}`},
		{BeforeTool, a.BeforeTool(call), `{"arguments":{"command":"ls -l","n":9007199254740993},"call_id":"c1",` + child + `"class":"execute",` +
			`"commands":[{"class":"read","words":["ls","-l` + "\uFFFD" + `"]},{"class":"execute","words":[]}],"event":"before_tool",` + head + root + sid + `,"tool":"bash"}`},
		{BeforeTool, a.BeforeTool(Call{Tool: "read", ID: "c2", Class: "read", Arguments: []byte(`{}`), Child: "c1"}),
			`{"arguments":{},"call_id":"c2","child":"c1","class":"read","commands":null,"event":"before_tool",` + head + root + sid + `,"tool":"read"}`},
		{AfterTool, a.AfterTool(call, true, "no\n"), `{"call_id":"c1",` + child + `"event":"after_tool","is_error":true,` + head + root + `"result":"no\n","result_cut":false,` + sid + `,"tool":"bash"}`},
		{BeforeCompact, a.BeforeCompact("reserve"), `{"event":"before_compact",` + head + root + `"reason":"reserve",` + sid + `}`},
		{AfterCompact, a.AfterCompact(12, 9, "compacted"), `{"covered_through":9,"event":"after_compact",` + head + `"outcome":"compacted",` + root + `"seq":12,` + sid + `}`},
		{Stop, a.Stop("stop", "done"), `{"answer":"done","event":"stop",` + head + root + `"reason":"stop",` + sid + `}`},
	} {
		line, err := encode(c.event, c.object)
		if diff := cmp.Diff(c.want+"\n", string(line)); err != nil || diff != "" {
			t.Error(c.event, err, diff)
		}
	}
}

func TestResultCut(t *testing.T) {
	whole := strings.Repeat("a", MaxResult)
	for _, c := range []struct {
		result, want string
		cut          bool
	}{
		{whole, whole, false}, {whole + "b", whole, true},
		{"x" + strings.Repeat("€", MaxResult/3+1), "x" + strings.Repeat("€", MaxResult/3), true},
		{strings.Repeat("a", MaxResult-1) + "€", strings.Repeat("a", MaxResult-1), true},
	} {
		o := About{}.AfterTool(Call{}, false, c.result)
		if o["result"] != c.want || o["result_cut"] != c.cut {
			t.Errorf("%d bytes of %d, cut %v", len(o["result"].(string)), len(c.result), o["result_cut"])
		}
	}
}
