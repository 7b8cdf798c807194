package permission

import (
	"path/filepath"
	"testing"
)

func TestInside(t *testing.T) {
	w, outside := space(t)
	for path, want := range map[string]bool{
		".":                       true,
		"":                        true,
		"a.go":                    true,
		"new":                     true,
		"new/deeper/still":        true,
		"sub/../a.go":             true,
		"new/../a.go":             true,
		"..":                      false,
		"../work":                 true,
		"../work/a.go":            true,
		"../worker":               false,
		"../away/secret":          false,
		"links/in/c.go":           true,
		"links/in/../a.go":        true, // up from where the link leads
		"links/in/../../x":        false,
		"links/out":               false,
		"links/out/secret":        false,
		"links/out/..":            false,
		"links/out/../work/a.go":  true,
		"links/secret.txt":        false,
		"links/dangling":          false,
		"links/dangling/x":        false,
		"links/loop":              false,
		"links/loop/x":            false,
		"new/../../away":          false,
		"a.go/../../away":         false,
		"../../../../../../../..": false,
	} {
		if got := w.Inside(joined(w.Root, path)); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
	if w.Inside("a.go") || w.Inside("") || (Workspace{}).Inside("/") {
		t.Error("a relative path, or no workspace, is inside")
	}
	w.More = []string{"", outside}
	if !w.Inside(filepath.Join(outside, "x")) || !w.Inside(joined(w.Root, "links/out/x")) || w.Inside(w.Home) {
		t.Error("a further folder")
	}
}

// TestInsideLinked: the workspace itself is reached by a link.
func TestInsideLinked(t *testing.T) {
	w, _ := space(t)
	by := Workspace{Root: filepath.Join(w.Root, "links", "in")}
	if !by.Inside(filepath.Join(w.Root, "sub", "c.go")) || !by.Inside(by.Root) || by.Inside(filepath.Join(w.Root, "a.go")) {
		t.Error("a root that is a link")
	}
}

func TestAbs(t *testing.T) {
	w, outside := space(t)
	for path, want := range map[string]string{
		"a.go":             filepath.Join(w.Root, "a.go"),
		"./sub//c.go":      filepath.Join(w.Root, "sub", "c.go"),
		"links/out/new":    filepath.Join(outside, "new"),
		"links/in/../a.go": filepath.Join(w.Root, "a.go"),
		"links/loop/x":     filepath.Join(w.Root, "links", "loop", "x"),
		outside:            outside,
	} {
		if got := w.Abs(w.Root, path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
