package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

func TestPrompt(t *testing.T) {
	w := newWorld(t)
	w.d.Tools = []Tool{note("look", permission.Read)}
	w.calls("look {}", "look {}")
	w.say("All is well.")
	a := w.open(Options{})
	out := w.prompt(a, "How is it?")
	if out.Text != "All is well." || out.Requests != 2 || out.Calls != 2 || out.Usage.UnknownUsageCalls != 2 {
		t.Errorf("%+v", out)
	}
	want := "user:How is it? | call:look | call:look | result:look done | result:look done | assistant:All is well."
	if diff := cmp.Diff(want, w.log("id1")); diff != "" {
		t.Error(diff)
	}
	if got := len(w.requests[1].Messages); got != 3 {
		t.Errorf("the second request has %d messages, want the prompt, the calls and one with both results", got)
	}
	var order []string
	for _, e := range w.events {
		order = append(order, strings.TrimPrefix(fmt.Sprintf("%T", e), "agent."))
	}
	if diff := cmp.Diff("Began Requested Answered Calling Asked Called Calling Asked Called Requested Streamed Answered", strings.Join(order, " ")); diff != "" {
		t.Error(diff)
	}
	// Every record is in the log before the next step: the ledger too.
	if b, err := os.ReadFile(w.dir + "/config/usage/kettle-1.jsonl"); err != nil || strings.Count(string(b), "\n") != 2 {
		t.Errorf("ledger %q, %v", b, err)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	for name, r := range map[string]provider.Response{
		"nothing":        {Finish: provider.FinishStop},
		"empty text":     {Blocks: []provider.Block{provider.Text("")}, Finish: provider.FinishStop},
		"only reasoning": {Blocks: []provider.Block{{Type: provider.TypeReasoning, Text: "hm"}}, Finish: provider.FinishStop},
		"refused":        {Finish: provider.FinishContentFilter},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.answer(r)
			a := w.open(Options{})
			_, err := a.Prompt(context.Background(), Input{Text: "?"})
			wantKind(t, err, plumbing.ErrModel)
			if diff := cmp.Diff("user:? | memory_usage", w.log("id1")); diff != "" {
				t.Error(diff)
			}
			w.say("here")
			if out := w.prompt(a, "again?"); out.Text != "here" {
				t.Errorf("%+v", out)
			}
		})
	}
}

// A call that is not whole is not run, and one that nobody knows is told so.
func TestCallsThatAreNot(t *testing.T) {
	w := newWorld(t)
	ran := 0
	tl := note("look", permission.Read)
	tl.Run = func(_ context.Context, c Call) (Result, error) {
		ran++
		return Result{}, errors.New("broken inside with " + string(c.Arguments))
	}
	panics := note("panics", permission.Read)
	panics.Run = func(context.Context, Call) (Result, error) { panic("no") }
	w.d.Tools = []Tool{tl, panics}
	cut := calling("look {}")
	cut.Finish = provider.FinishLength
	w.answer(cut)
	w.calls("gone {}", "look", "look [1]", "panics {}")
	w.say("done")
	w.prompt(w.open(Options{}), "go")
	log := w.log("id1")
	for _, want := range []string{"its calls were not run", "no tool gone here", "broken inside with {}", "panic (string)"} {
		if !strings.Contains(strings.ReplaceAll(log, `"`, ""), want) {
			t.Errorf("no %q in %s", want, log)
		}
	}
	if ran != 2 {
		t.Errorf("look ran %d times, want twice", ran)
	}
}

