package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// happened shows something that came through the feed.
func (s *Screen) happened(item any) tea.Cmd {
	switch v := item.(type) {
	case opened:
		return s.opened(v)
	case *question:
		s.asked = append(s.asked, v)
	case withdrawn:
		s.withdraw(v.q)
	case ended:
		return s.ended(v)
	case pastMsg:
		s.past(v)
	case saidMsg:
		s.history.before(v)
	case surroundings:
		s.place, s.off, s.facts = v.place, v.off, v.facts
		s.look()
	case filesMsg:
		s.menu.files = v
		s.complete()
	case offersMsg:
		s.offered(v)
	case note:
		s.say(v.ink, v.text)
	case agent.Event:
		s.event(v)
	}
	return nil
}

// event shows what an agent did.
func (s *Screen) event(e agent.Event) {
	switch v := e.(type) {
	case agent.Streamed:
		s.streamed(v)
	case agent.Answered:
		s.answered(v)
	case agent.Calling:
		s.settle()
		s.calls.begin(v, s.o.Now())
	case agent.Asked:
		s.judged(v)
	case agent.Progressed:
		if c := s.calls.find("", v.CallID); c != nil {
			c.output = capped(c.output + v.Text)
		}
	case agent.Called:
		s.called(v)
	case agent.Compacting:
		s.doing("summing up the older exchanges: " + v.Why)
	case agent.Compacted:
		s.doing("")
		if s.turn == nil || !s.turn.sums {
			s.say(typeset.Faint, fmt.Sprintf("the exchanges up to record %d are summed up; part 5 of the memory (alt+m) says what the summary lost", v.Applied.CoveredThrough))
		}
	case agent.Learned:
		s.learning(v)
	case agent.Stale:
		if v.Child != "" {
			return // the task asks again, or says so in its result
		}
		s.settle()
		s.say(typeset.Yellow, "something was forgotten while the model answered: its answer above is dropped"+map[bool]string{true: ", and it is asked again"}[v.Again])
	case agent.Notice:
		s.say(typeset.Yellow, v.Text)
	case agent.Injected:
		s.say(typeset.Faint, v.Text)
	case agent.Phase:
		s.settle()
		s.say(typeset.Cyan, fmt.Sprintf("%s, phase %d of %d (%s): %s", v.Chain, v.Number, v.Of, v.Mode, v.Prompt))
	}
}

func (s *Screen) streamed(v agent.Streamed) {
	if v.Child != "" {
		return
	}
	s.doing("")
	if v.Text == "" {
		s.stream.think(v.Reasoning)
		return
	}
	if whole := s.stream.add(v.Text); whole != "" {
		s.print(answer(whole))
	}
	s.stream.any = true
}

// answered ends an answer; one that did not come in pieces is shown now.
func (s *Screen) answered(v agent.Answered) {
	if v.Child != "" {
		return
	}
	if !s.stream.any && v.Response.Text() != "" {
		s.print(answer(v.Response.Text()))
	}
	s.settle()
}

// settle moves what is left of an answer to the scrollback.
func (s *Screen) settle() {
	if rest := s.stream.end(); rest != "" {
		s.print(answer(rest))
	}
}

func (s *Screen) judged(v agent.Asked) {
	if c := s.calls.find(v.Child, v.CallID); c != nil && !v.Allowed {
		c.state, c.why = denied, v.Why
		s.print(c.block())
	}
}

func (s *Screen) called(v agent.Called) {
	c := s.calls.find(v.Child, v.CallID)
	if c == nil || c.state != running && c.state != denied { // it never began: there is no such tool
		s.calls.begin(agent.Calling{Child: v.Child, CallID: v.CallID, Name: v.Name}, s.o.Now())
		c = s.calls.find(v.Child, v.CallID)
	}
	told := c.state == denied
	c.end(v, s.o.Now())
	if !told {
		s.print(c.block())
	}
	if len(v.Masked) > 0 {
		s.say(typeset.Yellow, fmt.Sprintf("secrets in the result were masked: %v", v.Masked))
	}
}

// learning keeps what learning came to for the status line, and tells of what is new.
func (s *Screen) learning(v agent.Learned) {
	s.doing("")
	s.learned = "learned " + v.Applied.Outcome
	if n := len(v.Applied.Facts); n > 0 {
		s.learned = "learned " + plural(n, "fact")
		s.say(typeset.Green, s.learned+"; /memory facts lists them")
	}
	if n := len(v.Applied.Proposals); n > 0 {
		s.say(typeset.Cyan, plural(n, "proposal")+" to remember; /memory shows them")
	}
}

// doing says what a turn does that the agent's words do not show; "": nothing special.
func (s *Screen) doing(what string) {
	if s.turn != nil {
		s.turn.doing = what
	}
}

// withdraw takes a question back.
func (s *Screen) withdraw(q *question) {
	for i, one := range s.asked {
		if one == q {
			s.asked = append(s.asked[:i], s.asked[i+1:]...)
			return
		}
	}
}

// opened takes the session over, and what was sent before it was there.
func (s *Screen) opened(v opened) tea.Cmd {
	if v.err != nil {
		s.failed = v.err
		return s.quit()
	}
	s.session = v.session
	s.around()
	s.showPast()
	if said := v.session.Said; said != nil {
		s.beside(func(ctx context.Context) any { return saidMsg(said(ctx)) })
	}
	return s.next()
}

type saidMsg []string

// note is a line that something beside the turn has to say.
type note struct {
	ink  typeset.Ink
	text string
}

// beside does something next to what runs, and shows what it gives.
func (s *Screen) beside(do func(ctx context.Context) any) {
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		if item := do(s.ctx); item != nil {
			s.feed.put(item)
		}
	}()
}
