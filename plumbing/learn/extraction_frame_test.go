package learn

import (
	"context"
	"testing"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/offline"
)

// TestOfflineReadsTheFrame holds the two packages' words for the frame
// together: the built-in model finds the transcript of a request made here,
// takes nothing from the facts, and answers as ReadAnswer wants it.
func TestOfflineReadsTheFrame(t *testing.T) {
	facts, err := factLines([]shown{{ID: "f-1", Revision: 1, Text: "We always use spaces."}})
	if err != nil {
		t.Fatal(err)
	}
	lines := [][]byte{
		[]byte(`{"content":[{"text":"Please fix it. We never rebase shared branches.","type":"text"}],"role":"user","seq":7}`),
		[]byte(`{"content":[{"text":"We always push to main.","type":"text"}],"role":"assistant","seq":8}`),
	}
	r := request(userText(facts, lines), 2048)
	response, err := offline.New(offline.Options{}).Complete(context.Background(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	candidates, reason := ReadAnswer(response, r.MaxOutputTokens)
	if reason != "" || len(candidates) != 1 {
		t.Fatalf("%s, %d candidates: %s", reason, len(candidates), response.Text())
	}
	if c := candidates[0]; c.Quote != "We never rebase shared branches." || len(c.Seqs) != 1 || c.Seqs[0] != 7 || c.Proposal {
		t.Errorf("%+v", c)
	}
	r.Messages = []provider.Message{{Role: provider.RoleUser, Content: []provider.Block{provider.Text(userText(facts, nil))}}}
	response, err = offline.New(offline.Options{}).Complete(context.Background(), r, nil)
	if err != nil || response.Text() != `{"candidates":[]}` {
		t.Errorf("nothing to learn from gives %q, %v", response.Text(), err)
	}
}
