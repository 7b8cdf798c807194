package agent

import (
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing/budget"
)

// room is what the results of one answer may take of the window, so that no
// result, and no number of them, makes a session that cannot go on.
type room struct {
	left  int64 // tokens
	calls int64 // that still share it
}

const (
	maxCalls    = 64 // of one answer that are taken; more are dropped from it
	leastResult = 96 // tokens of a result that is cut, however full the window is
)

// room is what the window has left behind a request, for the results of its answer.
func (r *ready) room() int64 {
	return max(0, (r.model.Limits.ContextWindow-r.tokens-r.request.MaxOutputTokens/4-leastAnswer)*3/4)
}

// take is the next call's share. What one does not need is the others'.
func (r *room) take() int64 {
	share := max(leastResult, r.left/max(1, min(r.calls, 4)))
	r.calls--
	return share
}

// fit cuts a result to a share of the room, its head and its tail kept.
func (r *room) fit(result *Result, share int64) {
	took := budget.Tokens(result.Text)
	if took > share {
		result.Text = cutMiddle(result.Text, share)
		took = budget.Tokens(result.Text)
	}
	r.left = max(0, r.left-took)
}

// cutMiddle leaves out the middle of a text, until it is at most about that many tokens.
func cutMiddle(text string, tokens int64) string {
	keep := len(text)
	for keep > 64 && budget.Tokens(text[:keep/4])+budget.Tokens(text[len(text)-keep*3/4:]) > tokens {
		keep = keep * 3 / 4
	}
	head := strings.ToValidUTF8(text[:keep/4], "")
	tail := strings.ToValidUTF8(text[len(text)-keep*3/4:], "")
	out := len(text) - len(head) - len(tail)
	return fmt.Sprintf("%s\n[… %d bytes left out: the context has no room for them; ask for a part …]\n%s", head, out, tail)
}
