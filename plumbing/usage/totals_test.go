package usage

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// TestTotals: sums are known subtotals, and what is unknown is counted.
func TestTotals(t *testing.T) {
	l := ledger(t)
	unknown := call("c2")
	unknown.Usage, unknown.Estimate = nil, 900
	costs := call("c3")
	costs.Usage = &Tokens{InputTokens: n(10), OutputTokens: n(1), CacheReadTokens: n(1000), CacheWriteTokens: n(0), Cost: dollars(0.25)}
	priced := call("c4")
	priced.Priced = dollars(0.5)
	half := call("c5")
	half.Usage = &Tokens{OutputTokens: n(3)}
	zero := call("c6")
	zero.Usage = &Tokens{InputTokens: n(0), OutputTokens: n(0), Cost: dollars(0)}
	if got := totals(t, l, Filter{}); got != (Totals{}) {
		t.Errorf("of nothing: %+v", got)
	}
	put(t, l, call("c1"), unknown, costs, priced, half, zero)
	want := Totals{InputTokens: 150, OutputTokens: 14, CacheReadTokens: 1000, Calls: 6, UnknownUsageCalls: 1,
		EstimatedTokens: 900, Cost: dollars(0.75), PricedCalls: 1, UnknownCostCalls: 3}
	got := totals(t, l, Filter{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got.Tokens() != 1164 {
		t.Errorf("Tokens() = %d", got.Tokens())
	}
	if diff := cmp.Diff(got, (Totals{}).Plus(got)); diff != "" {
		t.Errorf("nothing plus it: %s", diff)
	}
}

// TestSumsDoNotOverflow, whatever a ledger claims.
func TestSumsDoNotOverflow(t *testing.T) {
	var sum Totals
	for range 5000 {
		sum.Add(&Tokens{InputTokens: n(MaxTokens), OutputTokens: n(MaxTokens)}, 0, nil)
	}
	if sum = sum.Plus(sum); sum.InputTokens <= 0 || sum.OutputTokens <= 0 {
		t.Errorf("%+v", sum)
	}
}

func at(line Line, when string) Line {
	line.Time = when
	return line
}

func TestGroupsAndFilter(t *testing.T) {
	l := ledger(t)
	other := call("c3")
	other.Purpose, other.Model, other.SessionID = Learning, "a/b", text("s1")
	put(t, l, at(call("c1"), "2026-03-10T07:59:59.999Z"), at(call("c2"), "2026-03-10T08:00:00.000Z"), at(other, "2026-03-11T07:59:59.999Z"))
	for by, want := range map[By][]string{
		ByModel: {"p/a/b 1", "p/m 2"}, ByPurpose: {"compact 2", "learning 1"},
		ByDay: {"2026-03-09 1", "2026-03-10 2"}, BySession: {" 2", "s1 1"}, All: {" 3"},
	} {
		groups, damaged, err := l.Groups(bg, Filter{}, by)
		if err != nil || damaged != nil {
			t.Fatal(err, damaged)
		}
		var got []string
		for _, g := range groups {
			got = append(got, g.Key+" "+string(rune('0'+g.Calls)))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %q: %s", by, diff)
		}
	}
	for _, c := range []struct {
		f    Filter
		want int64
	}{{Filter{SessionID: "s1"}, 1}, {Filter{SessionID: "s"}, 0}, {Filter{Since: Midnight(noon)}, 2}, {Day(noon), 2}, {Day(noon.AddDate(0, 0, -1)), 1}} {
		if got := totals(t, l, c.f); got.Calls != c.want {
			t.Errorf("%+v: %d calls", c.f, got.Calls)
		}
	}
}

// TestDayOfAClockChange has 23 or 25 hours and no gap.
func TestDayOfAClockChange(t *testing.T) {
	place, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skipf("no time zones here: %v", err)
	}
	for day, hours := range map[int]float64{28: 24, 29: 23} {
		d := Day(time.Date(2026, 3, day, 15, 0, 0, 0, place))
		if got := d.Until.Sub(d.Since).Hours(); got != hours {
			t.Errorf("March %d: %v hours", day, got)
		}
	}
}

// TestCheck is the day's hard budget: compaction and learning together, what is
// unknown by its estimate, other purposes and other days not.
func TestCheck(t *testing.T) {
	l := ledger(t)
	answer, unknown, half, learned := call("c2"), call("c3"), call("c4"), call("c5")
	answer.Purpose, answer.Usage = Answer, &Tokens{InputTokens: n(1e6), OutputTokens: n(1)}
	unknown.Usage, unknown.Estimate = nil, 400
	half.Usage, half.Estimate = &Tokens{InputTokens: n(50)}, 60
	learned.Purpose = Learning
	put(t, l, call("c1"), answer, unknown, half, learned, at(call("c6"), "2026-03-10T07:00:00.000Z"), at(call("c7"), "2026-03-11T08:00:00.000Z"))
	used, err := l.Today(bg)
	if err != nil || used != 75+400+60+75 {
		t.Fatalf("used %d, %v", used, err)
	}
	for _, c := range []struct {
		limit   *int64
		next    int64
		refused bool
	}{{nil, 1e12, false}, {n(700), 90, false}, {n(700), 91, true}, {n(610), 0, false}, {n(0), 0, true}, {n(610), 1, true}, {n(700), -5, false}} {
		err := Check(bg, l, c.limit, c.next)
		if errors.Is(err, plumbing.ErrRefused) != c.refused || !c.refused && err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
	var e *plumbing.Error
	if err := Check(bg, l, n(700), 91); !errors.As(err, &e) || !strings.Contains(e.Message, "is 700: 610 are used today") || !strings.Contains(e.Hint, "2026-03-11 00:00") {
		t.Errorf("%v", err)
	}
}
