package tui

import (
	"cmp"
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/agent"
)

// Screen is the state of the screen. All of it belongs to the goroutine of
// Update, but for feed and work.
type Screen struct {
	o    Options
	ctx  context.Context // ends with the screen
	feed *feed
	work sync.WaitGroup // what runs beside Update

	sane          sane
	width, height int // of the terminal; 0: not known yet
	session       *Session
	made          *Session // what was opened; belongs to work until that is over
	failed        error    // why there is no session
	standing      agent.Standing
	place         string // branch or worktree
	facts         *int64 // that the next request tells; nil: not known
	off           string // why learning is
	learned       string // what learning came to last

	turn    *turn
	queue   []string
	stream  stream
	calls   calls
	asked   []*question
	typed   int // keys and pastes that went to the input
	input   input
	history history
	menu    menu
	page    Page
	printer printer

	hint     string // for the person, until the next key
	leaving  bool   // ctrl+c was the last key
	quitting bool
	away     bool // another program has the terminal
	ticking  bool
	tick     int
}

type tickMsg struct{}

// opened is a session that is ready, or why there is none.
type opened struct {
	session *Session
	err     error
}

func newScreen(ctx context.Context, o Options) *Screen {
	return &Screen{o: o, ctx: ctx, feed: newFeed()}
}

// Init begins to wait for what happens.
func (s *Screen) Init() tea.Cmd { return s.feed.next(s.ctx, 0) }

// open begins to open the session, once it is known how wide a line is; the
// first frame does not wait for it.
func (s *Screen) open() {
	s.beside(func(ctx context.Context) any {
		session, err := s.o.Open(ctx, s.ask, func(e agent.Event) { s.feed.put(e) })
		s.made = session
		return opened{session, err}
	})
}

// Update does what a message says.
func (s *Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmds []tea.Cmd
	add := func(c tea.Cmd) {
		if c != nil {
			cmds = append(cmds, c)
		}
	}
	switch m := msg.(type) {
	case arrived:
		for _, item := range m {
			add(s.happened(item))
		}
		add(s.feed.next(s.ctx, frame))
		s.look()
	case tea.WindowSizeMsg:
		add(s.resized(m))
	case resizedMsg:
		if int(m) == s.printer.resize {
			add(s.rewrite(int(m)))
		}
	case printedMsg:
		if s.printer.busy = false; s.quitting {
			return s, tea.Quit
		}
	case resumedMsg:
		s.printer.held = s.page != nil
		add(s.next())
		if s.printer.resize != s.printer.drawn {
			add(s.rewrite(s.printer.resize))
		}
	case armedMsg:
		s.armed(m)
	case tickMsg:
		s.ticking = false
		s.tick++
	case returned:
		add(s.returned(m))
	case tea.PasteMsg:
		add(s.paste(m))
	case tea.KeyPressMsg:
		add(s.key(m))
	default:
		if s.page != nil {
			add(s.turnPage(msg))
		}
	}
	add(s.flush())
	add(s.animate())
	add(s.arm())
	return s, tea.Batch(cmds...)
}

// look asks the agent how it stands.
func (s *Screen) look() {
	if s.session == nil {
		return
	}
	s.standing = s.session.Agent.Standing()
	s.standing.LearningOff = cmp.Or(s.standing.LearningOff, s.off)
	if s.facts != nil {
		s.standing.Facts = *s.facts
	}
}

// surroundings is what a turn may have changed beside the session.
type surroundings struct {
	place, off string
	facts      *int64 // nil: not known
}

// around asks for the surroundings.
func (s *Screen) around() {
	s.look()
	session := s.session
	s.beside(func(ctx context.Context) any {
		var now surroundings
		if session.Facts != nil {
			if n, err := session.Facts(ctx); err == nil {
				now.facts = &n
			}
		}
		if session.Place != nil {
			now.place = session.Place()
		}
		if session.LearningOff != nil {
			now.off = session.LearningOff()
		}
		return now
	})
}

// animate keeps the spinner going while something runs, and nothing else.
func (s *Screen) animate() tea.Cmd {
	if s.ticking || s.asks() || s.turn == nil && s.session != nil || s.failed != nil || s.away {
		return nil
	}
	s.ticking = true
	return tea.Tick(120*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

func (s *Screen) spinner() string {
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	return string(frames[s.tick%len(frames)])
}

// turnPage gives a message to the page that is open.
func (s *Screen) turnPage(msg tea.Msg) tea.Cmd {
	cmd := s.page.Update(msg)
	if !s.page.Done() {
		return cmd
	}
	s.leavePage()
	s.around() // it may have changed the memory
	return tea.Batch(cmd, tea.Tick(pageRest, func(time.Time) tea.Msg { return resumedMsg{} }))
}

// leavePage closes the page that is open; the end waits for what it still does.
func (s *Screen) leavePage() {
	p := s.page
	if p == nil {
		return
	}
	s.page = nil
	p.Close()
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		p.Wait()
	}()
}

// quit ends the screen, and what runs. What is being printed is waited for:
// nobody could tell otherwise whether it still has to be.
func (s *Screen) quit() tea.Cmd {
	s.quitting = true
	s.leavePage()
	if s.turn != nil {
		s.turn.cancel()
	}
	if s.printer.busy {
		return nil
	}
	return tea.Quit
}
