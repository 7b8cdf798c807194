package memview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
)

func (s Stores) sessions(ctx context.Context) (Sessions, error) {
	list, err := s.Memory.Sessions.List(ctx)
	left := 100 // sessions without a title that are looked into, the latest first: IDs begin with their time
	for i := len(list) - 1; i >= 0 && left > 0; i-- {
		if list[i].Title == nil {
			left--
			if words := memory.FirstWords(ctx, s.Memory.Sessions, s.Memory.Facts, list[i].ID); words != "" {
				list[i].Title = &words
			}
		}
	}
	return Sessions{s.Session(), list}, err
}

// messages reads some of the messages of a session that may be evidence.
func (s Stores) messages(ctx context.Context, w Window) (Messages, error) {
	l, err := s.Memory.Sessions.Open(ctx, w.SessionID)
	if err != nil {
		return Messages{}, err
	}
	defer l.Close()
	if c := l.Corruption(); c != nil {
		return Messages{}, c.Err(w.SessionID)
	}
	vis, err := l.Visibility(s.Memory.Facts)
	if err != nil {
		return Messages{}, err
	}
	var got Messages
	seq, step := max(w.From, 1), int64(1)
	if w.Back {
		if seq, step = w.From-1, -1; w.From == 0 {
			seq = l.Last()
		}
	}
	for ; seq > 0 && seq <= l.Last(); seq += step {
		e, err := l.Entry(seq)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return Messages{}, err
		}
		if !vis.Shows(e, session.Working) {
			continue
		}
		if len(got.List) == w.Limit {
			got.Before, got.After = w.Back, !w.Back
			break
		}
		line, err := l.Record(seq)
		if err != nil {
			return Messages{}, err
		}
		got.List = append(got.List, message(e, line))
	}
	if w.Back {
		slices.Reverse(got.List)
	}
	return got, nil
}

// message is a record as it is shown.
func message(e session.Entry, line []byte) memory.Message {
	text := words(line)
	m := memory.Message{Seq: e.Seq, Role: e.Role, Origin: e.Origin, Text: &text}
	if t := gjson.GetBytes(line, "time"); t.Type == gjson.String {
		m.Time = &t.Str
	}
	return m
}

// maxWords is how many bytes of a message are kept to be shown.
const maxWords = 64 << 10

// words is what a record says: its texts, the calls in it, and what tools printed.
func words(line []byte) string {
	var parts []string
	gjson.GetBytes(line, "content").ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").Str {
		case "text":
			parts = append(parts, block.Get("text").Str)
		case "tool_call":
			parts = append(parts, "calls "+block.Get("name").Str+" "+block.Get("arguments").Raw)
		case "tool_result":
			parts = append(parts, block.Get("name").Str+" says:\n"+block.Get("text").Str)
		case "file":
			parts = append(parts, "[file "+block.Get("name").Str+", "+block.Get("media_type").Str+"]")
		}
		return true
	})
	said := strings.Join(parts, "\n")
	if part, more := cut(said, maxWords); more {
		return part + fmt.Sprintf("\n… %d more bytes", len(said)-len(part))
	}
	return said
}

// evidence captures messages: the generation first, so that a forget in between
// ends what is made of them.
func (s Stores) evidence(ctx context.Context, id string, first, last int64) (Evidence, error) {
	generation, err := s.Memory.Facts.Generation()
	if err != nil {
		return Evidence{}, err
	}
	view, err := s.Memory.Facts.View(ctx)
	if err != nil {
		return Evidence{}, err
	}
	v := source.Validator{Sessions: s.Memory.Sessions}
	snapshot, err := v.Snapshot(ctx, view, id, first, last)
	if err != nil {
		return Evidence{}, err
	}
	q, err := s.quoted(ctx, snapshot.Ref)
	if err == nil && q.Status != source.Valid {
		err = plumbing.Fail(plumbing.ErrConflict, "the words changed while they were read", "choose them again")
	}
	return Evidence{snapshot, generation, q.Messages}, err
}

