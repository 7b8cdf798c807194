package learn

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lecode/lecode/plumbing/provider"
)

const good = `{"candidates":[{"conflicts":[],"kind":"explicit_user_preference","proposal":false,"quote":"Tabs.","source_seqs":[1],"text":"Tabs."}]}`

func TestReadAnswer(t *testing.T) {
	one := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	item := strings.TrimSuffix(strings.TrimPrefix(good, `{"candidates":[`), `]}`)
	for _, c := range []struct {
		name, text string
		want       Reason
	}{
		{"right", good, ""},
		{"white space around it", " \n" + good + "\r\n", ""},
		{"empty", `{"candidates":[]}`, ""},
		{"four", `{"candidates":[` + strings.Repeat(item+",", 3) + item + `]}`, ""},
		{"five", `{"candidates":[` + strings.Repeat(item+",", 4) + item + `]}`, ResponseSchema},
		{"code fence", "```json\n" + good + "\n```", InvalidJSON},
		{"prose around it", "Here you are: " + good + " Hope it helps.", InvalidJSON},
		{"a draft in thoughts", `<think>` + good + `</think>{"candidates":[]}`, InvalidJSON},
		{"a brace in prose first", `{about travel} ` + good, InvalidJSON},
		{"a comment", "/**/" + good, InvalidJSON},
		{"trailing object", good + `{}`, InvalidJSON},
		{"trailing word", good + ` x`, InvalidJSON},
		{"nothing", ``, InvalidJSON},
		{"blank", " \n", InvalidJSON},
		{"cut off", good[:len(good)-1], InvalidJSON},
		{"BOM", "\ufeff" + good, InvalidJSON},
		{"UTF-16", "{\x00\"\x00c\x00", InvalidJSON},
		{"half a rune", one("Tabs.", "Tabs\xe2\x82"), InvalidJSON},
		{"half a surrogate pair", one("Tabs.", `\ud83d`), InvalidJSON},
		{"not a value", `{"candidates":[NaN]}`, InvalidJSON},
		{"trailing comma", `{"candidates":[],}`, InvalidJSON},
		{"single quotes", `{'candidates':[]}`, InvalidJSON},
		{"duplicate key", `{"candidates":[],"candidates":[]}`, InvalidJSON},
		{"duplicate key, spelt otherwise", `{"candidates":[],"c\u0061ndidates":[]}`, InvalidJSON},
		{"duplicate key in a candidate", one(`"kind"`, `"kind":"x","kind"`), InvalidJSON},
		{"another case", `{"Candidates":[]}`, ResponseSchema},
		{"long s folds to s", `{"candidateſ":[]}`, ResponseSchema},
		{"one more key", `{"candidates":[],"x":1}`, ResponseSchema},
		{"no key", `{}`, ResponseSchema},
		{"a list", `[` + item + `]`, ResponseSchema},
		{"a string", `"` + "x" + `"`, ResponseSchema},
		{"null", `null`, ResponseSchema},
		{"candidates null", `{"candidates":null}`, ResponseSchema},
		{"candidates an object", `{"candidates":{}}`, ResponseSchema},
	} {
		got, reason := ReadAnswer(*said(c.text), 2048)
		if reason != c.want || (reason != "") != (got == nil) {
			t.Errorf("%s: %q with %d candidates, want %q", c.name, reason, len(got), c.want)
		}
	}
}

// TestReadAnswerEnds: what is wrong with a response whatever its text is.
func TestReadAnswerEnds(t *testing.T) {
	with := func(change func(*provider.Response)) provider.Response {
		r := said(good)
		change(r)
		return *r
	}
	long := good + strings.Repeat(" ", 3*2048-len(good))
	for _, c := range []struct {
		name string
		r    provider.Response
		want Reason
	}{
		{"as large as may be", *said(long), ""},
		{"one byte more", *said(long + " "), OutputTooLarge},
		{"cut at its cap", with(func(r *provider.Response) { r.Finish = provider.FinishLength }), IncompleteResponse},
		{"filtered", with(func(r *provider.Response) { r.Finish = provider.FinishContentFilter }), IncompleteResponse},
		{"unknown end", with(func(r *provider.Response) { r.Finish = "other" }), IncompleteResponse},
		{"failed", with(func(r *provider.Response) { r.Finish = provider.FinishError }), ExtractionError},
		{"waits for tools", with(func(r *provider.Response) { r.Finish = provider.FinishToolCalls }), UnexpectedToolCalls},
		{"calls a tool", with(func(r *provider.Response) {
			r.Blocks = append(r.Blocks, provider.Block{Type: provider.TypeToolCall, ID: "c", Name: "memory_write"})
		}), UnexpectedToolCalls},
		{"a file", with(func(r *provider.Response) { r.Blocks = append(r.Blocks, provider.Block{Type: provider.TypeFile}) }), ResponseSchema},
		{"no block", with(func(r *provider.Response) { r.Blocks = nil }), InvalidJSON},
		{"a draft in reasoning is not the answer", with(func(r *provider.Response) {
			r.Blocks = []provider.Block{{Type: provider.TypeReasoning, Text: good}, provider.Text(`{"candidates":[]}`)}
		}), ""},
		{"only reasoning", with(func(r *provider.Response) { r.Blocks = []provider.Block{{Type: provider.TypeReasoning, Text: good}} }), InvalidJSON},
	} {
		if _, reason := ReadAnswer(c.r, 2048); reason != c.want {
			t.Errorf("%s: %q, want %q", c.name, reason, c.want)
		}
	}
}

