package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/file"
)

// Standing says whether a summary holds, and if not, what ended it.
type Standing string

// The standings. Where several apply, the one that was found first is told.
const (
	Holds     Standing = "holds"
	Forgotten Standing = "forgotten" // it is older than the last forget
	Malformed Standing = "malformed" // no lineage that can be checked, as legacy summaries have none
	Broken    Standing = "broken"    // the summary that it goes on from does not hold, or is another one
	Hidden    Standing = "hidden"    // a message that it covers is no longer visible
	Uncovered Standing = "uncovered" // a message became visible that it does not cover
	Changed   Standing = "changed"   // a message that it covers has other bytes
	Damaged   Standing = "damaged"   // the session is corrupt: none of its sources is valid
)

// Citation is a SourceRef as an event carries it; package source owns what it means.
type Citation struct {
	Digest    string  `json:"digest"`
	Seqs      []int64 `json:"seqs"`
	SessionID string  `json:"session_id"`
}

// Prior names the summary that another one goes on from, by its stored bytes.
type Prior struct {
	Digest string `json:"digest"`
	Seq    int64  `json:"seq"`
}

// Summary is a compact event (design section 10).
type Summary struct {
	Seq            int64
	Digest         string // of its stored bytes
	CoveredThrough int64
	Covers         []Citation
	Generation     int64
	Model          string
	Prior          *Prior
	Text           string
}

// Chain judges the compact events of one log: the one place that says whether
// a summary holds (design section 10). Export, replay, planning, applying and
// fsck all ask it. It sees the log, the exclusions and the generation as they
// were when it was made, and is for one goroutine.
type Chain struct {
	log     *Log // a second one: the caller may be in the middle of reading the first
	visible *Visibility
	links   map[int64]link // the compact events judged so far, by seq
	stamp   file.Stamp     // of the log, when this was made
}

// link is what is remembered of a compact event that was judged.
type link struct {
	standing Standing
	digest   string
	through  int64
}

// Chain makes the judge of the log's compact events. What an earlier one of
// the same store found is taken over where nothing that it went by has changed.
func (l *Log) Chain(ex Exclusions) (*Chain, error) {
	twin := l.Beside()
	v, err := twin.Visibility(ex)
	if err != nil {
		return nil, err
	}
	stamp := twin.x.stamp
	return &Chain{twin, v, l.s.chains.recall(l.id, stamp, v), stamp}, nil
}

// Visibility is what the chain is judged by.
func (c *Chain) Visibility() *Visibility { return c.visible }

// InForce is the summary that stands for the beginning of the log: of all that
// hold the one with the greatest covered_through, then the later; nil: none.
func (c *Chain) InForce(ctx context.Context) (*Summary, error) {
	candidates, err := c.candidates()
	if err != nil {
		return nil, err
	}
	defer c.log.s.chains.keep(c)
	for _, seq := range candidates {
		standing, err := c.Judge(ctx, seq)
		if err != nil {
			return nil, err
		}
		if standing == Holds {
			s, err := c.Summary(seq)
			return &s, err
		}
	}
	return nil, nil
}

// candidates lists the compact events that may be in force, the one that would be first.
func (c *Chain) candidates() ([]int64, error) {
	through := map[int64]int64{}
	for seq := c.log.Last(); seq > 0; seq-- {
		e, err := c.log.Entry(seq)
		if err != nil {
			return nil, err
		}
		if seq = e.LastEvent; seq == 0 {
			break
		}
		if e.Seq != seq {
			if e, err = c.log.Entry(seq); err != nil {
				return nil, err
			}
		}
		if e.Type != TypeCompact || e.older(c.visible.generation) {
			continue
		}
		if through[seq], err = c.through(seq); err != nil {
			return nil, err
		}
	}
	list := make([]int64, 0, len(through))
	for seq := range through {
		list = append(list, seq)
	}
	slices.SortFunc(list, func(a, b int64) int {
		return cmp.Or(cmp.Compare(through[b], through[a]), cmp.Compare(b, a))
	})
	return list, nil
}

// through is what an event claims to cover, before it is judged.
func (c *Chain) through(seq int64) (int64, error) {
	if known, ok := c.links[seq]; ok {
		return known.through, nil
	}
	line, err := c.log.Record(seq)
	if err != nil {
		return 0, err
	}
	n, _ := integer(gjson.GetBytes(line, "covered_through"))
	return n, nil
}

// Summary reads a compact event, whether it holds or not. One whose fields are
// not those of a summary has no Covers.
func (c *Chain) Summary(seq int64) (Summary, error) {
	line, err := c.log.Record(seq)
	if err != nil {
		return Summary{}, err
	}
	s, _ := readSummary(seq, line)
	return s, nil
}

