package permission

import (
	"errors"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// FuzzLine holds that no line panics, and that nothing which only adds to a
// line makes it look like less.
func FuzzLine(f *testing.F) {
	for _, list := range []string{readLines, writeLines, executeLines, networkLines} {
		for _, line := range strings.Split(list, "\n") {
			f.Add(strings.ReplaceAll(line, "⏎", "\n"))
		}
	}
	w, _ := space(f)
	f.Fuzz(func(t *testing.T, line string) {
		p, err := Line(line, w, w.Root)
		if err != nil {
			if !errors.Is(err, plumbing.ErrInvalid) {
				t.Fatalf("%q: %v", line, err)
			}
			return
		}
		most := Read
		for _, c := range p.Commands {
			most = stronger(most, c.Class)
			if c.Class != Read && c.Why == "" {
				t.Errorf("%q: no reason in %+v", line, c)
			}
		}
		if stronger(most, p.Class) != p.Class || (p.Class == Read) != (p.Why == "") {
			t.Errorf("%q is %s (%q), its commands %s", line, p.Class, p.Why, most)
		}
		if strings.HasSuffix(line, `\`) {
			return // it would join what comes after it
		}
		atLeast(t, w, line, "echo $(\n"+line+"\n)", p.Class)
		atLeast(t, w, line, "$(\n"+line+"\n)", stronger(p.Class, Execute))
		atLeast(t, w, line, "{\n"+line+"\n}", p.Class)
		atLeast(t, w, line, "(\n"+line+"\n)", p.Class)
		atLeast(t, w, line, "if\n"+line+"\nthen :; fi", p.Class)
		atLeast(t, w, line, "f() {\n"+line+"\n}", p.Class)
		atLeast(t, w, line, "cat <(\n"+line+"\n)", p.Class)
		atLeast(t, w, line, "x=1 "+line, p.Class)
		atLeast(t, w, line, "{\n"+line+"\n} > fuzz.out", stronger(p.Class, Write))
		atLeast(t, w, line, "{\n"+line+"\n} < /dev/tcp/h/1", Network)
		atLeast(t, w, line, line+"\nunknown-program", stronger(p.Class, Execute))
		if !strings.ContainsAny(line, "'\r") && p.Class != Read {
			atLeast(t, w, line, "sh -c '"+line+"'", Write)
		}
	})
}

// atLeast: a longer line is of that class or a stronger one, if it is valid at all.
func atLeast(t *testing.T, w Workspace, line, longer string, want Class) {
	t.Helper()
	p, err := Line(longer, w, w.Root)
	if err == nil && stronger(p.Class, want) != p.Class {
		t.Errorf("%q is %s, less than %s of %q", longer, p.Class, want, line)
	}
}

func FuzzInside(f *testing.F) {
	w, outside := space(f)
	for _, s := range []string{"a.go", "links/out/x", "../away", "links/in/../a.go", "", ".", "links/out/../work/a.go", "//", "sub//deep/.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		abs := w.Abs(w.Root, path)
		if w.Inside(joined(w.Root, path)) != w.Inside(abs) && !strings.Contains(path, "loop") {
			t.Errorf("%q and what it leads to, %q, are not both inside", path, abs)
		}
		if w.Inside(abs) && strings.HasPrefix(abs, outside) {
			t.Errorf("%q is inside", abs)
		}
	})
}
