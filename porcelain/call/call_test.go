package call

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/usage"
)

// answers is a model that gives one response, and an error beside it.
type answers struct {
	r     provider.Response
	err   error
	asked int
}

func (a *answers) Complete(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
	a.asked++
	return a.r, a.err
}

func calls(t *testing.T) (Calls, func() string) {
	dir, ids := t.TempDir(), 0
	c := Calls{
		Ledger:      usage.Ledger{Config: file.Tree{Dir: dir}, Slug: "kettle-1", Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }},
		Calibration: budget.Calibration{Cache: file.Tree{Dir: t.TempDir()}},
		DayLimit:    func() (*int64, error) { return nil, nil },
		NewID:       func() (string, error) { ids++; return fmt.Sprintf("call%d", ids), nil },
	}
	return c, func() string { b, _ := os.ReadFile(dir + "/usage/kettle-1.jsonl"); return string(b) }
}

func question() provider.Request {
	return provider.Request{MaxOutputTokens: 100, Messages: []provider.Message{{Role: "user", Content: []provider.Block{provider.Text("why?")}}}}
}

func n(i int64) *int64 { return &i }

func TestAsk(t *testing.T) {
	price := 2.0
	known := &provider.Usage{InputTokens: n(1000), OutputTokens: n(500)}
	for name, c := range map[string]struct {
		model  answers
		kind   error
		sent   bool
		ledger string // what the line holds; "" for no line
	}{
		"answered":           {answers{r: provider.Response{Finish: provider.FinishStop, Usage: known}}, nil, true, `"priced":0.003,`},
		"usage unknown":      {answers{r: provider.Response{Finish: provider.FinishStop}}, nil, true, `"usage":null`},
		"failed with usage":  {answers{r: provider.Response{Usage: known}, err: plumbing.Fail(plumbing.ErrModel, "down", "")}, plumbing.ErrModel, true, `"output_tokens":500`},
		"interrupted":        {answers{err: context.Canceled}, context.Canceled, true, `"usage":null`},
		"not sent: no key":   {answers{err: plumbing.Fail(plumbing.ErrInvalid, "no key", "")}, plumbing.ErrInvalid, false, ""},
		"not sent: refused":  {answers{err: plumbing.Fail(plumbing.ErrRefused, "no", "")}, plumbing.ErrRefused, false, ""},
		"another model says": {answers{r: provider.Response{Model: "m-2026", Finish: provider.FinishStop}}, nil, true, `"model":"m-2026"`},
	} {
		t.Run(name, func(t *testing.T) {
			calls, ledger := calls(t)
			m := Model{Model: &c.model, Provider: "p", ID: "m", Limits: budget.Limits{ContextWindow: 1000, Prices: budget.Prices{Input: &price, Output: &price}}}
			got, err := calls.Ask(context.Background(), m, Asking{Request: question(), Purpose: usage.Answer})
			if !errors.Is(err, c.kind) || got.Sent != c.sent || got.Unwritten != nil {
				t.Fatalf("%+v, %v", got, err)
			}
			if line := ledger(); c.ledger == "" && line != "" || !strings.Contains(line, c.ledger) || strings.Count(line, "\n") > 1 {
				t.Errorf("ledger %q, want %q", line, c.ledger)
			}
			if c.sent && (got.CallID != "call1" || err != nil && got.Finish != provider.FinishError) {
				t.Errorf("%+v", got.Response)
			}
		})
	}
}

// The day's budget is for the memory's calls, and nobody is asked beyond it.
func TestBudget(t *testing.T) {
	calls, _ := calls(t)
	calls.DayLimit = func() (*int64, error) { return n(300), nil }
	m := &answers{r: provider.Response{Finish: provider.FinishStop}}
	ask := func(purpose string) error {
		_, err := calls.Ask(context.Background(), Model{Model: m, Provider: "p", ID: "m"}, Asking{Request: question(), Purpose: purpose})
		return err
	}
	for i, purpose := range []string{usage.Compact, usage.Learning, usage.Compact} {
		if err := ask(purpose); (err != nil) != (i == 2) || err != nil && !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if err := ask(usage.Answer); err != nil || m.asked != 3 {
		t.Errorf("an answer is not held to it: %v, asked %d times", err, m.asked)
	}
}

// A call for the memory is in the ledger before it is made, so that one whose process is killed counts too.
func TestReserved(t *testing.T) {
	calls, ledger := calls(t)
	var before string
	m := &answers{r: provider.Response{Finish: provider.FinishStop}}
	watch := watched{m, func() { before = ledger() }}
	for purpose, want := range map[string]string{usage.Compact: `"type":"reserved"`, usage.Answer: ""} {
		if _, err := calls.Ask(context.Background(), Model{Model: watch, Provider: "p", ID: "m"}, Asking{Request: question(), Purpose: purpose}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(before, want) || purpose == usage.Answer && strings.Contains(before, `"purpose":"answer"`) {
			t.Errorf("%s: the ledger says %q during the call", purpose, before)
		}
	}
	m.err = plumbing.Fail(plumbing.ErrInvalid, "no key", "")
	if _, err := calls.Ask(context.Background(), Model{Model: m, Provider: "p", ID: "m"}, Asking{Request: question(), Purpose: usage.Learning}); !errors.Is(err, plumbing.ErrInvalid) {
		t.Fatal(err)
	}
	if today, err := calls.Ledger.Today(context.Background()); err != nil || !strings.Contains(ledger(), `"type":"cancelled"`) || strings.Contains(ledger(), `"learning","session_id":null,"type":"call"`) {
		t.Errorf("%d, %v, %s", today, err, ledger())
	}
}

// watched looks round before it answers.
type watched struct {
	provider.Model
	look func()
}

func (w watched) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	w.look()
	return w.Model.Complete(ctx, r, on)
}

// A ledger that cannot be written loses no answer.
func TestUnwritten(t *testing.T) {
	calls, _ := calls(t)
	calls.Ledger.Slug = "../x"
	m := Model{Model: &answers{r: provider.Response{Finish: provider.FinishStop, Blocks: []provider.Block{provider.Text("so")}}}, Provider: "p", ID: "m"}
	got, err := calls.Ask(context.Background(), m, Asking{Request: question(), Purpose: usage.Answer})
	if err != nil || got.Unwritten == nil || got.Text() != "so" {
		t.Errorf("%+v, %v", got, err)
	}
}
