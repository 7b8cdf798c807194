package tui

import (
	"context"

	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// question is a call that a person is asked for.
type question struct {
	need    permission.Need
	verdict permission.Verdict
	answer  chan permission.Answer // takes one
	keep    bool                   // "always" can be kept

	armed  bool // it takes an answer
	small  bool // the terminal is too small to show what is asked
	arming int  // what the count of typed keys was, and one, when it was last to be armed
	at     int  // the answer that is marked; below 0: none, so that an enter that was meant for something else answers nothing
	scroll int  // rows of the text that are above

	text  []typeset.Row // laid out for a width
	must  int           // rows of it that have to be seen before it is allowed: all but a diff
	seen  int           // rows of it that were seen
	width int
}

// withdrawn says that nobody waits for an answer any more.
type withdrawn struct{ q *question }

// ask is the permission.Asker of the screen.
func (s *Screen) ask(ctx context.Context, n permission.Need, v permission.Verdict) (permission.Answer, error) {
	_, _, keep := permission.Keep(n)
	q := &question{need: n, verdict: v, keep: keep, at: -1, answer: make(chan permission.Answer, 1)}
	s.feed.put(q)
	select {
	case a := <-q.answer:
		return a, nil
	case <-ctx.Done():
		s.feed.put(withdrawn{q})
		return permission.Refuse, ctx.Err()
	}
}

// choice is an answer with its key.
type choice struct {
	key    string
	label  string
	answer permission.Answer
}

func (q *question) choices() []choice {
	c := []choice{{"o", "once", permission.Once}, {"s", "this session", permission.Session}, {"a", "always", permission.Always}, {"d", "deny", permission.Refuse}}
	if !q.keep {
		c = append(c[:2], c[3])
	}
	return c
}

// key does what a key says: an answer, "" where there is none yet.
func (q *question) key(key string, page int) permission.Answer {
	list := q.choices()
	switch key {
	case "left", "shift+tab":
		q.at = (max(q.at, 0) + len(list) - 1) % len(list)
	case "right", "tab":
		q.at = (q.at + 1) % len(list)
	case "up", "k":
		q.scroll--
	case "down", "j":
		q.scroll++
	case "home":
		q.scroll = 0
	case "end":
		q.scroll = len(q.text)
	case "pgup":
		q.scroll -= page
	case "pgdown", "space":
		q.scroll += page
	case "enter":
		if q.at >= 0 {
			return list[q.at].answer
		}
	case "y":
		return permission.Once
	case "n":
		return permission.Refuse
	}
	for _, c := range list {
		if key == c.key {
			return c.answer
		}
	}
	return ""
}
