package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/slash"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// turn is a prompt or a command that runs.
type turn struct {
	cancel context.CancelFunc
	began  time.Time
	doing  string // what it does, where that is not plain
	ending bool   // it was interrupted and is not over yet
	before string // the session that it began in
	sums   bool   // it is /compact, whose answer says what it came to
}

// ended is what a turn, or a command beside one, came to.
type ended struct {
	of      *turn // nil: it ran beside a turn
	answer  slash.Answer
	outcome *agent.Outcome
	err     error
}

// submit does what was written: a prompt, a command, or a line for the shell.
func (s *Screen) submit(text string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	s.history.add(text)
	if p := s.pageFor(text); p != nil {
		return s.show(p)
	}
	_, isPrompt := slash.Prompt(text)
	if !isPrompt && s.session != nil && s.turn != nil && s.canBeside(text) {
		return s.commandBeside(text)
	}
	if s.session == nil || s.turn != nil {
		if !isPrompt && s.session != nil {
			s.refuse(text)
			return nil
		}
		s.queue = append(s.queue, text)
		return nil
	}
	return s.begin(text)
}

// canBeside reports whether a command may run during a turn.
func (s *Screen) canBeside(text string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "/"), " ")
	c, ok := slash.Find(name)
	return !ok || c.Busy // one that is not known says so itself
}

// refuse says why a command has to wait, and leaves it to be sent again.
func (s *Screen) refuse(text string) {
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	s.hint = name + " cannot run during a turn: wait for its end, or interrupt it with esc"
	s.input.set(text)
}

// next begins what waits, once nothing runs.
func (s *Screen) next() tea.Cmd {
	for s.turn == nil && s.session != nil && len(s.queue) > 0 && !s.quitting {
		text := s.queue[0]
		if s.page != nil && strings.HasPrefix(text, "!") {
			return nil // it needs the terminal, which a page has
		}
		s.queue = s.queue[1:]
		if cmd := s.begin(text); cmd != nil {
			return cmd
		}
	}
	return nil
}

// begin runs a line now.
func (s *Screen) begin(text string) tea.Cmd {
	s.print(prompted(text))
	words, isPrompt := slash.Prompt(text)
	switch {
	case strings.TrimSpace(text) == "!":
		s.say(typeset.Yellow, "a command belongs behind the !, such as !git status: the shell runs it, for you alone")
		return s.next()
	case strings.HasPrefix(text, "!"):
		return s.shell(text[1:])
	case isPrompt:
		s.run(func(ctx context.Context) ended {
			o, err := s.session.Agent.Prompt(ctx, agent.Input{Text: words})
			return ended{outcome: &o, err: err}
		})
	default:
		s.run(func(ctx context.Context) ended {
			a, err := s.session.Slash(ctx, text)
			return ended{answer: a, outcome: a.Outcome, err: err}
		})
		s.turn.sums = strings.TrimSpace(text) == "/compact"
	}
	return nil
}

// run makes something the turn.
func (s *Screen) run(do func(ctx context.Context) ended) {
	ctx, cancel := context.WithCancel(s.ctx)
	t := &turn{cancel: cancel, began: s.o.Now(), before: s.standing.SessionID}
	s.turn = t
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		defer cancel()
		e := do(ctx)
		e.of = t
		s.feed.put(e)
	}()
}

// commandBeside runs a command during a turn.
func (s *Screen) commandBeside(text string) tea.Cmd {
	s.print(prompted(text))
	s.beside(func(ctx context.Context) any {
		a, err := s.session.Slash(ctx, text)
		return ended{answer: a, err: err}
	})
	return nil
}

// ended shows what something came to, and begins what waits.
func (s *Screen) ended(e ended) tea.Cmd {
	if e.of != nil {
		s.settle()
		for _, c := range s.calls.running() {
			c.state = interrupted
			s.print(c.block())
		}
		s.turn = nil
	}
	s.tell(e)
	if e.answer.Quit {
		return s.quit()
	}
	if e.of != nil && !s.quitting {
		s.menu.asked = false // there may be other files now
		s.around()
		if s.standing.SessionID != e.of.before && e.outcome == nil && e.err == nil {
			s.showPast()
		}
	}
	return s.next()
}

// tell shows the page of a command, and what went wrong.
func (s *Screen) tell(e ended) {
	for _, w := range e.answer.Warnings {
		s.say(typeset.Yellow, w)
	}
	s.print(pageBlock(e.answer, s.o.Colour))
	err := e.err
	if err == nil && e.outcome != nil && s.session.Verdict != nil {
		err = s.session.Verdict(*e.outcome)
	}
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		s.say(typeset.Yellow, "interrupted; what was shown is kept")
	default:
		s.say(typeset.Red, plumbing.Explain(err))
	}
	if err != nil && e.of != nil && len(s.queue) > 0 { // what waits was written for a turn that went well
		s.unqueue()
	}
}

// unqueue puts what waits back into the input. Commands and lines for the shell
// are not joined with words for the agent: those can be gone back to.
func (s *Screen) unqueue() {
	s.hint = "what waited is back in the input"
	var prompts []string
	for _, text := range s.queue {
		if _, isPrompt := slash.Prompt(text); isPrompt && !strings.HasPrefix(text, "!") {
			prompts = append(prompts, text)
		} else {
			s.hint = "what waited is back in the input; commands that waited are in the history"
		}
	}
	s.queue = nil
	draft := s.input.text
	if _, isPrompt := slash.Prompt(draft); draft != "" && (!isPrompt || strings.HasPrefix(draft, "!")) {
		s.hint = "what waited is in the history: up brings it back"
		return // it is no prompt: nothing may become part of it
	}
	if draft != "" {
		prompts = append(prompts, draft)
	}
	s.input.set(strings.Join(prompts, "\n"))
}

// pageBlock is the page of a command as a block.
func pageBlock(a slash.Answer, colour bool) block {
	text := strings.TrimRight(a.Print(memory.Style{Width: 80, Colour: colour}), "\n")
	if text == "" {
		return block{rows: func(int) []typeset.Row { return nil }}
	}
	return block{size: len(text), rows: func(width int) []typeset.Row {
		return typeset.Wrap(typeset.Painted(strings.TrimRight(a.Print(memory.Style{Width: width, Colour: colour}), "\n")), width, nil, nil)
	}}
}

// interrupt ends the turn; what it had shown stays.
func (s *Screen) interrupt() {
	if s.turn != nil && !s.turn.ending {
		s.turn.ending = true
		s.turn.cancel()
	}
}
