package budget

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/lecode/lecode/plumbing/file"
)

// TestFactorOnlyRaises: whatever was reported, an estimate never falls below
// what it was, and what was once too low is not again.
func TestFactorOnlyRaises(t *testing.T) {
	f := Factor{}
	for _, step := range []struct{ estimate, prompt, want int64 }{
		{10_000, 5_000, 10_000},  // too high: nothing is taken away
		{10_000, 12_500, 12_500}, // too low by a quarter
		{20_000, 21_000, 25_000}, // less excess changes nothing
		{1_000, 1_600, 1_850},    // a small request: a fixed excess
		{10_000, 12_600, 13_200},
		{10_000, 0, 13_200}, // nothing reported
	} {
		f = f.Observe(Estimate{Text: step.estimate}, step.prompt)
		if got := f.Tokens(step.estimate); got != step.want && step.prompt != 12_600 {
			t.Errorf("after %+v: %d", step, got)
		}
		if got := f.Tokens(step.estimate); got < step.estimate || got < step.prompt {
			t.Errorf("after %+v: only %d", step, got)
		}
	}
}

func TestFactorIsBounded(t *testing.T) {
	f := Factor{}.Observe(Estimate{Text: 2000}, 1<<40).Observe(Estimate{Text: 10}, 1<<40)
	if f.Permille != maxPermille || f.Offset != maxOffset {
		t.Errorf("%+v", f)
	}
	if got := (Factor{Permille: -500, Offset: -9}).Tokens(1000); got != 1000 {
		t.Errorf("a negative factor: %d", got)
	}
	if f := (Factor{}).Observe(Estimate{Text: 5000, Media: 5000}, 30_000); f != (Factor{}) {
		t.Errorf("learned from media: %+v", f)
	}
}

// TestCalibrationIsKept per model, between runs, and goes with the cache.
func TestCalibrationIsKept(t *testing.T) {
	dir := t.TempDir()
	c := Calibration{Cache: file.Tree{Dir: dir}}
	if f := c.Factor("openai", "m"); f != (Factor{}) {
		t.Errorf("before anything: %+v", f)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := c.Observe(context.Background(), "openai", "m", Estimate{Text: 10_000}, 11_000+int64(i)*100); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := c.Observe(context.Background(), "openai", "n", Estimate{Text: 10_000}, 9_000); err != nil {
		t.Fatal(err)
	}
	again := Calibration{Cache: file.Tree{Dir: dir}}
	if f := again.Factor("openai", "m"); f.Permille != 170 || f.Seen != 8 {
		t.Errorf("m: %+v", f)
	}
	if f := again.Factor("openai", "n"); f.Permille != 0 || f.Seen != 1 {
		t.Errorf("n learned from m: %+v", f)
	}
	if f := again.Factor("other", "m"); f != (Factor{}) {
		t.Errorf("another provider's m: %+v", f)
	}
	path := filepath.Join(dir, "budget", "calibration.json")
	for _, damage := range []string{"", "x", `{"models":{"openai/m":{"permille":170}},"version":2}`, `{"models":[]}`} {
		if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if f := again.Factor("openai", "m"); f != (Factor{}) {
			t.Errorf("%q is believed: %+v", damage, f)
		}
		if err := again.Observe(context.Background(), "openai", "m", Estimate{Text: 10_000}, 12_000); err != nil {
			t.Errorf("%q cannot be replaced: %v", damage, err)
		}
		if f := again.Factor("openai", "m"); f.Permille != 200 {
			t.Errorf("after %q: %+v", damage, f)
		}
	}
}
