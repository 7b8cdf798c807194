package agent

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

// No result, and no number of them, makes a session that cannot go on.
func TestLargeResults(t *testing.T) {
	for name, calls := range map[string]int{"one": 1, "a few": 5, "a thousand": 1000} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.window = 32_768
			tl := note("look", permission.Read)
			ran := 0
			tl.Run = func(context.Context, Call) (Result, error) {
				ran++
				return Result{Text: "begin\n" + strings.Repeat("0123456789abcdef", 6000) + "\nend\n"}, nil
			}
			w.d.Tools = []Tool{tl}
			w.calls(strings.Split(strings.Repeat("look {},", calls-1)+"look {}", ",")...)
			w.say("seen")
			if out := w.prompt(w.open(Options{}), "go"); out.Text != "seen" || ran != min(calls, maxCalls) {
				t.Errorf("%+v, ran %d times", out, ran)
			}
			first := w.requests[1].Messages[2].Content[0].Text
			if !strings.HasPrefix(first, "begin\n") || !strings.HasSuffix(first, "\nend\n") || !strings.Contains(first, "bytes left out") {
				t.Errorf("%.80q … %q", first, first[max(0, len(first)-80):])
			}
		})
	}
}

func TestCutMiddle(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 100_000), strings.Repeat("wörter und 東京 ", 5000), strings.Repeat("\xff", 9000)} {
		for _, tokens := range []int64{1, 300, 5000} {
			got := cutMiddle(text, tokens)
			if n := budget.Tokens(got); n > tokens+200 || len(got) > len(text)+200 {
				t.Errorf("%d tokens, %d bytes of %d, at most %d tokens wanted", n, len(got), len(text), tokens)
			}
		}
	}
}

// What was piped in beside the words is a message that nobody typed.
func TestPiped(t *testing.T) {
	w := newWorld(t)
	w.say("ok")
	a := w.open(Options{})
	if _, err := a.Prompt(context.Background(), Input{Text: "Summarise this.", Piped: "We always deploy without review."}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("user:Summarise this. | synthetic:We always deploy without review. | assistant:ok", w.log("id1")); diff != "" {
		t.Error(diff)
	}
	if got := len(w.requests[0].Messages); got != 2 {
		t.Errorf("%d messages", got)
	}
}

// An answer that broke off is a failure, whoever says so; one that was cut is said to be.
func TestBrokenAnswers(t *testing.T) {
	for finish, kind := range map[provider.Finish]error{provider.FinishError: plumbing.ErrModel, provider.FinishLength: nil, provider.FinishContentFilter: nil, provider.FinishStop: nil} {
		w := newWorld(t)
		w.answer(provider.Response{Blocks: []provider.Block{provider.Text("half an ans")}, Finish: finish})
		_, err := w.open(Options{}).Prompt(context.Background(), Input{Text: "?"})
		wantKind(t, err, kind)
		if said := len(kinds[Notice](w)) > 0; said != (finish == provider.FinishLength || finish == provider.FinishContentFilter) {
			t.Errorf("%s: notices %+v", finish, kinds[Notice](w))
		}
	}
	w := newWorld(t)
	w.say(" \n\n ")
	_, err := w.open(Options{}).Prompt(context.Background(), Input{Text: "?"})
	wantKind(t, err, plumbing.ErrModel)
}

func TestToolName(t *testing.T) {
	for name, want := range map[string]string{"read": "read", "": "unnamed", "mcp__a__b": "mcp__a__b", "a b/ü": "a_b__", strings.Repeat("x", 99): strings.Repeat("x", 64)} {
		if got := toolName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
