package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

// summaries answers every request: those to summarise with a summary, others with text.
func (w *world) summaries(summary func(n int) provider.Response, text string) {
	w.answers = nil
	made := 0
	for range 500 {
		w.do(func(_ context.Context, r provider.Request, _ func(provider.Delta) error) (provider.Response, error) {
			if !strings.HasPrefix(r.System, "You are the test's.") {
				made++
				return summary(made), nil
			}
			return provider.Response{Blocks: []provider.Block{provider.Text(text)}, Finish: provider.FinishStop}, nil
		})
	}
}

func good(n int) provider.Response {
	return provider.Response{Blocks: []provider.Block{provider.Text(fmt.Sprintf("Summary %d: they talk.", n))}, Finish: provider.FinishStop}
}

// asked counts the requests to summarise.
func (w *world) asked() (n int) {
	for _, r := range w.requests {
		if !strings.HasPrefix(r.System, "You are the test's.") {
			n++
		}
	}
	return n
}

// Usage is never reported, and the window is never passed (case T2).
func TestCompactsBeforeTheWindow(t *testing.T) {
	w := newWorld(t)
	w.window = 16_384
	w.summaries(good, strings.Repeat("a quiet answer ", 70))
	a := w.open(Options{})
	for i := range 40 {
		w.prompt(a, fmt.Sprintf("question %d: %s", i, strings.Repeat("what about it ", 70)))
	}
	for _, e := range kinds[Requested](w) {
		if e.Tokens > 16_384-leastAnswer {
			t.Errorf("a request of %d tokens", e.Tokens)
		}
	}
	if s := a.Standing(); w.asked() < 3 || s.Usage.UnknownUsageCalls != 40+int64(w.asked()) || s.Usage.InputTokens != 0 {
		t.Errorf("%d summaries, %+v", w.asked(), s.Usage)
	}
	if got := kinds[Compacted](w); len(got) != w.asked() || got[1].Applied.Prior == nil {
		t.Errorf("%d summaries in force, %d asked for", len(got), w.asked())
	}
	last := w.requests[len(w.requests)-1]
	if !strings.Contains(last.Messages[0].Content[0].Text, "they talk") {
		t.Error("the last request does not begin with the summary")
	}
}

// An answer that is no summary costs one call a turn, and the turn goes on (case C6).
func TestEmptySummaries(t *testing.T) {
	w := newWorld(t)
	w.window = 16_384
	w.d.Tools = []Tool{note("look", permission.Read)}
	empty := func(int) provider.Response { return provider.Response{Finish: provider.FinishStop} }
	w.summaries(good, strings.Repeat("a quiet answer ", 70))
	a := w.open(Options{})
	for i := 0; w.asked() == 0; i++ {
		w.prompt(a, fmt.Sprintf("question %d: %s", i, strings.Repeat("what about it ", 70)))
	}
	w.summaries(empty, "still here")
	w.requests = nil
	for i := 0; w.asked() == 0; i++ {
		w.prompt(a, fmt.Sprintf("more %d: %s", i, strings.Repeat("what about it ", 140)))
	}
	if w.asked() != 1 {
		t.Errorf("%d calls to summarise in one turn", w.asked())
	}
	if n := kinds[Notice](w); len(n) == 0 || !strings.Contains(n[len(n)-1].Text, "no summary was made") {
		t.Errorf("%+v", n)
	}
	// Until nothing fits: then it pauses, and says what takes the room.
	var err error
	for i := 0; err == nil && i < 40; i++ {
		_, err = a.Prompt(context.Background(), Input{Text: strings.Repeat("what about it ", 140)})
	}
	wantKind(t, err, plumbing.ErrPaused)
	if !strings.Contains(err.Error(), "conversation") {
		t.Error(err)
	}
}

// What is fixed is over the window already: no call at all, and a pause that names it (case C6).
func TestOverheadTooLarge(t *testing.T) {
	w := newWorld(t)
	w.window = 8192
	w.d.System = func(context.Context) (string, []string, error) {
		return "You are the test's. " + strings.Repeat("Mind the gap. ", 4000), nil, nil
	}
	a := w.open(Options{})
	_, err := a.Prompt(context.Background(), Input{Text: "hi"})
	wantKind(t, err, plumbing.ErrPaused)
	var e *plumbing.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "/editsys") || len(w.requests) != 0 {
		t.Errorf("%v, %d calls", err, len(w.requests))
	}
}

