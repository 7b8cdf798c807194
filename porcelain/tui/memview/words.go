package memview

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// ranges writes ascending seqs as 3-5,9.
func ranges(seqs []int64) string {
	var parts []string
	for i := 0; i < len(seqs); {
		j := i
		for j+1 < len(seqs) && seqs[j+1] == seqs[j]+1 {
			j++
		}
		part := fmt.Sprint(seqs[i])
		if j > i {
			part += fmt.Sprintf("-%d", seqs[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// records names records by their seqs.
func records(seqs []int64) string {
	if len(seqs) == 1 {
		return "record " + ranges(seqs)
	}
	return "records " + ranges(seqs)
}

// positions names records, session by session.
func positions(list []fact.Position) []string {
	var said []string
	for i := 0; i < len(list); {
		var seqs []int64
		id := list[i].SessionID
		for ; i < len(list) && list[i].SessionID == id; i++ {
			seqs = append(seqs, list[i].Seq)
		}
		said = append(said, "session "+oneLine(id)+", "+records(seqs))
	}
	return said
}

// speaker says who a message is of.
func speaker(m memory.Message) string {
	switch {
	case m.Origin == "user":
		return "the user"
	case m.Origin == "synthetic":
		return "nobody (added by a program)"
	case m.Role == "assistant":
		return "the assistant"
	case m.Role == "tool":
		return "a tool"
	}
	return "an event"
}

// when is a record's time as people read it, UTC; what is no time is shown as it is.
func when(t *string) string {
	if t == nil || *t == "" {
		return "at an unknown time"
	}
	if at, err := time.Parse(time.RFC3339Nano, *t); err == nil {
		return at.UTC().Format(time.DateTime + " UTC")
	}
	return oneLine(*t)
}

// since is an age from a record's time; "" where it is not known.
func since(now time.Time, t string) string {
	if at, err := time.Parse(time.RFC3339Nano, t); err == nil {
		return memory.Age(now, at)
	}
	return ""
}

// size is a number of bytes as people read it.
func size(n int64) string {
	for _, unit := range []string{"B", "KiB", "MiB"} {
		if n < 10_000 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n = (n + 512) / 1024
	}
	return fmt.Sprintf("%d GiB", n)
}
