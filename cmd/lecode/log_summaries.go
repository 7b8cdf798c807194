package main

import (
	"context"
	"errors"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
)

// summaries is `log` with --context or --lineage.
func (c *logCommand) summaries(ctx context.Context, e *cli.Env, d compact.Deps) error {
	if c.Context && c.Lineage || c.Raw || c.Visible != "" || c.End != nil || c.Context && c.Start != nil {
		return plumbing.Fail(plumbing.ErrInvalid, "--context and --lineage go with no other form of log", "see `lecode log --help`")
	}
	if c.Context {
		return c.context(ctx, e, d)
	}
	return c.lineage(ctx, e, d)
}

func (c *logCommand) context(ctx context.Context, e *cli.Env, d compact.Deps) error {
	replayed, err := compact.Replay(ctx, d, c.Session)
	if err != nil {
		return err
	}
	for _, p := range replayed.Parts {
		if err := e.Print(object.Context{From: p.From, Message: p.Message, Seqs: p.Seqs, Type: "context"}); err != nil {
			return err
		}
	}
	for _, seq := range replayed.Left {
		e.Note("record %d of session %q is left out: nothing shown asks for its result", seq, c.Session)
	}
	return nil
}

func (c *logCommand) lineage(ctx context.Context, e *cli.Env, d compact.Deps) error {
	seq := int64(0)
	if c.Start != nil {
		seq = *c.Start
	}
	links, err := compact.Lineage(ctx, d, c.Session, seq)
	if errors.Is(err, plumbing.ErrNo) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, l := range links {
		err := e.Print(object.Lineage{CoveredThrough: l.CoveredThrough, Covers: l.Refs(), Digest: l.Digest, Generation: l.Generation,
			Model: l.Model, Prior: l.Prior, Seq: l.Seq, SessionID: c.Session, Standing: string(l.Standing), Type: "lineage"})
		if err != nil {
			return err
		}
	}
	return nil
}
