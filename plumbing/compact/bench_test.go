package compact

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/session"
)

// The figures of the issue, as ratios between two things that are measured in
// turn in the same run.

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

func ratio(a, b []time.Duration) float64 { return float64(median(a)) / float64(median(b)) }

// round is new text of about size bytes in exchanges of 3 KB.
func round(size int) []string {
	var lines []string
	for n := 0; n < size; n += 3000 {
		lines = append(lines, user(fmt.Sprintf("%d %s", n, strings.Repeat("We use tabs here. ", 80))), assistant(strings.Repeat("I see that. ", 120)))
	}
	return lines
}

// saved is a copy of a session's files, to measure the same step again.
func (w *world) saved(b *testing.B) (back func()) {
	dir := b.TempDir()
	if err := os.CopyFS(dir+"/c", os.DirFS(w.dir)); err != nil {
		b.Fatal(err)
	}
	return func() {
		if err := os.RemoveAll(w.dir); err != nil {
			b.Fatal(err)
		}
		if err := os.CopyFS(w.dir, os.DirFS(dir+"/c")); err != nil {
			b.Fatal(err)
		}
		w.flush(b)
	}
}

// flush puts the copies on the disk, as appends would have: else the first fsync pays for all of it.
func (w *world) flush(b *testing.B) {
	logs, err := filepath.Glob(w.dir + "/config/sessions/*/*.jsonl")
	if err != nil || len(logs) == 0 {
		b.Fatal(logs, err)
	}
	for _, name := range logs {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

// BenchmarkFiftieth is plan and apply of the 50th compaction beside the 1st,
// each over 60 KB of new text: in a process that has compacted before, and in a
// new one, which checks the whole chain. The aim is 1.3 times, in time and in bytes written.
func BenchmarkFiftieth(b *testing.B) {
	const text = 60_000
	step := func(w *world, id string, warm bool) (time.Duration, int) {
		w.Sessions = w.store()
		if warm {
			if _, err := Replay(context.Background(), w.Deps, id); err != nil {
				b.Fatal(err)
			}
		} else if log, err := w.Sessions.Open(context.Background(), id); err != nil { // the index is there in either case
			b.Fatal(err)
		} else {
			log.Close()
		}
		before := len(w.read(id))
		start := time.Now()
		w.compact(id, strings.Repeat("summary ", 400))
		return time.Since(start), len(w.read(id)) - before
	}
	first, fiftieth := newWorld(b), newWorld(b)
	id1 := first.new(exchanges(2)...)
	first.append(id1, round(text)...)
	id50 := fiftieth.new(exchanges(2)...)
	for range 49 {
		fiftieth.append(id50, round(text)...)
		fiftieth.compact(id50, strings.Repeat("summary ", 400))
	}
	fiftieth.append(id50, round(text)...)
	back1, back50 := first.saved(b), fiftieth.saved(b)
	var took [2][2][]time.Duration
	var bytes [2]int
	for b.Loop() {
		for warm := range 2 {
			back1()
			back50()
			d1, n1 := step(first, id1, warm == 1)
			d50, n50 := step(fiftieth, id50, warm == 1)
			took[warm][0], took[warm][1] = append(took[warm][0], d1), append(took[warm][1], d50)
			bytes = [2]int{n1, n50}
		}
	}
	b.ReportMetric(ratio(took[1][1], took[1][0]), "x-time")
	b.ReportMetric(ratio(took[0][1], took[0][0]), "x-time-new-process")
	b.ReportMetric(float64(bytes[1])/float64(bytes[0]), "x-bytes")
	b.ReportMetric(float64(median(took[1][0]).Microseconds()), "µs-first")
	b.ReportMetric(float64(median(took[0][1]).Microseconds()), "µs-50th-new-process")
}

// BenchmarkReplay is the replay of a session of 100,000 messages under a valid
// chain beside the raw replay: the first in a process (aim 0.5 times) and the
// second (aim 0.05 times).
func BenchmarkReplay(b *testing.B) {
	w := newWorld(b)
	id := w.new()
	w.attached(id, func(a *session.Writer) error {
		for n := 0; n < 100_000; n += 2000 {
			var lines [][]byte
			for i := range 1000 {
				lines = append(lines, []byte(user(fmt.Sprintf("%d %s", n+2*i, strings.Repeat("We use tabs here, never spaces. ", 10)))),
					[]byte(assistant(strings.Repeat("I see that, and I keep to it. ", 12))))
			}
			if _, err := a.Append(context.Background(), lines, 0); err != nil {
				return err
			}
		}
		return nil
	})
	raw := w.saved(b)
	links := 0
	for ; ; links++ {
		p, err := w.make(id)
		if err != nil {
			break
		}
		planned, err := p.Planned()
		if err != nil {
			b.Fatal(err)
		}
		planned.Response = said(strings.Repeat("summary ", 400))
		if _, err := Apply(context.Background(), w.Deps, id, planned); err != nil {
			b.Fatal(err)
		}
	}
	chained := w.saved(b)
	replay := func(parts int) time.Duration {
		start := time.Now()
		c, err := Replay(context.Background(), w.Deps, id)
		took := time.Since(start)
		if err != nil || len(c.Parts) != parts {
			b.Fatal(len(c.Parts), err)
		}
		return took
	}
	warmIndex := func() {
		log, err := w.Sessions.Open(context.Background(), id)
		if err != nil {
			b.Fatal(err)
		}
		log.Close()
	}
	var rawTook, first, second []time.Duration
	for b.Loop() {
		raw()
		w.Sessions = w.store()
		warmIndex()
		rawTook = append(rawTook, replay(100_000))
		chained()
		w.Sessions = w.store()
		warmIndex()
		first = append(first, replay(5))
		second = append(second, replay(5))
	}
	b.ReportMetric(ratio(first, rawTook), "x-first")
	b.ReportMetric(ratio(second, rawTook), "x-second")
	b.ReportMetric(float64(median(rawTook).Milliseconds()), "ms-raw")
	b.ReportMetric(float64(links), "links")
}
