package slug

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseGitFile(t *testing.T) {
	tests := []struct {
		data, want string // want empty: it is none
	}{
		{"gitdir: a\n", "a"}, {"gitdir: a", "a"}, {"gitdir: a\r\n", "a"}, {"gitdir: a\n\n", "a"}, {"gitdir: /a b/c \n", "/a b/c "},
		{"gitdir:  a\n", " a"}, {"gitdir: a\nb\n", "a\nb"}, {"gitdir: 桌\n", "桌"}, {"gitdir: a\xff", "a\xff"},
		{"", ""}, {"gitdir:", ""}, {"gitdir: ", ""}, {"gitdir: \n", ""}, {"gitdir:a\n", ""}, {"GITDIR: a\n", ""},
		{" gitdir: a\n", ""}, {"\ufeffgitdir: a\n", ""}, {"gitdir: a\x00b", ""}, {"gitdir\t: a", ""},
	}
	for _, tt := range tests {
		if got, ok := parseGitFile([]byte(tt.data)); got != tt.want || ok != (tt.want != "") {
			t.Errorf("parseGitFile(%q) = %q, %v", tt.data, got, ok)
		}
	}
}

func FuzzParseGitFile(f *testing.F) {
	for _, s := range []string{"gitdir: a\n", "gitdir: ../x/.git/worktrees/y\r\n", "gitdir: ", "garbage", "gitdir: a\x00", "gitdir: \n\na"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path, ok := parseGitFile(data)
		if !ok {
			if path != "" {
				t.Errorf("%q from what is no .git file: %q", path, data)
			}
			return
		}
		rest, found := bytes.CutPrefix(data, []byte("gitdir: "+path))
		if !found || path == "" || strings.Trim(string(rest), "\r\n") != "" {
			t.Errorf("%q from %q", path, data)
		}
		if strings.ContainsRune(path, 0) || strings.HasSuffix(path, "\n") || strings.HasSuffix(path, "\r") {
			t.Errorf("the path %q", path)
		}
	})
}

func TestValidHead(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]bool{
		"ref: refs/heads/main\n": true, "ref:refs/heads/main": true, "ref: \trefs/x": true,
		strings.Repeat("0a", 20) + "\n": true, strings.Repeat("F9", 32): true,
		"": false, "\n": false, "ref: heads/main\n": false, "ref:\n": false, strings.Repeat("0", 39): false,
		strings.Repeat("g", 40): false, "garbage that is longer than forty bytes, all of it": false,
	} {
		path := filepath.Join(dir, "HEAD")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := validHead(path, 0); got != want || err != nil {
			t.Errorf("validHead(%q) = %v, %v", text, got, err)
		}
	}
}

func TestAbove(t *testing.T) {
	for _, tt := range []struct {
		dir, path string
		want      bool
	}{
		{"/a", "/a/b", true}, {"/", "/a", true}, {"/a", "/ab", false}, {"/a", "/a", false}, {"/a/b", "/a", false}, {"/", "/", false},
	} {
		if got := above(tt.dir, tt.path); got != tt.want {
			t.Errorf("above(%q, %q) = %v", tt.dir, tt.path, got)
		}
	}
}
