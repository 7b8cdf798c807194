package slash

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/memory"
)

func TestPrompt(t *testing.T) {
	for line, want := range map[string]string{ // "": it is a command
		"/undo": "", "/undo 3": "", "/memory\tfacts": "", "/nope": "", "/tmp": "", "/delete-it_2": "", "/été": "", "/help\nmore": "",
		"": "", "undo": "undo", " /undo": " /undo",
		"/etc/hosts is wrong": "/etc/hosts is wrong", "/usr/": "/usr/", "/": "/", "/ undo": "/ undo", "/\nundo": "/\nundo",
		"/* a comment */": "/* a comment */", "/undo.": "/undo.", "/a.txt": "/a.txt", "/[a-z]+/": "/[a-z]+/",
		"//tmp is full": "/tmp is full", "//": "/", "///": "//", "//undo": "/undo", "// a comment": "/ a comment",
	} {
		text, is := Prompt(line)
		if line == "" {
			if !is || text != "" {
				t.Errorf("nothing is %q, %v", text, is)
			}
			continue
		}
		if is != (want != "") || is && text != want {
			t.Errorf("%q: prompt %v, %q, want %q", line, is, text, want)
		}
	}
}

func FuzzPrompt(f *testing.F) {
	for _, s := range []string{"/undo", "//x", "/a/b", "x", "/\x00", "/\xff", "/ "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		text, is := Prompt(line)
		if !is && (!strings.HasPrefix(line, "/") || strings.HasPrefix(line, "//")) {
			t.Errorf("%q is a command", line)
		}
		if is && text != line && "/"+text != line {
			t.Errorf("%q became %q", line, text)
		}
		Complete(line, Source{})
		if name, _ := word(strings.TrimPrefix(line, "/")); !is {
			if _, ok := Find(name); !ok {
				unknown(name)
			}
		}
	})
}

func TestWrong(t *testing.T) {
	d, f := newDeps(t)
	for line, says := range map[string]string{
		"/undoo": "did you mean /undo?", "/xyzzy": "`/help` lists them", "/UNDO": "`/help` lists them", "/memry": "/memory",
		"/compact now": "/compact takes no argument", "/quit now": "/quit takes no argument",
		"/undo x": `"x" is no record's number`, "/undo 0": "is no record's", "/undo 01": "is no record's", "/undo 1 2": "is no record's", "/undo -1": "is no record's",
		"/resume": "usage: /resume ID|-", "/resume a b": "usage: /resume", "/resume ../x": "../x",
		"/model a b": "/model takes one name", "/mode fast": "there are default, readonly, auto",
		"/editsys set": "usage: /editsys", "/editsys show it": "usage: /editsys", "/editsys reset it": "usage: /editsys", "/editsys x": "usage: /editsys",
		"/chain nope": "there are none", "/help nope": "there is no command /nope", "/help undo redo": "/help takes one command",
		"/memory": "`/memory help`", "/memory nope": "is not a word of memory", "/memory recall": "usage: /memory recall",
	} {
		_, err := Run(t.Context(), d, line)
		var p *plumbing.Error
		if !errors.As(err, &p) || !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(p.Message+": "+p.Hint, says) {
			t.Errorf("%s: %v (%+v), want %q", line, err, p, says)
		}
	}
	if len(f.did) > 0 {
		t.Errorf("wrong words reached the agent: %v", f.did)
	}
}

// What changes the session is refused during a turn, and only that.
func TestBusy(t *testing.T) {
	var refused []string
	for _, c := range Commands() {
		d, f := newDeps(t)
		f.standing.Busy = true
		_, err := Run(t.Context(), d, "/"+c.Name)
		if busy := errors.Is(err, plumbing.ErrBusy); busy == c.Busy {
			t.Errorf("/%s: %v, but the table says %v", c.Name, err, c.Busy)
		} else if busy {
			refused = append(refused, c.Name)
		}
		if len(f.did) > 0 {
			t.Errorf("/%s did %v during a turn", c.Name, f.did)
		}
	}
	want := []string{"compact", "clear", "undo", "redo", "resume", "new", "handoff", "chain"}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Error(diff)
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Commands() {
		if seen[c.Name] || c.Summary == "" || c.run == nil {
			t.Errorf("/%s is there twice, or lacks something", c.Name)
		}
		seen[c.Name] = true
		if _, isPrompt := Prompt("/" + c.Name); isPrompt {
			t.Errorf("/%s can never be called", c.Name)
		}
	}
	for _, name := range strings.Fields("memory compact clear undo redo sessions resume new model mode editsys handoff chain usage permissions mcp quit help") {
		if !seen[name] {
			t.Errorf("/%s is not there", name)
		}
	}
}

func TestHelp(t *testing.T) {
	d, _ := newDeps(t)
	_, all := saying(t, d, "/help")
	for _, c := range Commands() {
		if !strings.Contains(all, c.line()+"\n") {
			t.Errorf("/help lacks %s", c.line())
		}
	}
	for _, line := range []string{"/help undo", "/help /undo"} {
		if _, one := saying(t, d, line); !strings.HasPrefix(one, "/undo [SEQ]\n") || strings.Contains(one, "/redo") || !strings.Contains(one, "during a turn") {
			t.Errorf("%s: %s", line, one)
		}
	}
	a, _ := saying(t, d, "/quit")
	if !a.Quit {
		t.Error("/quit does not end")
	}
	for width := range 120 {
		a, _ := Run(t.Context(), d, "/help")
		for line := range strings.Lines(a.Print(memory.Style{Width: width})) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > max(width, 40) {
				t.Fatalf("width %d: %d columns: %s", width, n, line)
			}
		}
	}
}

func TestComplete(t *testing.T) {
	s := Source{
		Sessions: func() []string { return []string{"s1", "s2", "x"} }, Models: func() []string { return []string{"near/a", "offline"} },
		Chains: func() []string { return []string{"fix", "review"} }, Facts: func() []string { return []string{"f-1", "f-2"} },
	}
	for line, want := range map[string][]string{
		"/und": {"/undo"}, "/mo": {"/mode", "/model"}, "/zz": nil, "": nil, "x": nil, "//un": nil, "/undo ": nil,
		"/resume s": {"/resume s1", "/resume s2"}, "/resume s1 s": nil, "/model ne": {"/model near/a"}, "/mode a": {"/mode auto"},
		"/chain ": {"/chain fix", "/chain review"}, "/chain fix f": nil, "/editsys s": {"/editsys show", "/editsys set"},
		"/help re": {"/help redo", "/help resume"}, "/nope x": nil,
		"/memory fo": {"/memory forget"}, "/memory forget f-1": {"/memory forget f-1"}, "/memory recall ": {"/memory recall f-1", "/memory recall f-2"},
		"/memory read x": {"/memory read x"}, "/memory search f": nil, "/memory recall f-1 f": nil,
	} {
		if diff := cmp.Diff(want, Complete(line, s)); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
	if got := len(Complete("/", Source{})); got != len(Commands()) {
		t.Errorf("a slash may become %d commands, want %d", got, len(Commands()))
	}
	for _, line := range []string{"/resume ", "/model ", "/chain ", "/memory forget "} {
		if got := Complete(line, Source{}); got != nil {
			t.Errorf("%q without a source: %v", line, got)
		}
	}
}
