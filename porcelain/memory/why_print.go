package memory

import (
	"fmt"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/source"
)

// Style is how a page for people is written.
type Style struct {
	Width  int  // columns; below 40 counts as 40
	Colour bool // ANSI colours
}

// page collects lines for a reader.
type page struct {
	strings.Builder
	s Style
}

// The few colours: bold for what is asked about, dim for what surrounds it,
// red for what does not hold, hit for what a search found.
const (
	bold = "1"
	dim  = "2"
	red  = "31"
	hit  = "1;31"
)

// width is the columns of a line.
func (p *page) width() int { return max(p.s.Width, 40) }

func (p *page) paint(code, text string) string {
	if !p.s.Colour || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// line writes one line, cut into as many as the width needs; every one but the
// first begins with the indent. text may hold no newline.
func (p *page) line(first, indent, text, code string) {
	for i, part := range wrap(text, p.width()-max(columns(first), columns(indent))) {
		lead := indent
		if i == 0 {
			lead = first
		}
		p.WriteString(strings.TrimRight(lead, " ") + pad(lead, part) + p.paint(code, part) + "\n")
	}
}

// pad is the space at the end of lead, kept where something follows it.
func pad(lead, part string) string {
	if part == "" {
		return ""
	}
	return lead[len(strings.TrimRight(lead, " ")):]
}

// Print writes the reason for a person to read.
func (r Reason) Print(s Style) string {
	p := &page{s: s}
	p.line("", "  ", fmt.Sprintf("fact %s", r.ID), bold)
	if r.Status == source.Valid {
		p.line("", "", "It holds: every revision stands on words that are still there.", "")
	} else {
		p.line("", "", fmt.Sprintf("It does not hold (%s), so it is neither recalled nor put into a prompt.", r.Status), red)
	}
	p.file(r.File)
	for i := len(r.Revisions) - 1; i >= 0; i-- {
		p.WriteString("\n")
		p.revision(r.Revisions[i], i == len(r.Revisions)-1)
	}
	return p.String()
}

// file says what has become of the line that the fact is about.
func (p *page) file(state *string) {
	switch {
	case state == nil:
	case *state == learned.Same:
		p.line("", "", "The file holds that line now.", "")
	case *state == learned.Changed:
		p.line("", "", "The file has changed: it does not hold that line now.", red)
	case *state == learned.Gone:
		p.line("", "", "The file is gone.", red)
	}
}

func (p *page) revision(r Revision, current bool) {
	head := fmt.Sprintf("revision %d, %s", r.Number, r.Created.Format(time.DateTime+" UTC"))
	if current {
		head += ", the current one"
	}
	p.line("", "  ", head, bold)
	if r.Text == nil {
		p.line("  ", "  ", "(its words stand on what was forgotten and are not told)", dim)
	} else {
		p.text("  | ", *r.Text, "", nil)
	}
	p.session(r)
	shared := shares{}
	if r.Text != nil {
		shared = sharesOf(*r.Text)
	}
	if r.Why != nil && r.Why.Code == Changed {
		p.line("    ", "    ", "NOT the words that were hashed; what stands there now:", red)
	}
	for _, m := range r.Messages {
		p.message(m, shared)
	}
	p.verdict(r)
}

func (p *page) session(r Revision) {
	if r.Source == nil {
		return
	}
	where := "said in session " + prompt.Show(r.Source.SessionID)
	if s := r.Session; s != nil {
		if s.Title != nil {
			where += fmt.Sprintf(" “%s”", oneLine(*s.Title))
		}
		if s.Imported != nil {
			where += ", imported from " + oneLine(s.Imported.Format)
		}
		where += ", begun " + When(&s.Started)
	}
	p.line("  ", "    ", where+":", "")
}

// message writes a message: evidence with ">" before the lines that share words with the fact.
func (p *page) message(m Message, shared shares) {
	code, head := "", fmt.Sprintf("%d  %s, %s", m.Seq, m.Speaker(), When(m.Time))
	if !m.Evidence {
		code, head = dim, head+" (beside it)"
	}
	p.line("    ", "    ", head, code)
	if m.Text == nil {
		p.line("      ", "      ", "(not told: undone, forgotten, or older than the last forget)", dim)
		return
	}
	if !m.Evidence {
		p.text("      ", clip(*m.Text, 3), code, nil)
		return
	}
	p.text("      ", clip(*m.Text, 40), code, shared)
}

// text writes text line by line, each made visible, those that share words marked.
func (p *page) text(indent, text, code string, shared shares) {
	for line := range strings.SplitSeq(strings.ReplaceAll(prompt.Show(text), "\t", "    "), "\n") {
		first := indent
		lineCode := code
		if shared != nil && shared.with(line) {
			first, lineCode = indent[:len(indent)-2]+"> ", bold
		}
		p.line(first, indent, line, lineCode)
	}
}

// clip keeps the first lines of a text, and of those at most 200 characters a line on average.
func clip(text string, lines int) string {
	list := strings.SplitN(text, "\n", lines+1)
	kept := strings.Join(list[:min(lines, len(list))], "\n")
	n := 0
	for i := range kept {
		if n++; n > 200*lines {
			kept = kept[:i]
			break
		}
	}
	if len(kept) == len(text) {
		return text
	}
	return kept + fmt.Sprintf("\n… %d more bytes", len(text)-len(kept))
}

func oneLine(s string) string { return strings.Join(strings.Fields(prompt.Show(s)), " ") }

func (p *page) verdict(r Revision) {
	switch {
	case r.Why != nil:
		p.line("  ", "  ", "does not hold: "+r.Why.String(), red)
	case r.Status != source.Valid:
		p.line("  ", "  ", "does not hold: "+string(r.Status), red)
	case r.Cleared:
		p.line("  ", "  ", "holds; it was said before a /clear, so no new fact may stand on it", "")
	default:
		p.line("  ", "  ", "holds: the records are there, unchanged and visible", "")
	}
}

// String says a cause in words.
func (c Cause) String() string {
	switch c.Code {
	case NoSession:
		return "the session is not here any more (missing)"
	case NoRecord:
		return fmt.Sprintf("the session ends before record %d (missing)", c.Seq)
	case Refused:
		return "its session may not be read here: it is a link, or belongs to another project"
	case CorruptLog:
		return "the session's log is corrupt; `lecode fsck` says where (stale)"
	case NoMessage:
		return fmt.Sprintf("record %d is no message any more (stale)", c.Seq)
	case Changed:
		return "the records are not those that were hashed (stale)"
	case Forgotten:
		return fmt.Sprintf("record %d was forgotten (hidden)", c.Seq)
	case Older:
		return fmt.Sprintf("record %d is a model's, from before the last forget (hidden)", c.Seq)
	case Undone:
		return fmt.Sprintf("record %d was undone (hidden)", c.Seq)
	case NoEvidence:
		return "nobody showed where it was said (unverified)"
	}
	return string(c.Code)
}
