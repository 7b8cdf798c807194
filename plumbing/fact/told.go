package fact

import (
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/source"
)

// MaxTold is how many characters of a text are told unless all of it is asked
// for (design section 13).
const MaxTold = 512

// Told is a fact as commands and tools tell it (design section 7). The text is
// there only where the evidence of every revision is valid.
type Told struct {
	Created       *string     `json:"created"`
	File          *string     `json:"file"`
	ID            string      `json:"id"`
	Outcome       *string     `json:"outcome"`
	Revision      int64       `json:"revision"`
	Source        *source.Ref `json:"source"`
	Status        string      `json:"status"`
	Text          *string     `json:"text"`
	TextTruncated bool        `json:"text_truncated"`
	Type          string      `json:"type"`
}

// Tell tells a fact whose evidence has the status; full is its whole text.
func (f Fact) Tell(status source.Status, outcome Outcome, full bool) Told {
	current := f.Current()
	created := formatTime(f.Created)
	t := Told{Created: &created, ID: f.ID, Revision: current.Number, Source: current.Source(), Status: string(status), Type: "fact"}
	if outcome != "" {
		t.Outcome = (*string)(&outcome)
	}
	if status != source.Valid {
		return t
	}
	text := current.Text
	if !full && utf8.RuneCountInString(text) > MaxTold {
		text, t.TextTruncated = string([]rune(text)[:MaxTold]), true
	}
	t.Text = &text
	return t
}

// Forgotten is a Receipt as commands and tools print it.
type Forgotten struct {
	Receipt `json:",inline"`
	Type    string `json:"type"`
}

// Told returns the receipt as an object of its type.
func (r Receipt) Told() Forgotten { return Forgotten{r, "forgotten"} }
