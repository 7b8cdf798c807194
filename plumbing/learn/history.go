package learn

import (
	"slices"

	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/session"
)

// history is what a session has been learned from so far.
type history struct {
	chain     *session.Chain
	summaries []int64        // the compact events, the oldest first
	named     map[int64]bool // those that a learning event names
	looked    map[int64]bool // positions that were looked at: never again, whatever summary covers them
}

func readHistory(log *session.Log, ex session.Exclusions) (history, error) {
	chain, err := log.Chain(ex)
	if err != nil {
		return history{}, err
	}
	h := history{chain: chain, named: map[int64]bool{}, looked: map[int64]bool{}}
	if err := h.learning(log); err != nil {
		return h, err
	}
	for seq := log.Last(); seq > 0; seq-- {
		e, err := log.Entry(seq)
		if err != nil {
			return h, err
		}
		if seq = e.LastEvent; seq == 0 {
			break
		}
		if e, err = log.Entry(seq); err != nil {
			return h, err
		}
		if e.Type == session.TypeCompact {
			h.summaries = append(h.summaries, seq)
		}
	}
	slices.Reverse(h.summaries)
	return h, nil
}

// learning takes in what the learning events name.
func (h *history) learning(log *session.Log) error {
	for found, err := range learned.Events(log.Beside()) {
		if err != nil {
			return err
		}
		for _, seq := range found.Considered {
			h.looked[seq] = true
		}
		seq := found.CompactSeq
		if seq < 1 || seq >= found.Seq {
			continue
		}
		if e, err := log.Entry(seq); err != nil || e.Type != session.TypeCompact {
			continue
		}
		h.named[seq] = true
		s, err := h.chain.Summary(seq)
		if err != nil {
			return err
		}
		for _, c := range s.Covers {
			for _, seq := range c.Seqs {
				h.looked[seq] = true
			}
		}
	}
	return nil
}

// fresh is the positions of a summary that were not looked at, if it holds; none if it does not.
func (h *history) fresh(s session.Summary) map[int64]bool {
	set := map[int64]bool{}
	for _, c := range s.Covers {
		for _, seq := range c.Seqs {
			if !h.looked[seq] {
				set[seq] = true
			}
		}
	}
	return set
}
