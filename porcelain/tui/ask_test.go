package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

func command(words ...string) permission.Need {
	return permission.Need{Tool: "bash", Class: permission.Execute, Summary: strings.Join(words, " "),
		Commands: []permission.Command{{Words: words, Class: permission.Execute, Known: true, Line: strings.Join(words, " ")}}}
}

// asking has the screen asked beside it, and gives the answer.
func asking(s *Screen, ctx context.Context, n permission.Need) <-chan permission.Answer {
	got := make(chan permission.Answer, 1)
	go func() {
		a, err := s.ask(ctx, n, permission.Verdict{Why: "class execute asks by default"})
		if err != nil {
			a = "gone"
		}
		got <- a
	}()
	return got
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		keys []string
		need permission.Need
		want permission.Answer
		kept string
	}{
		{[]string{"o"}, command("go", "test"), permission.Once, ""},
		{[]string{"enter", "right", "enter"}, command("go", "test"), permission.Once, ""}, // none is marked at first
		{[]string{"s"}, command("go", "test"), permission.Session, ""},
		{[]string{"right", "right", "right", "enter"}, command("go", "test"), permission.Always, "go test"},
		{[]string{"a"}, command("go", "test"), permission.Always, "go test"},
		{[]string{"x", "a", "left", "enter"}, command("rm", "-r", "x"), permission.Refuse, ""}, // "always" is not offered
		{[]string{"d"}, command("go", "test"), permission.Refuse, ""},
	} {
		s, _, printed := newTest(t)
		kept := ""
		s.session.Keep = func(_ context.Context, n permission.Need) (string, error) { kept = n.Summary; return "the file", nil }
		got := asking(s, t.Context(), c.need)
		s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
		s.rest()
		s.send(t, printed, press(c.keys...)...)
		if a := <-got; a != c.want {
			t.Errorf("%v: %q, want %q", c.keys, a, c.want)
		}
		s.work.Wait()
		if kept != c.kept {
			t.Errorf("%v: kept %q, want %q", c.keys, kept, c.kept)
		}
		if len(s.asked) != 0 || s.input.text != "" {
			t.Errorf("%v: the question stays, or its keys went into the input: %q", c.keys, s.input.text)
		}
	}
}

// TestKeepFails: what cannot be kept is allowed all the same, and said.
func TestKeepFails(t *testing.T) {
	s, _, printed := newTest(t)
	s.session.Keep = func(context.Context, permission.Need) (string, error) {
		return "", plumbing.Fail(plumbing.ErrRefused, "config.toml is a link", "write it there")
	}
	got := asking(s, t.Context(), command("go", "test"))
	s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
	s.rest()
	s.send(t, printed, press("a")...)
	<-got
	s.wait(t, printed, "note", func() bool {
		return strings.Contains(strings.Join(strings.Fields(printed.String()), " "), "not kept: config.toml is a link: write it there")
	})
}

// TestWithdrawn: a question that nobody waits for goes away; the next one is shown.
func TestWithdrawn(t *testing.T) {
	s, _, printed := newTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	first := asking(s, ctx, command("one"))
	s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
	second := asking(s, t.Context(), command("two"))
	s.wait(t, printed, "second question", func() bool { return len(s.asked) == 2 })
	cancel()
	<-first
	s.wait(t, printed, "end of the first", func() bool { return len(s.asked) == 1 })
	if !strings.Contains(s.text(), "two") {
		t.Errorf("the screen:\n%s", s.text())
	}
	s.rest()
	s.send(t, printed, press("d")...)
	<-second
}

// TestTypedAhead: keys that somebody types while a question appears go into the
// input, also those that would answer it; so do those behind an answer.
func TestTypedAhead(t *testing.T) {
	s, _, printed := newTest(t)
	s.send(t, printed, press("and al")...)
	first := asking(s, t.Context(), command("rm", "one"))
	s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
	early := armedMsg{s.asked[0], s.typed}
	s.send(t, printed, press("so", "y")...)
	s.send(t, printed, early) // the rest that began before these keys
	s.send(t, printed, press("a")...)
	if s.input.text != "and alsoya" || s.asks() {
		t.Fatalf("input %q, takes an answer: %v", s.input.text, s.asks())
	}
	golden(t, "question_typed.txt", s.text())
	s.rest()
	second := asking(s, t.Context(), command("rm", "two"))
	s.wait(t, printed, "second question", func() bool { return len(s.asked) == 2 })
	s.send(t, printed, press("o", "o")...)
	if a := <-first; a != permission.Once {
		t.Errorf("the first answer is %q", a)
	}
	if len(s.asked) != 1 || s.input.text != "and alsoyao" {
		t.Errorf("%d questions, input %q", len(s.asked), s.input.text)
	}
	s.rest()
	s.send(t, printed, press("d")...)
	if a := <-second; a != permission.Refuse {
		t.Errorf("the second answer is %q", a)
	}
}

