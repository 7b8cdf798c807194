package agent

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

// talked is an agent in a session of n messages, in a window that holds them all.
func talked(b testing.TB, n int) (*world, *Agent) {
	w := newWorld(b)
	w.window = 100_000_000
	w.d.Tools = []Tool{note("look", permission.Read)}
	w.d.On = nil
	info, err := w.d.Sessions.New(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	a, err := w.d.Sessions.Attach(context.Background(), info.ID)
	if err != nil {
		b.Fatal(err)
	}
	var lines [][]byte
	for i := range n / 2 {
		lines = append(lines,
			fmt.Appendf(nil, `{"content":[{"text":"What about part %d of the kettle, and why is it warm?","type":"text"}],"origin":"user","role":"user","type":"message"}`, i),
			fmt.Appendf(nil, `{"content":[{"text":"Part %d is warm since the kettle is on; nothing needs to be done about it.","type":"text"}],"generation":0,"origin":"generated","role":"assistant","type":"message"}`, i))
	}
	if _, err := a.Append(context.Background(), lines, 0); err != nil {
		b.Fatal(err)
	}
	if err := a.Close(); err != nil {
		b.Fatal(err)
	}
	return w, w.open(Options{SessionID: info.ID})
}

// turns are answers of one call and one text each, without end.
func (w *world) turns() {
	call, text := calling("look {}"), provider.Response{Blocks: []provider.Block{provider.Text("Done.")}, Finish: provider.FinishStop}
	var next func(n int) func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error)
	next = func(n int) func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
		return func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error) {
			w.mu.Lock()
			w.requests = w.requests[:0]
			w.answers = append(w.answers[:0], next(n+1))
			w.mu.Unlock()
			if n%2 == 0 {
				return call, nil
			}
			return text, nil
		}
	}
	w.answers = append(w.answers[:0], next(0))
}

// BenchmarkTurn is a turn of two requests and a call, without what the model
// takes, in a session of 10 messages and of 10,000.
func BenchmarkTurn(b *testing.B) {
	var short float64 // ns of a turn in the short session, the baseline
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, a := talked(b, n)
			w.turns()
			w.prompt(a, "warm up")
			b.ReportAllocs()
			for b.Loop() {
				w.prompt(a, "go on")
			}
			took := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			if short == 0 {
				short = took
			}
			b.ReportMetric(took/short, "of-a-short-session")
		})
	}
}

// After 1,000 turns an agent holds no more than after 100, once summaries keep
// the context as large as the window.
func TestMemoryStaysFlat(t *testing.T) {
	w := newWorld(t)
	w.window = 16_384
	w.d.On = nil
	answers := func(_ context.Context, r provider.Request, _ func(provider.Delta) error) (provider.Response, error) {
		w.mu.Lock()
		w.requests = w.requests[:0]
		w.mu.Unlock()
		if r.System != "You are the test's.\n" {
			return good(0), nil
		}
		return provider.Response{Blocks: []provider.Block{provider.Text("It is warm since the kettle is on; nothing needs to be done about it.")}, Finish: provider.FinishStop}, nil
	}
	a := w.open(Options{})
	var held [2]uint64
	for i, turns := range []int{100, 900} {
		for range turns {
			w.answers = append(w.answers[:0], answers, answers)
			w.prompt(a, "What about this part of the kettle, and why is it warm?")
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		held[i] = m.HeapAlloc
	}
	t.Logf("heap after 100 turns %d bytes, after 1,000 %d", held[0], held[1])
	if held[1] > held[0]+held[0]/5 {
		t.Errorf("the heap grew from %d to %d bytes", held[0], held[1])
	}
}
