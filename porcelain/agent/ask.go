package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/call"
)

var (
	// errAgain: the turn is to be asked again, from what is still visible.
	errAgain = errors.New("ask again")
	// errForgot: the turn itself has forgotten something, and so has ended.
	errForgot = errors.New("the turn has forgotten what it stands on")
)

// ask sends a request and stores what is accepted of the answer.
func (t *turn) ask(ctx context.Context, r ready) (provider.Response, error) {
	a := t.a
	if moved, err := t.moved(); err != nil || moved {
		return provider.Response{}, errors.Join(err, t.over(nil))
	}
	a.emit(Requested{Generation: t.generation, Tokens: r.tokens, Window: r.model.Limits.ContextWindow, Facts: r.facts, LeftOut: r.leftOut})
	t.outcome.Requests++
	got, err := a.d.Calls.Ask(ctx, r.model, call.Asking{Request: r.request, Purpose: usage.Answer, Session: &a.id, Estimate: r.estimate,
		On: func(d provider.Delta) error { a.streamed("", d); return ctx.Err() }})
	if got.Sent {
		t.account(got, r.estimate.Tokens()+r.request.MaxOutputTokens)
	}
	if got.Unwritten != nil {
		a.notice("the usage ledger was not written: %v", got.Unwritten)
	}
	switch {
	case ctx.Err() != nil:
		return got.Response, t.interrupted(ctx, got)
	case err != nil:
		return got.Response, errors.Join(err, a.spent(got))
	}
	if moved, err := t.moved(); err != nil || moved {
		return got.Response, errors.Join(err, a.spent(got), t.over(&got.Response))
	}
	return t.accept(ctx, got)
}

// streamed tells a piece of an answer as it comes.
func (a *Agent) streamed(child string, d provider.Delta) {
	if d.Text != "" || d.Reasoning != "" {
		a.emit(Streamed{Child: child, Text: d.Text, Reasoning: d.Reasoning})
	}
}

// accept checks an answer, whoever gave it, and stores it.
func (t *turn) accept(ctx context.Context, got call.Answered) (provider.Response, error) {
	if err := t.a.tidy(&got.Response); err != nil {
		return got.Response, errors.Join(err, t.a.spent(got))
	}
	seq, err := t.a.append(ctx, assistantMessage(got.Response, t.generation))
	if err != nil {
		return got.Response, err
	}
	switch got.Finish {
	case provider.FinishLength:
		t.a.notice("the answer was cut: it met the cap of its length")
	case provider.FinishContentFilter:
		t.a.notice("the provider cut the answer (content filter)")
	}
	t.a.emit(Answered{Seq: seq, Response: got.Response, Priced: got.Priced})
	return got.Response, nil
}

// tidy takes out of an answer what no later request may hold, and gives each
// call an ID of its own. An answer of which nothing is left is plumbing.ErrModel.
func (a *Agent) tidy(r *provider.Response) error {
	var kept []provider.Block
	seen, said, dropped := map[string]bool{}, false, 0
	for _, b := range r.Blocks {
		switch b.Type {
		case provider.TypeText:
			if b.Text == "" {
				continue
			}
			said = said || strings.TrimSpace(b.Text) != ""
		case provider.TypeToolCall:
			if len(seen) == maxCalls {
				dropped++
				continue
			}
			if err := a.tidyCall(&b, seen); err != nil {
				return err
			}
			said = true
		}
		kept = append(kept, b)
	}
	if dropped > 0 {
		a.notice("the answer makes more than %d calls; %d of them are dropped", maxCalls, dropped)
	}
	r.Blocks = kept
	what := "the model answered nothing"
	switch {
	case r.Finish == provider.FinishError:
		what = "the answer broke off"
	case said:
		return nil
	}
	if r.Finish == provider.FinishContentFilter {
		what = "the provider refused to answer (content filter)"
	}
	return plumbing.Fail(plumbing.ErrModel, fmt.Sprintf("%s (finish reason %q)", what, r.Finish), "say it in other words, or ask another model")
}

// tidyCall gives a call an ID that no other call of the answer has, and takes
// away arguments that are no JSON object: the tool then says what it misses.
func (a *Agent) tidyCall(b *provider.Block, seen map[string]bool) error {
	if b.ID == "" || seen[b.ID] {
		id, err := a.d.Calls.NewID()
		if err != nil {
			return err
		}
		b.ID = "call-" + id
	}
	seen[b.ID] = true
	b.Name = toolName(b.Name)
	args, err := canon.CanonicalizeObject(b.Arguments)
	if err != nil {
		args = []byte("{}")
	}
	b.Arguments = args
	return nil
}

// toolName is a name as every provider takes it back: of a tool that there is
// it is the name itself.
func toolName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	return cmp.Or(name[:min(len(name), 64)], "unnamed")
}

// interrupted keeps what was on the screen (design section 12): the text, and
// no call that may be half there.
func (t *turn) interrupted(ctx context.Context, got call.Answered) error {
	if !got.Sent {
		return ctx.Err()
	}
	var text []provider.Block
	for _, b := range got.Blocks {
		if b.Type == provider.TypeText && b.Text != "" {
			text = append(text, b)
		}
	}
	if len(text) == 0 {
		return errors.Join(ctx.Err(), t.a.spent(got))
	}
	got.Blocks = text
	_, err := t.a.append(ctx, cancelledMessage(got.Response, t.generation))
	t.outcome.Text, t.outcome.Finish = got.Text(), provider.FinishError
	return errors.Join(ctx.Err(), err)
}

// spent keeps in the session what a call took whose answer was not stored.
func (a *Agent) spent(got call.Answered) error {
	if !got.Sent || a.w == nil {
		return nil
	}
	err := compact.AccountTo(a.w, compact.Call{CallID: got.CallID, Model: got.Model, Purpose: usage.Answer,
		Type: session.TypeUsage, Usage: got.Usage})
	if err != nil {
		return fmt.Errorf("keep what a call took: %w", err)
	}
	return nil
}

// moved reports whether something was forgotten since the turn began.
func (t *turn) moved() (bool, error) {
	now, err := t.a.d.Facts.Generation()
	return now != t.generation, err
}

// over says how a turn goes on that a forget has overtaken (design section 12):
// it is asked again once if no tool ran that does more than read; else it stops.
func (t *turn) over(dropped *provider.Response) error {
	now, err := t.a.d.Facts.Generation()
	if err != nil {
		return err
	}
	own := t.forgot > 0 && now == t.generation+t.forgot
	again := !t.effects && !t.again
	if dropped != nil {
		t.a.emit(Stale{Response: *dropped, Again: again})
	}
	switch {
	case again:
		t.again, t.begun = true, false
		return errAgain
	case own:
		return errForgot
	}
	t.outcome.Stopped = "stale"
	return plumbing.Fail(plumbing.ErrConflict, "something was forgotten while the turn ran, and what it had done until then cannot be asked again",
		"look at what it has changed, then ask anew")
}

func tokensOf(u *provider.Usage) *usage.Tokens {
	if u == nil {
		return nil
	}
	t := usage.Tokens(*u)
	return &t
}
