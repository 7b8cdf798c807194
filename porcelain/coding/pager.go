package coding

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
)

// pager prints a range of a file's lines as a model reads them: the number, a
// tab, the line without its line end.
//
// What is printed so proves that the file holds the line (design section 11).
// A line that was cut ends in learned's mark and proves nothing; one that is not
// printed as the file has it gets a space before its number, to the same end.
type pager struct {
	first, last int64 // numbers of the lines to print, from 1
	exact       bool  // the lines may prove something

	b      strings.Builder
	next   int64 // the line to go on with where the output is full; 0: it is not
	lines  int64 // read so far
	size   int64 // bytes read so far
	crlf   int64 // lines that ended in CR LF
	bad    int64 // lines printed that are not valid UTF-8, or hold a NUL
	unseen []int64
	ended  bool // the file's end was met
}

// maxUnasked is how many bytes are read past what was asked for, to tell how
// many lines there are; maxSought how many before it.
const (
	maxUnasked = maxWhole
	maxSought  = 1 << 30
)

// read goes through the file line by line, and holds no more of a line than is printed.
func (g *pager) read(ctx context.Context, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, length, err := g.line(ctx, r)
		if errors.Is(err, io.EOF) {
			g.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		g.lines++
		if g.lines >= g.first && g.lines <= g.last && g.next == 0 {
			g.print(line, length)
		}
		if done := g.next != 0 || g.lines >= g.last; done && g.size > maxUnasked || g.size > maxSought {
			return nil
		}
	}
}

// line reads a line: its beginning, without the line end, and how many bytes it has.
func (g *pager) line(ctx context.Context, r *bufio.Reader) (head []byte, length int64, err error) {
	var last byte // the one before the piece: a CR LF may be torn apart
	for {
		piece, err := r.ReadSlice('\n')
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		g.size += int64(len(piece))
		ended := err == nil
		if ended {
			piece = piece[:len(piece)-1]
		}
		if n := len(piece); n > 0 {
			last = piece[n-1]
		}
		head = append(head, piece[:min(len(piece), maxLine+utf8.UTFMax+1-len(head))]...)
		length += int64(len(piece))
		switch {
		case err != nil && !errors.Is(err, bufio.ErrBufferFull) && (!errors.Is(err, io.EOF) || length == 0):
			return nil, 0, err
		case errors.Is(err, bufio.ErrBufferFull):
			if length > maxSought {
				return nil, 0, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("line %d is longer than %d bytes", g.lines+1, maxSought), "look at it with a program")
			}
			continue
		}
		if ended && last == '\r' {
			g.crlf++
		}
		if last == '\r' { // it is not part of the line, at the end of the file neither (learned.Observed)
			length--
			head = head[:min(int64(len(head)), length)]
		}
		return head, length, nil
	}
}

// print adds a line, unless it does not fit any more.
func (g *pager) print(head []byte, length int64) {
	text, mark := head, ""
	if length > maxLine {
		text = head[:cutAt(head, maxLine)]
		mark = fmt.Sprintf("%s%d more bytes]", learned.CutMark, length-int64(len(text)))
	}
	number := strconv.FormatInt(g.lines, 10)
	line := string(text)
	switch {
	case !utf8.ValidString(line) || strings.Contains(line, "\x00"):
		line = strings.ReplaceAll(strings.ToValidUTF8(line, "\uFFFD"), "\x00", "\u2400")
		number = " " + number
		g.bad++
	case !g.exact || strings.HasSuffix(line, "\r"): // two CR at the end: learned would take one of them away
		number = " " + number
	}
	line = number + "\t" + line + mark + "\n"
	if g.b.Len()+len(line) > maxText {
		g.next = g.lines
		return
	}
	g.b.WriteString(line)
	if bytes.IndexFunc(text, notASCII) >= 0 && len(g.unseen) <= maxUnseen && prompt.Show(string(text)) != string(text) {
		g.unseen = append(g.unseen, g.lines)
	}
}

// notASCII finds what prompt.Show may have to show, fast.
func notASCII(r rune) bool { return r >= utf8.RuneSelf || r < ' ' && r != '\t' || r == 0x7F }

// cutAt is where text is cut to at most that many bytes, at a character.
func cutAt(text []byte, most int) int {
	if len(text) <= most {
		return len(text)
	}
	at := most
	for at > most-utf8.UTFMax && !utf8.RuneStart(text[at]) {
		at--
	}
	if !utf8.RuneStart(text[at]) {
		return most // no UTF-8 at all
	}
	return at
}

// maxUnseen is how many lines with characters that cannot be seen are named.
const maxUnseen = 20

// result is what was printed, with what a model has to know of it in brackets.
func (g *pager) result(p place, f form) (agent.Result, error) {
	total := fmt.Sprintf("%d lines", g.lines)
	if !g.ended {
		total = "more"
	}
	switch {
	case g.ended && g.lines == 0:
		return agent.Result{Text: "[the file is empty]\n"}, nil
	case g.lines < g.first && g.ended:
		return agent.Result{}, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("%q has %s, and line %d is past the end", p.given, counted(g.lines, "line"), g.first), "give a smaller offset")
	case g.lines < g.first:
		return agent.Result{}, plumbing.Fail(plumbing.ErrRefused,
			fmt.Sprintf("line %d of %q is not within the first %d bytes", g.first, p.given, int64(maxSought)), "look at it with a program")
	}
	last := min(g.last, g.lines)
	if g.next != 0 {
		last = g.next - 1
	}
	if g.first > 1 || last < g.lines || !g.ended {
		fmt.Fprintf(&g.b, "[lines %d to %d of %s", g.first, last, total)
		if last < g.lines || !g.ended {
			fmt.Fprintf(&g.b, "; go on with offset %d", last+1)
		}
		g.b.WriteString("]\n")
	}
	g.remarks(f)
	return agent.Result{Text: g.b.String()}, nil
}

func (g *pager) remarks(f form) {
	if s := f.String(); s != "" {
		fmt.Fprintf(&g.b, "[the file has %s]\n", s)
	} else if g.crlf > 0 {
		fmt.Fprintf(&g.b, "[%d of %d lines end in CRLF]\n", g.crlf, g.lines)
	}
	if g.bad > 0 {
		fmt.Fprintf(&g.b, "[not valid UTF-8, shown with U+FFFD: %s, behind a space]\n", counted(g.bad, "line"))
	}
	if len(g.unseen) > 0 {
		fmt.Fprintf(&g.b, "[characters that cannot be seen on lines %s]\n", numbers(g.unseen, maxUnseen))
	}
}

// numbers lists the first of some line numbers.
func numbers(list []int64, most int) string {
	var b strings.Builder
	for i, n := range list[:min(len(list), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatInt(n, 10))
	}
	if len(list) > most {
		b.WriteString(" and more")
	}
	return b.String()
}
