package note

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lecode/lecode/plumbing"
)

// The caps of a search.
const (
	MaxHits    = 50   // lines in all (seed, "What the agent sees")
	MaxContext = 20   // lines before and after each
	MaxText    = 1024 // bytes shown of a line
)

// SearchOptions limits a search.
type SearchOptions struct {
	Limit   int64 // at most MaxHits; 0 is MaxHits
	Context int64 // lines before and after each match, at most MaxContext
}

// Match is a line that the pattern matches.
type Match struct {
	File          string
	Line          int64    // from 1
	Column        int64    // where the match begins in the line, in bytes from 1
	Text          string   // the line without its end; of a long one MaxText bytes with that beginning
	Cut           bool     // the line is longer than Text
	Before, After []string // the lines around it, each cut to MaxText bytes
}

// Found is what Search found.
type Found struct {
	Matches   []Match
	Truncated bool      // more lines match
	Skipped   []Skipped // files that were not searched, or not whole
}

// Search finds the lines of all files that match a regular expression, in
// List's order, the lines of a file from its beginning.
//
// The dialect is that of Go's package regexp (RE2): no lookaround, no
// backreferences, \d \w \s \b are ASCII, a{,3} is literal text; time is
// linear in the text. Each line is matched by itself without its line end, LF
// or CRLF, so ^ and $ are its ends. A BOM is not part of the first one.
//
// Files of any size are read in the memory of one piece; of a line, the first
// MaxLine bytes are searched. What is no plain file and what is not text is
// skipped and named. plumbing.ErrInvalid: a pattern that is empty, too long or
// uses what the dialect lacks, which is named; limits out of range.
// plumbing.ErrRefused: the memory folder is a link or a file, or may not be read.
func (s *Store) Search(ctx context.Context, pattern string, opt SearchOptions) (Found, error) {
	p, err := compile(pattern)
	if err != nil {
		return Found{}, err
	}
	if opt.Limit < 0 || opt.Limit > MaxHits || opt.Context < 0 || opt.Context > MaxContext {
		return Found{}, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("a search shows at most %d lines, with at most %d around each", MaxHits, MaxContext), "")
	}
	if opt.Limit == 0 {
		opt.Limit = MaxHits
	}
	files, skipped, err := s.files(ctx)
	if err != nil {
		return Found{}, err
	}
	q := query{find: newFinder(p), opt: opt, buf: make([]byte, MaxLine), found: Found{Skipped: skipped}}
	for _, file := range files {
		if err := s.searchFile(ctx, &q, file); err != nil {
			return Found{}, err
		}
		if q.found.Truncated {
			break
		}
	}
	return q.found, nil
}

// searchFile adds what one file holds; a file that cannot be searched adds nothing but its name.
func (s *Store) searchFile(ctx context.Context, q *query, file string) error {
	f, err := s.opt.Config.Open(s.name(file), os.O_RDONLY)
	if err == nil {
		defer f.Close()
		before := len(q.found.Matches)
		if err = q.file(ctx, file, f); err != nil {
			q.found.Matches, q.found.Truncated = q.found.Matches[:before], false
		}
	}
	q.found.Skipped, err = skip(q.found.Skipped, file, err)
	return err
}

// query is a search that runs.
type query struct {
	find  *finder
	opt   SearchOptions
	buf   []byte
	found Found

	line  int64    // the number of the first line in what is looked at
	tail  []string // the lines before it, at most opt.Context
	short []int    // the matches that lack lines after them
}

// file searches one file.
func (q *query) file(ctx context.Context, name string, r io.Reader) error {
	lines := newLineReader(r, q.buf)
	q.line, q.tail, q.short = 1, nil, nil
	for !q.found.Truncated || len(q.short) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := lines.first
		p, err := lines.next(name)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		body := p.data
		if first {
			body = bytes.TrimPrefix(body, []byte("\uFEFF"))
		}
		if p.continues {
			end := bytes.IndexByte(body, '\n')
			if end < 0 {
				continue
			}
			body = body[end+1:]
			q.line++
		}
		q.body(name, body)
		if p.goesOn {
			q.found.Skipped = append(q.found.Skipped, Skipped{name, longLine(name, q.line)})
		}
	}
	return nil
}

