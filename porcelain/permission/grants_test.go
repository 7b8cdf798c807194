package permission

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGrantCommands(t *testing.T) {
	w, _ := space(t)
	for _, c := range []struct {
		granted, line string
		want          Setting
	}{
		{"git commit -m x", "git commit -m y", Allow},
		{"git commit -m x", "git commit -m y && git status", Allow},
		{"git commit -m x", "git push", Ask},
		{"git commit -m x", "git commit -m y; rm x", Ask},
		{"git commit -m x", "git commit -m $(rm x)", Ask},
		{"git commit -m x", "sudo git commit -m y", Ask},
		{"git commit -m x", "sub/git commit -m y", Ask},
		{"git commit -m x", "PATH=. git commit -m y", Ask},
		{"git commit -m x", "git commit -m y > a.go", Ask},
		{"git commit -m x", "git commit -m x ../x", Ask},
		{"go test ./a && go vet ./a", "go vet ./b", Allow},
		{"go test ./a && go vet ./a", "go test ./b", Allow},
		{"go test ./a && go vet ./a", "go build ./b", Ask},
		{"timeout 5 go test", "go test", Allow},
		{"make", "make", Allow},
		{"make", "make x", Ask},
		{"make lint", "make lint y", Allow},
		{"npm run build", "npm run build", Allow},
		{"npm run build", "npm run evil", Ask},
		{"rm -rf sub", "rm -rf sub", Allow},
		{"rm -rf sub", "rm -rf sub a.go", Ask},
		{"rm -rf sub", "rm -rf .", Ask},
		{"rm -rf sub", "rm -rf sub; ls", Ask},
		{"python3 a.py", "python3 b.py", Ask},
		{"python3 a.py", "python3 a.py", Allow},
		{"sh -c 'make lint'", "sh -c 'make lint y'", Allow}, // it is make that was allowed
		{"sh a.sh", "sh b.sh", Ask},
		{"sudo make x", "sudo make x y", Ask},
		{"sudo make x", "make x", Ask},
		{"env x", "env y", Ask},
		{"ssh host ls", "ssh host rm", Ask},
		{"make $x", "make $x", Allow},
		{"make $x", "make $y", Ask},
		{"make $x", "x=../y; make $x", Ask},
		{"$x", "$x", Allow},
		{"$x", "$x y", Ask},
		{"ls > a.txt", "pwd > a.txt", Allow},
		{"ls > a.txt", "ls > b.txt", Ask},
		{"git -C sub push", "git -C sub push", Allow},
		{"git -C sub push", "git -C evil push", Ask},
		{"git commit -m x", "git commit --amend -m x", Ask},
		{"git commit -m x", "git commit *.go -m x", Ask},
		{"git checkout main", "git checkout main", Allow},
		{"git checkout main", "git checkout -- .", Ask},
		{"git checkout main", "git checkout .", Ask},
		{"git push", "git push", Allow},
		{"git push", "git push --force", Ask},
		{"git push origin main", "git push origin :main", Ask},
		{"git reset a.go", "git reset --hard", Ask},
		{"git clean -n", "git clean -fdx", Ask},
		{"git branch new", "git branch -D new", Ask},
		{"git rebase main", "git rebase main --exec x", Ask},
		{"git restore a.go", "git restore .", Ask},
		{"git fetch origin", "git fetch --upload-pack=x origin", Ask},
		{"git stash push", "git stash drop", Ask},
		{"tar xf a.tar", "tar xf a.tar", Allow},
		{"tar xf a.tar", "tar xf a.tar --to-command=x", Ask},
		{"tar xf a.tar", "tar xf b.tar", Ask},
		{"gh repo view x", "gh repo view y", Allow},
		{"gh repo view x", "gh repo delete x", Ask},
		{"gh pr view 1", "gh pr merge 1", Ask},
		{"gh api x", "gh api y", Ask},
		{"kubectl get pods", "kubectl get pods x", Allow},
		{"kubectl get pods", "kubectl get secrets", Ask},
		{"npm install x", "npm install y", Ask},
		{"pip install x", "pip install y", Ask},
		{"docker run x", "docker run y", Ask},
		{"docker logs x", "docker logs y", Allow},
		{"cargo test", "cargo test --config x", Ask},
		{"go test ./a", "go test -v -run X ./b", Allow},
		{"go test ./a", "go test -exec=x ./a", Ask},
		{"go test ./a", "go test *.go -exec x", Ask},
		{"go vet ./a", "go vet -vettool=x ./a", Ask},
		{"go vet -vettool x ./a", "go vet -vettool y ./a", Ask},
		{"go build ./a", "go build -o x ./a", Ask},
		{"go env GOOS", "go env -w GOFLAGS=x", Ask},
		{"make lint", "make lint SHELL=x", Ask},
	} {
		var g Grants
		g.Add(command(t, w, c.granted))
		if v := (Rules{}).Judge(command(t, w, c.line), &g); v.Setting != c.want {
			t.Errorf("%q after %q: %+v, want %s", c.line, c.granted, v, c.want)
		}
		if v := (Rules{Mode: ReadOnly}).Judge(command(t, w, c.granted), &g); v.Setting != Deny {
			t.Errorf("%q in mode readonly: %+v", c.granted, v)
		}
		if v := (Rules{Settings: map[string]string{"bash": "deny"}}).Judge(command(t, w, c.granted), &g); v.Setting != Deny {
			t.Errorf("%q where it is denied: %+v", c.granted, v)
		}
		if v := (Rules{Settings: map[string]string{"bash": "ask"}}).Judge(command(t, w, c.granted), &g); v.Setting != Allow {
			t.Errorf("%q where it asks: %+v", c.granted, v)
		}
	}
}

