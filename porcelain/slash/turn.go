package slash

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/porcelain/memory"
)

// compactNow makes a summary. That there is nothing to sum up is no failure.
func compactNow(ctx context.Context, d Deps, _ string) (Answer, error) {
	made, err := d.Agent.Compact(ctx)
	if errors.Is(err, plumbing.ErrNo) {
		return say("There is nothing to sum up yet."), nil
	}
	if err != nil {
		return Answer{}, blocked(err)
	}
	return Answer{Value: made, print: func(p *memory.Paper) {
		p.Head(fmt.Sprintf("The records up to %d are summed up; `lecode compact --report` says what the summary lost.", made.CoveredThrough))
		p.Text(made.Summary)
	}}, nil
}

// blocked names what no summary can go past, and the ways round it (design section 10).
func blocked(err error) error {
	var b *compact.Blocked
	if !errors.As(err, &b) {
		return err
	}
	return &plumbing.Error{Kind: plumbing.ErrPaused, Cause: err,
		Message: fmt.Sprintf("no summary can go past records %d to %d: they are %s", b.First, b.Last, b.Why),
		Hint:    fmt.Sprintf("`/undo %d` hides them, or `/handoff` begins a new session", b.First)}
}

// chain runs a chain, or lists them.
func chain(ctx context.Context, d Deps, args string) (Answer, error) {
	settings, err := d.Settings()
	if err != nil {
		return Answer{}, err
	}
	names := slices.Sorted(maps.Keys(settings.Chains))
	name, words := word(args)
	if name == "" {
		return Answer{print: func(p *memory.Paper) {
			if len(names) == 0 {
				p.Line("No chain is configured; `lecode help agent` shows how.")
			}
			for _, n := range names {
				p.Line(fmt.Sprintf("/chain %s", n))
				for i, phase := range settings.Chains[n].Phases {
					p.Under(fmt.Sprintf("%d. (%s) %s", i+1, phase.Mode, phase.Prompt))
				}
			}
		}}, nil
	}
	if _, ok := settings.Chains[name]; !ok {
		return Answer{}, noSuch("chain", name, names)
	}
	outcome, err := d.Agent.Chain(ctx, name, words)
	return Answer{Outcome: &outcome}, err
}

// noSuch names what there is instead.
func noSuch(what, name string, there []string) error {
	hint := "there are none"
	if len(there) > 0 {
		hint = "there are " + list(there)
	}
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("there is no %s %q", what, name), hint)
}