func TestMaxTurns(t *testing.T) {
	w := newWorld(t)
	w.d.Tools = []Tool{note("look", permission.Read)}
	w.calls("look {}")
	w.calls("look {}")
	a := w.open(Options{MaxTurns: 2})
	out, err := a.Prompt(context.Background(), Input{Text: "go"})
	wantKind(t, err, plumbing.ErrPaused)
	if out.Stopped != "max_turns" || out.Requests != 2 {
		t.Errorf("%+v", out)
	}
	w.say("done")
	if out, err = a.Resume(context.Background()); err != nil || out.Text != "done" {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err = a.Resume(context.Background()); !errors.Is(err, plumbing.ErrNo) {
		t.Errorf("resumed what is complete: %v", err)
	}
}

// A turn that was cut off after the model's calls goes on: what has no result gets one in the request only.
func TestResumeAfterCrash(t *testing.T) {
	w := newWorld(t)
	tl := note("look", permission.Read)
	tl.Run = func(ctx context.Context, _ Call) (Result, error) { panic(errCrash) }
	w.d.Tools = []Tool{tl}
	info, err := w.d.Sessions.New(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	wr, err := w.d.Sessions.Attach(context.Background(), info.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`{"content":[{"text":"go","type":"text"}],"origin":"user","role":"user","type":"message"}`,
		`{"content":[{"arguments":{},"id":"c1","name":"look","type":"tool_call"},{"arguments":{},"id":"c2","name":"look","type":"tool_call"}],"generation":0,"origin":"generated","role":"assistant","type":"message"}`,
		`{"content":[{"files":[],"id":"c1","is_error":false,"name":"look","text":"seen","type":"tool_result"}],"generation":0,"origin":"generated","role":"tool","type":"message"}`,
	} {
		if _, err := wr.Append(context.Background(), [][]byte{[]byte(line)}, 0); err != nil {
			t.Fatal(err)
		}
	}
	wr.Close()
	w.say("went on")
	a := w.open(Options{SessionID: info.ID})
	if out, err := a.Resume(context.Background()); err != nil || out.Text != "went on" {
		t.Fatalf("%+v, %v", out, err)
	}
	results := w.requests[0].Messages[2].Content
	if len(results) != 2 || results[0].Text != "seen" || !results[1].IsError {
		t.Errorf("%+v", results)
	}
	if log := w.log(info.ID); strings.Count(log, "result:") != 1 {
		t.Errorf("a made-up result was stored: %s", log)
	}
}

var errCrash = errors.New("crash")

// What was on the screen is kept, and nothing that a provider would refuse (case P6).
func TestInterrupt(t *testing.T) {
	text, reasoning := provider.Text("half a w"), provider.Block{Type: provider.TypeReasoning, Text: "hm"}
	for name, c := range map[string]struct {
		blocks []provider.Block
		log    string
	}{
		"reasoning only": {[]provider.Block{reasoning}, "user:go | memory_usage | cancel"},
		"half a word":    {[]provider.Block{reasoning, text}, "user:go | assistant:half a w | cancel"},
		"half a call":    {[]provider.Block{text, calling("look {}").Blocks[0]}, "user:go | assistant:half a w | cancel"},
		"nothing yet":    {nil, "user:go | memory_usage | cancel"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.d.Tools = []Tool{note("look", permission.Read)}
			ctx, cancel := context.WithCancel(context.Background())
			w.do(func(ctx context.Context, _ provider.Request, on func(provider.Delta) error) (provider.Response, error) {
				for _, b := range c.blocks {
					if b.Type == provider.TypeText {
						on(provider.Delta{Text: b.Text})
					}
				}
				cancel()
				return provider.Response{Blocks: c.blocks, Finish: provider.FinishError}, ctx.Err()
			})
			a := w.open(Options{})
			_, err := a.Prompt(ctx, Input{Text: "go"})
			wantKind(t, err, context.Canceled)
			if diff := cmp.Diff(c.log, w.log("id1")); diff != "" {
				t.Error(diff)
			}
			w.say("on we go")
			if out := w.prompt(a, "next"); out.Text != "on we go" {
				t.Errorf("%+v", out)
			}
			for _, m := range w.requests[1].Messages {
				if len(m.Content) == 0 {
					t.Error("an empty message is sent")
				}
			}
		})
	}
}

func TestInterruptInATool(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	tl := note("wait", permission.Read)
	tl.Run = func(ctx context.Context, _ Call) (Result, error) { cancel(); <-ctx.Done(); return Result{}, ctx.Err() }
	w.d.Tools = []Tool{tl}
	w.calls("wait {}", "wait {}")
	a := w.open(Options{})
	_, err := a.Prompt(ctx, Input{Text: "go"})
	wantKind(t, err, context.Canceled)
	if diff := cmp.Diff("user:go | call:wait | call:wait | cancel", w.log("id1")); diff != "" {
		t.Error(diff)
	}
}

// What a command had printed before the interrupt is kept, and marked as failed.
func TestInterruptKeepsOutput(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	tl := note("wait", permission.Read)
	tl.Run = func(ctx context.Context, _ Call) (Result, error) {
		cancel()
		return Result{Text: "half of it\n"}, ctx.Err()
	}
	w.d.Tools = []Tool{tl}
	w.calls("wait {}", "wait {}")
	_, err := w.open(Options{}).Prompt(ctx, Input{Text: "go"})
	wantKind(t, err, context.Canceled)
	if diff := cmp.Diff("user:go | call:wait | call:wait | result:half of it | cancel", w.log("id1")); diff != "" {
		t.Error(diff)
	}
}

func TestHookless(t *testing.T) {
	w := newWorld(t)
	a := w.open(Options{})
	if _, err := a.Prompt(context.Background(), Input{}); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("an empty prompt: %v", err)
	}
	if s := a.Standing(); s.SessionID != "" || s.Busy {
		t.Errorf("a session before the first prompt: %+v", s)
	}
	if entries, _ := os.ReadDir(w.dir + "/config/sessions"); len(entries) != 0 {
		t.Error("a session was made before anything was said")
	}
}

