package main

import (
	"context"
	"iter"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
)

// sessionUsage sums up what a session's records say that its calls took; of a
// corrupt log those before the damage.
func sessionUsage(ctx context.Context, store *session.Store, id string) (usage.Totals, error) {
	l, err := store.Open(ctx, id)
	if err != nil {
		return usage.Totals{}, err
	}
	defer l.Close()
	return usage.OfRecords(usageRecords(ctx, l))
}

// usageRecords yields the records that may carry usage; the others are not read.
func usageRecords(ctx context.Context, l *session.Log) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for seq := int64(1); seq <= l.Last(); seq++ {
			e, err := l.Entry(seq)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !usage.Carries(e.Type, e.Role) {
				continue
			}
			for e, err := range l.Records(seq, seq) {
				if !yield(e.Raw, err) || err != nil {
					return
				}
			}
		}
	}
}
