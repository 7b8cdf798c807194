package session

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// holding judges, record after record in ascending order, what of a log still holds.
type holding struct {
	log     *Log // a second one: the caller is in the middle of reading the first
	visible *Visibility
	links   map[int64]link // the compact events that hold, by seq
}

// link is one compact event of a chain.
type link struct {
	digest  string
	through int64
}

// citation is a SourceRef as an event carries it.
type citation struct {
	Digest    string  `json:"digest"`
	Seqs      []int64 `json:"seqs"`
	SessionID string  `json:"session_id"`
}

// compactEvent is what of a compact event decides whether it holds (design section 10).
type compactEvent struct {
	CoveredThrough int64      `json:"covered_through"`
	Covers         []citation `json:"covers"`
	Prior          *struct {
		Digest string `json:"digest"`
		Seq    int64  `json:"seq"`
	} `json:"prior"`
}

func (l *Log) holding(ex Exclusions) (*holding, error) {
	twin := l.beside()
	v, err := twin.Visibility(ex)
	if err != nil {
		return nil, err
	}
	return &holding{log: twin, visible: v, links: map[int64]link{}}, nil
}

// beside is the same log with a buffer and an index block of its own; closing l closes both.
func (l *Log) beside() *Log {
	twin, x := *l, *l.x
	twin.buf, x.block = nil, nil
	twin.x = &x
	return &twin
}

// keeps reports whether a record is exported as it is.
func (h *holding) keeps(e Entry) (bool, error) {
	switch e.Type {
	case TypeMessage:
		return h.visible.Shows(e, Durable), nil
	case TypeCompact:
		return h.compact(e)
	case TypeLearning:
		return h.learning(e)
	case TypeForeign:
		// Such events repeat what was said beside them, so a forget takes them too.
		return !e.older(h.visible.generation), nil
	}
	return true, nil
}

// compact reports whether a summary is valid: it and its chain are no older
// than the last forget, and the messages visible for working up to
// covered_through are exactly those that the chain covers, unchanged.
func (h *holding) compact(e Entry) (bool, error) {
	var c compactEvent
	if e.older(h.visible.generation) || json.Unmarshal(e.Raw, &c) != nil {
		return false, nil
	}
	prior := link{}
	if c.Prior != nil {
		var held bool
		if prior, held = h.links[c.Prior.Seq]; !held || prior.digest != c.Prior.Digest {
			return false, nil
		}
	}
	if c.CoveredThrough <= prior.through || c.CoveredThrough >= e.Seq {
		return false, nil
	}
	ok, err := h.covers(c.Covers, prior.through, c.CoveredThrough)
	if ok && err == nil {
		h.links[e.Seq] = link{canon.Digest(e.Raw), c.CoveredThrough}
	}
	return ok, err
}

// covers reports whether refs name exactly the visible messages after..through, and their bytes as they are.
func (h *holding) covers(refs []citation, after, through int64) (bool, error) {
	var named []int64
	for _, r := range refs {
		ok, err := h.cited(r)
		if err != nil || !ok {
			return false, err
		}
		named = append(named, r.Seqs...)
	}
	next := 0
	for seq := after + 1; seq <= through; seq++ {
		ok, err := h.visible.Visible(seq, Working)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		if next == len(named) || named[next] != seq {
			return false, nil
		}
		next++
	}
	return next == len(named), nil
}

// cited reports whether a ref into this session names visible messages whose bytes have its digest.
func (h *holding) cited(r citation) (bool, error) {
	if Key(r.SessionID) != Key(h.log.id) || !slices.IsSorted(r.Seqs) {
		return false, nil
	}
	sum := canon.NewHasher()
	for _, seq := range r.Seqs {
		ok, err := h.shown(seq)
		if err != nil || !ok {
			return false, err
		}
		line, err := h.log.Record(seq)
		if err != nil {
			return false, err
		}
		sum.Add(line)
	}
	return sum.Digest() == r.Digest, nil
}

// shown is Visible for working, with "no" for a seq that is not there.
func (h *holding) shown(seq int64) (bool, error) {
	ok, err := h.visible.Visible(seq, Working)
	if errors.Is(err, plumbing.ErrNotFound) {
		return false, nil
	}
	return ok, err
}

// learning reports whether an outcome of learning still holds: it is no older
// than the last forget, and whatever position it names is still visible. Its
// proposals quote what was said there.
func (h *holding) learning(e Entry) (bool, error) {
	var event any
	if e.older(h.visible.generation) || json.Unmarshal(e.Raw, &event) != nil {
		return false, nil
	}
	return h.positions(event, false)
}

// positions walks a JSON value and judges every number below a key that holds seqs.
func (h *holding) positions(v any, seqs bool) (bool, error) {
	switch v := v.(type) {
	case float64:
		if !seqs {
			return true, nil
		}
		return h.shown(int64(v))
	case []any:
		for _, item := range v {
			if ok, err := h.positions(item, seqs); err != nil || !ok {
				return false, err
			}
		}
	case map[string]any:
		if id, ok := v["session_id"].(string); ok && Key(id) != Key(h.log.id) {
			return false, nil
		}
		for key, item := range v {
			if ok, err := h.positions(item, seqsKey(key)); err != nil || !ok {
				return false, err
			}
		}
	}
	return true, nil
}

func seqsKey(key string) bool {
	return key == "seqs" || key == "source_seqs" || key == "considered"
}