// TestLongQuestion: what was not seen whole is not allowed; denied it can be, and a long diff need not be read.
func TestLongQuestion(t *testing.T) {
	long := "echo " + strings.Repeat("x ", 2000) + "; rm -rf ~"
	for _, c := range []struct {
		keys    []string
		summary string
		want    permission.Answer
	}{
		{[]string{"o", "enter", "s", "end", "o"}, long, permission.Once},
		{[]string{"pgdown", "o", "pgdown", "d"}, long, permission.Refuse},
		{[]string{"s"}, "short", permission.Session},
	} {
		s, _, printed := newTest(t)
		n := command("sh")
		n.Summary = c.summary
		n.Detail = "--- a\n" + strings.Repeat("+ a line\n", 200)
		if c.summary == long {
			n.Detail = ""
		}
		got := asking(s, t.Context(), n)
		s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
		s.rest()
		s.text()
		for i, k := range c.keys {
			if s.send(t, printed, press(k)...); i < len(c.keys)-1 {
				if len(s.asked) == 0 {
					t.Fatalf("%v: answered by the key %q", c.keys, k)
				}
				s.text()
			}
		}
		if a := <-got; a != c.want {
			t.Errorf("%v: %q, want %q", c.keys, a, c.want)
		}
	}
}

// TestQuestion: nothing of what would be run is hidden or cut.
func TestQuestion(t *testing.T) {
	n := command("go", "test")
	n.Summary = "echo a\rb\x1b[2J \u202etxt\u200b\nsecond line"
	n.Detail = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n"
	n.Outside = []string{"/etc/pass\nwd"}
	q := &question{need: n, verdict: permission.Verdict{Why: "asks by default"}, keep: true}
	golden(t, "question.txt", seen(append(q.view(44, 30), q.bar(44)...)))
	q = &question{need: permission.Need{Tool: "bash", Class: permission.Execute, Summary: "first " + strings.Repeat("x ", 400) + "last"}}
	var shown []string
	for range 200 {
		for _, r := range q.view(40, 8) {
			shown = append(shown, r.Write(false))
		}
		q.key("down", 1)
	}
	all := strings.Join(shown, "\n")
	if !strings.Contains(all, "first") || !strings.Contains(all, "last") || !strings.Contains(shown[len(shown)-1], "↓ 0 lines") {
		t.Errorf("scrolled to the end it says %q", shown[len(shown)-8:])
	}
}

// TestNewlinesAreNotWraps: a row that the screen broke does not look like one that the command breaks.
func TestNewlinesAreNotWraps(t *testing.T) {
	got := seen(exactRows("# it is long, and then\nrm -rf x\r\n   indented", typeset.None, 16))
	want := "⟨33m┃ ⟩  # it is long\n⟨33m┃ ⟩⟨2m↪ ⟩, and then\n⟨33m┃ ⟩  rm -rf x<U+00\n"
	if !strings.HasPrefix(got, want[:len(want)-len("<U+00\n")]) || !strings.Contains(got, "<U+000D>") || !strings.Contains(got, "     indented") {
		t.Errorf("rows:\n%s", got)
	}
}

// TestSmallTerminal: a command that cannot be seen cannot be allowed, at any size.
func TestSmallTerminal(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {10, 3}, {20, 5}, {20, 6}, {40, 6}, {20, 9}, {80, 8}, {80, 24}} {
		s, _, printed := newTest(t)
		s.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		got := asking(s, t.Context(), command("touch", "made"))
		s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
		s.rest()
		screen := s.text()
		s.send(t, printed, press("o")...)
		if seen := strings.Contains(screen, "touch"); seen == (len(s.asked) == 1) {
			t.Errorf("%v: seen %v, allowed %v:\n%s", size, seen, len(s.asked) == 0, screen)
		}
		if rows := strings.Count(screen, "\n"); rows > size[1] {
			t.Errorf("%v: %d rows", size, rows)
		}
		s.text()
		s.send(t, printed, press("d")...)
		<-got
	}
}

// TestEscAtQuestion: esc ends the turn that asks, and denies what a page asks for.
func TestEscAtQuestion(t *testing.T) {
	for _, page := range []bool{false, true} {
		s, _, printed := newTest(t)
		ended := false
		s.turn = &turn{cancel: func() { ended = true }}
		if page {
			s.show(newCallsPage(&s.calls, false))
		}
		got := asking(s, t.Context(), command("x"))
		s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
		s.rest()
		s.send(t, printed, press("esc")...)
		if ended == page || (len(s.asked) == 0) != page {
			t.Errorf("page %v: ended %v, %d questions", page, ended, len(s.asked))
		}
		if !page {
			s.send(t, printed, press("d")...)
		}
		if a := <-got; a != permission.Refuse {
			t.Errorf("page %v: %q", page, a)
		}
	}
}

// TestInterruptAtQuestion: ctrl+c ends the turn, and leaves what was written.
func TestInterruptAtQuestion(t *testing.T) {
	s, _, printed := newTest(t)
	s.send(t, printed, press("a draft")...)
	ended := false
	s.turn = &turn{cancel: func() { ended = true }}
	got := asking(s, t.Context(), command("x"))
	s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
	s.rest()
	s.send(t, printed, press("ctrl+c")...)
	if !ended || s.input.text != "a draft" {
		t.Errorf("ended %v, input %q", ended, s.input.text)
	}
	s.send(t, printed, press("d")...)
	<-got
}

func TestAskEnds(t *testing.T) {
	s, _, _ := newTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := s.ask(ctx, command("x"), permission.Verdict{}); !errors.Is(err, context.Canceled) || a != permission.Refuse {
		t.Errorf("%q, %v", a, err)
	}
}

func TestChoicesFit(t *testing.T) {
	q := &question{keep: true}
	var got []string
	for _, r := range q.bar(24) {
		got = append(got, r.Write(false))
	}
	if d := cmp.Diff([]string{"┃ ›once\u00a0(o)", "┃ this\u00a0session\u00a0(s)", "┃ always\u00a0(a)   deny\u00a0(d)"}, got); d != "" {
		t.Error(d)
	}
}
