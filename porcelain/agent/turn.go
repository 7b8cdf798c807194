package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/agent/hook"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/permission"
)

// turn is a prompt and all that comes of it (design section 12).
type turn struct {
	a          *Agent
	mode       permission.Mode
	outcome    Outcome
	generation int64 // that its requests are made in
	begun      bool  // generation is known
	effects    bool  // a tool of a class above read has run
	forgot     int64 // facts that the turn itself forgot
	again      bool  // it was asked again after a forget
	tried      bool  // a compaction of this turn came to nothing
	room       room  // what the results of the latest answer may take
}

// Prompt is one turn: what a person says and all that comes of it. The error is
// plumbing.ErrPaused where a request does not fit or there were too many of
// them, ErrModel where the model failed, ErrConflict where something was
// forgotten meanwhile and the turn cannot be asked again, the context's own
// where it was interrupted, ErrRefused where a hook blocked the prompt. What was
// stored until then stays, and Outcome tells it.
func (a *Agent) Prompt(ctx context.Context, in Input) (Outcome, error) {
	if in.Text == "" && len(in.Files) == 0 {
		return Outcome{}, plumbing.Fail(plumbing.ErrInvalid, "the prompt is empty", "say something")
	}
	words := in.Text
	if in.Piped != "" {
		words += "\n\n" + in.Piped
	}
	return a.turn(ctx, words, func(context.Context, *turn) error { return a.take(ctx, in) })
}

// take stores what a person gave.
func (a *Agent) take(ctx context.Context, in Input) error {
	if _, err := a.append(ctx, userMessage(in)); err != nil || in.Piped == "" {
		return err
	}
	generation, err := a.d.Facts.Generation()
	if err != nil {
		return err
	}
	_, err = a.append(ctx, syntheticMessage(in.Piped, generation))
	return err
}

// Resume goes on with a turn that was cut off: the last exchange is not
// complete and was not cancelled. plumbing.ErrNo: there is none.
func (a *Agent) Resume(ctx context.Context) (Outcome, error) {
	if a.id == "" {
		return Outcome{}, nothingUnfinished()
	}
	return a.turn(ctx, "", func(ctx context.Context, t *turn) error {
		if err := a.context.refresh(ctx, a); err != nil {
			return err
		}
		if !answerable(a.context.messages) {
			return nothingUnfinished()
		}
		return nil
	})
}

func nothingUnfinished() error {
	return plumbing.Fail(plumbing.ErrNo, "no turn was cut off", "say what to do next")
}

// answerable reports whether somebody waits for an answer.
func answerable(messages []provider.Message) bool {
	return len(messages) > 0 && messages[len(messages)-1].Role != provider.RoleAssistant
}

// turn runs a turn that begin starts, with the words that the prompt hooks see.
func (a *Agent) turn(ctx context.Context, words string, begin func(context.Context, *turn) error) (Outcome, error) {
	done, err := a.begin("a turn")
	if err != nil {
		return Outcome{}, err
	}
	defer done()
	_, mode := a.now()
	return a.held(ctx, &turn{a: a, mode: mode}, words, begin)
}

// held runs a turn for a caller that has begun.
func (a *Agent) held(ctx context.Context, t *turn, words string, begin func(context.Context, *turn) error) (Outcome, error) {
	if err := ctx.Err(); err != nil {
		return t.outcome, err
	}
	if err := a.attach(ctx); err != nil {
		return t.outcome, err
	}
	if err := a.start(ctx); err != nil {
		return t.outcome, err
	}
	if words != "" {
		said, err := a.hook(ctx, hook.Prompt, func(h hook.About) map[string]any { return h.Prompt(words) })
		if err != nil {
			return t.outcome, err
		}
		if said.Blocked {
			return t.outcome, plumbing.Fail(plumbing.ErrRefused, "a prompt hook blocked: "+said.Reason, "nothing was sent or stored")
		}
	}
	a.invite(ctx)
	if err := begin(ctx, t); err != nil {
		return t.outcome, err
	}
	err := t.run(ctx)
	return t.outcome, errors.Join(err, t.stop(ctx, err))
}

// invite takes the tools that are there now.
func (a *Agent) invite(ctx context.Context) {
	if a.d.Guests == nil {
		return
	}
	guests := a.d.Guests(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.guests = guests
}

// run sends requests until the model has done.
func (t *turn) run(ctx context.Context) error {
	for {
		if err := t.more(); err != nil {
			return err
		}
		r, err := t.prepare(ctx)
		if err != nil {
			return t.broken(ctx, err)
		}
		got, err := t.ask(ctx, r)
		if errors.Is(err, errAgain) {
			continue
		}
		if err != nil {
			return t.broken(ctx, err)
		}
		calls := got.ToolCalls()
		if len(calls) == 0 {
			t.outcome.Text, t.outcome.Finish = got.Text(), got.Finish
			return nil
		}
		t.room = room{r.room(), int64(len(calls))}
		for _, c := range calls {
			if err := t.callTool(ctx, c, got.Finish); err != nil {
				return t.broken(ctx, err)
			}
		}
	}
}

// more reports whether the turn may send another request.
func (t *turn) more() error {
	most, err := t.a.most()
	if err != nil || t.outcome.Requests < most {
		return err
	}
	t.outcome.Stopped = "max_turns"
	return plumbing.Fail(plumbing.ErrPaused, fmt.Sprintf("the turn has sent %d requests, which is agent.max_turns", most),
		"look at what it does; go on with `lecode run --continue`, or raise --max-turns")
}

// most is how many requests a prompt may lead to.
func (a *Agent) most() (int64, error) {
	if a.maxTurns > 0 {
		return a.maxTurns, nil
	}
	settings, err := a.d.Settings()
	if err != nil {
		return 0, err
	}
	return settings.Agent.MaxTurns, nil
}

// broken ends a turn that cannot go on. One that was interrupted is marked as
// cancelled, so that nobody takes it for a crash.
func (t *turn) broken(ctx context.Context, err error) error {
	if errors.Is(err, errForgot) {
		t.outcome.Stopped = "forgot"
		return nil
	}
	if ctx.Err() == nil {
		return err
	}
	if _, kept := t.a.append(ctx, cancelRecord{Type: "cancel"}); kept != nil {
		return fmt.Errorf("%w; and: %v", ctx.Err(), kept)
	}
	return ctx.Err()
}

// stop runs the hooks of the end. What they say is told, and changes nothing.
func (t *turn) stop(ctx context.Context, err error) error {
	reason := "done"
	switch {
	case errors.Is(err, context.Canceled):
		reason = "interrupted"
	case errors.Is(err, plumbing.ErrPaused):
		reason = "paused"
	case err != nil:
		reason = "failed"
	case t.outcome.Stopped != "":
		reason = t.outcome.Stopped
	}
	ctx, done := ending(ctx)
	defer done()
	said, err := t.a.hook(ctx, hook.Stop, func(h hook.About) map[string]any { return h.Stop(reason, t.outcome.Text) })
	for _, n := range said.Notes {
		t.a.notice("a stop hook says: %s", n)
	}
	return err
}

// account adds a call to the sums of the turn and of the session.
func (t *turn) account(got call.Answered, estimate int64) {
	t.outcome.Usage.Add(tokensOf(got.Usage), estimate, got.Priced)
	t.a.stand(func(s *Standing) { s.Usage.Add(tokensOf(got.Usage), estimate, got.Priced) })
}
