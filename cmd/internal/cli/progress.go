package cli

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What takes longer than firstLook is shown on one line of stderr, which is
// replaced at most every look.
const (
	firstLook = 500 * time.Millisecond
	look      = 200 * time.Millisecond
)

// Progress shows a person that something takes its time: what it is, how far
// it is where step is told, and how to stop it. There is one such line at a
// time; it is gone once stop returns, when it is interrupted, and while
// anything else is written (Print, Note, Report). Where stderr is no terminal,
// or a dumb one, or is read by a program (LECODE_ERRORS=json), nothing is shown.
// step may be called from anywhere and as often as one likes; a total of 0 is
// not known.
func (e *Env) Progress(what string) (step func(done, total int64), stop func()) {
	p := e.begin(what, false)
	if p == nil {
		return func(int64, int64) {}, func() {}
	}
	return p.step, p.stop
}

// scanning is Progress for what may be done many times in a row, each of them
// short: the line stays until none of them has come for a while.
func (e *Env) scanning(string) (step func(done, total int64), stop func()) {
	p := e.begin("reading a session whole", true)
	if p == nil {
		return func(int64, int64) {}, func() {}
	}
	return p.step, p.rest
}

// watched reports whether a person looks at stderr, at a terminal that can
// replace a line.
func (e *Env) watched() bool {
	return IsTerminal(e.Stderr) && e.Getenv("TERM") != "dumb" && e.Getenv("LECODE_ERRORS") != "json"
}

// begin starts a line, or returns nil where there is nothing to be shown or
// another line is shown already.
func (e *Env) begin(what string, lingers bool) *progress {
	if !e.watched() {
		return nil
	}
	e.lines.Lock()
	defer e.lines.Unlock()
	if p := e.line; p != nil {
		switch {
		case p.lingers && lingers && p.goOn():
			return p
		case p.lingers && p.resting():
			p.stop()
		case !p.isOver():
			return nil
		}
	}
	f := e.Stderr.(*os.File)
	p := newProgress(f, func() int { return terminalColumns(f) }, "lecode: "+e.command+": "+what)
	p.lingers, p.caught = lingers, func() bool { return e.catching.Load() > 0 }
	e.line = p
	go p.run(time.Now(), time.After)
	return p
}

// quiet takes the line away while something else is written; resume is called then.
func (e *Env) quiet() (resume func()) {
	e.lines.Lock()
	p := e.line
	e.lines.Unlock()
	if p == nil {
		return func() {}
	}
	p.mu.Lock()
	p.erase()
	return p.mu.Unlock
}

// endLine takes the line away for good.
func (e *Env) endLine() {
	e.lines.Lock()
	defer e.lines.Unlock()
	if e.line != nil {
		e.line.stop()
		e.line = nil
	}
}

// progress is one line.
type progress struct {
	out     io.Writer
	columns func() int
	what    string
	lingers bool
	caught  func() bool // somebody else deals with an interrupt
	raise   func()      // else it ends the process

	at, of   atomic.Int64
	ask, end chan struct{} // to stop; that it has

	mu    sync.Mutex
	text  string // that is shown
	wide  int    // its columns
	idle  bool   // nothing goes on now
	asked bool
	over  bool
}

func newProgress(out io.Writer, columns func() int, what string) *progress {
	return &progress{out: out, columns: columns, what: printable(what), caught: func() bool { return true }, raise: raiseInterrupt,
		ask: make(chan struct{}), end: make(chan struct{})}
}

func (p *progress) step(done, total int64) {
	p.at.Store(done)
	p.of.Store(total)
}

// stop returns once the line is gone.
func (p *progress) stop() {
	p.mu.Lock()
	if !p.asked {
		p.asked = true
		close(p.ask)
	}
	p.mu.Unlock()
	<-p.end
}

// rest says that nothing goes on for now.
func (p *progress) rest() {
	p.mu.Lock()
	p.idle = true
	p.mu.Unlock()
}

// goOn says that something goes on again; false where the line has ended meanwhile.
func (p *progress) goOn() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = p.over
	return !p.over
}

func (p *progress) resting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.idle && !p.over
}

func (p *progress) isOver() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over
}

// run shows the line until it is stopped, rests, or is interrupted.
func (p *progress) run(begun time.Time, after func(time.Duration) <-chan time.Time) {
	defer close(p.end)
	interrupts := make(chan os.Signal, 1)
	defer signal.Stop(interrupts)
	for wait := firstLook; ; wait = look {
		select {
		case now := <-after(wait):
			if !p.draw(now.Sub(begun)) {
				return
			}
			if wait == firstLook && !signal.Ignored(os.Interrupt) {
				signal.Notify(interrupts, os.Interrupt)
			}
		case <-p.ask:
			p.finish()
			return
		case <-interrupts:
			p.finish()
			if !p.caught() {
				p.raise()
			}
			return
		}
	}
}

func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.erase()
}

// draw replaces the line; false where it has ended.
func (p *progress) draw(took time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle {
		p.over = true
		p.erase()
		return false
	}
	text, wide := cutTo(p.what+p.far(took)+" (Ctrl-C stops it)", p.columns())
	if text == p.text {
		return true
	}
	fmt.Fprint(p.out, "\r"+text+strings.Repeat(" ", max(0, p.wide-wide)))
	p.text, p.wide = text, wide
	return true
}

// far is how far it is.
func (p *progress) far(took time.Duration) string {
	var parts []string
	switch done, total := p.at.Load(), p.of.Load(); {
	case total > 0:
		parts = append(parts, fmt.Sprintf("%d %%", min(100, 100*done/total)))
	case done > 0:
		parts = append(parts, fmt.Sprint(done))
	}
	if s := int(took.Seconds()); s > 0 {
		parts = append(parts, fmt.Sprintf("%d s", s))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// erase takes the line away, and the ^C that a terminal may have put behind it.
// p.mu is held.
func (p *progress) erase() {
	if p.text == "" {
		return
	}
	wide := p.wide
	if columns := p.columns(); columns <= 0 || wide+2 < columns {
		wide += 2
	}
	fmt.Fprint(p.out, "\r"+strings.Repeat(" ", wide)+"\r")
	p.text, p.wide = "", 0
}

// cutTo is text that leaves the last column free; a character outside ASCII
// counts as two columns, as the widest do.
func cutTo(text string, columns int) (string, int) {
	if columns <= 0 {
		columns = 80
	}
	wide := 0
	for i, r := range text {
		w := 1
		if r > 0x7e {
			w = 2
		}
		if wide+w > columns-1 {
			return text[:i], wide
		}
		wide += w
	}
	return text, wide
}
