package learned

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHolds(t *testing.T) {
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "secret")
	must(os.WriteFile(outside, []byte("x\n"), 0o600))
	must(os.Mkdir(filepath.Join(dir, "d"), 0o700))
	must(os.WriteFile(filepath.Join(dir, "f"), []byte("one\r\n\ntwo x\nlast"), 0o600))
	must(os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600))
	must(os.WriteFile(filepath.Join(dir, "long"), []byte(strings.Repeat("y", 100_000)+"\nx\n"), 0o600))
	must(os.Symlink("f", filepath.Join(dir, "inside")))
	must(os.Symlink(outside, filepath.Join(dir, "link")))
	for _, c := range []struct{ path, line, want string }{
		{"f", "one", Same}, {"f", "", Same}, {"f", "last", Same}, {"./f", "two x", Same}, {"long", "x", Same}, {"inside", "one", Same},
		{"f", "two", Changed}, {"f", "two x\nlast", Changed}, {"empty", "", Changed}, {"f", "One", Changed},
		{"g", "x", Gone}, {"d/g", "x", Gone}, {"f/g", "x", Gone},
		{"d", "x", ""}, {"link", "x", ""},
	} {
		got := ""
		if s := (Checkout{Dir: dir}).holds(Observation{Path: c.path, Line: c.line}); s != nil {
			got = *s
		}
		if got != c.want {
			t.Errorf("%s holds %q: %q, want %q", c.path, c.line, got, c.want)
		}
	}
}
