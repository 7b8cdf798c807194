package learn_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/offline"
)

// TestExtraction measures the offline extraction through the whole contract
// (request, answer, strict reading, Judge) and prints its figures: with -v, and
// LECODE_TEST_DATA set for the second corpus. Cues were tuned on rows, and
// messages round them, of even numbers; what counts are the odd ones.
//
// A promotion is right where it is one or more whole sentences of what was
// planted. Anything else that was promoted is wrong: from a task around it, cut,
// or from a negative. Recall counts what was planted and found. Precision is
// over positives and negatives together.
func TestExtraction(t *testing.T) {
	t.Run("conventions", func(t *testing.T) { measure(t, conventions(t)) })
	t.Run("prefeval", func(t *testing.T) { measure(t, prefeval(t)) })
}

// measure holds the aims on the odd rows: precision 0.95 at recall 0.6.
func measure(t *testing.T, trials []trial) {
	var sums [2]tally
	kinds := [2]map[string]*tally{{}, {}}
	for _, x := range trials {
		half := x.row % 2
		if kinds[half][x.kind] == nil {
			kinds[half][x.kind] = &tally{}
		}
		got := promoted(t, x.message)
		for _, sum := range []*tally{&sums[half], kinds[half][x.kind]} {
			sum.add(x, got)
		}
		if half == 0 {
			explain(t, x, got)
		}
	}
	for half, name := range []string{"even (tuned on)", "odd (held out)"} {
		s := sums[half]
		t.Logf("%s: %s", name, s)
		for _, k := range []string{"positive", "question", "hypothetical", "mail", "tool", "pasted output", "task"} {
			if sum := kinds[half][k]; sum != nil {
				t.Logf("    %-14s %d messages, %d promotions, %d wrong", k, sum.messages, sum.right+sum.wrong, sum.wrong)
			}
		}
	}
	odd := sums[1]
	if odd.precision() < 0.95 || odd.recall() < 0.6 {
		t.Errorf("held-out rows: precision %.3f at recall %.3f; the aim is 0.95 at 0.6", odd.precision(), odd.recall())
	}
}

// explain says on even rows, which are there to be looked at, what went wrong.
func explain(t *testing.T, x trial, got []learn.Candidate) {
	if x.planted != "" && len(got) == 0 {
		t.Logf("missed %d: %s", x.row, x.planted)
	}
	for _, c := range got {
		if !x.wholly(c.Quote) {
			t.Logf("wrong %d %s: %q", x.row, x.kind, c.Quote)
		}
	}
}

// promoted is what of a conversation is accepted.
func promoted(t *testing.T, said []message) []learn.Candidate {
	t.Helper()
	var lines [][]byte
	x := learn.Exchange{}
	for i, m := range said {
		m.Seq, m.Type = int64(i+1), "message"
		raw, err := canon.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		line, err := canon.Marshal(shownMessage{m.Content, m.Role, m.Seq})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
		x.Records = append(x.Records, learn.Record{Seq: m.Seq, Typed: m.Role == "user" && m.Origin == "user", Raw: raw})
	}
	request := provider.Request{
		MaxOutputTokens: 2048,
		Messages: []provider.Message{{Role: provider.RoleUser, Content: []provider.Block{
			provider.Text(compact.Block("facts") + compact.Block("transcript", lines...))}}},
		System: "lecode learn 1\n\nand so on",
	}
	response, err := offline.New(offline.Options{}).Complete(context.Background(), request, nil)
	if err != nil {
		t.Fatal(err)
	}
	candidates, reason := learn.ReadAnswer(response, request.MaxOutputTokens)
	if reason != "" {
		t.Fatalf("the answer is refused: %s: %s", reason, response.Text())
	}
	var taken []learn.Candidate
	for _, c := range candidates {
		switch v := learn.Judge(c, learn.Evidence{Exchanges: []learn.Exchange{x}}); {
		case v.Decision == learn.Accepted:
			if v.Cropped {
				t.Errorf("a sentence is cut: %q", c.Quote)
			}
			taken = append(taken, c)
		case v.Decision == learn.Refused:
			t.Errorf("a candidate is refused: %s: %q", v.Reason, c.Quote)
		}
	}
	return taken
}

// corpusFile is a file of the offline model's own corpus.
func corpusFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "provider", "offline", "testdata", "extraction", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// temporary reports the guard's false rejections: what was planted and has a marker.
func temporary(planted string) bool {
	return learn.Temporary(strings.TrimSpace(planted))
}
