package coding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
)

// What grep prints at most.
const (
	maxHits    = 200
	maxGrep    = 32 << 10 // bytes
	maxHit     = 400      // bytes of a line
	maxContext = 20       // lines before and after a hit
)

// grepJob is grep: {context?,glob?,ignore_case?,limit?,path?,pattern}.
type grepJob struct {
	pattern, path string
	glob          *string
	fold          bool
	context       int64
	limit         int64
}

func takeGrep(a tool.Arguments) job {
	j := grepJob{limit: maxHits}
	takeFrom(a, "context", &j.context, 0)
	j.glob, j.fold = a.TextIf("glob"), a.Yes("ignore_case")
	takeFrom(a, "limit", &j.limit, 1)
	j.path, j.pattern = textOr(a, "path", "."), a.Text("pattern")
	return j
}

func (j grepJob) where() (string, bool) { return j.path, true }

func (j grepJob) need(_ context.Context, t *Toolbox, p place) (string, string, error) {
	_, err := j.search()
	return fmt.Sprintf("grep %s in %s", shown(j.pattern), p.named(t)), "", err
}

// search makes ready what is searched for.
func (j grepJob) search() (*search, error) {
	const most = 1000
	s := &search{context: int(min(j.context, maxContext)), limit: int(min(j.limit, maxHits)), match: func(string) bool { return true }}
	var err error
	if j.glob != nil {
		if s.match, err = glob(*j.glob); err != nil {
			return nil, err
		}
	}
	flags := "(?m:"
	if j.fold {
		flags = "(?im:"
	}
	if j.pattern == "" || len(j.pattern) > most {
		return nil, plumbing.Fail(plumbing.ErrInvalid, "the pattern is empty or longer than 1000 bytes", "say what to search for")
	}
	// Parsed alone first: a parenthesis too many must not close the flags.
	if _, err = syntax.Parse(j.pattern, syntax.Perl); err == nil {
		s.re, err = regexp.Compile(flags + j.pattern + ")")
	}
	if err != nil {
		return nil, &plumbing.Error{Kind: plumbing.ErrInvalid, Cause: err, Message: "the pattern is no regular expression: " + what(err),
			Hint: "the dialect is RE2's: no lookaround, no backreferences; a backslash takes a character as it is"}
	}
	parsed, err := syntax.Parse(flags+j.pattern+")", syntax.Perl)
	s.byLine = err != nil || anchored(parsed)
	return s, nil
}

// what is wrong with an expression, without the words that regexp puts before it.
func what(err error) string {
	var e *syntax.Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%s: %.80q", e.Code, e.Expr)
	}
	return err.Error()
}

// anchored reports whether an expression asks for the beginning or end of the
// whole text, so that it has to be matched line by line.
func anchored(re *syntax.Regexp) bool {
	if re.Op == syntax.OpBeginText || re.Op == syntax.OpEndText {
		return true
	}
	for _, sub := range re.Sub {
		if anchored(sub) {
			return true
		}
	}
	return false
}

func (j grepJob) run(ctx context.Context, t *Toolbox, p place) (agent.Result, error) {
	s, err := j.search()
	if err != nil {
		return agent.Result{}, err
	}
	info, err := p.stat()
	if err != nil {
		return agent.Result{}, t.alike(ctx, p, err)
	}
	if !info.IsDir() {
		f, info, err := p.open()
		if err != nil {
			return agent.Result{}, err
		}
		s.file(shown(j.path), f, info)
		return agent.Result{Text: s.result("")}, nil
	}
	w, err := p.walk()
	if err != nil {
		return agent.Result{}, err
	}
	defer w.r.Close()
	err = w.run(ctx, func(name string, e fs.DirEntry) error {
		if !e.Type().IsRegular() || !s.match(name) {
			return nil
		}
		if f, info := w.open(name); f != nil {
			s.file(shown(joined(j.path, name)), f, info)
		}
		if s.full {
			return fs.SkipAll
		}
		return ctx.Err()
	})
	if err != nil {
		return agent.Result{}, p.explain(err)
	}
	return agent.Result{Text: s.result(w.remarks(s.hits == 0))}, nil
}

