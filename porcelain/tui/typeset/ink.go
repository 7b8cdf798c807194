package typeset

// Ink is how a piece of text looks: the parameters of an SGR sequence.
type Ink string

// The inks, of the sixteen colours that the person's own theme defines. None is
// text as it is.
const (
	None    Ink = ""
	Bold    Ink = "1"
	Faint   Ink = "2"
	Italic  Ink = "3"
	Reverse Ink = "7"
	Struck  Ink = "9"
	Red     Ink = "31"
	Green   Ink = "32"
	Yellow  Ink = "33"
	Blue    Ink = "34"
	Magenta Ink = "35"
	Cyan    Ink = "36"
)

// And is both inks at once.
func (i Ink) And(other Ink) Ink {
	if i == None || other == None {
		return i + other
	}
	return i + ";" + other
}

// Of is text of this ink.
func (i Ink) Of(text string) Span { return Span{Text: text, Ink: i} }

// Row is a row of one text of this ink.
func (i Ink) Row(text string) Row { return Row{i.Of(text)} }
