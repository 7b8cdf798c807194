package source

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/session"
)

// BenchmarkValidate is a source of 1 MB, index warm, in process, against bare
// SHA-256 of the same bytes each measured right after the
// other, by their medians: the machine does other things too (aim: at most 1.5 times).
func BenchmarkValidate(b *testing.B) {
	w := newWorld(b)
	var lines []string
	for range 100 {
		lines = append(lines, user(strings.Repeat("We use tabs here. ", 290)), assistant(strings.Repeat("Noted, tabs. ", 395)))
	}
	id := w.new(lines...)
	ref := w.snapshot(id, 1, 200).Ref
	bytes := w.read(id)
	cached, done := w.Cached()
	defer done()
	for _, bb := range []struct {
		name string
		v    *Validator
	}{{"open", &w.Validator}, {"cached", cached}} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bytes)))
			var bare, whole []time.Duration
			for b.Loop() {
				begin := time.Now()
				sha256.Sum256(bytes)
				middle := time.Now()
				if s, err := bb.v.Validate(context.Background(), forgets{}, ref, session.Working); err != nil || s != Valid {
					b.Fatal(s, err)
				}
				bare = append(bare, middle.Sub(begin))
				whole = append(whole, time.Since(middle))
			}
			b.ReportMetric(median(whole)/median(bare), "x-sha256")
		})
	}
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}
