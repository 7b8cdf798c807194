package memory

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Deps is what the words work on.
type Deps struct {
	Notes    *note.Store
	Facts    *fact.Store
	Sources  source.Validator
	Sessions *session.Store
	Checkout learned.Checkout // the project's files, for facts that are about one
	Now      func() time.Time // ages are told against it
	// MaxBytes is how much of MEMORY.md show prints (memory.max_bytes); below 1 all of it.
	MaxBytes int64
	// SessionID is the session whose latest learning facts tells; "": the latest of any session.
	SessionID string
	Call      Caller
	// Tool calls a memory tool (plumbing/tool.Call), past permissions and hooks
	// where there are any, and returns what it answers. generation, where set,
	// is the project's when the evidence was captured.
	Tool func(ctx context.Context, generation *int64, name string, args []byte) (string, error)
}

// Caller is how a person calls the words, for the lines that say what to type
// next: "/memory" or, where it is empty, "lecode memory".
type Caller string

// line is a command line of the caller's.
func (c Caller) line(words string) string {
	if c == "" {
		c = "lecode memory"
	}
	return string(c) + " " + words
}

// Answer is what a word has to say.
type Answer struct {
	// Value is what was found or done, for callers that print objects: Note,
	// Hits, Notes, Facts, recall.Page, Corrected, fact.Receipt, Edited or []Word.
	Value any
	// No: what was asked about is known and the answer is no (nothing matched, evidence not valid).
	No bool
	// Warnings name what was skipped and why; nothing in them is quoted from a file.
	Warnings []string

	print func(*page)
}

// Print writes the answer for a person to read; where it is not empty, as that
// of an error is, it ends with a newline.
func (a Answer) Print(s Style) string {
	if a.print == nil {
		return ""
	}
	p := &page{s: s}
	a.print(p)
	return p.String()
}

// Run does what the words after /memory say. Wrong words and arguments are
// plumbing.ErrInvalid, a missing note, fact or session plumbing.ErrNotFound
// with the way out; the other errors are the stores'.
func Run(ctx context.Context, d Deps, words []string) (Answer, error) {
	if len(words) == 0 {
		return Answer{}, plumbing.Fail(plumbing.ErrInvalid, "no word given", "`"+d.Call.line("help")+"` lists them")
	}
	w, ok := Find(words[0])
	if !ok {
		return Answer{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a word of memory", words[0]),
			"the words are "+strings.Join(names(), ", "))
	}
	args, err := w.arguments(d, words[1:])
	if err != nil {
		return Answer{}, err
	}
	return w.run(ctx, d, args)
}

func names() []string {
	var list []string
	for _, w := range Words() {
		list = append(list, w.Name)
	}
	return list
}

// Split takes what was typed after /memory apart for Run: words end at white
// space, the text of search and correct is kept as typed, and a "--" before an
// argument is left out, so that what works on a command line works here.
func Split(line string) []string {
	var words []string
	name, line := next(line)
	if name == "" {
		return nil
	}
	words = append(words, name)
	w, _ := Find(name)
	for dashed := false; ; {
		if w.rest && len(words) == w.most {
			if first, rest := next(line); !dashed && first == "--" {
				line = rest
			}
			if line = strings.TrimSpace(line); line != "" {
				words = append(words, line)
			}
			return words
		}
		var word string
		if word, line = next(line); word == "" {
			return words
		}
		if word == "--" && !dashed {
			dashed = true
			continue
		}
		words = append(words, word)
	}
}

// next takes the first word off a line.
func next(line string) (word, rest string) {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		return line[:i], line[i:]
	}
	return line, ""
}

// number reads a whole number in plain decimal that is not below least.
func number(what, s string, least int64) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s || n < least {
		return 0, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s %q is not a whole number from %d on in plain decimal", what, s, least), "")
	}
	return n, nil
}

// offset reads the optional argument at i: where a page begins.
func offset(args []string, i int) (int64, error) {
	if len(args) <= i {
		return 0, nil
	}
	return number("offset", args[i], 0)
}