func TestBusy(t *testing.T) {
	w := newWorld(t)
	var a *Agent
	w.do(func(ctx context.Context, _ provider.Request, _ func(provider.Delta) error) (provider.Response, error) {
		if !a.Standing().Busy {
			t.Error("not busy in a turn")
		}
		for name, err := range map[string]error{
			"compact": second(a.Compact(ctx)), "undo": second(a.Undo(ctx, 0)), "clear": second(a.Clear(ctx)), "prompt": second(a.Prompt(ctx, Input{Text: "x"})),
			"switch": a.Switch(ctx, "other"), "handoff": third(a.Handoff(ctx, "")), "chain": second(a.Chain(ctx, "c", "")), "close": a.Close(),
		} {
			if !errors.Is(err, plumbing.ErrBusy) {
				t.Errorf("%s during a turn: %v", name, err)
			}
		}
		return provider.Response{Blocks: []provider.Block{provider.Text("x")}, Finish: provider.FinishStop}, nil
	})
	a = w.open(Options{})
	w.prompt(a, "go")
}

func second[T any](_ T, err error) error { return err }

func third[S, T any](_ S, _ T, err error) error { return err }

// Memory is refreshed at every request, and stale facts are not shown.
func TestMemoryAtEveryRequest(t *testing.T) {
	w := newWorld(t)
	a := w.open(Options{})
	w.say("noted")
	w.prompt(a, "We use tabs here.")
	tl := note("learn", permission.Read)
	var id string
	tl.Run = func(context.Context, Call) (Result, error) {
		id = w.remember("id1", "We use tabs here.")
		return Result{Text: "ok\n"}, nil
	}
	w.d.Tools = []Tool{tl}
	a.d.Tools = w.d.Tools
	w.calls("learn {}")
	w.say("done")
	w.prompt(a, "go on")
	if before, after := w.requests[1].System, w.requests[2].System; strings.Contains(before, "We use tabs") || !strings.Contains(after, id) {
		t.Errorf("before: %q\nafter: %q", before, after)
	}
	if g := a.Section(); g == nil || len(g.Section.Facts) != 1 || g.Section.Facts[0].ID != id {
		t.Errorf("the section of the latest request: %+v", g)
	}
	w.settings.Memory = config.Memory{}
	w.say("quiet")
	w.prompt(a, "and now")
	if s := w.requests[3].System; strings.Contains(s, id) {
		t.Errorf("memory is disabled, and shown: %q", s)
	}
	if g := a.Section(); g != nil {
		t.Errorf("a section without memory: %+v", g)
	}
}