// quoted reads the words that a ref names, if they still are what they were.
func (s Stores) quoted(ctx context.Context, ref source.Ref) (Quoted, error) {
	view, err := s.Memory.Facts.View(ctx)
	if err != nil {
		return Quoted{}, err
	}
	var q Quoted
	v := source.Validator{Sessions: s.Memory.Sessions}
	q.Status, err = v.Walk(ctx, view, ref, session.Working, func(e session.Entry) error {
		q.Messages = append(q.Messages, message(e, e.Raw))
		return nil
	})
	if q.Status != source.Valid {
		q.Messages = nil
	}
	return q, err
}

// correct calls memory_correct with the evidence as it was when it was chosen.
func (s Stores) correct(ctx context.Context, c Correction) error {
	args, err := canon.Marshal(struct {
		ExpectedRevision int64      `json:"expected_revision"`
		FactID           string     `json:"fact_id"`
		SourceSnapshot   source.Ref `json:"source_snapshot"`
		Text             string     `json:"text"`
	}{c.Revision, c.FactID, c.Evidence.Snapshot.Ref, c.Text})
	if err != nil {
		return fmt.Errorf("write the arguments of memory_correct: %w", err)
	}
	_, err = s.Memory.Tool(ctx, &c.Evidence.Generation, "memory_correct", args)
	return err
}

// remember makes a fact, as the command does: it is the person who says it, on a
// screen that no model writes on. A text that is known already is not made a
// second fact.
func (s Stores) remember(ctx context.Context, r Remembering) (fact.Result, error) {
	return s.Memory.Facts.Remember(ctx, r.Text, &r.Evidence.Snapshot.Ref, fact.RememberOptions{
		Deduplicate: true, ExpectedGeneration: &r.Evidence.Generation,
	})
}

// summaries is the history of the session that is open.
func (s Stores) summaries(ctx context.Context) (History, error) {
	id := s.Session()
	if id == "" {
		return History{}, nil
	}
	list, err := s.history(ctx, id, s.Memory.Facts)
	if errors.Is(err, plumbing.ErrNotFound) { // it begins with the first prompt
		return History{SessionID: id}, nil
	}
	return History{id, list}, err
}

// history is every compact event of a session with its standing by some
// exclusions, the latest first; it goes from event to event along the index.
func (s Stores) history(ctx context.Context, id string, ex session.Exclusions) ([]Summary, error) {
	l, err := s.Memory.Sessions.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	chain, err := l.Chain(ex)
	if err != nil {
		return nil, err
	}
	force, err := chain.InForce(ctx)
	if err != nil {
		return nil, err
	}
	var list []Summary
	for seq := l.Last(); seq > 0; seq-- {
		e, err := l.Entry(seq)
		if err != nil {
			return nil, err
		}
		if seq = e.LastEvent; seq == 0 {
			break
		}
		if e, err = l.Entry(seq); err != nil {
			return nil, err
		}
		if e.Type != session.TypeCompact {
			continue
		}
		sum, err := s.summary(ctx, l, chain, seq)
		if err != nil {
			return nil, err
		}
		sum.InForce = force != nil && force.Seq == seq
		list = append(list, sum)
	}
	return list, nil
}

func (s Stores) summary(ctx context.Context, l *session.Log, chain *session.Chain, seq int64) (sum Summary, err error) {
	if sum.Summary, err = chain.Summary(seq); err != nil {
		return sum, err
	}
	if sum.Standing, err = chain.Judge(ctx, seq); err != nil {
		return sum, err
	}
	for _, c := range sum.Covers {
		if len(c.Seqs) > 0 && (sum.First == 0 || c.Seqs[0] < sum.First) {
			sum.First = c.Seqs[0]
		}
	}
	line, err := l.Record(seq)
	if err != nil {
		return sum, err
	}
	if at, err := time.Parse(time.RFC3339Nano, gjson.GetBytes(line, "time").Str); err == nil {
		sum.Time = at
	}
	sum.Input, sum.Output = number(line, "usage.input_tokens"), number(line, "usage.output_tokens")
	return sum, nil
}

// number is a whole number in a record; nil: it is not there.
func number(line []byte, path string) *int64 {
	n := gjson.GetBytes(line, path)
	if n.Type != gjson.Number {
		return nil
	}
	v := n.Int()
	return &v
}