func TestGrantTools(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) []string { return []string{filepath.Join(dir, name)} }
	for _, c := range []struct {
		name          string
		granted, need Need
		want          Setting
	}{
		{"the same tool", Need{Tool: "write", Class: Write}, Need{Tool: "write", Class: Write, Summary: "other"}, Allow},
		{"another tool", Need{Tool: "write", Class: Write}, Need{Tool: "edit", Class: Write}, Ask},
		{"the same host", Need{Tool: "fetch", Class: Network, Host: "a.example"}, Need{Tool: "fetch", Class: Network, Host: "a.example"}, Allow},
		{"another host", Need{Tool: "fetch", Class: Network, Host: "a.example"}, Need{Tool: "fetch", Class: Network, Host: "b.example"}, Ask},
		{"no host", Need{Tool: "fetch", Class: Network, Host: "a.example"}, Need{Tool: "fetch", Class: Network}, Ask},
		{"another tool of a group", Need{Tool: "m__a", Group: "m", Class: Network}, Need{Tool: "m__b", Group: "m", Class: Network}, Ask},
		{"inside, then outside", Need{Tool: "write", Class: Write}, Need{Tool: "write", Class: Write, Outside: in("a")}, Ask},
		{"the same folder", Need{Tool: "write", Class: Write, Outside: in("a")}, Need{Tool: "write", Class: Write, Outside: in("b")}, Allow},
		{"a folder below", Need{Tool: "write", Class: Write, Outside: in("a")}, Need{Tool: "write", Class: Write, Outside: in("sub/b")}, Ask},
		{"the folder itself", Need{Tool: "read", Class: Read, Outside: []string{dir}}, Need{Tool: "read", Class: Read, Outside: in("b")}, Allow},
		{"the folder above", Need{Tool: "read", Class: Read, Outside: []string{dir}}, Need{Tool: "read", Class: Read, Outside: []string{filepath.Dir(dir)}}, Ask},
		{"a hidden file", Need{Tool: "read", Class: Read, Outside: in(".hidden")}, Need{Tool: "read", Class: Read, Outside: in(".hidden")}, Allow},
		{"beside a hidden file", Need{Tool: "read", Class: Read, Outside: in(".hidden")}, Need{Tool: "read", Class: Read, Outside: in("a")}, Ask},
		{"read, then write", Need{Tool: "x", Class: Read, Outside: in("a")}, Need{Tool: "x", Class: Write, Outside: in("a")}, Ask},
		{"write, then read", Need{Tool: "x", Class: Write, Outside: in("a")}, Need{Tool: "x", Class: Read, Outside: in("a")}, Allow},
		{"one of two", Need{Tool: "x", Class: Read, Outside: in("a")}, Need{Tool: "x", Class: Read, Outside: []string{filepath.Join(dir, "a"), "/etc/x"}}, Ask},
		{"a file in the root", Need{Tool: "x", Class: Read, Outside: []string{"/not-here"}}, Need{Tool: "x", Class: Read, Outside: []string{"/not-there"}}, Ask},
	} {
		var g Grants
		g.Add(c.granted)
		if v := (Rules{}).Judge(c.need, &g); v.Setting != c.want || v.Why == "" {
			t.Errorf("%s: %+v, want %s", c.name, v, c.want)
		}
	}
}

