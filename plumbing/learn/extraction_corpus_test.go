package learn_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/learn"
)

// block is a text block or a tool's result.
type block struct {
	Arguments *struct{} `json:"arguments,omitempty"`
	ID        string    `json:"id,omitempty"`
	Name      string    `json:"name,omitempty"`
	Text      string    `json:"text,omitempty"`
	Type      string    `json:"type"`
}

type message struct {
	Content []block `json:"content"`
	Origin  string  `json:"origin"`
	Role    string  `json:"role"`
	Seq     int64   `json:"seq"`
	Type    string  `json:"type"`
}

// shownMessage is a message as a request has it.
type shownMessage struct {
	Content []block `json:"content"`
	Role    string  `json:"role"`
	Seq     int64   `json:"seq"`
}

// trial is one conversation; planted is what should be promoted from it, if anything.
type trial struct {
	row     int
	kind    string
	planted string
	message []message
}

// wholly reports whether a quote is one or more whole sentences of what was planted.
func (x trial) wholly(quote string) bool {
	i := strings.Index(x.planted, quote)
	if x.planted == "" || i < 0 {
		return false
	}
	before := strings.TrimSpace(x.planted[:i])
	after := strings.TrimSpace(x.planted[i+len(quote):])
	return (before == "" || strings.HasSuffix(before, ".")) && (after == "" || strings.HasSuffix(quote, "."))
}

type tally struct {
	messages, planted, found, right, wrong, temporary int
}

func (s *tally) add(x trial, got []learn.Candidate) {
	s.messages++
	right := 0
	for _, c := range got {
		if x.wholly(c.Quote) {
			right++
		} else {
			s.wrong++
		}
	}
	s.right += right
	if x.planted == "" {
		return
	}
	s.planted++
	if right > 0 {
		s.found++
	}
	if temporary(x.planted) {
		s.temporary++
	}
}

func (s tally) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }
func (s tally) recall() float64    { return float64(s.found) / float64(max(1, s.planted)) }

func (s tally) String() string {
	return fmt.Sprintf("precision %.3f (%d of %d promotions), recall %.3f (%d of %d); refused by the temporary guard alone: %d of %d, recall without them %.3f",
		s.precision(), s.right, s.right+s.wrong, s.recall(), s.found, s.planted, s.temporary, s.planted,
		float64(s.found)/float64(max(1, s.planted-s.temporary)))
}

// templates are the blocks of a corpus file by their language.
func templates(t *testing.T, name string) map[string][]string {
	t.Helper()
	list := map[string][]string{}
	for _, b := range strings.Split(corpusFile(t, name), "===\n")[1:] {
		language, text, _ := strings.Cut(b, "\n")
		list[language] = append(list[language], strings.TrimRight(text, "\n"))
	}
	return list
}

// pick is a template of the row's own parity.
func pick(list []string, row int) string {
	half := len(list) / 2
	return list[row%2+2*((row/2)%half)]
}

// planter makes the trials of one row.
type planter struct {
	envelopes, mails, outputs, hypotheticals map[string][]string
}

func newPlanter(t *testing.T) planter {
	return planter{templates(t, "envelopes.txt"), templates(t, "mails.txt"), templates(t, "outputs.txt"), templates(t, "hypotheticals.txt")}
}

// trials are the positive and the negatives of a row.
func (p planter) trials(row int, language, preference, question, hypothetical string) []trial {
	envelope := pick(p.envelopes[language], row)
	in := func(template, words string) []message { return typed(strings.Replace(template, "{P}", words, 1)) }
	list := []trial{
		{row, "positive", preference, in(envelope, preference)},
		{row, "question", "", in(envelope, question)},
		{row, "hypothetical", "", in(envelope, hypothetical)},
		{row, "mail", "", in(pick(p.mails[language], row), preference)},
	}
	// The same words from a tool: as its result, and pasted by a person.
	if row/2%2 == 0 {
		return append(list, trial{row, "tool", "", fromTool(strings.Replace(pick(p.outputs["tool"], row), "{P}", preference, 1))})
	}
	return append(list, trial{row, "pasted output", "", in(pick(p.outputs["pasted"], row), preference)})
}

func typed(text string) []message {
	return []message{
		{Content: []block{{Type: "text", Text: text}}, Origin: "user", Role: "user"},
		{Content: []block{{Type: "text", Text: "Done."}}, Origin: "generated", Role: "assistant"},
	}
}

func fromTool(output string) []message {
	return []message{
		{Content: []block{{Type: "text", Text: "Please read CONTRIBUTING.md and tell me what it is about."}}, Origin: "user", Role: "user"},
		{Content: []block{{Type: "tool_call", ID: "c1", Name: "read", Arguments: &struct{}{}}}, Origin: "generated", Role: "assistant"},
		{Content: []block{{Type: "tool_result", ID: "c1", Name: "read", Text: output}}, Origin: "generated", Role: "tool"},
		{Content: []block{{Type: "text", Text: "It says: " + output}}, Origin: "generated", Role: "assistant"},
	}
}

// conventions are the trials of the project's own corpus.
func conventions(t *testing.T) []trial {
	p := newPlanter(t)
	var list []trial
	for row, b := range strings.Split(corpusFile(t, "conventions.txt"), "\n\n")[1:] {
		lines := strings.Split(strings.TrimRight(b, "\n"), "\n")
		if len(lines) != 5 {
			t.Fatalf("row %d has %d lines", row, len(lines))
		}
		list = append(list, p.trials(row, lines[0], lines[1][2:], lines[2][2:], lines[3][2:])...)
		list = append(list, trial{row, "task", "", typed(strings.Replace(pick(p.envelopes[lines[0]], row), "{P}", lines[4][2:], 1))})
	}
	if len(list) != 600 {
		t.Fatalf("%d trials", len(list))
	}
	return list
}

// prefeval are the trials of the stated preferences under LECODE_TEST_DATA.
func prefeval(t *testing.T) []trial {
	root := os.Getenv("LECODE_TEST_DATA")
	if root == "" {
		t.Skip("LECODE_TEST_DATA is not set: the stated preferences are not there")
	}
	files, err := filepath.Glob(filepath.Join(root, "prefeval", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stated preferences under %s: %v", root, err)
	}
	slices.Sort(files)
	p := newPlanter(t)
	var list []trial
	row := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var rows []struct{ Preference, Question string }
		if err := json.Unmarshal(data, &rows); err != nil {
			t.Fatal(err)
		}
		row += row % 2 // an even row of a file is an even row
		for _, r := range rows {
			hypothetical := pick(p.hypotheticals["en"], row)
			hypothetical = strings.NewReplacer("{P}", r.Preference, "{p}", within(r.Preference)).Replace(hypothetical)
			list = append(list, p.trials(row, "en", r.Preference, r.Question, hypothetical)...)
			row++
		}
	}
	return list
}

// within is a sentence as it stands in the middle of another.
func within(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if word, _, _ := strings.Cut(s, " "); word != "I" && !strings.HasPrefix(word, "I'") && !strings.HasPrefix(word, "I’") {
		s = string(unicode.ToLower(r)) + s[size:]
	}
	return strings.TrimSuffix(s, ".")
}