func readSummary(seq int64, line []byte) (s Summary, ok bool) {
	var c struct {
		CoveredThrough int64      `json:"covered_through"`
		Covers         []Citation `json:"covers"`
		Generation     int64      `json:"generation"`
		Model          string     `json:"model"`
		Prior          *Prior     `json:"prior"`
		Summary        string     `json:"summary"`
	}
	if json.Unmarshal(line, &c) != nil {
		return Summary{Seq: seq, Digest: canon.Digest(line)}, false
	}
	return Summary{seq, canon.Digest(line), c.CoveredThrough, c.Covers, c.Generation, c.Model, c.Prior, c.Summary}, true
}

// Judge says whether the compact event at seq holds: it and its chain are no
// older than the last forget, and the messages visible for Working up to its
// covered_through are exactly those that the chain covers, unchanged. Each link
// is judged once, by the records that are new in it.
func (c *Chain) Judge(ctx context.Context, seq int64) (Standing, error) {
	var open []Summary // not judged yet, the latest first
	for next := seq; ; {
		if known, ok := c.links[next]; ok {
			if known.standing == Holds || len(open) == 0 {
				break
			}
			c.fail(open, Broken)
			return Broken, nil
		}
		s, standing, err := c.claim(next)
		if err != nil {
			return "", err
		}
		if standing != Holds {
			c.links[next] = link{standing, s.Digest, s.CoveredThrough}
			c.fail(open, Broken)
			break
		}
		open = append(open, s)
		if s.Prior == nil {
			break
		}
		next = s.Prior.Seq
	}
	for _, s := range slices.Backward(open) {
		if _, known := c.links[s.Seq]; known {
			continue
		}
		standing, err := c.link(ctx, s)
		if err != nil {
			return "", err
		}
		c.links[s.Seq] = link{standing, s.Digest, s.CoveredThrough}
	}
	return c.links[seq].standing, nil
}

// fail marks events whose chain does not hold.
func (c *Chain) fail(open []Summary, standing Standing) {
	for _, s := range open {
		c.links[s.Seq] = link{standing, s.Digest, s.CoveredThrough}
	}
}

// claim reads a compact event and says what can be said of it without its chain and its sources.
func (c *Chain) claim(seq int64) (Summary, Standing, error) {
	e, err := c.log.Entry(seq)
	if err != nil {
		return Summary{}, "", err
	}
	line, err := c.log.Record(seq)
	if err != nil {
		return Summary{}, "", err
	}
	s, ok := readSummary(seq, line)
	switch {
	case c.log.Corruption() != nil:
		return s, Damaged, nil
	case e.Type != TypeCompact || !ok || len(s.Covers) == 0:
		return s, Malformed, nil
	case e.older(c.visible.generation):
		return s, Forgotten, nil
	case s.CoveredThrough >= seq || s.CoveredThrough < 1:
		return s, Malformed, nil
	case s.Prior != nil && (s.Prior.Seq < 1 || s.Prior.Seq >= seq):
		return s, Broken, nil
	}
	return s, Holds, nil
}

// link judges an event whose prior one is judged.
func (c *Chain) link(ctx context.Context, s Summary) (Standing, error) {
	after := int64(0)
	if s.Prior != nil {
		prior := c.links[s.Prior.Seq]
		if prior.standing != Holds || prior.digest != s.Prior.Digest {
			return Broken, nil
		}
		after = prior.through
	}
	if s.CoveredThrough <= after {
		return Malformed, nil
	}
	return c.covers(ctx, s.Covers, after, s.CoveredThrough)
}

// covers holds refs against the messages visible after..through, in one pass.
func (c *Chain) covers(ctx context.Context, refs []Citation, after, through int64) (Standing, error) {
	for _, r := range refs {
		if Key(r.SessionID) != Key(c.log.id) || len(r.Seqs) == 0 {
			return Malformed, nil
		}
	}
	sum, at := canon.NewHasher(), 0 // at: how many of refs[0] are hashed
	for e, err := range c.log.Records(after+1, through) {
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return "", fmt.Errorf("check a summary of session %q: %w", c.log.id, err)
		case !c.visible.Shows(e, Working):
			continue
		case len(refs) == 0 || refs[0].Seqs[at] > e.Seq:
			return Uncovered, nil
		case refs[0].Seqs[at] < e.Seq:
			return Hidden, nil
		}
		sum.Add(e.Raw)
		if at++; at < len(refs[0].Seqs) {
			continue
		}
		if sum.Digest() != refs[0].Digest {
			return Changed, nil
		}
		refs, sum, at = refs[1:], canon.NewHasher(), 0
	}
	if len(refs) > 0 {
		return Hidden, nil
	}
	return Holds, nil
}

// Lineage is the chain that ends with the compact event at seq, the oldest
// first; it follows "prior" as far as that can be followed.
func (c *Chain) Lineage(seq int64) ([]Summary, error) {
	var list []Summary
	for {
		e, err := c.log.Entry(seq)
		if err != nil {
			return nil, err
		}
		if e.Type != TypeCompact {
			break
		}
		s, err := c.Summary(seq)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
		if s.Prior == nil || s.Prior.Seq < 1 || s.Prior.Seq >= seq {
			break
		}
		seq = s.Prior.Seq
	}
	slices.Reverse(list)
	return list, nil
}
