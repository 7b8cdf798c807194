package memview

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// screen is one page of the view.
type screen interface {
	title() string
	// load begins to read what it shows, at first and whenever the memory has changed.
	load(v *View) tea.Cmd
	// key does what a key says. While editing is not nil it gets every key.
	key(v *View, k press) tea.Cmd
	// draw is at most height rows of at most width columns, and the cursor.
	draw(v *View, width, height int) drawn
	hints() []hint
	editing() *editor
}

// drawn is what a screen looks like; x below 0: there is no cursor.
type drawn struct {
	rows []typeset.Row
	x, y int
}

// tab is a screen that can be gone to from everywhere at the top.
type tab struct {
	screen
	fresh bool // it shows what the stores held since the last change
}

// View is the memory view. All of it belongs to the goroutine that calls
// Update and View; what it waits for runs in commands (job.go).
type View struct {
	d      Deps
	ctx    context.Context
	cancel context.CancelFunc
	tick   func() tea.Cmd

	tabs  []*tab
	at    int      // the tab
	stack []screen // above it

	work    sync.WaitGroup
	jobs    int // that were ever begun
	running []*job
	ticking bool
	frame   int

	note    typeset.Row // for the person, until the next key
	page    int         // rows of a screen, as it was drawn last
	closing bool
}

// New is a view at its first tab, Facts. It reads nothing before Init.
func New(ctx context.Context, d Deps) *View {
	v := &View{d: d, page: 10}
	v.ctx, v.cancel = context.WithCancel(ctx)
	v.tick = func() tea.Cmd {
		return tea.Tick(120*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{v} })
	}
	for _, s := range []screen{newFacts(), newNotes(), newProposals(), newInjected(), newSummaries()} {
		v.tabs = append(v.tabs, &tab{screen: s})
	}
	return v
}

// Init begins to read what is shown first.
func (v *View) Init() tea.Cmd { return v.arrive() }

// Done reports whether the person has left. Whoever drops a view before that calls Close.
func (v *View) Done() bool { return v.closing }

// Close ends whatever the view waits for.
func (v *View) Close() { v.closing = true; v.cancel() }

// Wait waits, after Close, until nothing of the view runs.
func (v *View) Wait() { v.work.Wait() }

// Update takes a key, a paste, or what one of its commands gave; anything else is nothing to it.
func (v *View) Update(msg tea.Msg) tea.Cmd {
	if v.closing {
		return nil
	}
	switch m := msg.(type) {
	case finished:
		if m.view == v {
			return v.finish(m)
		}
	case tickMsg:
		if m.view == v {
			v.ticking = false
			v.frame++
			return v.animate()
		}
	case tea.PasteMsg:
		v.note = nil
		if e := v.top().editing(); e != nil {
			v.say(e.paste(m.Content))
		}
	case tea.KeyPressMsg:
		return v.key(pressed(m))
	}
	return nil
}

// key is for what is typed into, for the view as a whole, or for the screen.
func (v *View) key(k press) tea.Cmd {
	v.note = nil
	top := v.top()
	switch {
	case k.name == "ctrl+c" && !v.writing(top):
		v.Close()
		return nil
	case v.job(top) != nil && v.job(top).writes:
		if j := v.job(top); (k.name == "esc" || k.name == "ctrl+c") && !j.ending {
			j.ending = true
			j.cancel()
		}
		return nil
	case top.editing() != nil:
		return top.key(v, k)
	case k.name == "esc" && v.doing() != "":
		v.drop(top)
		v.say("interrupted; ctrl+r reads again")
		return nil
	}
	switch k.name {
	case "esc", "q":
		if e, ok := top.(interface{ undone(*View) (tea.Cmd, bool) }); ok && k.name == "esc" {
			if cmd, done := e.undone(v); done {
				return cmd
			}
		}
		return v.back()
	case "?":
		return v.open(newHelp(top))
	case "ctrl+r":
		return top.load(v)
	}
	if len(v.stack) == 0 {
		if n, ok := tabKey(k.name, v.at, len(v.tabs)); ok {
			v.at = n
			return v.arrive()
		}
	}
	return top.key(v, k)
}

// writing reports whether a screen changes the memory just now, and nobody has
// asked yet to end that: what came of it is told before one leaves.
func (v *View) writing(of screen) bool {
	j := v.job(of)
	return j != nil && j.writes && !j.ending
}

// tabKey is the tab that a key goes to.
func tabKey(k string, at, n int) (int, bool) {
	switch {
	case k == "tab":
		return (at + 1) % n, true
	case k == "shift+tab":
		return (at + n - 1) % n, true
	case len(k) == 1 && k[0] >= '1' && int(k[0]-'1') < n:
		return int(k[0] - '1'), true
	}
	return at, false
}

// top is the screen that is seen.
func (v *View) top() screen {
	if n := len(v.stack); n > 0 {
		return v.stack[n-1]
	}
	return v.tabs[v.at].screen
}

// open shows a screen above the others.
func (v *View) open(s screen) tea.Cmd {
	v.stack = append(v.stack, s)
	return s.load(v)
}

// back closes the screen that is seen; at the top it leaves.
func (v *View) back() tea.Cmd {
	n := len(v.stack)
	if n == 0 {
		v.Close()
		return nil
	}
	v.drop(v.stack[n-1])
	v.stack = v.stack[:n-1]
	if n == 1 {
		return v.arrive()
	}
	return nil
}

// arrive reads what the tab shows, unless that is known.
func (v *View) arrive() tea.Cmd {
	t := v.tabs[v.at]
	if t.fresh {
		return nil
	}
	t.fresh = true
	return t.load(v)
}

// changed closes the screens above the tab, since the memory is no longer what
// they show, opens one that tells about it, and has everything read anew.
func (v *View) changed(tell screen) tea.Cmd {
	for _, s := range v.stack {
		v.drop(s)
	}
	v.stack = nil
	v.stale()
	return tea.Batch(v.arrive(), v.open(tell))
}

// stale has every tab read anew when it is seen next.
func (v *View) stale() {
	for _, t := range v.tabs {
		v.drop(t.screen)
		t.fresh = false
	}
}

// say tells the person something until the next key; "" is nothing.
func (v *View) say(text string) {
	if text != "" {
		v.note = typeset.Yellow.Row(oneLine(text))
	}
}
