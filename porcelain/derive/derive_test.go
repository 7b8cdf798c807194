package derive

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/plumbing/learned"
)

func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		model  budget.Limits
		factor budget.Factor
		want   compact.Limits
	}{
		"a large window":        {budget.Limits{ContextWindow: 200_000, MaxOutput: 8192}, budget.Factor{}, compact.Limits{ContextWindow: 200_000, MaxOutputTokens: 2048, RequestBytes: 100_000, RequestTokens: 197_696}},
		"an answer that is cut": {budget.Limits{ContextWindow: 200_000, MaxOutput: 500}, budget.Factor{}, compact.Limits{ContextWindow: 200_000, MaxOutputTokens: 500, RequestBytes: 100_000, RequestTokens: 199_244}},
		"a small window":        {budget.Limits{ContextWindow: 4096}, budget.Factor{}, compact.Limits{ContextWindow: 4096, MaxOutputTokens: 1024, RequestBytes: 100_000, RequestTokens: 2816}},
		"one that counts more":  {budget.Limits{ContextWindow: 4096}, budget.Factor{Permille: 1000, Offset: 100}, compact.Limits{ContextWindow: 4096, MaxOutputTokens: 1024, RequestBytes: 100_000, RequestTokens: 1358}},
		"no room at all":        {budget.Limits{ContextWindow: 100}, budget.Factor{Offset: 4096}, compact.Limits{ContextWindow: 100, MaxOutputTokens: 25, RequestBytes: 100_000, RequestTokens: 1}},
	} {
		got := Limits(c.model, c.factor)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := got.Check(); err != nil {
			t.Errorf("%s: no request can be made: %v", name, err)
		}
	}
}

func TestRejected(t *testing.T) {
	for outcome, kind := range map[string]error{
		learned.Failed: plumbing.ErrModel, learned.Stale: plumbing.ErrConflict, learned.Learned: nil, learned.NoCandidates: nil, learned.Rejected: nil, learned.Proposed: nil,
	} {
		if err := Rejected(learn.Applied{Event: learned.Event{Outcome: outcome, ReasonCounts: map[string]int64{"invalid_json": 1}}}); !errors.Is(err, kind) {
			t.Errorf("%s: %v", outcome, err)
		}
	}
}

func TestBoth(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	for _, c := range []struct {
		err, besides, is error
		text             string
	}{{nil, nil, nil, ""}, {one, nil, one, "one"}, {nil, two, two, "two"}, {one, two, one, "one; and: two"}, {one, one, one, "one"}} {
		got := Both(c.err, c.besides)
		if !errors.Is(got, c.is) || got != nil && got.Error() != c.text {
			t.Errorf("%v and %v: %v", c.err, c.besides, got)
		}
	}
}
