package session

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing"
)

// holding judges, record after record, what of a log still holds.
type holding struct {
	*Chain
	ctx context.Context
}

func (l *Log) holding(ctx context.Context, ex Exclusions) (*holding, error) {
	c, err := l.Chain(ex)
	if err != nil {
		return nil, err
	}
	return &holding{c, ctx}, nil
}

// keeps reports whether a record is exported as it is.
func (h *holding) keeps(e Entry) (bool, error) {
	switch e.Type {
	case TypeMessage:
		return h.visible.Shows(e, Durable), nil
	case TypeCompact:
		standing, err := h.Judge(h.ctx, e.Seq)
		return standing == Holds, err
	case TypeLearning:
		return h.learning(e)
	case TypeForeign:
		// Such events repeat what was said beside them, so a forget takes them too.
		return !e.older(h.visible.generation), nil
	}
	return true, nil
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
