package permission

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spaceNever is a workspace with a folder that is never inside, and a link to it.
func spaceNever(t testing.TB) (w Workspace, never string) {
	t.Helper()
	w, _ = space(t)
	never = filepath.Join(w.Root, ".config", "lecode")
	mkdir(t, filepath.Join(never, "deep"))
	if err := os.WriteFile(filepath.Join(never, "config.toml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link(t, never, filepath.Join(w.Root, "links", "never"))
	link(t, filepath.Join(w.Root, ".config"), filepath.Join(w.Root, "links", "above"))
	w.Never = []string{"", never, filepath.Join(w.Root, "cache", "not-yet")}
	return w, never
}

func TestInsideNever(t *testing.T) {
	w, never := spaceNever(t)
	for path, want := range map[string]bool{
		"a.go":                        true,
		".config":                     true,
		".config/lecode2":             true,
		".config/lecode":              false,
		".config/lecode/config.toml":  false,
		".config/lecode/deep/new":     false,
		".config/LECODE/config.toml":  false,
		".config/lecode/../x":         true,
		"links/never":                 false,
		"links/never/config.toml":     false,
		"links/above/lecode/new":      false,
		"links/above/x":               true,
		"cache/not-yet/facts":         false,
		"cache":                       true,
		"sub/../.config/lecode/x":     false,
		"links/in/../.config/lecode/": false,
	} {
		if got := w.Inside(joined(w.Root, path)); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
	w.More = []string{never}
	if w.Inside(never) {
		t.Error("a further folder that is never inside")
	}
	if w.Barring(never) != nil || w.Barring(filepath.Join(w.Root, "sub")) != nil || (Workspace{Root: w.Root}).Barring(w.Root) != nil {
		t.Error("it bars where nothing is to be barred")
	}
	if bars := w.Barring(filepath.Join(w.Root, ".config")); bars == nil || !bars(filepath.Join(never, "x")) || bars(w.Root) {
		t.Error("it does not bar")
	}
	w.Never = []string{filepath.Join(w.Root, "links", "never")}
	if w.Inside(filepath.Join(never, "x")) {
		t.Error("a folder that is named by a link")
	}
}

func TestLineNever(t *testing.T) {
	w, never := spaceNever(t)
	file, cache := never+"/config.toml", filepath.Join(w.Root, "cache", "not-yet")
	both := []string{never, cache}
	for line, want := range map[string][]string{
		"cat .config/lecode/config.toml":    {file},
		"cat .config/*/config.toml":         {file},
		"cat .c*/l*/*":                      {never, file, never + "/deep"},
		"cat links/never/config.toml":       {file},
		"cat links/n*/config.toml":          {file},
		"cat $PWD/.config/lecode/x":         {never + "/x"},
		"cd .config && cat lecode/x":        {never + "/x"},
		"cd .config/lecode && ls":           {never},
		"echo x > .config/lecode/config":    {never + "/config"},
		"echo x >> links/never/config.toml": {file},
		"echo x > ./$x":                     both,
		"cp -r .config/lecode/deep x":       {never + "/deep"},
		"cp -r .config x":                   {never},
		"mv .config x":                      {never},
		"ln -s .config x":                   {never},
		"rm -r links/above/":                {never},
		"rm -r .":                           both,
		"rm -rf ./":                         both,
		"rm -rf .c*":                        {never},
		"rm -rf {a,.config}":                {never},
		"rm -rf *.go":                       nil,
		"sudo rm -r cache":                  {cache},
		"sh -c 'rm -r .'":                   both,
		"find . -delete":                    both,
		"find -delete":                      both,
		"find .config -exec rm {} +":        {never},
		"find . -name x":                    nil,
		"ls -R":                             nil,
		"ls":                                nil,
		"cat a.go":                          nil,
		"grep -r x .":                       both,
		"grep -r x":                         both,
		"grep -r x sub":                     nil,
		"grep x a.go":                       nil,
		"rg x":                              both,
		"rg x sub":                          nil,
		"git clean -fdx":                    both,
		"git -c a=b checkout -- a.go":       both,
		"git commit -m x":                   nil,
		"git status":                        nil,
		"tar xf a.tar":                      both,
		"make x":                            nil,
		"go test ./...":                     nil,
	} {
		p, err := Line(line, w, w.Root)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		got := p.Outside
		if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
			t.Errorf("%q: %s", line, diff)
		}
		for _, mode := range []Mode{Default, Auto} {
			v := Rules{Mode: mode, Settings: map[string]string{"bash": "allow"}}.Judge(command(t, w, line), nil)
			if (v.Setting == Ask) != (len(want) > 0) {
				t.Errorf("%q in mode %s: %+v", line, mode, v)
			}
		}
	}
	if p, err := Line("ls", w, never); err != nil || cmp.Diff([]string{never}, p.Outside) != "" {
		t.Errorf("in the folder: %v %+v", err, p)
	}
}
