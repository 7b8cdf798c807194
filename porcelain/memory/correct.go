package memory

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/source"
)

// Corrected is a fact before and after a correction.
type Corrected struct {
	Before, After Listed
}

// correct captures the stated range as evidence and then calls memory_correct
// with it (seed: "the slash command captures the specified persisted range
// before dispatching the same tool"). The generation is read first, so that a
// forget in between ends the correction.
func correct(ctx context.Context, d Deps, args []string) (Answer, error) {
	id, sessionID, text := args[0], args[2], args[5]
	revision, err := number("revision", args[1], 1)
	if err != nil {
		return Answer{}, err
	}
	start, end, err := bounds(args[3], args[4])
	if err != nil {
		return Answer{}, err
	}
	generation, err := d.Facts.Generation()
	if err != nil {
		return Answer{}, err
	}
	before, err := d.fact(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	snapshot, err := d.Sources.Snapshot(ctx, d.Facts, sessionID, start, end)
	if err != nil {
		return Answer{}, err
	}
	if _, err := d.tool(ctx, &generation, "memory_correct", correction{revision, id, snapshot.Ref, text}); err != nil {
		return Answer{}, err
	}
	after, err := d.fact(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	done := Corrected{before, after}
	return Answer{Value: done, print: func(p *page) { p.corrected(done) }}, nil
}

// correction is the arguments of memory_correct (design section 8).
type correction struct {
	ExpectedRevision int64      `json:"expected_revision"`
	FactID           string     `json:"fact_id"`
	SourceSnapshot   source.Ref `json:"source_snapshot"`
	Text             string     `json:"text"`
}

// tool calls a memory tool.
func (d Deps) tool(ctx context.Context, generation *int64, name string, arguments any) (string, error) {
	b, err := canon.Marshal(arguments)
	if err != nil {
		return "", fmt.Errorf("write the arguments of %s: %w", name, err)
	}
	return d.Tool(ctx, generation, name, b)
}

// fact reads a fact and asks whether its evidence holds.
func (d Deps) fact(ctx context.Context, id string) (Listed, error) {
	f, err := d.Facts.Get(ctx, id)
	if err != nil {
		return Listed{}, err
	}
	list, _, err := d.judge(ctx, []fact.Fact{f})
	if err != nil {
		return Listed{}, err
	}
	return list[0], nil
}

// corrected writes what changed; the old text only where it may be told.
func (p *page) corrected(c Corrected) {
	p.line("", "  ", fmt.Sprintf("corrected %s: revision %d is now %d", c.After.Fact.ID,
		c.Before.Fact.Current().Number, c.After.Fact.Current().Number), bold)
	if c.Before.Status == source.Valid {
		p.text("  - ", c.Before.Fact.Current().Text, dim, nil)
	} else {
		p.line("  - ", "    ", fmt.Sprintf("(not told: %s)", c.Before.Status), dim)
	}
	p.text("  + ", c.After.Fact.Current().Text, "", nil)
	if ref := c.After.Fact.Current().Source(); ref != nil {
		p.line("", "  ", fmt.Sprintf("evidence: session %s, %s", oneLine(ref.SessionID), Records(ref.Seqs)), "")
	}
	if c.After.Status != source.Valid {
		p.line("", "  ", fmt.Sprintf("It is not recalled all the same: an earlier revision does not hold (%s).", c.After.Status), red)
	}
}
