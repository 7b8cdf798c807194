package offline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/provider"
)

// say is a message that a person typed.
func say(text string) []Record {
	return []Record{{Content: []provider.Block{provider.Text(text)}, Role: provider.RoleUser, Seq: 1}}
}

func quotesOf(text string) []string {
	list := []string{}
	for _, c := range Extract(say(text)) {
		list = append(list, c.Quote)
	}
	return list
}

func TestExtractTakesWholeSentences(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"among tasks", "Fix the login test. We use tabs for indentation here. Then bump the version.", []string{"We use tabs for indentation here."}},
		{"qualification", "Never commit to main unless CI is red. Please look at the log.", []string{"Never commit to main unless CI is red."}},
		{"qualified by the next sentence", "Always squash before merging. Except on release branches. Now fix the test.", []string{"Always squash before merging. Except on release branches."}},
		{"over a line end", "Never commit to main\nunless CI is red.\nThanks!", []string{"Never commit to main\nunless CI is red."}},
		{"broken for its length", "Hello!\nFor the whole of this repository we always write commit messages in\nEnglish, never in German.", []string{"For the whole of this repository we always write commit messages in\nEnglish, never in German."}},
		{"in a list", "Tasks:\n- fix the parser\n- never push to main\n* [ ] always add tests\n1. rename `x`", []string{"never push to main"}},
		{"under a heading", "## House rules\n- tabs, not spaces\n- one class per file\n\n## Tasks\n- fix the parser", []string{"tabs, not spaces", "one class per file"}},
		{"negation", "I don't like clever one-liners in Go code. Next, profile it.", []string{"I don't like clever one-liners in Go code."}},
		{"abbreviation", "Always pin tools, e.g. golangci-lint, to a version. Done?", []string{"Always pin tools, e.g. golangci-lint, to a version."}},
		{"after a marked-off paste", "What does this error mean:\n```\nwe always fail\n```\nWe never rebase shared branches.", []string{"We never rebase shared branches."}},
		{"after a quoted mail", "Ana wrote:\n> We always use spaces.\n\nWe never rebase shared branches.", []string{"We never rebase shared branches."}},
		{"after a mail under a lead-in", "Look at this mail:\n\n> We always use spaces.\n\nNever commit to main\nunless CI is red.", []string{"Never commit to main\nunless CI is red."}},
		{"a correction", "We no longer use Jest for tests. Please fix it.", []string{"We no longer use Jest for tests."}},
		{"with code in it", "Always run `make check. And more` before you commit.", []string{"Always run `make check. And more` before you commit."}},
		{"quoted word", `Prefix every fix with "fix:" from now on.`, []string{`Prefix every fix with "fix:" from now on.`}},
		{"no full stop", "from now on we use pnpm", []string{"from now on we use pnpm"}},
		{"a reader's own guide", "Our style guide says that identifiers are never abbreviated.", []string{"Our style guide says that identifiers are never abbreviated."}},
		{"carriage returns", "Please fix it.\r\nWe never rebase shared branches.\r\nThanks.", []string{"We never rebase shared branches."}},
		{"Japanese", "まずテストを直してください。このプロジェクトではタブを使います。ありがとう。", []string{"このプロジェクトではタブを使います。"}},
		{"Chinese, with a qualification", "先修一下测试。永远不要直接推送到 main。除非 CI 挂了。谢谢。", []string{"永远不要直接推送到 main。除非 CI 挂了。"}},
		{"the same twice", "We never rebase shared branches. We never rebase shared branches.", []string{"We never rebase shared branches."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, quotesOf(c.text)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestExtractLeavesOut(t *testing.T) {
	const rule = "We always use tabs for indentation, never spaces."
	for _, c := range []struct{ name, text string }{
		{"question", "Should we always use tabs for indentation, never spaces?"},
		{"hypothesis", "Suppose " + rule + " What would change?"},
		{"hypothesis before", "Imagine another team. " + rule + " What would change?"},
		{"quotation", "She said: \"" + rule + "\""},
		{"quotation over sentences", "Look at this: “Hello. " + rule + " Bye.” Thanks."},
		{"quotation left open", "Look at \"hello. " + rule},
		{"backquotes", "Print `" + rule + "` to the terminal."},
		{"quoted lines", "Answer this mail:\n> Hello,\n> " + rule + "\n"},
		{"fence", "What is this?\n```\n" + rule + "\n```\n"},
		{"fence left open", "What is this?\n~~~\n" + rule},
		{"mail headers", "Look:\n\nFrom: Ana <a@example.com>\nSubject: tabs\n\n" + rule},
		{"forwarded", "Look:\n\n---------- Forwarded message ----------\n\nHi\n\n" + rule},
		{"wrote", "On Monday Ana wrote:\n\n" + rule},
		{"indented", "I got\n\n    " + rule + "\n"},
		{"numbered output", "12:" + rule},
		{"file and line", "README.md:14: " + rule},
		{"a page", "<p>" + rule + "</p>"},
		{"inside a page", "<div>\n" + rule + "\n</div>"},
		{"a patch", "diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+" + rule + "\n " + rule},
		{"a log", "2025-01-01 12:00:00 INFO " + rule},
		{"after a paste's lead-in", "Here is the mail I got:\n\nHello,\n\n" + rule},
		{"a requirement of what is to be made", "Write a script that prunes branches. Never delete the main branch."},
		{"text to translate", "Translate the following into French.\n\n" + rule},
		{"somebody's rules", "## The vendor's rules\n\n- " + rule},
		{"somebody's view", "Kim thinks we always use tabs for indentation."},
		{"the past", "We used to have a rule: always use tabs."},
		{"for now", "For now we always use tabs."},
		{"for now, in quotation marks", "We always use tabs \"for now\"."},
		{"a guarded word with a hyphen", "The config is read-only and we never change it."},
		{"this branch", "On this branch we always use tabs."},
		{"about the extraction", "Add a fact to the candidates: we always use tabs."},
		{"too long", "We always use tabs " + strings.Repeat("and tabs ", 60) + "here."},
		{"control characters", "We always use \x07tabs for indentation."},
		{"invalid", "We always use \xfftabs for indentation."},
		{"a lead-in", "We always do it like:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := quotesOf(c.text); len(got) > 0 {
				t.Errorf("took %q", got)
			}
		})
	}
}

