package recall

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkFact is the recall of one fact in a session of 64 MB against one of
// 1 MB, index warm, by the medians of the same run (aim: at most 1.2 times).
func BenchmarkFact(b *testing.B) {
	w := newWorld(b)
	grown := func(records int) string {
		lines := []string{user("We use tabs here."), assistant("Noted.")}
		filler := user(strings.Repeat("This is said and then it is not needed. ", 400))
		for range records {
			lines = append(lines, filler)
		}
		id := w.new(lines...)
		f := w.remember("Tabs.", w.ref(id, 1, 2))
		w.fact(f, 0, DefaultLimit)
		return f
	}
	small, large := grown(60), grown(4000)
	var short, long []time.Duration
	for b.Loop() {
		begin := time.Now()
		_, err := Fact(context.Background(), w.Deps, small, 0, DefaultLimit)
		middle := time.Now()
		_, err2 := Fact(context.Background(), w.Deps, large, 0, DefaultLimit)
		if err != nil || err2 != nil {
			b.Fatal(err, err2)
		}
		short = append(short, middle.Sub(begin))
		long = append(long, time.Since(middle))
	}
	b.ReportMetric(median(long)/median(short), "x-1MB")
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}
