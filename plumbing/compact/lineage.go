package compact

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Link is a summary of a chain and whether it holds now.
type Link struct {
	session.Summary
	Standing session.Standing
}

// Refs is what the link was the first to cover.
func (l Link) Refs() []source.Ref {
	refs := make([]source.Ref, len(l.Covers))
	for i, c := range l.Covers {
		refs[i] = source.Ref(c)
	}
	return refs
}

// Lineage is the chain of summaries that ends with the one at seq, or for 0
// with the one in force, the oldest first: together they are the exact
// cumulative lineage of that summary (design section 10). None in force is
// plumbing.ErrNo, a seq that is no summary ErrNotFound.
func Lineage(ctx context.Context, d Deps, sessionID string, seq int64) ([]Link, error) {
	log, err := d.open(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	chain, err := log.Chain(d.Exclusions)
	if err != nil {
		return nil, err
	}
	if seq, err = wanted(ctx, log, chain, seq); err != nil {
		return nil, err
	}
	list, err := chain.Lineage(seq)
	if err != nil {
		return nil, err
	}
	links := make([]Link, len(list))
	for i, s := range list {
		standing, err := chain.Judge(ctx, s.Seq)
		if err != nil {
			return nil, err
		}
		links[i] = Link{s, standing}
	}
	return links, nil
}

// wanted is the seq of a summary that was asked for; 0 asks for the one in force.
func wanted(ctx context.Context, log *session.Log, chain *session.Chain, seq int64) (int64, error) {
	if seq != 0 {
		if e, err := log.Entry(seq); err != nil || e.Type != session.TypeCompact {
			return 0, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("record %d of session %q is no summary", seq, log.ID()),
				"`lecode log --lineage "+log.ID()+"` lists them")
		}
		return seq, nil
	}
	s, err := chain.InForce(ctx)
	if err == nil && s == nil {
		err = plumbing.Fail(plumbing.ErrNo, fmt.Sprintf("no summary is in force in session %q", log.ID()),
			"`lecode compact "+log.ID()+"` makes one")
	}
	if err != nil {
		return 0, err
	}
	return s.Seq, nil
}