// A cancelled exchange stops coverage: the pause names it and the way out.
func TestPausedByACancelledExchange(t *testing.T) {
	w := newWorld(t)
	w.window = 8192
	w.settings.Compaction.BufferTokens = 1024
	ctx, cancel := context.WithCancel(context.Background())
	w.do(func(ctx context.Context, _ provider.Request, on func(provider.Delta) error) (provider.Response, error) {
		cancel()
		return provider.Response{Blocks: []provider.Block{provider.Text("half")}}, ctx.Err()
	})
	a := w.open(Options{})
	if _, err := a.Prompt(ctx, Input{Text: "first"}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	w.summaries(good, strings.Repeat("a quiet answer ", 70))
	var err error
	for i := 0; err == nil && i < 40; i++ {
		_, err = a.Prompt(context.Background(), Input{Text: strings.Repeat("what about it ", 70)})
	}
	wantKind(t, err, plumbing.ErrPaused)
	var e *plumbing.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "/undo 1") || !strings.Contains(e.Message, "cancelled") {
		t.Errorf("%q, %q", e.Message, e.Hint)
	}
	if _, err = a.Undo(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	if out := w.prompt(a, "and now"); out.Text == "" || w.asked() == 0 {
		t.Errorf("%+v, %d summaries", out, w.asked())
	}
}

func TestCompactByHand(t *testing.T) {
	w := newWorld(t)
	w.summaries(good, "answer")
	a := w.open(Options{})
	if _, err := a.Compact(context.Background()); !errors.Is(err, plumbing.ErrNo) {
		t.Errorf("nothing said: %v", err)
	}
	for range 4 {
		w.prompt(a, "question")
	}
	applied, err := a.Compact(context.Background())
	if err != nil || applied.CoveredThrough != 4 {
		t.Fatalf("%+v, %v", applied, err)
	}
	if _, err := a.Compact(context.Background()); !errors.Is(err, plumbing.ErrNo) {
		t.Errorf("again: %v", err)
	}
	w.prompt(a, "more")
	if got := w.requests[len(w.requests)-1].Messages; len(got) != 6 || !strings.Contains(got[0].Content[0].Text, "Summary 1") {
		t.Errorf("%d messages", len(got))
	}
	// An undo behind the summary leaves it, one in it ends it.
	for range 4 {
		if _, err := a.Undo(context.Background(), 0); err != nil {
			t.Fatal(err)
		}
	}
	w.prompt(a, "anew")
	if got := w.requests[len(w.requests)-1].Messages; strings.Contains(got[0].Content[0].Text, "Summary") {
		t.Error("a summary of what was undone is sent")
	}
}

func TestMidTurnThreshold(t *testing.T) {
	w := newWorld(t)
	share := 0.1
	w.window = 60_000
	w.d.Tools = []Tool{note("look", permission.Read)}
	w.settings.Permissions["look"] = "allow"
	w.summaries(good, strings.Repeat("a quiet answer ", 400))
	a := w.open(Options{})
	for range 6 {
		w.prompt(a, "question")
	}
	if w.asked() != 0 {
		t.Fatalf("%d summaries though there is room", w.asked())
	}
	w.settings.Compaction.MidTurnThreshold = &share
	rest := w.answers
	w.answers = nil
	w.calls("look {}")
	w.answers = append(w.answers, rest...)
	w.prompt(a, "look")
	if w.asked() != 1 {
		t.Errorf("%d summaries within the turn, want 1", w.asked())
	}
}

// Learning follows a summary where it is opted into, with the same model and one call.
func TestLearnsAfterASummary(t *testing.T) {
	const prefer = "For this project, I prefer tabs for indentation."
	for _, on := range []bool{false, true} {
		w := newWorld(t)
		w.settings.Memory.AutoLearn = on
		w.say("ok", "ok", "ok", "ok")
		a := w.open(Options{})
		w.prompt(a, prefer)
		for range 3 {
			w.prompt(a, "go on")
		}
		w.say("They prefer tabs.", `{"candidates":[{"text":"`+prefer+`","source_seqs":[1],"kind":"explicit_user_preference","quote":"`+prefer+`","conflicts":[],"proposal":false}]}`)
		if _, err := a.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		got := kinds[Learned](w)
		if !on {
			if len(got) != 0 || len(w.requests) != 5 {
				t.Errorf("learned without leave: %+v, %d calls", got, len(w.requests))
			}
			continue
		}
		if len(got) != 1 || len(got[0].Applied.Facts) != 1 || got[0].Applied.Outcome != "learned" {
			t.Fatalf("%+v", got)
		}
		if s := a.Standing(); s.Usage.Calls != 6 {
			t.Errorf("%+v", s.Usage)
		}
		a.Close()
		w.say("tabs")
		other := w.open(Options{})
		w.prompt(other, "How do we indent?")
		if s := w.requests[len(w.requests)-1].System; !strings.Contains(s, got[0].Applied.Facts[0].ID) {
			t.Error("a new session is not told")
		}
	}
}

func TestNoLearningInReadonly(t *testing.T) {
	w := newWorld(t)
	w.settings.Memory.AutoLearn = true
	w.summaries(good, "answer")
	a := w.open(Options{Mode: permission.ReadOnly})
	for range 4 {
		w.prompt(a, "question")
	}
	if _, err := a.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(1, w.asked()); diff != "" {
		t.Error("learned in read-only mode", diff)
	}
}
