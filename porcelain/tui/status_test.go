package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

func ptr[T any](v T) *T { return &v }

func TestStatus(t *testing.T) {
	st := agent.Standing{SessionID: "0192f3c4-aaaa-7bbb-8ccc-0123456789ab", Model: "anthropic/claude", Mode: permission.Auto, Tokens: 61_000, Window: 200_000, Facts: 5,
		Usage: usage.Totals{Calls: 4, Cost: ptr(0.1234), UnknownCostCalls: 1}}
	var b strings.Builder
	for _, width := range []int{140, 110, 90, 80, 60, 50, 40, 30, 20, 8, 1} {
		r := status(st, "main (worktree fix)", "learned 2 facts", width)
		if r.Columns() > width {
			t.Errorf("%d columns of %d", r.Columns(), width)
		}
		fmt.Fprintf(&b, "%3d %s\n", width, r.Write(false))
	}
	golden(t, "status.txt", b.String())
}

func TestCost(t *testing.T) {
	for _, c := range []struct {
		t    usage.Totals
		want string
	}{
		{usage.Totals{}, ""},
		{usage.Totals{Calls: 1, UnknownCostCalls: 1}, "$?"},
		{usage.Totals{Calls: 1, Cost: ptr(0.0)}, "$0.00"},
		{usage.Totals{Calls: 1, Cost: ptr(0.004)}, "<$0.01"},
		{usage.Totals{Calls: 2, Cost: ptr(1.5), UnknownCostCalls: 1}, "$1.50+?"},
	} {
		if got := cost(c.t); got != c.want {
			t.Errorf("%+v: %q, want %q", c.t, got, c.want)
		}
	}
}

func TestContextUsed(t *testing.T) {
	for _, c := range []struct {
		tokens, window int64
		want           string
		ink            typeset.Ink
	}{
		{0, 0, "", typeset.None}, {0, 8000, "░░░░░░░░ 0% of 8k", typeset.Green}, {1, 8000, "░░░░░░░░ 0% of 8k", typeset.Green}, {5000, 8000, "▓▓▓▓▓░░░ 62% of 8k", typeset.Yellow},
		{9000, 8000, "▓▓▓▓▓▓▓▓ 112% of 8k", typeset.Red}, {500_000, 1_000_000, "▓▓▓▓░░░░ 50% of 1M", typeset.Green},
	} {
		if got, i := contextUsed(agent.Standing{Tokens: c.tokens, Window: c.window}); got != c.want || i != c.ink {
			t.Errorf("%d of %d: %q %q", c.tokens, c.window, got, i)
		}
	}
}
