package compact

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
)

// Kind is what sort of detail a summary may have lost.
type Kind string

// The kinds, in the order in which Report lists them.
const (
	Path       Kind = "path"
	Identifier Kind = "identifier"
	Number     Kind = "number"
	ErrorText  Kind = "error"
	Command    Kind = "command"
	Rule       Kind = "rule" // a sentence with a rule word
)

// Kinds are all of them.
var Kinds = []Kind{Path, Identifier, Number, ErrorText, Command, Rule}

// Lost is a detail of the covered range that the summary does not carry.
type Lost struct {
	Kind Kind
	Seqs []int64 // where it stands, ascending
	Text string
}

// Loss is what a summary carries and what not.
type Loss struct {
	SessionID      string
	Seq            *int64 // of the compact event; nil for a plan
	CoveredThrough int64  // the last record that was looked at
	Lost           []Lost // by kind, then by where it first stands
	Carried        map[Kind]int64
}

// ReportPlan says what of the records that a plan covers the response of that
// plan does not carry. A plan without a response is plumbing.ErrInvalid, one
// whose records are no longer visible ErrConflict.
func ReportPlan(ctx context.Context, d Deps, p Planned) (Loss, error) {
	if p.Response == nil {
		return Loss{}, plumbing.Fail(plumbing.ErrInvalid, "the plan carries no response", "pipe it through `lecode complete` first")
	}
	covers := make([]session.Citation, len(p.Covers))
	for i, r := range p.Covers {
		covers[i] = session.Citation(r)
	}
	loss, err := d.report(ctx, p.SessionID, func(*session.Log, *session.Chain) (session.Summary, error) {
		return session.Summary{Covers: covers, Text: p.Response.Text()}, nil
	})
	loss.Seq = nil
	return loss, err
}

// ReportEvent says the same of a compact event; seq 0 is the summary in force.
// It looks at what that event was the first to cover. No such event is
// plumbing.ErrNotFound, none in force ErrNo.
func ReportEvent(ctx context.Context, d Deps, sessionID string, seq int64) (Loss, error) {
	return d.report(ctx, sessionID, func(log *session.Log, chain *session.Chain) (session.Summary, error) {
		seq, err := wanted(ctx, log, chain, seq)
		if err != nil {
			return session.Summary{}, err
		}
		return chain.Summary(seq)
	})
}

func (d Deps) report(ctx context.Context, id string, find func(*session.Log, *session.Chain) (session.Summary, error)) (Loss, error) {
	log, err := d.open(ctx, id)
	if err != nil {
		return Loss{}, err
	}
	defer log.Close()
	chain, err := log.Chain(d.Exclusions)
	if err != nil {
		return Loss{}, err
	}
	s, err := find(log, chain)
	if err != nil {
		return Loss{}, err
	}
	details, last, err := collect(ctx, log, chain.Visibility(), s.Covers)
	if err != nil {
		return Loss{}, err
	}
	loss := details.against(s.Text)
	loss.SessionID, loss.Seq, loss.CoveredThrough = id, &s.Seq, last
	return loss, nil
}

// details are what stands in the covered records, each once.
type details struct {
	list  []Lost
	where map[Kind]map[string]int // index in list
}

func (d *details) add(kind Kind, text string, seq int64) {
	if d.where[kind] == nil {
		d.where[kind] = map[string]int{}
	}
	i, known := d.where[kind][text]
	if !known {
		i = len(d.list)
		d.where[kind][text] = i
		d.list = append(d.list, Lost{kind, nil, text})
	}
	if seqs := d.list[i].Seqs; len(seqs) == 0 || seqs[len(seqs)-1] != seq {
		d.list[i].Seqs = append(seqs, seq)
	}
}

// collect reads the covered records. What is hidden by now is told to nobody.
func collect(ctx context.Context, log *session.Log, visible *session.Visibility, covers []session.Citation) (*details, int64, error) {
	found := &details{where: map[Kind]map[string]int{}}
	last := int64(0)
	for _, c := range covers {
		for _, seq := range c.Seqs {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			if seq > log.Last() {
				return nil, 0, conflict(fmt.Sprintf("session %q has no record %d", log.ID(), seq))
			}
			for e, err := range log.Records(seq, seq) {
				if err != nil {
					return nil, 0, err
				}
				if !visible.Shows(e, session.Durable) {
					return nil, 0, conflict(fmt.Sprintf("record %d of session %q is hidden by now", seq, log.ID()))
				}
				found.record(e)
				last = max(last, seq)
			}
		}
	}
	return found, last, nil
}

// record takes the details of one message. Of what tools print only errors
// count: it can be looked up again. Of calls it is what was run and which files
// were named.
func (d *details) record(e session.Entry) {
	for _, b := range message(e).Content {
		switch b.Type {
		case provider.TypeText:
			d.prose(b.Text, e.Seq)
		case provider.TypeToolCall:
			d.call(b, e.Seq)
		case provider.TypeToolResult:
			d.errors(b.Text, e.Seq)
		case provider.TypeFile:
			if b.Name != "" {
				d.add(Path, b.Name, e.Seq)
			}
		}
	}
}

// against parts what a summary carries from what it lost.
func (d *details) against(summary string) Loss {
	loss := Loss{Carried: map[Kind]int64{}, Lost: []Lost{}}
	s := newSummaryText(summary)
	for _, item := range d.list {
		if s.carries(item) {
			loss.Carried[item.Kind]++
		} else {
			loss.Lost = append(loss.Lost, item)
		}
	}
	slices.SortStableFunc(loss.Lost, func(a, b Lost) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), cmp.Compare(a.Seqs[0], b.Seqs[0]))
	})
	return loss
}
