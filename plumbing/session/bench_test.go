package session

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// The figures of the issue, each beside a baseline that is measured in the
// same run: absolute times say more about the machine than about the code.
// Medians, since other work on the machine must not decide a ratio.

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

func micros(list []time.Duration) float64 { return float64(median(list).Nanoseconds()) / 1e3 }

// BenchmarkAppend stores records one by one in one process, beside bare write
// and fsync of the same bytes. The aim is at most 100 microseconds more a record.
func BenchmarkAppend(b *testing.B) {
	const records = 1000
	w := newWorld(b)
	line := []byte(user(strings.Repeat("x", 1400)))
	var own, bare []time.Duration
	for b.Loop() {
		id := w.new()
		a, err := w.Attach(context.Background(), id)
		if err != nil {
			b.Fatal(err)
		}
		for range records {
			start := time.Now()
			if _, err := a.Append(context.Background(), [][]byte{line}, 0); err != nil {
				b.Fatal(err)
			}
			own = append(own, time.Since(start))
		}
		if err := a.Close(); err != nil {
			b.Fatal(err)
		}
		bare = bareAppend(b, bare, w.opt.Config.Path("bare-"+id), strings.SplitAfter(w.read(id), "\n")[1:records+1])
	}
	b.ReportMetric(micros(own), "µs/record")
	b.ReportMetric(micros(bare), "µs/write+fsync")
	b.ReportMetric(micros(own)-micros(bare), "µs-more")
}

func bareAppend(b *testing.B, took []time.Duration, path string, lines []string) []time.Duration {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for _, line := range lines {
		start := time.Now()
		if _, err := io.WriteString(f, line); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	return took
}

// ofSize makes a session of about size bytes in records of 1.5 KB, with an undo near its start.
func (w *world) ofSize(b *testing.B, size int) string {
	b.Helper()
	id := w.new()
	head := w.read(id)
	f, err := os.Create(w.path(id))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	out.WriteString(head)
	text := strings.Repeat("We use tabs here, never spaces. ", 43)
	for seq, n := 1, len(head); n < size; seq++ {
		line := fmt.Sprintf(`{"content":[{"text":"%d %s","type":"text"}],"origin":"user","role":"user","seq":%d,"time":"2026-01-02T03:04:05.006Z","type":"message"}`+"\n", seq, text, seq)
		if seq == 9 {
			line = fmt.Sprintf(`{"from":7,"seq":%d,"time":"2026-01-02T03:04:05.006Z","to":8,"type":"undo"}`+"\n", seq)
		}
		out.WriteString(line)
		n += len(line)
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	return id
}

// BenchmarkColdScan reads a log of 64 MB that has no index, beside SHA-256 of
// the same file. The aim is 100 MB/s.
func BenchmarkColdScan(b *testing.B) {
	w := newWorld(b)
	id := w.ofSize(b, 64<<20)
	var own, sum []time.Duration
	size := int64(0)
	for b.Loop() {
		if err := os.RemoveAll(w.opt.Cache.Dir); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		l, err := w.Open(context.Background(), id)
		if err != nil || l.Corruption() != nil {
			b.Fatal(err)
		}
		own = append(own, time.Since(start))
		size = l.size
		l.Close()
		sum = append(sum, hashFile(b, w.path(id)))
	}
	speed := func(list []time.Duration) float64 { return float64(size) / micros(list) }
	b.ReportMetric(speed(own), "MB/s")
	b.ReportMetric(speed(sum), "MB/s-sha256")
}

func hashFile(b *testing.B, path string) time.Duration {
	start := time.Now()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if _, err := io.Copy(sha256.New(), f); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkWarmIndex opens a log, judges what is visible and reads one record,
// on 64 MB and on 1 MB. The aim for all that a recall does is 1.2 times, for an
// append 1.3 times.
func BenchmarkWarmIndex(b *testing.B) {
	w := newWorld(b)
	small, large := w.ofSize(b, 1<<20), w.ofSize(b, 64<<20)
	w.lookAt(b, small)
	w.lookAt(b, large)
	var read, add [2][]time.Duration
	line := []byte(user("x"))
	for b.Loop() {
		for n := range 40 {
			i, id := n%2, []string{small, large}[n%2]
			start := time.Now()
			w.lookAt(b, id)
			read[i] = append(read[i], time.Since(start))
			start = time.Now()
			a, err := w.Attach(context.Background(), id)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := a.Append(context.Background(), [][]byte{line}, 0); err != nil {
				b.Fatal(err)
			}
			if err := a.Close(); err != nil {
				b.Fatal(err)
			}
			add[i] = append(add[i], time.Since(start))
		}
	}
	b.ReportMetric(micros(read[0]), "µs-read-1MB")
	b.ReportMetric(micros(read[1])/micros(read[0]), "x-read-64MB")
	b.ReportMetric(micros(add[0]), "µs-append-1MB")
	b.ReportMetric(micros(add[1])/micros(add[0]), "x-append-64MB")
}

func (w *world) lookAt(b *testing.B, id string) {
	b.Helper()
	l, err := w.Open(context.Background(), id)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	v, err := l.Visibility(forgets{})
	if err != nil {
		b.Fatal(err)
	}
	if ok, err := v.Visible(5, Durable); err != nil || !ok {
		b.Fatal(ok, err)
	}
	if _, err := l.Record(5); err != nil {
		b.Fatal(err)
	}
}