// TestExtractKnownSentences holds what the corpora of single sentences taught.
func TestExtractKnownSentences(t *testing.T) {
	for _, line := range corpusLines(t, "not_meant.txt") {
		if got := quotesOf(line); len(got) > 0 {
			t.Errorf("took %q", got)
		}
	}
	for _, line := range corpusLines(t, "everyday.txt") {
		words, known := strings.CutPrefix(line, "! ")
		if got := quotesOf(words); known != (len(got) > 0) {
			t.Errorf("took %q of %q", got, line)
		}
	}
	for _, line := range corpusLines(t, "meant.txt") {
		want, words := line[0] == '+', line[2:]
		if got := quotesOf(words); want != (len(got) == 1 && got[0] == words) {
			t.Errorf("%s: took %q", line, got)
		}
	}
}

func corpusLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "extraction", name))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// TestExtractReadsOnlyWhatWasTyped plants a convention wherever no person typed it.
func TestExtractReadsOnlyWhatWasTyped(t *testing.T) {
	text := []provider.Block{provider.Text("We always use tabs for indentation.")}
	for name, r := range map[string]Record{
		"assistant":   {Content: text, Role: provider.RoleAssistant, Seq: 1},
		"tool":        {Content: []provider.Block{{Type: provider.TypeToolResult, Text: text[0].Text}}, Role: "tool", Seq: 1},
		"a user tool": {Content: []provider.Block{{Type: provider.TypeToolResult, Text: text[0].Text}}, Role: provider.RoleUser, Seq: 1},
		"synthetic":   {Content: text, Role: provider.RoleUser, Seq: 1, Synthetic: true},
		"the header":  {Content: text, Role: provider.RoleUser, Seq: 0},
	} {
		if got := Extract([]Record{r}); len(got) > 0 {
			t.Errorf("%s: took %+v", name, got)
		}
	}
}

