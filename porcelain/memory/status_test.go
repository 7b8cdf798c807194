package memory

import (
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/usage"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 12345678: "12,345,678"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %s", n, got)
		}
	}
}

// TestSpentNeverClaimsNothing: what is unknown is said, also where nothing is known.
func TestSpentNeverClaimsNothing(t *testing.T) {
	cost, none := 0.5, 0.0
	for want, t0 := range map[string]usage.Totals{
		"no calls": {},
		"1 call, tokens unknown (at most 70 by estimate), cost unknown":                                         {Calls: 1, UnknownUsageCalls: 1, EstimatedTokens: 70, UnknownCostCalls: 1},
		"1 call, 0 tokens known, $0.0000":                                                                       {Calls: 1, Cost: &none},
		"3 calls, 1,500 tokens known, 1 of unknown usage, $0.5000 (1 by list price) and 1 call of unknown cost": {Calls: 3, InputTokens: 1500, UnknownUsageCalls: 1, Cost: &cost, PricedCalls: 1, UnknownCostCalls: 1},
	} {
		if got := spent(t0); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestStatusFitsTheWidth, however long the names are.
func TestStatusFitsTheWidth(t *testing.T) {
	long := strings.Repeat("/a-long-folder", 20)
	page := Status{}.Print(Place{Project: "p", Kind: "directory", Root: long + "\x1b[31m", Model: "m", ConfigDir: long, CacheDir: long}, Style{Width: 60})
	for line := range strings.Lines(page) {
		if columns(strings.TrimSuffix(line, "\n")) > 60 {
			t.Errorf("%q", line)
		}
	}
	if strings.Contains(page, "\x1b") {
		t.Error("a control character is not made visible")
	}
}