func TestGrantsAtOnce(t *testing.T) {
	var g Grants
	var wg sync.WaitGroup
	n := Need{Tool: "write", Class: Write}
	for range 8 {
		wg.Go(func() {
			g.Add(n)
			if v := (Rules{}).Judge(n, &g); v.Setting != Allow {
				t.Errorf("%+v", v)
			}
		})
	}
	wg.Wait()
}

func TestKeep(t *testing.T) {
	w, _ := space(t)
	for line, want := range map[string]string{
		"go test ./...":            "bash:go test",
		"go test ./... | tail -5":  "bash:go test",
		"go test ./a; go test ./b": "bash:go test",
		"go test && go vet":        "",
		"make":                     "",
		"make -j4":                 "",
		"rm x":                     "",
		"npm run x":                "",
		"python3 x":                "",
		"sudo make x":              "",
		"go test $x":               "",
		"x=1 go test":              "",
		"go test > x":              "",
		"go test ../x":             "",
		"ls":                       "",
		"git push":                 "",
		"git checkout main":        "",
		"tar xf a.tar":             "",
		"gh repo view x":           "bash:gh repo view",
		"gh repo delete x":         "",
		"go vet ./a":               "",
		"go test -exec=x ./a":      "",
		"go test *.go":             "",
		"make lint":                "bash:make lint",
		"git commit -m x":          "bash:git commit",
		"env -u $x make lint":      "",
		"'a b' test":               "",
		"'a*' test":                "",
		"$x test":                  "",
	} {
		n := command(t, w, line)
		key, value, ok := Keep(n)
		if key != want || ok != (want != "") || ok && value != "allow" {
			t.Errorf("%q: %q %q %v, want %q", line, key, value, ok, want)
		}
		if !ok {
			continue
		}
		if v := (Rules{Settings: map[string]string{key: value}}).Judge(n, nil); v.Setting != Allow {
			t.Errorf("%q: kept, and still %+v", line, v)
		}
	}
	type kept struct {
		key, value string
		ok         bool
	}
	for _, c := range []struct {
		need Need
		want kept
	}{
		{Need{Tool: "write", Class: Write}, kept{"write", "allow", true}},
		{Need{Tool: "m__a", Group: "m", Class: Network}, kept{"m__a", "allow", true}},
		{Need{Tool: "write", Class: Write, Outside: []string{"/x"}}, kept{}},
		{Need{Tool: "fetch", Class: Network, Host: "h"}, kept{}},
		{Need{Class: Write}, kept{}},
		{Need{Tool: "bash", Class: Execute}, kept{}}, // such as a line that only sets PATH
	} {
		var got kept
		if got.key, got.value, got.ok = Keep(c.need); got.ok != c.want.ok || got.ok && got != c.want {
			t.Errorf("%+v: %s", c.need, cmp.Diff(c.want.key, got.key))
		}
	}
}