// body searches whole lines, or the beginning of a long one.
func (q *query) body(file string, body []byte) {
	q.fill(body)
	line, counted := q.line, 0
	for from := 0; from < len(body) && !q.found.Truncated; {
		start, end, ok := q.find.next(body, from)
		if !ok {
			break
		}
		line += int64(bytes.Count(body[counted:start], []byte("\n")))
		counted = start
		q.hit(file, line, body, start, end)
		from = end + 1
	}
	q.line += int64(bytes.Count(body, []byte("\n")))
	if n := int(q.opt.Context); n > 0 {
		q.tail = append(q.tail, linesBefore(body, len(body), n)...)
		q.tail = q.tail[max(0, len(q.tail)-n):]
	}
}

// hit adds the line from start to end, unless there is no room for it.
func (q *query) hit(file string, number int64, body []byte, start, end int) {
	line := lineText(body, start, end)
	at := q.find.re.FindIndex(line)
	if at == nil {
		return
	}
	if int64(len(q.found.Matches)) == q.opt.Limit {
		q.found.Truncated = true
		return
	}
	m := Match{File: file, Line: number, Column: int64(at[0]) + 1}
	m.Text, m.Cut = window(line, at[0])
	if n := int(q.opt.Context); n > 0 {
		m.Before = linesBefore(body, start, n)
		if lack := n - len(m.Before); lack > 0 {
			m.Before = append(append([]string{}, q.tail[max(0, len(q.tail)-lack):]...), m.Before...)
		}
		if m.After = linesAfter(body, min(end+1, len(body)), n); len(m.After) < n {
			q.short = append(q.short, len(q.found.Matches))
		}
	}
	q.found.Matches = append(q.found.Matches, m)
}

// fill gives the matches that lack lines after them those that have come now.
func (q *query) fill(body []byte) {
	still := q.short[:0]
	for _, i := range q.short {
		m := &q.found.Matches[i]
		m.After = append(m.After, linesAfter(body, 0, int(q.opt.Context)-len(m.After))...)
		if len(m.After) < int(q.opt.Context) {
			still = append(still, i)
		}
	}
	q.short = still
}

// finder finds the lines of a pattern by the fastest way that it allows.
type finder struct {
	pattern
	auto  *automaton // nil: the regular expression itself, line by line
	ahead []int      // where each literal is next, len(data) for nowhere
}

func newFinder(p pattern) *finder {
	return &finder{p, newAutomaton(p.prog), make([]int, len(p.literals))}
}

// next returns the first line of data that matches and begins at from or later,
// where a line begins; end is where its LF is, or the end of data. Of new data
// it is asked from 0 on, and then onwards.
func (f *finder) next(data []byte, from int) (start, end int, ok bool) {
	if len(f.literals) == 0 {
		at := f.first(data[from:])
		if at < 0 {
			return 0, 0, false
		}
		start, end = lineAt(data, from+at)
		return start, end, true
	}
	if from == 0 {
		for i := range f.ahead {
			f.ahead[i] = -1
		}
	}
	for from < len(data) {
		at := f.literal(data, from)
		if at == len(data) {
			break
		}
		start, end = lineAt(data, at)
		if f.pure || f.first(data[start:min(end+1, len(data))]) >= 0 {
			return start, end, true
		}
		from = end + 1
	}
	return 0, 0, false
}

// literal is where the first of the literals is from byte from on, len(data) where none is.
func (f *finder) literal(data []byte, from int) int {
	least := len(data)
	for i, l := range f.literals {
		if f.ahead[i] < from {
			f.ahead[i] = len(data)
			if at := bytes.Index(data[from:], l); at >= 0 {
				f.ahead[i] = from + at
			}
		}
		least = min(least, f.ahead[i])
	}
	return least
}

// first is an offset in the first line of data that matches, -1 for none.
func (f *finder) first(data []byte) int {
	if f.auto != nil {
		if at, ok := f.auto.find(data); ok {
			return at
		}
		f.auto = nil
	}
	for from := 0; from < len(data); {
		_, end := lineAt(data, from)
		if f.re.Match(lineText(data, from, end)) {
			return from
		}
		from = end + 1
	}
	return -1
}
