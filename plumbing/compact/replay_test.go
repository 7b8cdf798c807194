package compact

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

// safe reports what is wrong with the tools of a request: every result needs
// its call in the message of the assistant right before, and the other way round.
func safe(messages []provider.Message) string {
	for i, m := range messages {
		var calls []string
		for _, b := range m.Content {
			if b.Type == provider.TypeToolCall {
				calls = append(calls, b.ID)
			}
		}
		if m.Role == provider.RoleTool && (i == 0 || messages[i-1].Role != provider.RoleAssistant) {
			return fmt.Sprintf("message %d is a result behind no answer", i)
		}
		if len(calls) == 0 {
			continue
		}
		if i+1 == len(messages) || messages[i+1].Role != provider.RoleTool {
			return fmt.Sprintf("message %d has calls without results", i)
		}
		var results []string
		for _, b := range messages[i+1].Content {
			results = append(results, b.ID)
		}
		if diff := cmp.Diff(calls, results); diff != "" {
			return fmt.Sprintf("message %d: %s", i, diff)
		}
	}
	return ""
}

// untidy is a session of exchanges with parallel calls, some of which are
// repeated, late, unanswered, answered twice or without an ID.
func untidy(random *rand.Rand) []string {
	var lines []string
	for x := range 6 {
		lines = append(lines, user(fmt.Sprint("question ", x)))
		for range 1 + random.IntN(2) {
			ids := []string{"a", "b", fmt.Sprint("c", x)}[:1+random.IntN(3)]
			if random.IntN(8) == 0 {
				ids = append(ids, "", "")
			}
			if random.IntN(8) == 0 {
				ids = append(ids, ids[0])
			}
			lines = append(lines, calls(ids...))
			random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			for _, id := range ids {
				switch random.IntN(12) {
				case 0:
					continue
				case 1:
					lines = append(lines, result(id, "again"))
				case 2:
					lines = append(lines, synthetic("a command ended"))
				case 3:
					lines = append(lines, result("nobody", "asked"))
				}
				lines = append(lines, result(id, "r"))
			}
		}
		if random.IntN(5) == 0 {
			lines = append(lines, cancel)
			continue
		}
		lines = append(lines, assistant(fmt.Sprint("answer ", x)))
	}
	return lines
}

// TestToolSafeAtEveryCut is case C2: whatever a request begins with, and
// whatever is hidden in it, calls and results belong together.
func TestToolSafeAtEveryCut(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t)
		id := w.new(untidy(random)...)
		log, err := w.Sessions.Open(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		for cut := int64(0); cut <= log.Last(); cut++ {
			w.forgets.seqs = nil
			if cut%3 == 1 {
				w.forgets.seqs = []int64{1 + random.Int64N(log.Last())}
			}
			vis, err := log.Visibility(w.Exclusions)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := rawParts(context.Background(), log, vis, cut)
			if err != nil {
				t.Fatal(err)
			}
			parts, _ := pair(raw)
			if wrong := safe(Context{Parts: parts}.Messages()); wrong != "" {
				t.Fatalf("seed %d, cut %d: %s", seed, cut, wrong)
			}
		}
		log.Close()
	}
}

// TestToolSafeAfterCompactions is C2 as it was met: two compactions in a row over parallel calls.
func TestToolSafeAfterCompactions(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	more := func() {
		for range 3 {
			w.append(id, user("q"), calls("c1", "c2", "c3"), result("c1", "1"), result("c2", "2"), result("c3", "3"), assistant("a"))
		}
	}
	more()
	for _, summary := range []string{"one", "two"} {
		w.compact(id, summary)
		more()
		c, err := Replay(context.Background(), w.Deps, id)
		if err != nil || c.Summary == nil || c.Summary.Text != summary {
			t.Fatal(c.Summary, err)
		}
		if wrong := safe(c.Messages()); wrong != "" {
			t.Error(wrong)
		}
		if got := c.Messages()[0].Content[0].Text; !strings.Contains(got, `"`+summary+`"`) || c.Parts[0].From != FromSummary {
			t.Errorf("the context begins with %q", got)
		}
	}
}

// TestNoResult is case C1: what is made up says so, stands in the request and not in the log.
func TestNoResult(t *testing.T) {
	w := newWorld(t)
	id := w.new(append([]string{user("a"), calls("c1", "c2"), result("c2", "here"), cancel}, exchanges(8)...)...)
	before := len(w.read(id))
	c, err := Replay(context.Background(), w.Deps, id)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := safe(c.Messages()); wrong != "" {
		t.Error(wrong)
	}
	results := c.Parts[2].Message.Content
	if len(results) != 2 || !results[0].IsError || !strings.Contains(results[0].Text, "made up") || results[1].Text != "here" {
		t.Errorf("%+v", results)
	}
	if len(w.read(id)) != before {
		t.Error("replay writes to the log")
	}
	id = w.new(user("a"), calls("c1"))
	if c, err = Replay(context.Background(), w.Deps, id); err != nil || len(c.Parts) != 3 || c.Parts[2].From != FromNobody {
		t.Errorf("a session that ends in a call: %+v %v", c.Parts, err)
	}
}

// TestClearedCall: a result whose call is hidden is named, and not sent.
func TestClearedCall(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("a"), calls("c1"))
	w.clear(id)
	w.append(id, result("c1", "late"), assistant("b"))
	c, err := Replay(context.Background(), w.Deps, id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{4}, c.Left); diff != "" || len(c.Parts) != 1 {
		t.Errorf("%d parts, left out: %s", len(c.Parts), diff)
	}
}

func TestReplayRefuses(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(4)...)
	_, err := Replay(context.Background(), w.Deps, "nope")
	wantKind(t, err, plumbing.ErrNotFound)
	w.forgets.err = errors.New("no database")
	if _, err := Replay(context.Background(), w.Deps, id); !errors.Is(err, w.forgets.err) {
		t.Errorf("exclusions that cannot be read: %v", err)
	}
	w.forgets.err = nil
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Replay(ctx, w.Deps, id); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	w.edit(id, `"seq":4`, `"seq":5`)
	_, err = Replay(context.Background(), w.Deps, id)
	wantKind(t, err, plumbing.ErrCorrupt)
}
