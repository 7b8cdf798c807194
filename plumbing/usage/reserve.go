package usage

import (
	"cmp"
	"context"

	"github.com/lecode/lecode/plumbing"
)

// Reservation is the room in the day's budget that a call is given before it is
// made. Settle or Cancel ends it, once; where neither comes, since the process
// was killed, the call counts as one of unknown usage, by its estimate.
type Reservation struct {
	ledger Ledger
	line   Line
}

// Reserve writes the line of a call that is about to be made, its usage unknown,
// and fsyncs it. Where the day's budget limit (nil: none) has no room for the
// estimate of a call of purpose Compact or Learning, nothing is written and the
// error wraps plumbing.ErrRefused, as that of Check does; other purposes are not
// limited. The ledger's lock is held from the question to the line, so of calls
// that are made at once no more are let through than have room. A line out of
// range wraps plumbing.ErrInvalid, a lock that is held for longer than Wait
// plumbing.ErrBusy; where ctx ends first, it is the error.
func (l Ledger) Reserve(ctx context.Context, limit *int64, line Line) (Reservation, error) {
	if line.Time == "" {
		line.Time = l.Now().UTC().Format(TimeLayout)
	}
	line.Type, line.Usage, line.Priced = reserved, nil, nil
	b, err := l.encode(line)
	if err != nil {
		return Reservation{}, err
	}
	if err := ctx.Err(); err != nil {
		return Reservation{}, err
	}
	lock, err := l.lock(ctx)
	if err != nil {
		return Reservation{}, cmp.Or(ctx.Err(), err)
	}
	defer lock.Unlock()
	if line.limited() {
		if err := Check(ctx, l, limit, line.Estimate); err != nil {
			return Reservation{}, err
		}
	}
	if err := l.write(b); err != nil {
		return Reservation{}, err
	}
	return Reservation{l, line}, nil
}

// Settle writes what came of the call. Its call ID and time, where they are
// empty, are those that were reserved, so a call counts for the day in which it
// was begun; where a provider gave the call another ID, the one that was reserved
// is cancelled with it. It goes on after ctx was cancelled, and fails as
// Ledger.Append does: the reservation then stands.
func (r Reservation) Settle(ctx context.Context, line Line) error {
	if line.CallID == "" {
		line.CallID = r.line.CallID
	}
	if line.Time == "" {
		line.Time = r.line.Time
	}
	line.Type = called
	if line.CallID == r.line.CallID {
		return r.end(ctx, line)
	}
	return r.end(ctx, line, r.gone())
}

// Cancel takes a reservation back: nothing was sent, and nothing counts. It goes
// on after ctx was cancelled.
func (r Reservation) Cancel(ctx context.Context) error { return r.end(ctx, r.gone()) }

func (r Reservation) gone() Line {
	line := r.line
	line.Type, line.Estimate = cancelled, 0
	return line
}

// end writes lines at once.
func (r Reservation) end(ctx context.Context, lines ...Line) error {
	if r.line.CallID == "" {
		return plumbing.Fail(plumbing.ErrInvalid, "nothing was reserved in the usage ledger", "")
	}
	var all []byte
	for _, line := range lines {
		b, err := r.ledger.encode(line)
		if err != nil {
			return err
		}
		all = append(all, b...)
	}
	lock, err := r.ledger.lock(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	return r.ledger.write(all)
}

// limited reports whether a call counts for the day's budget.
func (l Line) limited() bool { return l.Purpose == Compact || l.Purpose == Learning }
