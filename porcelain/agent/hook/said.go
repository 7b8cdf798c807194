package hook

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/prompt"
)

// MaxStderr is the most bytes that are kept of what a hook prints on stderr.
const MaxStderr = 4 << 10

const (
	blockCode = 2   // the exit code that blocks
	maxLine   = 400 // bytes of stderr in a warning
	maxName   = 80  // bytes of a program's name
)

// said keeps the beginning of what is printed, and takes the rest, so that
// nobody who prints too much is held up.
type said struct {
	head []byte
	cut  bool
}

// Write is called by one goroutine at a time, and never after Wait.
func (s *said) Write(p []byte) (int, error) {
	take := min(len(p), MaxStderr-len(s.head))
	s.head = append(s.head, p[:take]...)
	s.cut = s.cut || take < len(p)
	return len(p), nil
}

// text is what was kept, valid and visible, in at most MaxStderr bytes and an ellipsis.
func (s *said) text() string {
	all := strings.ToValidUTF8(string(s.head), "\uFFFD")
	if s.cut { // the cut may have gone through a character
		all = strings.TrimSuffix(all, "\uFFFD")
	}
	all = strings.TrimSpace(all)
	all = strings.ReplaceAll(all, "\r\n", "\n")
	shown, used := prompt.ShowPart(all, MaxStderr)
	if s.cut || used < len(all) {
		shown += "…"
	}
	return shown
}

// words is what a hook said, and where it said nothing, that name did this.
func (e end) words(name, did string) string {
	if e.stderr == "" {
		return name + " " + did + " and did not say why"
	}
	return e.stderr
}

// warning says that a hook failed, with the first line of what it printed.
func (e end) warning(name string) string {
	text := name + " failed with " + e.status
	first, _, _ := strings.Cut(e.stderr, "\n")
	if first = strings.TrimSpace(first); first == "" {
		return text
	}
	shown, used := prompt.ShowPart(first, maxLine)
	if used < len(first) {
		shown += "…"
	}
	return text + ": " + shown
}

// name is a hook as config.toml counts it, and its program. Its arguments are
// not told: they may hold a key.
func name(index int, h config.Hook) string {
	program := ""
	if len(h.Command) > 0 {
		program = strings.ToValidUTF8(filepath.Base(h.Command[0]), "\uFFFD")
	}
	shown, used := prompt.ShowPart(strings.ReplaceAll(program, "\n", " "), maxName)
	if used < len(program) {
		shown += "…"
	}
	return fmt.Sprintf("hooks[%d] (%s)", index, shown)
}
