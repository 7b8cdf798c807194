package memview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// slow is how long something may take before the view says what it does.
const slow = 500 * time.Millisecond

// job is work of a screen that runs beside Update.
type job struct {
	id     int
	of     screen
	what   string // "reading the facts"
	began  time.Time
	cancel context.CancelFunc
	writes bool // it changes the memory: its end is told whatever happens
	ending bool // a person does not want to wait for it
}

// finished is the end of a job; apply belongs to the goroutine of Update.
type finished struct {
	view  *View
	id    int
	apply func() tea.Cmd
}

type tickMsg struct{ view *View }

// read starts a job that only looks; an older one of the screen is given up.
func read[T any](v *View, of screen, what string, do func(context.Context) (T, error), then func(T, error) tea.Cmd) tea.Cmd {
	v.drop(of)
	return begin(v, &job{of: of, what: what}, do, then)
}

// write starts a job that changes the memory. Its screen starts nothing else meanwhile.
func write[T any](v *View, of screen, what string, do func(context.Context) (T, error), then func(T, error) tea.Cmd) tea.Cmd {
	v.drop(of)
	return begin(v, &job{of: of, what: what, writes: true}, do, then)
}

func begin[T any](v *View, j *job, do func(context.Context) (T, error), then func(T, error) tea.Cmd) tea.Cmd {
	ctx, cancel := context.WithCancel(v.ctx)
	v.jobs++
	j.id, j.began, j.cancel = v.jobs, v.d.Now(), cancel
	v.running = append(v.running, j)
	done := make(chan finished, 1)
	v.work.Go(func() {
		got, err := do(ctx)
		cancel()
		done <- finished{v, j.id, func() tea.Cmd { return then(got, err) }}
	})
	return tea.Batch(func() tea.Msg { return <-done }, v.animate())
}

// finish takes what a job came to, unless it was given up.
func (v *View) finish(m finished) tea.Cmd {
	for i, j := range v.running {
		if j.id == m.id {
			v.running = append(v.running[:i:i], v.running[i+1:]...)
			return m.apply()
		}
	}
	return nil
}

// job is what a screen waits for; nil: nothing.
func (v *View) job(of screen) *job {
	for _, j := range v.running {
		if j.of == of {
			return j
		}
	}
	return nil
}

// drop gives up what a screen waits for.
func (v *View) drop(of screen) {
	kept := v.running[:0:0]
	for _, j := range v.running {
		if j.of == of {
			j.cancel()
			continue
		}
		kept = append(kept, j)
	}
	v.running = kept
}

// animate keeps the time going while something runs, and nothing else.
func (v *View) animate() tea.Cmd {
	if v.ticking || len(v.running) == 0 {
		return nil
	}
	v.ticking = true
	return v.tick()
}

// doing says what takes its time; "" where nothing does.
func (v *View) doing() string {
	j := v.job(v.top())
	if j == nil {
		return ""
	}
	if j.ending {
		return "interrupting: " + j.what
	}
	if v.d.Now().Sub(j.began) < slow {
		return ""
	}
	return j.what + " · esc interrupts"
}
