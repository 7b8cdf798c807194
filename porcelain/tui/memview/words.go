package memview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// explained is an error as a person reads it, with the way out.
func explained(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return oneLine(plumbing.Explain(err))
}

// statusInk is the colour of a status, beside its word.
func statusInk(s source.Status) typeset.Ink {
	switch s {
	case source.Valid:
		return typeset.Green
	case source.Hidden, source.Unverified:
		return typeset.Yellow
	}
	return typeset.Red
}

// statusMeans says what a status means for the fact.
func statusMeans(s source.Status) string {
	switch s {
	case source.Valid:
		return "the evidence of every revision holds"
	case source.Hidden:
		return "some of its evidence was undone or forgotten, or is a model's from before the last forget"
	case source.Stale:
		return "some of its evidence is not what was hashed"
	case source.Missing:
		return "some of its evidence is not there any more"
	case source.Unverified:
		return "nobody showed where it was said"
	}
	return string(s)
}

// fileInk is the colour of what has become of the line of a project fact.
func fileInk(state string) typeset.Ink {
	if state == learned.Same {
		return typeset.Green
	}
	return typeset.Red
}

// factText is the text of a fact in one line, where it may be told.
func factText(l memory.Listed) (string, typeset.Ink) {
	if l.Status != source.Valid {
		return "(not told: " + string(l.Status) + ")", typeset.Faint
	}
	return glimpse(l.Fact.Current().Text), typeset.None
}

// counted is a number with its noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// place says how far one has scrolled.
func place(row, of int) string { return fmt.Sprintf("row %d of %d", row, of) }

// positions names records, session by session.
func positions(list []fact.Position) []string {
	var said []string
	for i := 0; i < len(list); {
		var seqs []int64
		id := list[i].SessionID
		for ; i < len(list) && list[i].SessionID == id; i++ {
			seqs = append(seqs, list[i].Seq)
		}
		said = append(said, "session "+oneLine(id)+", "+memory.Records(seqs))
	}
	return said
}

// since is an age from a record's time; "" where it is not known.
func since(now time.Time, t string) string {
	if at, err := time.Parse(time.RFC3339Nano, t); err == nil {
		return memory.Age(now, at)
	}
	return ""
}
