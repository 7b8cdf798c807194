package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/porcelain/agent/hook"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/derive"
)

// leastAnswer is the smallest room for an answer that a request is sent with, in tokens.
const leastAnswer = 1024

// reserve is what is kept free for the answer: compaction.buffer_tokens, but
// never more than half of the window.
func reserve(settings *config.Config, window int64) int64 {
	return min(settings.Compaction.BufferTokens, window/2)
}

// makeRoom compacts where the reserve, or the threshold within a turn, is
// reached; made says that the request has to be drafted anew. A request that is
// safe is sent though compaction came to nothing; one that is not is
// plumbing.ErrPaused. An attempt that brought nothing is not made again in the
// same turn.
func (t *turn) makeRoom(ctx context.Context, settings *config.Config, r *ready) (made bool, err error) {
	limits := r.model.Limits
	kept := reserve(settings, limits.ContextWindow)
	why := t.full(settings, r, kept)
	var blocked error
	if why != "" && !t.tried {
		_, err := t.a.summarise(ctx, why)
		if err == nil {
			return true, nil
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		t.tried, blocked = true, err
		if !errors.Is(err, plumbing.ErrNo) {
			t.a.notice("no summary was made: %v", err)
		}
	}
	if !limits.Fits(r.tokens, min(kept, leastAnswer)) {
		return false, r.pause(kept, blocked)
	}
	r.request.MaxOutputTokens = r.cap(kept)
	return false, nil
}

// cap is the cap of the answer: what the model usually gives, or what is kept
// for it, as far as the window has room.
func (r *ready) cap(kept int64) int64 {
	want := max(kept, leastAnswer)
	if most := r.model.Limits.MaxOutput; most > 0 {
		want = most
	}
	return max(1, r.model.Limits.Output(want, r.tokens))
}

// full says why there should be a summary before the request; "": there need not be.
func (t *turn) full(settings *config.Config, r *ready, kept int64) string {
	window := r.model.Limits.ContextWindow
	if !r.model.Limits.Fits(r.tokens, kept) {
		return fmt.Sprintf("the request takes %d of %d tokens, and %d are kept for the answer", r.tokens, window, kept)
	}
	share := settings.Compaction.MidTurnThreshold
	if share != nil && t.outcome.Requests > 0 && float64(r.tokens) > *share*float64(window) {
		return fmt.Sprintf("the request takes %d of %d tokens, more than compaction.mid_turn_threshold", r.tokens, window)
	}
	return ""
}

// pause says what takes the room and how to go on.
func (r *ready) pause(kept int64, blocked error) error {
	s := r.shares
	message := fmt.Sprintf("the request does not fit: about %d tokens of %d, of which up to %d are kept for the answer: system prompt %d, memory %d, tools %d, conversation %d",
		r.tokens, r.model.Limits.ContextWindow, kept, s.system, s.memory, s.tools, s.conversation)
	const larger = "ask a model with a larger window (agent.context_window for one that the catalog does not know)"
	hint := "take the last exchange back with /undo, begin anew with /handoff or /clear, or " + larger
	var b *compact.Blocked
	switch {
	case errors.As(blocked, &b):
		message += fmt.Sprintf("; records %d to %d (%s) cannot be summed up", b.First, b.Last, b.Why)
		hint = fmt.Sprintf("take them back with `/undo %d`, or go on in a new session with /handoff", b.First)
	case s.memory > s.conversation && s.memory > s.system:
		hint = "lower memory.max_bytes, or " + larger
	case s.tools > s.conversation && s.tools > s.system:
		hint = larger
	case s.system > s.conversation:
		hint = "shorten the base prompt (/editsys) or AGENTS.md, or " + larger
	}
	return &plumbing.Error{Kind: plumbing.ErrPaused, Message: message, Hint: hint, Cause: blocked}
}

// Compact makes a summary now, and learns where that is opted into. It is
// refused with plumbing.ErrBusy while a turn runs; nothing to sum up is ErrNo.
func (a *Agent) Compact(ctx context.Context) (compact.Applied, error) {
	done, err := a.begin("a compaction")
	if err != nil {
		return compact.Applied{}, err
	}
	defer done()
	if a.w == nil && a.id == "" {
		return compact.Applied{}, plumbing.Fail(plumbing.ErrNo, "nothing has been said yet", "")
	}
	if err := a.attach(ctx); err != nil {
		return compact.Applied{}, err
	}
	return a.summarise(ctx, "it was asked for")
}

// summarise makes one summary, with the hooks round it, and learns from it.
func (a *Agent) summarise(ctx context.Context, why string) (compact.Applied, error) {
	model, _ := a.now()
	d := a.derived()
	plan, err := d.PlanCompact(ctx, model)
	if err != nil {
		return compact.Applied{}, err
	}
	said, err := a.hook(ctx, hook.BeforeCompact, func(h hook.About) map[string]any { return h.BeforeCompact(why) })
	if err != nil {
		return compact.Applied{}, err
	}
	if said.Blocked {
		return compact.Applied{}, plumbing.Fail(plumbing.ErrRefused, "a before_compact hook blocked: "+said.Reason, "")
	}
	a.emit(Compacting{Why: why})
	applied, err := d.Compact(ctx, model, plan)
	if applied.Seq == 0 {
		return applied, err
	}
	if err != nil {
		a.notice("the summary stands, but: %v", err)
	}
	a.recount()
	a.emit(Compacted{Applied: applied})
	outcome := a.learn(ctx, d, model, applied.Seq)
	ctx, done := ending(ctx)
	defer done()
	said, err = a.hook(ctx, hook.AfterCompact,
		func(h hook.About) map[string]any { return h.AfterCompact(applied.Seq, applied.CoveredThrough, outcome) })
	for _, n := range said.Notes {
		a.notice("an after_compact hook says: %s", n)
	}
	return applied, err
}

// learn learns from a new summary where that is opted into, and says what came
// of it. What goes wrong is no failure of the compaction: it is told.
func (a *Agent) learn(ctx context.Context, d derive.Session, m call.Model, seq int64) string {
	if off := a.learningOff(); off != "" {
		return "off"
	}
	applied, err := d.LearnFrom(ctx, m, seq)
	switch {
	case errors.Is(err, plumbing.ErrNo):
		return "nothing_new"
	case applied.Seq == 0:
		a.notice("nothing was learned: %v", err)
		return "failed"
	}
	a.recount()
	a.emit(Learned{Applied: applied})
	if err != nil {
		a.notice("learning: %v", err)
	}
	return applied.Outcome
}

// learningOff says why nothing is learned; "": it is on. It is asked before the
// request and again before anything is promoted.
func (a *Agent) learningOff() string {
	settings, err := a.d.Settings()
	if err != nil {
		return err.Error()
	}
	if _, mode := a.now(); mode == "readonly" {
		return "the mode is readonly"
	}
	if a.d.LearningOff == nil {
		return "nobody said that it is on"
	}
	return a.d.LearningOff(settings)
}

// derived ties package derive to the session.
func (a *Agent) derived() derive.Session {
	id := a.id
	return derive.Session{ID: id, Sessions: a.d.Sessions, Sources: a.d.Sources, Facts: a.d.Facts, Calls: a.d.Calls, Writer: a.w,
		Gate: func(context.Context) error {
			if off := a.learningOff(); off != "" {
				return plumbing.Fail(plumbing.ErrRefused, "learning is off: "+off, "")
			}
			return nil
		}}
}
