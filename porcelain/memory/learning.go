package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
)

// latestLearning finds the latest learning event of Deps.SessionID, or of all
// sessions, with the proposals that still stand; nil where there is none. What
// of a session cannot be read has no say.
func (d Deps) latestLearning(ctx context.Context) (*learned.Found, error) {
	view, err := d.Facts.View(ctx)
	if err != nil {
		return nil, err
	}
	v := d.Sources
	v.Sessions = d.Sessions
	return learned.Latest(ctx, v, view, d.SessionID)
}

// sayLearning tells a learning on one line.
func sayLearning(d Deps, r *learned.Found) string {
	if r == nil {
		return "none is recorded"
	}
	said := oneLine(r.Outcome)
	for _, c := range []struct {
		n    int
		word string
	}{{len(r.Facts), "fact"}, {len(r.Proposals), "proposal"}} {
		if c.n > 0 {
			said += ", " + counted(int64(c.n), c.word)
		}
	}
	if len(r.ReasonCounts) > 0 {
		var parts []string
		for code, n := range r.ReasonCounts {
			parts = append(parts, fmt.Sprintf("%s %d", oneLine(code), n))
		}
		slices.Sort(parts)
		said += " (" + strings.Join(parts, ", ") + ")"
	}
	said += fmt.Sprintf(", session %s, record %d", oneLine(r.SessionID), r.Seq)
	if !r.Time.IsZero() {
		said += ", age " + age(d.Now(), r.Time)
	}
	return said
}

// learning writes the latest learning, and what it left for the user to decide.
func (p *page) learning(d Deps, r *learned.Found) {
	p.line("", "  ", "latest learning: "+sayLearning(d, r), dim)
	if r == nil {
		return
	}
	for _, item := range r.Proposals {
		p.line("  proposed: ", "            ", oneLine(item.Text), "")
		p.line("            ", "            ", sayProposal(d, item), dim)
	}
}

// sayProposal says why something was not remembered, and how to take it up.
func sayProposal(d Deps, item learned.Proposal) string {
	seqs := item.Source.Seqs
	where := fmt.Sprintf("%s %d %d", oneLine(item.Source.SessionID), seqs[0], seqs[len(seqs)-1])
	why := map[string]string{learned.WhyCorrection: "it corrects something", learned.WhyUncertain: "the model was not sure",
		learned.WhyImported: "another agent's transcript says so", learned.WhyConflict: "it contradicts what is known"}[item.Why]
	if why == "" {
		why = "the user has to decide"
	}
	if len(item.Conflicts) > 0 && fact.CheckID(item.Conflicts[0].ID) == nil {
		c := item.Conflicts[0]
		return fmt.Sprintf("%s; to take it up: %s", why, d.Call.line(fmt.Sprintf("correct %s %d %s TEXT", c.ID, c.Revision, where)))
	}
	return fmt.Sprintf("%s; its words: %s", why, d.Call.line("read "+where))
}

// counted is a number with its noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