// TestReadCandidate: a field of a wrong type becomes a value that its own check refuses.
func TestReadCandidate(t *testing.T) {
	right := Candidate{Kind: "explicit_user_preference", Text: "Tabs.", Quote: "Tabs.", Seqs: []int64{1}, Conflicts: []string{}}
	but := func(change func(*Candidate)) Candidate {
		c := right
		change(&c)
		return c
	}
	malformed := Candidate{Malformed: true}
	for _, c := range []struct {
		from, to string
		want     Candidate
	}{
		{"", "", right},
		{`"text":"Tabs."`, `"text":"Tabs.","Text":"Spaces."`, malformed},
		{`"text":`, `"Text":`, malformed},
		{`"kind":`, `"` + "\u212a" + `ind":`, malformed},
		{`"proposal":false`, `"proposal":0`, malformed},
		{`"proposal":false`, `"proposal":"false"`, malformed},
		{`"proposal":false,`, ``, malformed},
		{`"proposal":false`, `"proposal":true`, but(func(c *Candidate) { c.Proposal = true })},
		{`"explicit_user_preference"`, `1`, but(func(c *Candidate) { c.Kind = "" })},
		{`"text":"Tabs."`, `"text":["Tabs."]`, but(func(c *Candidate) { c.Text = "" })},
		{`"quote":"Tabs."`, `"quote":null`, but(func(c *Candidate) { c.Quote = "" })},
		{`[1]`, `[true]`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `["1"]`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `[1.0]`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `[1e0]`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `[-0]`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `[1,null]`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `1`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `{"seq":1}`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `[9223372036854775808]`, but(func(c *Candidate) { c.Seqs = nil })},
		{`[1]`, `[1,1]`, but(func(c *Candidate) { c.Seqs = []int64{1, 1} })},
		{`"conflicts":[]`, `"conflicts":null`, but(func(c *Candidate) { c.Conflicts = []string{""} })},
		{`"conflicts":[]`, `"conflicts":[7]`, but(func(c *Candidate) { c.Conflicts = []string{""} })},
		{`"conflicts":[]`, `"conflicts":["f-1"]`, but(func(c *Candidate) { c.Conflicts = []string{"f-1"} })},
	} {
		got, reason := ReadAnswer(*said(strings.Replace(good, c.from, c.to, 1)), 2048)
		if reason != "" || len(got) != 1 {
			t.Fatalf("%s: %q", c.to, reason)
		}
		if d := cmp.Diff(c.want, got[0], cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: %s", c.to, d)
		}
	}
	for _, item := range []string{`null`, `[]`, `"x"`, `true`, `{}`} {
		got, _ := ReadAnswer(*said(`{"candidates":[` + item + `]}`), 2048)
		if len(got) != 1 || !got[0].Malformed {
			t.Errorf("%s: %+v", item, got)
		}
	}
}

// FuzzReadAnswer: whatever a model says, the reader answers with candidates or one code, and never with both.
func FuzzReadAnswer(f *testing.F) {
	for _, s := range []string{good, `{"candidates":[]}`, "```" + good, `[[[[`, `{"candidates":[{"source_seqs":[1]}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, reason := ReadAnswer(*said(text), 2048)
		if (reason == "") != (got != nil) || len(got) > MaxCandidates {
			t.Errorf("%d candidates and %q", len(got), reason)
		}
		for _, c := range got {
			if v := Judge(c, Evidence{}); v.Decision != Refused || v.Reason == "" {
				t.Errorf("accepted without evidence: %+v", v)
			}
		}
	})
}
