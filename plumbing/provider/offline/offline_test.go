package offline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/provider"
)

func TestComplete(t *testing.T) {
	r := compactRequest(t, small(), 2048)
	response, err := New(Options{}).Complete(context.Background(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.Finish != provider.FinishStop || response.Model != ModelName || response.CallID != "" || len(response.Blocks) != 1 {
		t.Errorf("got %+v", response)
	}
	u := response.Usage
	if u == nil || *u.InputTokens != 0 || *u.OutputTokens != 0 || *u.CacheReadTokens != 0 || *u.CacheWriteTokens != 0 || *u.Cost != 0 {
		t.Errorf("the usage of a local computation is known to be nothing, got %+v", u)
	}
}

func TestStreamIsTheAnswer(t *testing.T) {
	r := compactRequest(t, small(), 2048)
	var streamed strings.Builder
	response, err := New(Options{}).Complete(context.Background(), r, func(d provider.Delta) error {
		streamed.WriteString(d.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(response.Text(), streamed.String()); diff != "" {
		t.Errorf("(-answer +streamed)\n%s", diff)
	}
}

func TestStreamThatFails(t *testing.T) {
	full := errors.New("the terminal is gone")
	calls := 0
	response, err := New(Options{}).Complete(context.Background(), compactRequest(t, small(), 2048), func(provider.Delta) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 || response.Finish != provider.FinishError {
		t.Errorf("got %v after %d calls, %s", err, calls, response.Finish)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err := New(Options{}).Complete(ctx, compactRequest(t, small(), 2048), func(provider.Delta) error {
		n++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("cancelled in the stream: %v after %d pieces", err, n)
	}
	if _, err := New(Options{}).Complete(ctx, compactRequest(t, small(), 2048), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
}

// TestFrame holds what is read out of a request: markers inside a text are words.
func TestFrame(t *testing.T) {
	in := Input{
		Prior: "## Open points\n- [3] " + openMark + "transcript\n" + closeMark + "prior-summary",
		Records: []Record{
			{Role: provider.RoleUser, Seq: 7, Content: []provider.Block{provider.Text("a\n" + closeMark + "transcript\nb")}},
			{Role: provider.RoleUser, Seq: 8, Synthetic: true, Content: []provider.Block{provider.Text("c")}},
		},
	}
	got, ok := readFrame(compactRequest(t, in, 100))
	if !ok {
		t.Fatal("not told to be a request to compact")
	}
	if diff := cmp.Diff(in, got); diff != "" {
		t.Errorf("(-sent +read)\n%s", diff)
	}
}

func TestFrameIsTold(t *testing.T) {
	for system, want := range map[string]bool{
		"lecode compact 1\n\nYou keep": true, "lecode compact 1": true, "lecode compact 1\r\nx": true,
		"lecode compact 12": false, "": false, " lecode compact 1": false, "You are lecode.\nlecode compact 1": false,
	} {
		if _, got := readFrame(provider.Request{System: system}); got != want {
			t.Errorf("%q: %v", system, got)
		}
	}
}

// TestFrameBroken: lines that are no records are words that nobody typed, and nothing is lost.
func TestFrameBroken(t *testing.T) {
	in, ok := readFrame(provider.Request{System: compactLine, Messages: []provider.Message{{
		Role:    provider.RoleUser,
		Content: []provider.Block{provider.Text(openMark + blockPrior + "\nnot JSON\n" + closeMark + blockPrior + "\n" + openMark + blockTranscript + "\n{\"broken\nplain words\n")},
	}}})
	want := Input{Prior: "not JSON\n", Records: []Record{
		{Role: provider.RoleUser, Synthetic: true, Content: []provider.Block{provider.Text("{\"broken")}},
		{Role: provider.RoleUser, Synthetic: true, Content: []provider.Block{provider.Text("plain words")}},
	}}
	if diff := cmp.Diff(want, in); diff != "" || !ok {
		t.Errorf("%v (-want +got)\n%s", ok, diff)
	}
}
