package coding

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode/utf8"
)

// Caps of the output of a command, in bytes.
const (
	maxHead     = 8 << 10   // its beginning, of output that is cut
	maxTail     = 24 << 10  // its end
	maxOutput   = 32 << 10  // what is not cut
	maxSpill    = 10 << 20  // what is kept of it in a file
	maxPiece    = 4 << 10   // of one piece of progress
	maxProgress = 256 << 10 // of all progress of a call
)

// output keeps what a foreground command prints, in bounded memory.
type output struct {
	progress func(text string)        // may be nil
	open     func() (*os.File, error) // makes the file for output over maxOutput

	mu    sync.Mutex
	done  bool
	clean cleaner
	first []byte // all of it up to maxOutput
	tail  window // what comes after
	file  *os.File
	held  int64 // bytes in the file
	told  int   // bytes of progress
}

// write takes what was printed; afterwards too, but then it is not kept.
func (o *output) write(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.done {
		o.keep(o.clean.clean(b))
	}
}

func (o *output) keep(text []byte) {
	if len(text) == 0 {
		return
	}
	o.tell(text)
	if n := min(len(text), maxOutput-len(o.first)); n > 0 {
		o.first, text = append(o.first, text[:n]...), text[n:]
	}
	if len(text) == 0 {
		return
	}
	if o.tail.max == 0 {
		o.tail.max = maxTail
		o.spill()
	}
	o.tail.add(text)
	o.store(text)
}

// spill begins the file; without one only the head and the tail are kept.
func (o *output) spill() {
	f, err := o.open()
	if err != nil {
		return
	}
	o.file = f
	o.store(o.first)
}

func (o *output) store(text []byte) {
	if o.file == nil || o.held == maxSpill {
		return
	}
	n, err := o.file.Write(text[:min(int64(len(text)), maxSpill-o.held)])
	o.held += int64(n)
	if err != nil { // such as a full disk: what is there is of no use to anybody
		o.file.Close()
		os.Remove(o.file.Name())
		o.file = nil
	}
}

// tell gives progress its lines: of much at once the last, and of very much no more.
func (o *output) tell(text []byte) {
	if o.progress == nil || o.told >= maxProgress {
		return
	}
	piece := string(text)
	if len(text) > maxPiece {
		last := atLine(text[len(text)-maxPiece:])
		piece = fmt.Sprintf("[… %d bytes …]\n%s", len(text)-len(last), last)
	}
	if o.told += len(piece); o.told >= maxProgress {
		piece += "[… what follows is not shown as it comes …]\n"
	}
	o.progress(piece)
}

// result ends it.
func (o *output) result() result {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keep(o.clean.end())
	o.done = true
	kept := ""
	if o.file != nil {
		kept = "all of it is in " + shown(o.file.Name())
		if o.held < int64(len(o.first))+o.tail.end() {
			kept = fmt.Sprintf("the first %d MiB of it are in %s", maxSpill>>20, shown(o.file.Name()))
		}
		o.file.Close()
	}
	r := result{}
	if total := int64(len(o.first)) + o.tail.end(); total <= maxOutput {
		r.add(string(o.first))
	} else {
		all := append(bytes.Clone(o.first), o.tail.last()...)
		r.add(middleOut(o.first[:maxHead], all[len(all)-maxTail:], total, kept))
	}
	r.add(o.clean.notes()...)
	return r
}

// middleOut is the beginning and the end of a text of total bytes, which says
// what was left out between, and where that is.
func middleOut(head, tail []byte, total int64, kept string) string {
	head, tail = toLine(head), atLine(tail)
	if kept != "" {
		kept = "; " + kept
	}
	begin := string(head)
	if !strings.HasSuffix(begin, "\n") {
		begin += "\n"
	}
	return fmt.Sprintf("%s[… %d bytes left out%s …]\n%s", begin, total-int64(len(head)+len(tail)), kept, tail)
}

// capped is a text of at most maxOutput bytes, its middle left out.
func capped(b []byte) string {
	if len(b) <= maxOutput {
		return string(b)
	}
	return middleOut(b[:maxHead], b[len(b)-maxTail:], int64(len(b)), "")
}

// toLine cuts a text that goes on behind a line, or behind a character where no line ends in its second half.
func toLine(b []byte) []byte {
	if n := bytes.LastIndexByte(b, '\n') + 1; n > len(b)/2 {
		return b[:n]
	}
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// atLine cuts a text that has begun before at a line, or at a character where no line ends in its first half.
func atLine(b []byte) []byte {
	if n := bytes.IndexByte(b, '\n') + 1; n > 0 && n <= len(b)/2 {
		return b[n:]
	}
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	return b
}

// notes say what a reader would else miss.
func (c *cleaner) notes() []string {
	var all []string
	if c.replaced > 0 {
		all = append(all, fmt.Sprintf("[%s not UTF-8, replaced]", counted(c.replaced, "byte")))
	}
	if c.controls > 0 {
		all = append(all, fmt.Sprintf("[%s left out]", counted(c.controls, "control character")))
	}
	if c.over {
		all = append(all, "[lines that were written over are shown as they ended]")
	}
	return all
}

// result is the text of a result: blocks, each on lines of its own.
type result []byte

func (r *result) add(blocks ...string) {
	for _, s := range blocks {
		*r = append(*r, s...)
		if s != "" && !strings.HasSuffix(s, "\n") {
			*r = append(*r, '\n')
		}
	}
}

func (r result) text() string {
	if len(r) == 0 {
		return "[no output]\n"
	}
	return string(r)
}
