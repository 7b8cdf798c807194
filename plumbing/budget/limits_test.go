package budget

import "testing"

func number(n int64) *int64    { return &n }
func price(f float64) *float64 { return &f }

func TestLimits(t *testing.T) {
	l := Limits{ContextWindow: 1000, MaxOutput: 300}
	for _, c := range []struct {
		prompt, reserve int64
		want            bool
	}{{800, 200, true}, {801, 200, false}, {0, 1001, false}, {1000, 0, true}} {
		if got := l.Fits(c.prompt, c.reserve); got != c.want {
			t.Errorf("Fits(%d, %d) = %v", c.prompt, c.reserve, got)
		}
	}
	for _, c := range []struct{ want, prompt, out int64 }{{500, 0, 300}, {200, 0, 200}, {200, 900, 100}, {200, 1200, 0}} {
		if got := l.Output(c.want, c.prompt); got != c.out {
			t.Errorf("Output(%d, %d) = %d", c.want, c.prompt, got)
		}
	}
	if got := Unknown(500).Output(400, 0); got != 400 {
		t.Errorf("without a known cap: %d", got)
	}
}

// TestCost: what is not known makes the cost unknown, never less.
func TestCost(t *testing.T) {
	p := Prices{Input: price(3), Output: price(15)}
	if got := p.Cost(number(1_000_000), number(100_000), nil, number(0)); got == nil || *got != 4.5 {
		t.Errorf("%v", got)
	}
	for name, got := range map[string]*float64{
		"no usage":           p.Cost(nil, number(1), nil, nil),
		"no output":          p.Cost(number(1), nil, nil, nil),
		"no price of cached": p.Cost(number(1), number(1), number(1), nil),
		"no prices":          Prices{}.Cost(number(1), number(1), nil, nil),
	} {
		if got != nil {
			t.Errorf("%s: %v", name, *got)
		}
	}
}
