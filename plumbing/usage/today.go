package usage

import (
	"context"
	"fmt"
	"time"

	"github.com/lecode/lecode/plumbing"
)

// Midnight is the beginning of the local day that now lies in.
func Midnight(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, now.Location())
}

// Day takes the calls of the local day that now lies in, as Midnight has it.
func Day(now time.Time) Filter {
	from := Midnight(now)
	y, m, d := now.Date()
	return Filter{Since: from, Until: time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())}
}

// Today is what compaction and learning took today (design section 15.6), in
// tokens: the reported counts, or the estimate where they were not all
// reported and it is larger. Damaged lines count nowhere.
func (l Ledger) Today(ctx context.Context) (int64, error) {
	day, sum := Day(l.Now()), int64(0)
	_, err := l.Read(ctx, func(line Line) {
		if day.Takes(line) {
			sum = add(sum, line.Budgeted())
		}
	})
	return sum, err
}

// Budgeted is what a call counts for the day's budget, in tokens: nothing, but
// for those of compaction and learning.
func (l Line) Budgeted() int64 {
	if !l.limited() {
		return 0
	}
	known, whole := l.Usage.known()
	if !whole {
		known = max(known, l.Estimate)
	}
	return known
}

// Check says whether the day's budget memory.max_tokens_per_day (nil: none) has
// room for a call of purpose Compact or Learning that is reckoned to take next
// tokens, prompt and answer: where it has not, the error wraps
// plumbing.ErrRefused and says what is used and when that ends. It keeps no room:
// whoever makes the call asks Ledger.Reserve.
func Check(ctx context.Context, l Ledger, limit *int64, next int64) error {
	if limit == nil {
		return nil
	}
	used, err := l.Today(ctx)
	if err != nil {
		return err
	}
	if add(used, max(next, 0)) <= *limit {
		return nil
	}
	return plumbing.Fail(plumbing.ErrRefused,
		fmt.Sprintf("memory.max_tokens_per_day is %d: %d are used today, and this call may take %d", *limit, used, next),
		fmt.Sprintf("wait until %s, or raise the limit", Day(l.Now()).Until.Format("2006-01-02 15:04 MST")))
}
