package coding

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
)

// maxPath is the most bytes of a path: what a system takes, and more than any that is meant.
const maxPath = 4096

// place is where a path of a call leads.
type place struct {
	given   string // as the model gave it
	real    string // absolute, links resolved as far as it exists
	root    string // the folder of the workspace that holds it; "" outside
	outside bool   // of the workspace
	led     bool   // it is spelled as being inside, and a link leads out
	// bars says of an absolute path that a walk from here does not look into it; nil: none.
	bars func(path string) bool
}

// place resolves a path, which is taken from the working directory unless it is
// absolute. Nothing is opened.
func (t *Toolbox) place(given string) (place, error) {
	switch {
	case strings.TrimSpace(given) == "":
		return place{}, plumbing.Fail(plumbing.ErrInvalid, "the path is empty", `"." is the working directory`)
	case len(given) > maxPath || strings.ContainsRune(given, 0):
		return place{}, plumbing.Fail(plumbing.ErrInvalid, "the path holds a NUL, or more than 4096 bytes", "give the path of a file")
	}
	w, dir := t.o.Workspace, t.Dir()
	spelled := t.expand(given)
	p := place{given: given, real: w.Abs(dir, spelled)}
	p.outside = !w.Inside(p.real)
	p.bars = w.Barring(p.real)
	if !filepath.IsAbs(spelled) {
		spelled = filepath.Join(dir, spelled)
	}
	for _, root := range t.roots() {
		if !p.outside && p.root == "" && within(root, p.real) {
			p.root = root
		}
		p.led = p.led || p.outside && within(root, filepath.Clean(spelled))
	}
	p.led = p.led || p.outside && within(w.Root, filepath.Clean(spelled))
	for _, never := range w.Never { // it is outside by its name, not by a link
		p.led = p.led && !within(never, filepath.Clean(spelled)) && !within(w.Abs(w.Root, never), filepath.Clean(spelled))
	}
	return p, nil
}

// expand replaces a leading ~ by the home folder, where that is known.
func (t *Toolbox) expand(path string) string {
	home := t.o.Workspace.Home
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || home == "" || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	return home + rest
}

// roots are the folders of the workspace, links resolved.
func (t *Toolbox) roots() []string {
	w := t.o.Workspace
	var all []string
	for _, root := range append([]string{w.Root}, w.More...) {
		if root != "" {
			all = append(all, w.Abs(w.Root, root))
		}
	}
	return all
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// named is the path in a line for a person: as it was given, and where it leads if that is elsewhere.
func (p place) named(t *Toolbox) string {
	plain := filepath.Clean(t.expand(p.given))
	if !filepath.IsAbs(plain) {
		plain = filepath.Join(t.Dir(), plain)
	}
	if plain == p.real {
		return shown(p.given)
	}
	return shown(p.given) + " -> " + shown(p.real)
}

// shown is a path as a result prints it: quoted where it could be taken for
// something else, such as two lines.
func shown(path string) string {
	plain := func(r rune) bool { return r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) }
	if utf8.ValidString(path) && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return strconv.Quote(path)
}

// counted is a number with its noun.
func counted[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// maxNamed is how many calls are remembered with the paths that they named.
const maxNamed = 256

// name notes what Needs says of a path outside the workspace, so that Run goes
// nowhere that nobody was asked for. The oldest are dropped: their calls have
// run, or never will.
func (t *Toolbox) name(c agent.Call, path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.names) == maxNamed {
		t.names = slices.Delete(t.names, 0, 1)
	}
	t.names = append(t.names, signature(c, path))
}

func (t *Toolbox) hasNamed(c agent.Call, path string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Contains(t.names, signature(c, path))
}

// signature tells calls apart: providers repeat the IDs of theirs.
func signature(c agent.Call, path string) digest {
	head := strings.Join([]string{c.SessionID, c.ID, c.Name, path, ""}, "\x00")
	return digestOf(append([]byte(head), c.Arguments...))
}
