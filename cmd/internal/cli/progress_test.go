package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shownLine is a line whose time is told by the test.
type shownLine struct {
	*progress
	out   bytes.Buffer
	ticks chan time.Time
	waits []time.Duration
	now   time.Time
}

// showLine runs a line. A tick that was taken is drawn once the next is asked for.
func showLine(t *testing.T, columns int, what string) (*shownLine, func(after time.Duration)) {
	s := &shownLine{ticks: make(chan time.Time), now: time.Unix(0, 0)}
	s.progress = newProgress(&s.out, func() int { return columns }, what)
	asked := make(chan struct{}, 1)
	go s.run(s.now, func(d time.Duration) <-chan time.Time {
		s.waits = append(s.waits, d)
		asked <- struct{}{}
		return s.ticks
	})
	<-asked
	t.Cleanup(func() {
		select {
		case <-s.end:
		case <-asked:
		default:
		}
		s.stop()
	})
	return s, func(after time.Duration) {
		s.now = s.now.Add(after)
		s.ticks <- s.now
		select {
		case <-asked:
		case <-s.end:
		}
	}
}

func TestProgressLine(t *testing.T) {
	s, tick := showLine(t, 60, "lecode: import: reading")
	s.step(1, 4)
	if s.out.Len() > 0 {
		t.Errorf("shown at once: %q", s.out.String())
	}
	tick(firstLook)
	s.step(2, 4)
	s.step(3, 4)
	tick(look)
	tick(look) // nothing new
	s.step(4, 4)
	tick(300 * time.Millisecond)
	s.stop()
	s.stop() // again is nothing more
	line := func(far string) string { return "lecode: import: reading: " + far + " (Ctrl-C stops it)" }
	want := "\r" + line("25 %") + "\r" + line("75 %") + "\r" + line("100 %, 1 s") +
		"\r" + strings.Repeat(" ", len(line("100 %, 1 s"))+2) + "\r"
	if d := cmp.Diff(want, s.out.String()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]time.Duration{firstLook, look, look, look, look}, s.waits); d != "" {
		t.Error(d)
	}
}

func TestProgressShort(t *testing.T) {
	s, _ := showLine(t, 80, "lecode: fsck: checking")
	s.step(1, 2)
	s.stop()
	if s.out.Len() > 0 {
		t.Errorf("what was over soon is shown: %q", s.out.String())
	}
}

// A shorter line leaves nothing of a longer one; nothing else stands behind it.
func TestProgressReplaces(t *testing.T) {
	s, tick := showLine(t, 30, "x")
	s.step(100000, 0)
	tick(firstLook)
	s.step(1, 0)
	tick(look)
	s.stop()
	if d := cmp.Diff("\rx: 100000 (Ctrl-C stops it)\rx: 1 (Ctrl-C stops it)     \r"+strings.Repeat(" ", 24)+"\r", s.out.String()); d != "" {
		t.Error(d)
	}
}

// What rests is taken away at the next look, and may go on until then.
func TestProgressRests(t *testing.T) {
	s, tick := showLine(t, 80, "x")
	tick(firstLook)
	s.rest()
	if !s.goOn() {
		t.Fatal("it ended before it was looked at")
	}
	tick(look)
	s.rest()
	tick(look)
	<-s.end
	if s.goOn() || !s.isOver() {
		t.Error("it goes on after its end")
	}
	if got := s.out.String(); strings.Count(got, "x (") != 1 || !strings.HasSuffix(got, " \r") {
		t.Errorf("%q", got)
	}
}

func TestCutTo(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
		wide    int
	}{
		{"abc", 4, "abc", 3}, {"abc", 3, "ab", 2}, {"abc", 1, "", 0}, {"日本", 4, "日", 2}, {"é", 3, "é", 2}, {"é", 2, "", 0},
		{strings.Repeat("x", 100), 0, strings.Repeat("x", 79), 79},
	} {
		if got, wide := cutTo(c.text, c.columns); got != c.want || wide != c.wide {
			t.Errorf("%q to %d: %q, %d", c.text, c.columns, got, wide)
		}
	}
}

// Nothing of it where nobody looks: a pipe, a file, a program that reads the errors.
func TestProgressUnwatched(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	for _, e := range []*Env{
		{Stderr: w, Getenv: func(string) string { return "" }},
		{Stderr: &bytes.Buffer{}, Getenv: func(string) string { return "" }},
	} {
		step, stop := e.Progress("x")
		step(1, 2)
		stop()
		if e.line != nil {
			t.Error("a line is shown in a pipe")
		}
		e.quiet()()
		e.endLine()
	}
}

// Who waits for an interrupt keeps it until stop, once.
func TestCatching(t *testing.T) {
	e := &Env{}
	_, stop := e.Context()
	_, stopUntil := e.Until(context.Background(), os.Interrupt)
	if n := e.catching.Load(); n != 2 {
		t.Errorf("%d catch it, want 2", n)
	}
	stop()
	stop()
	stopUntil()
	if n := e.catching.Load(); n != 0 {
		t.Errorf("%d catch it, want 0", n)
	}
}
