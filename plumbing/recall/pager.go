package recall

import (
	"math"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// pager cuts one page out of the JSON array of the records, which pass through
// it once and are not kept.
type pager struct {
	skip  int64 // characters before the page
	limit int64 // characters of the page
	room  int   // bytes that the page may take as the inside of a JSON string

	at     int64 // characters that passed, as long as the page is not full
	taken  int64 // characters of page
	page   []byte
	full   bool // a character came that the page has no place for
	opened bool
}

// record takes the next record, as it is shown.
func (g *pager) record(e session.Entry) error {
	if g.full {
		return nil
	}
	if g.opened {
		g.text([]byte{','})
	} else {
		g.opened = true
		g.text([]byte{'['})
	}
	for piece := range source.Shown(e.Raw) {
		g.text(piece)
	}
	return nil
}

func (g *pager) end() { g.text([]byte{']'}) }

// text takes a piece of whole characters.
func (g *pager) text(b []byte) {
	if g.at+int64(len(b)) <= g.skip {
		g.at += int64(utf8.RuneCount(b))
		return
	}
	for len(b) > 0 && !g.full {
		_, n := utf8.DecodeRune(b)
		if g.at >= g.skip {
			g.take(b[:n])
		}
		g.at++
		b = b[n:]
	}
}

// take adds a character to the page if it fits.
func (g *pager) take(c []byte) {
	cost := escaped(c)
	if g.taken == g.limit || cost > g.room {
		g.full = true
		return
	}
	g.page = append(g.page, c...)
	g.room -= cost
	g.taken++
}

// escaped is the bytes that a character takes inside a canonical JSON string.
func escaped(c []byte) int {
	switch b := c[0]; {
	case b == '"', b == '\\', b == '\b', b == '\t', b == '\n', b == '\f', b == '\r':
		return 2
	case b < ' ':
		return 6
	}
	if len(c) == 1 && c[0] >= utf8.RuneSelf {
		return utf8.UTFMax // not UTF-8: the record is damaged and the page is not shown
	}
	return len(c)
}

// room is the bytes that source_text may take, everything else of the page being as large as it can become.
func (p Page) room() (int, error) {
	empty, next := "", int64(math.MaxInt64)
	if p.Offset <= next-p.Limit {
		next = max(p.Offset+p.Limit, 1000) // no shorter than null
	}
	p.SourceText, p.NextOffset, p.Status = &empty, &next, source.Unverified
	line, err := canon.Marshal(p)
	if err != nil {
		return 0, err
	}
	return MaxBytes - len(line) - len("\n"), nil
}