// search is what is searched for, and what was found.
type search struct {
	re             *regexp.Regexp
	byLine         bool
	match          func(name string) bool
	context, limit int

	buf   bytes.Buffer // the file that is searched
	b     strings.Builder
	hits  int
	full  bool // no more is printed, and there may be more
	large int  // files that were too large
	apart bool // a piece was printed: with context the next is set apart
}

// file searches one file and closes it. An empty one is not read: neither is
// what only looks empty, such as a file of the kernel's.
func (s *search) file(name string, f *os.File, info fs.FileInfo) {
	defer f.Close()
	if info.Size() == 0 {
		return
	}
	if info.Size() > maxWhole {
		s.large++
		return
	}
	s.buf.Reset()
	s.buf.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := io.CopyN(&s.buf, f, sniffed); err != nil && err != io.EOF || binaryBytes(s.buf.Bytes()) {
		return
	}
	if _, err := s.buf.ReadFrom(io.LimitReader(f, maxWhole)); err != nil {
		return
	}
	b := s.buf.Bytes()
	if form, length := markOf(b); form.order != nil {
		b = []byte(narrow(b[length:], form.order))
	} else {
		b = b[length:]
	}
	if bytes.Contains(b, []byte("\r\n")) {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	}
	s.text(name, b)
}

// text searches the lines of a text.
func (s *search) text(name string, b []byte) {
	printed, number, counted := 0, 1, 0 // lines printed; the number of the line that begins at counted
	for at := 0; at < len(b) && !s.full; {
		start := at
		if !s.byLine {
			loc := s.re.FindIndex(b[at:])
			if loc == nil {
				return
			}
			start = at + bytes.LastIndexByte(b[at:at+loc[0]], '\n') + 1
			if start == len(b) {
				return // behind the last newline
			}
		}
		line, _, _ := bytes.Cut(b[start:], []byte("\n"))
		if s.re.Match(line) { // a match in the text may reach over several lines
			number += bytes.Count(b[counted:start], []byte("\n"))
			counted = start
			printed = s.hit(name, b, start, number, printed)
		}
		at = start + len(line) + 1
	}
}

// hit prints a line with those around it, of which printed have been, and says up to which line it has.
func (s *search) hit(name string, b []byte, start, number, printed int) int {
	if s.hits == s.limit {
		s.full = true
		return printed
	}
	s.hits++
	first, from := number, start
	for first > number-s.context && first > printed+1 && first > 1 {
		first--
		from = bytes.LastIndexByte(b[:from-1], '\n') + 1
	}
	if s.context > 0 && s.apart && (first > printed+1 || printed == 0) {
		s.print("--\n")
	}
	s.apart = true
	for n := first; n <= number+s.context && from < len(b); n++ {
		line, _, _ := bytes.Cut(b[from:], []byte("\n"))
		from += len(line) + 1
		mark := "-"
		if s.re.Match(line) {
			mark = ":"
			if n > number {
				break // the next hit, which counts
			}
		}
		if n > printed {
			s.print(fmt.Sprintf("%s%s%d%s%s\n", name, mark, n, mark, short(line, maxHit)))
			printed = n
		}
	}
	return printed
}

func (s *search) print(line string) {
	if s.full = s.full || s.b.Len()+len(line) > maxGrep; !s.full {
		s.b.WriteString(line)
	}
}

// short is a line in at most that many bytes and the mark that says so, as valid UTF-8.
func short(line []byte, most int) string {
	cut := cutAt(line, most)
	s := strings.ToValidUTF8(string(line[:cut]), "\uFFFD")
	if cut < len(line) {
		s += fmt.Sprintf("… [cut: %d more bytes]", len(line)-cut)
	}
	return s
}

func (s *search) result(remarks string) string {
	if s.hits == 0 {
		s.b.WriteString("No hits.\n")
	}
	if s.full {
		fmt.Fprintf(&s.b, "[there are more hits; narrow the pattern, or give path or glob]\n")
	}
	if s.large > 0 {
		fmt.Fprintf(&s.b, "[%s over %d bytes left out]\n", counted(s.large, "file"), maxWhole)
	}
	return s.b.String() + remarks
}
