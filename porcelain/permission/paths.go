package permission

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/pattern"
)

const (
	maxPath    = 4096 // bytes; longer ones cannot be opened
	maxEntries = 5000 // of folders, looked at for one pattern
	maxOutside = 64   // paths that one pattern may add
)

// shown is text from the line within a sentence.
func shown(s string) string {
	const most = 60
	s = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || r == '\u00a0' {
			return '?'
		}
		return r
	}, s)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// path notes what a path, relative to from, would touch outside the workspace.
func (w *walker) path(from, path string) {
	if path == "" || len(path) > maxPath || isDevice(path) {
		return
	}
	if strings.HasPrefix(path, "~") {
		name, rest, _ := strings.Cut(path, "/")
		home := w.home()
		if name != "~" && w.space.Home != "" {
			home = filepath.Join(filepath.Dir(w.space.Home), name[1:])
		} else if w.space.Home == "" {
			home = name
		}
		path = strings.TrimSuffix(home+"/"+rest, "/")
		if w.space.Home == "" {
			w.outside[path] = true
			return
		}
	}
	full := joined(from, path)
	switch {
	case !w.bounds.holds(full):
		w.outside[w.space.Abs(from, path)] = true
	case w.wide:
		for _, never := range w.bounds.below(full) {
			w.outside[never] = true
		}
	}
}

// widely notes what is done with folders and all that is in them.
func (w *walker) widely(note func()) {
	was := w.wide
	w.wide = true
	note()
	w.wide = was
}

// here notes the folder that it runs in.
func (w *walker) here() {
	for _, d := range w.dirs {
		w.path(d, ".")
	}
}

// isDevice: one that neither keeps nor gives away anything.
func isDevice(path string) bool {
	if contains([]string{"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full"}, path) {
		return true
	}
	fd, ok := strings.CutPrefix(path, "/dev/fd/")
	return ok && isDigits(fd)
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// reach notes what a word touches, if it is a path. It returns why that cannot
// be told; "" where it can.
func (w *walker) reach(a arg) (doubt string) {
	if !a.known {
		if at := strings.LastIndexByte(a.text, '/'); at >= 0 || strings.HasPrefix(a.text, "~") {
			w.literal(a.text[:at+1])
		}
		return "it reads a path that is not known before it runs"
	}
	if a.glob != "" {
		return w.match(a.glob)
	}
	w.literal(a.text)
	if w.lost && !filepath.IsAbs(a.text) {
		return "it runs in a folder that is not known before it runs"
	}
	return ""
}

// literal notes a word and the parts of it that may be a path: after "=", "@",
// or a flag of one letter.
func (w *walker) literal(text string) {
	candidates := []string{text}
	if _, after, ok := strings.Cut(text, "="); ok {
		candidates = append(candidates, after, strings.TrimPrefix(after, "@"))
	}
	if strings.HasPrefix(text, "@") {
		candidates = append(candidates, text[1:])
	}
	if len(text) > 2 && text[0] == '-' && text[1] != '-' {
		candidates = append(candidates, text[2:])
	}
	if after, ok := strings.CutPrefix(text, "file://"); ok {
		candidates = append(candidates, after)
	}
	for _, c := range candidates {
		for _, d := range w.dirs {
			w.path(d, c)
		}
	}
}

func (w *walker) isFolder(path string) bool {
	for _, d := range w.dirs {
		if info, err := os.Stat(joined(d, path)); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// match notes what a pattern may stand for, by what there is now.
func (w *walker) match(glob string) (doubt string) {
	if w.lost && !strings.HasPrefix(glob, "/") {
		return "it runs in a folder that is not known before it runs"
	}
	if strings.HasPrefix(glob, "~") { // a home folder that is not known, or another's
		w.literal(unescape(glob[:strings.LastIndexByte(glob, '/')+1], ""))
		return "it reads a path that is not known before it runs"
	}
	for _, d := range w.dirs {
		g := globber{w: w, left: maxEntries}
		start := d
		if strings.HasPrefix(glob, "/") {
			start = filepath.VolumeName(d) + "/"
		}
		g.under(start, strings.Split(strings.TrimLeft(glob, "/"), "/"), !strings.HasPrefix(glob, "/"))
		switch {
		case g.dash:
			return "a file's name that the pattern stands for looks like a flag"
		case g.left <= 0:
			return "there are too many files to see what the pattern stands for"
		}
	}
	return ""
}

// globber finds the names that a pattern stands for, and notes the ones outside.
type globber struct {
	w     *walker
	left  int
	added int
	dash  bool // a name at the start begins with "-"
}

// note notes a path, with every link on the way. One that would be left out for
// their number takes away what is known of the pattern.
func (g *globber) note(path string) {
	if g.added >= maxOutside {
		if !g.w.bounds.holds(path) {
			g.left = 0
		}
		return
	}
	before := len(g.w.outside)
	g.w.path(path, ".")
	g.added += len(g.w.outside) - before
}

// lists notes a folder of which a pattern lists the names, and no more.
func (g *globber) lists(dir string) {
	was := g.w.wide
	g.w.wide = false
	g.note(dir)
	g.w.wide = was
}

func (g *globber) under(dir string, segments []string, first bool) {
	segment, rest := segments[0], segments[1:]
	if !hasMeta(segment) {
		next := dir
		if segment != "" {
			next = dir + "/" + unescape(segment, "")
		}
		g.on(next, rest)
		return
	}
	g.lists(dir) // whatever it finds
	expr, err := pattern.Regexp(segment, pattern.Filenames|pattern.EntireString|pattern.NoGlobStar)
	if err != nil {
		return // the shell takes it as it is, too
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		g.left = 0
		return
	}
	for _, name := range g.names(dir, segment) {
		if !re.MatchString(name) {
			continue
		}
		g.dash = g.dash || first && strings.HasPrefix(name, "-")
		g.on(dir+"/"+name, rest)
		if g.left <= 0 {
			return
		}
	}
}

func (g *globber) on(path string, rest []string) {
	if len(rest) > 0 {
		g.under(path, rest, false)
		return
	}
	g.note(path)
}

// names lists a folder, with what stands for itself and the one above: older
// shells find them for a pattern that may begin with a dot.
func (g *globber) names(dir, segment string) []string {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() { // a FIFO would not be opened at once
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(g.left)
	if err != nil && err != io.EOF {
		return nil
	}
	if g.left -= len(names); segment[0] == '*' || segment[0] == '?' {
		return names
	}
	return append(names, ".", "..")
}
