package usage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func reserve(t *testing.T, l Ledger, limit *int64, id string) Reservation {
	t.Helper()
	r, err := l.Reserve(bg, limit, call(id))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func today(t *testing.T, l Ledger) int64 {
	t.Helper()
	used, err := l.Today(bg)
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// TestReserve: until it is settled a call counts by its estimate, as one of
// unknown usage; so it does for ever where the process was killed.
func TestReserve(t *testing.T) {
	l := ledger(t)
	r := reserve(t, l, n(100), "c1")
	if got := totals(t, l, Filter{}); got.Calls != 1 || got.UnknownUsageCalls != 1 || got.EstimatedTokens != 100 || got.InputTokens != 0 {
		t.Errorf("reserved: %+v", got)
	}
	if used := today(t, l); used != 100 {
		t.Errorf("reserved: %d used", used)
	}
	if _, err := l.Reserve(bg, n(199), call("c2")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("beyond the limit: %v", err)
	}
	if err := Check(bg, l, n(199), 100); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("beyond the limit: %v", err)
	}
	if err := r.Settle(bg, call("")); err != nil {
		t.Fatal(err)
	}
	if got := totals(t, l, Filter{}); got.Calls != 1 || got.UnknownUsageCalls != 0 || got.InputTokens != 70 || got.EstimatedTokens != 0 {
		t.Errorf("settled: %+v", got)
	}
	if used := today(t, l); used != 75 {
		t.Errorf("settled: %d used", used)
	}
	reserve(t, l, n(175), "c2")
}

// TestReservedLine is what a reader finds, in the order of the lines, what is open last.
func TestReservedLine(t *testing.T) {
	l := ledger(t)
	reserve(t, l, nil, "open")
	settled := reserve(t, l, nil, "settled")
	put(t, l, call("other"))
	if err := settled.Settle(bg, call("settled")); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"call_id":"open","estimate":100,"model":"m","priced":null,"provider":"p","purpose":"compact","session_id":null,"time":"2026-03-10T20:00:00.000Z","type":"reserved","usage":null}`
	if line, _, _ := strings.Cut(string(b), "\n"); line != want {
		t.Error(cmp.Diff(want, line))
	}
	var got []string
	if _, err := l.Read(bg, func(line Line) { got = append(got, line.CallID+" "+line.Type) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"other call", "settled call", "open reserved"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestCancel: a call that was never sent counts nothing; one that was counts.
func TestCancel(t *testing.T) {
	l := ledger(t)
	r := reserve(t, l, n(100), "c1")
	ctx, stop := context.WithCancel(bg)
	stop()
	if err := r.Cancel(ctx); err != nil {
		t.Fatal(err)
	}
	if got := totals(t, l, Filter{}); got != (Totals{}) || today(t, l) != 0 {
		t.Errorf("cancelled: %+v", got)
	}
	reserve(t, l, n(100), "c1") // an ID that is over stays so
	if got := totals(t, l, Filter{}); got != (Totals{}) {
		t.Errorf("reserved behind cancelled: %+v", got)
	}
	put(t, l, call("c1"))
	if err := r.Cancel(bg); err != nil {
		t.Fatal(err)
	}
	if got := totals(t, l, Filter{}); got.Calls != 1 || got.InputTokens != 70 {
		t.Errorf("made all the same: %+v", got)
	}
}

// TestSettleUnderAnotherID: a provider may name the call itself; it counts once.
func TestSettleUnderAnotherID(t *testing.T) {
	l := ledger(t)
	r := reserve(t, l, n(100), "ours")
	ctx, stop := context.WithCancel(bg)
	stop()
	if err := r.Settle(ctx, call("theirs")); err != nil {
		t.Fatal(err)
	}
	if got := totals(t, l, Filter{}); got.Calls != 1 || got.InputTokens != 70 || today(t, l) != 75 {
		t.Errorf("%+v", got)
	}
}

// TestSettleAcrossMidnight: a call belongs to the day in which it was begun.
func TestSettleAcrossMidnight(t *testing.T) {
	l := ledger(t)
	r := reserve(t, l, n(100), "c1")
	r.ledger.Now = func() time.Time { return noon.AddDate(0, 0, 1) }
	if err := r.Settle(bg, call("c1")); err != nil {
		t.Fatal(err)
	}
	if used := today(t, l); used != 75 {
		t.Errorf("%d used on its day", used)
	}
	if used := today(t, r.ledger); used != 0 {
		t.Errorf("%d used on the next", used)
	}
}

// TestReservationsAtOnce: 16 ask together, and as many are let through as have room.
func TestReservationsAtOnce(t *testing.T) {
	l := ledger(t)
	l.Wait = 30 * time.Second
	var given, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			_, err := l.Reserve(bg, n(399), call(fmt.Sprint("c", i)))
			switch {
			case err == nil:
				given.Add(1)
			case errors.Is(err, plumbing.ErrRefused):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if given.Load() != 3 || refused.Load() != 13 || today(t, l) != 300 {
		t.Errorf("%d given, %d refused, %d used", given.Load(), refused.Load(), today(t, l))
	}
}

// TestOtherPurposes are written down, and not limited.
func TestOtherPurposes(t *testing.T) {
	l := ledger(t)
	line := call("c1")
	line.Purpose = Answer
	if _, err := l.Reserve(bg, n(0), line); err != nil {
		t.Fatal(err)
	}
	if got := totals(t, l, Filter{}); got.UnknownUsageCalls != 1 || today(t, l) != 0 {
		t.Errorf("%+v", got)
	}
	line = call("c2")
	line.Purpose = Learning
	if _, err := l.Reserve(bg, n(99), line); !errors.Is(err, plumbing.ErrRefused) {
		t.Error(err)
	}
}

// TestTornReservation: half a line reserves nothing, and half a settled one leaves it open.
func TestTornReservation(t *testing.T) {
	l := ledger(t)
	reserve(t, l, nil, "c1")
	raw(t, l, `{"call_id":"c1","estimate":100,"mod`)
	if used := today(t, l); used != 100 {
		t.Errorf("half a settled line: %d used", used)
	}
	reserve(t, l, n(200), "c2") // sets it aside
	raw(t, l, `{"call_id":"c3","estimate":100,"mod`)
	if got := totals(t, l, Filter{}); got.Calls != 2 || got.UnknownUsageCalls != 2 {
		t.Errorf("%+v", got)
	}
}

// TestReserveRefuses what has no ID, who has gone, and a lock that is held.
func TestReserveRefuses(t *testing.T) {
	l := ledger(t)
	if _, err := l.Reserve(bg, nil, call("")); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("no ID: %v", err)
	}
	ctx, stop := context.WithCancel(bg)
	stop()
	if _, err := l.Reserve(ctx, nil, call("c")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, err := range []error{Reservation{}.Settle(bg, call("c")), Reservation{}.Cancel(bg)} {
		if !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("nothing reserved: %v", err)
		}
	}
	if _, err := os.Stat(l.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a ledger was made: %v", err)
	}
	l.Wait = time.Millisecond
	lock, err := l.Config.TryLock(l.lockName(), "another")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if _, err := l.Reserve(bg, nil, call("c")); !errors.Is(err, plumbing.ErrBusy) {
		t.Errorf("a held lock: %v", err)
	}
}
