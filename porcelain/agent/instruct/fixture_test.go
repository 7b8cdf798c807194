package instruct

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// world is a checkout and a configuration directory.
type world struct {
	*testing.T
	Options
}

func newWorld(t *testing.T) world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{t, Options{
		Checkout: filepath.Join(dir, "work"), Dir: filepath.Join(dir, "work"), ConfigDir: filepath.Join(dir, "config"), Slug: "work-0123456789ab",
		Now: func() time.Time { return time.Date(2026, 12, 2, 23, 59, 0, 0, time.UTC) }, OS: "linux", Shell: "/bin/sh", Model: "offline", Holder: "a test",
	}}
	w.mkdir(w.Checkout)
	return w
}

func (w world) mkdir(path string) {
	w.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		w.Fatal(err)
	}
}

// file writes a file of the checkout.
func (w world) file(name, text string) { w.Helper(); w.write(filepath.Join(w.Checkout, name), text) }

// own writes a file of the configuration directory.
func (w world) own(name, text string) { w.Helper(); w.write(filepath.Join(w.ConfigDir, name), text) }

func (w world) write(path, text string) {
	w.Helper()
	w.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
}

func (w world) link(to, name string) {
	w.Helper()
	path := filepath.Join(w.Checkout, name)
	w.mkdir(filepath.Dir(path))
	if err := os.Symlink(to, path); err != nil {
		if runtime.GOOS == "windows" {
			w.Skip("links need a privilege on Windows")
		}
		w.Fatal(err)
	}
}

func (w world) compose() System {
	w.Helper()
	s, err := Compose(w.Context(), w.Options)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// bare is text without the paths of this run.
func (w world) bare(text string) string {
	dir := filepath.Dir(w.Checkout)
	return filepath.ToSlash(strings.NewReplacer(dir, "/top", strings.Trim(inJSON(dir), `"`), "/top").Replace(text))
}

// behind is what stands behind the base prompt.
func (w world) behind(s System) string {
	w.Helper()
	text, ok := strings.CutPrefix(s.Text, whole(s.Base)+"\n")
	if !ok {
		w.Fatal("the base prompt is not the first part")
	}
	return w.bare(text)
}

func (w world) warnings(s System) []string {
	var all []string
	for _, line := range s.Warnings {
		all = append(all, w.bare(line))
	}
	return all
}

func skillText(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n\n# " + name + "\n\nDo it.\n"
}