// TestExtractPicksFour takes the strongest, in the order in which they stand, each with its own seq.
func TestExtractPicksFour(t *testing.T) {
	var records []Record
	for i, text := range []string{"Avoid global state.", "From now on we always sign commits.", "Avoid deep nesting.", "Prefer small functions.",
		"We never rebase shared branches, by convention.", "Avoid clever names."} {
		r := say(text)[0]
		r.Seq = int64(10 + i)
		records = append(records, r)
	}
	var seqs []int64
	for _, c := range Extract(records) {
		seqs = append(seqs, c.SourceSeqs...)
	}
	if diff := cmp.Diff([]int64{10, 11, 12, 14}, seqs); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func learnRequest(t testing.TB, records []Record, limit int64) provider.Request {
	r := compactRequest(t, Input{Records: records}, limit)
	r.System = learnLine + "\n\nYou look for what a user wants to hold.\n"
	body := r.Messages[0].Content[0].Text
	_, transcript, _ := strings.Cut(body, closeMark+blockPrior+"\n")
	r.Messages[0].Content[0].Text = openMark + "facts\n" + `{"id":"f-1","revision":1,"text":"We always use spaces."}` + "\n" + closeMark + "facts\n" + transcript
	return r
}

// TestLearnAnswer holds the bytes of an answer, and that it fits whatever is allowed.
func TestLearnAnswer(t *testing.T) {
	records := say(`We always write "tabs" here. Never use spaces.`)
	complete := func(r provider.Request) string {
		t.Helper()
		response, err := New(Options{}).Complete(context.Background(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.Finish != provider.FinishStop || len(response.Blocks) != 1 {
			t.Fatalf("finish %s, %d blocks", response.Finish, len(response.Blocks))
		}
		return response.Text()
	}
	want := `{"candidates":[{"conflicts":[],"kind":"explicit_user_preference","proposal":false,"quote":"We always write \"tabs\" here.","source_seqs":[1],"text":"We always write \"tabs\" here."},` +
		`{"conflicts":[],"kind":"explicit_user_preference","proposal":false,"quote":"Never use spaces.","source_seqs":[1],"text":"Never use spaces."}]}`
	if diff := cmp.Diff(want, complete(learnRequest(t, records, 2048))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := complete(learnRequest(t, say("Please fix it."), 2048)); got != `{"candidates":[]}` {
		t.Errorf("nothing to learn gives %q", got)
	}
	for limit := int64(1); limit < 200; limit++ {
		got := complete(learnRequest(t, records, limit))
		var e envelope
		if err := json.Unmarshal([]byte(got), &e, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("cap %d: %q: %v", limit, got, err)
		}
		if len(e.Candidates) > 0 && (threeBytes(got) > limit || int64(len(got)) > 3*limit) {
			t.Errorf("cap %d: %d bytes", limit, len(got))
		}
	}
}

// TestExtractHostile reads twice as much as any payload holds, made of what
// makes a scan look far ahead: it ends, and takes nothing that is not there.
func TestExtractHostile(t *testing.T) {
	for _, part := range []string{"`", "'a ", "\"", "„", "we always, ", "never\n", ". . ", "> ", "- ", "「", "from: x\n", "always a'b ", "e.g. "} {
		text := strings.Repeat(part, 32_000/len(part))
		for _, c := range Extract(say(text)) {
			if !strings.Contains(text, c.Quote) {
				t.Errorf("%q: took what is not there", part)
			}
		}
	}
}

// FuzzExtract holds of every text: each quote stands in it letter by letter,
// within the contract's bounds, and the answer is the same each time.
func FuzzExtract(f *testing.F) {
	for _, name := range []string{"envelopes.txt", "mails.txt", "outputs.txt", "conventions.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", "extraction", name))
		if err != nil {
			f.Fatal(err)
		}
		for _, b := range strings.Split(string(data), "===\n") {
			f.Add(strings.ReplaceAll(b, "{P}", "We never push to main, unless \"CI\" is red."))
		}
	}
	f.Add("We always `a\nb` use.\r\n\r\n- never\t\"x. 。」 y\x01")
	f.Fuzz(func(t *testing.T, text string) {
		got := Extract(say(text))
		if len(got) > maxCandidates {
			t.Fatalf("%d candidates", len(got))
		}
		for _, c := range got {
			switch {
			case !strings.Contains(text, c.Quote):
				t.Fatalf("%q does not stand in the message", c.Quote)
			case c.Text != c.Quote, c.Quote != strings.TrimSpace(c.Quote), c.Quote == "", len(c.Quote) > maxQuote, !utf8.ValidString(c.Quote):
				t.Fatalf("%q is no quote", c.Quote)
			}
		}
		if diff := cmp.Diff(got, Extract(say(text))); diff != "" {
			t.Fatal(diff)
		}
	})
}
