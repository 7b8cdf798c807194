package slug

import (
	"regexp"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	cjk := strings.Repeat("桌", 20)
	// A wanted slug without its digits stands for any; the digits are those of sha256sum.
	tests := []struct{ name, root, want string }{
		{"plain", "/home/ada/kettle", "kettle-200cff94a2a9"},
		{"kept characters", "/p/aZ09._-b", "aZ09._-b-"},
		{"one dash a character", "/p/a b:c\td", "a-b-c-d-"},
		{"a character of many bytes is one dash", "/p/aéb桌c", "a-b-c-"},
		{"bytes that are no UTF-8 are a dash each", "/p/a\xff\xfeb", "a--b-"},
		{"the slash alone", "/", "project-8a5edab28263"},
		{"nothing", "", "project-"},
		{"only CJK", "/p/" + cjk, "project-"},
		{"CJK then ASCII", "/p/桌面.app", "app-"},
		{"leading dash", "/p/-rf", "rf-"},
		{"leading double dash", "/p/--", "project-"},
		{"leading dot", "/p/.config", "config-"},
		{"dots and dashes only", "/p/.-.-", "project-"},
		{"leading dot and dash inside", "/p/.-a.-b", "a.-b-"},
		{"leading space", "/p/ x", "x-"},
		{"forty bytes", "/p/" + strings.Repeat("a", 40), strings.Repeat("a", 40) + "-"},
		{"forty-one bytes", "/p/" + strings.Repeat("a", 41), strings.Repeat("a", 40) + "-"},
		{"three hundred bytes", "/p/" + strings.Repeat("x", 300), strings.Repeat("x", 40) + "-"},
		{"the cut comes after the leading ones", "/p/" + strings.Repeat(".", 50) + "abc", "abc-"},
		{"a newline", "/p/a\nb", "a-b-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Of(tt.root)
			if name := got[:len(got)-12]; name != tt.want && got != tt.want {
				t.Errorf("Of(%q) = %q, want %q", tt.root, got, tt.want)
			}
		})
	}
}

// Different roots never share a slug, however alike their names (case G7, threat A22).
func TestOfKeepsApart(t *testing.T) {
	roots := []string{
		"/p/client/app", "/p/client-app", "/p/a_b", "/p/a-b", "/p/a.b", "/p/桌面资料", "/p/其他目录", "/p/-rf",
		"/a/b-c", "/a/b/c", "/a/b", "/c/b", "/A/b", "/a/B", "/p/é", "/p/e\u0301", "/", "/project",
		"/p/" + strings.Repeat("x", 300), "/p/" + strings.Repeat("x", 301),
	}
	seen := map[string]string{}
	for _, root := range roots {
		s := Of(root)
		if other, ok := seen[s]; ok {
			t.Errorf("%q and %q share the slug %q", root, other, s)
		}
		seen[s] = root
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"/", "", "/a/b", "/p/-rf", "/p/桌面", "/p/\xff", "/p/" + strings.Repeat("é", 200), `C:\x`} {
		f.Add(s)
	}
	form := regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,39}-[0-9a-f]{12}$`)
	f.Fuzz(func(t *testing.T, root string) {
		got := Of(root)
		if !form.MatchString(got) {
			t.Errorf("Of(%q) = %q", root, got)
		}
		if other := Of(root + "x"); other == got {
			t.Errorf("%q and %q share the slug %q", root, root+"x", got)
		}
	})
}
