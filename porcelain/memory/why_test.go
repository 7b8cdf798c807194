package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

var ctx = context.Background()

// world is a project with a session s1, in folders of the test's own.
type world struct {
	Stores
	t       testing.TB
	sources source.Validator
	log     string
	fact    string
}

func now() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

const talk = `{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"hello"}]}
{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"please use tabs"}]}
{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"tabs, noted"}]}
{"type":"cancel"}
{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"thanks"}]}`

// newWorld remembers "Indent with tabs." with the records 2 and 3.
func newWorld(t testing.TB) *world {
	dir := t.TempDir()
	config, p := file.Tree{Dir: dir + "/config"}, session.Project{Root: "/kettle", Slug: "kettle-1"}
	w := &world{t: t, log: dir + "/config/sessions/kettle-1/s1.jsonl"}
	w.Sessions = session.NewStore(session.Options{Config: config, Cache: file.Tree{Dir: dir + "/cache"}, Project: p,
		Now: now, NewID: func() (string, error) { return "s1", nil }, Holder: "the test"})
	w.sources = source.Validator{Sessions: w.Sessions}
	w.Facts = fact.NewStore(fact.Options{Config: config, Slug: p.Slug, Validator: w.sources, Now: now, Enabled: true})
	t.Cleanup(func() { w.Facts.Close() })
	_, err := w.Sessions.New(ctx)
	must(t, err)
	w.write(func(a *session.Writer) error {
		_, err := a.Append(ctx, bytes.Split([]byte(talk), []byte("\n")), 9)
		return err
	})
	w.fact = w.remember("Indent with tabs.", 2, 3)
	return w
}

func (w *world) write(do func(*session.Writer) error) {
	w.t.Helper()
	a, err := w.Sessions.Attach(ctx, "s1")
	must(w.t, err)
	defer a.Close()
	must(w.t, do(a))
}

func (w *world) remember(text string, start, end int64) string {
	w.t.Helper()
	s, err := w.sources.Snapshot(ctx, w.Facts, "s1", start, end)
	must(w.t, err)
	r, err := w.Facts.Remember(ctx, text, &s.Ref, fact.RememberOptions{})
	must(w.t, err)
	return r.Fact.ID
}

func (w *world) edit(from, to string) {
	w.t.Helper()
	b, err := os.ReadFile(w.log)
	must(w.t, err)
	must(w.t, os.WriteFile(w.log, bytes.Replace(b, []byte(from), []byte(to), 1), 0o600))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever happens to the evidence, why names the first cause and its record,
// and shows just the words that may still be shown.
func TestWhyCauses(t *testing.T) {
	all := "1 hello|2* please use tabs|3* tabs, noted|5 thanks"
	for _, c := range []struct {
		name   string
		do     func(*world)
		status source.Status
		cause  string
		shown  string
	}{
		{"holds", func(*world) {}, source.Valid, "", all},
		{"cleared", func(w *world) { w.write(func(a *session.Writer) error { _, err := a.Clear(ctx); return err }) }, source.Valid, "cleared", all},
		{"undone", func(w *world) {
			w.write(func(a *session.Writer) error { _, err := a.Undo(ctx, w.Facts, 2); return err })
		}, source.Hidden, "undone 2", "1 hello|2* -|3* -|5 thanks"},
		{"forgotten", func(w *world) { _, err := w.Facts.Forget(ctx, w.remember("Thanks.", 3, 3)); must(w.t, err) },
			source.Hidden, "forgotten 3", "1 hello|2* please use tabs|3* -|5 thanks"},
		{"older", func(w *world) { _, err := w.Facts.Forget(ctx, w.remember("Thanks.", 5, 5)); must(w.t, err) },
			source.Hidden, "older 3", "1 hello|2* please use tabs|3* -"},
		{"changed", func(w *world) { w.edit("use tabs", "use nets") }, source.Stale, "changed 0", "1 hello|2* please use nets|3* tabs, noted|5 thanks"},
		{"place-holder", func(w *world) {
			b, _ := os.ReadFile(w.log)
			lines := strings.Split(string(b), "\n")
			w.edit(lines[2], `{"seq":2,"type":"omitted"}`)
		}, source.Stale, "no_message 2", "1 hello|2* -|3* tabs, noted|5 thanks"},
		{"corrupt", func(w *world) { w.edit(`"seq":5`, `"seq":6`) }, source.Stale, "corrupt 5", "1 hello|2* please use tabs|3* tabs, noted"},
		{"cut", func(w *world) {
			b, _ := os.ReadFile(w.log)
			must(w.t, os.WriteFile(w.log, []byte(strings.Join(strings.SplitAfter(string(b), "\n")[:3], "")), 0o600))
		}, source.Missing, "no_record 3", "1 hello|2* please use tabs"},
		{"deleted", func(w *world) { must(w.t, w.Sessions.Delete(ctx, "s1")) }, source.Missing, "no_session 0", ""},
		{"foreign", func(w *world) { w.edit("/kettle", "/potter") }, source.Missing, "refused 0", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			c.do(w)
			r, err := Why(ctx, w.Stores, w.fact)
			must(t, err)
			rev := r.Revisions[0]
			cause := ""
			switch {
			case rev.Why != nil:
				cause = fmt.Sprintf("%s %d", rev.Why.Code, rev.Why.Seq)
			case rev.Cleared:
				cause = "cleared"
			}
			if r.Status != c.status || rev.Status != c.status || cause != c.cause {
				t.Errorf("status %s, %s, cause %q; want %s, %q", r.Status, rev.Status, cause, c.status, c.cause)
			}
			if d := cmp.Diff(c.shown, shown(rev)); d != "" {
				t.Error(d)
			}
			if (rev.Text == nil) != (c.name == "forgotten") {
				t.Errorf("text told: %v", rev.Text != nil)
			}
			if warned := strings.Contains(r.Print(Style{}), "NOT the words that were hashed"); warned != (rev.Why != nil && rev.Why.Code == Changed) {
				t.Errorf("%s: that the words were altered is told: %v", c.name, warned)
			}
			if page := r.Print(Style{}); rev.Why != nil && !strings.Contains(strings.Join(strings.Fields(page), " "), rev.Why.String()) {
				t.Errorf("the page does not say why:\n%s", page)
			}
		})
	}
}

func shown(r Revision) string {
	var list []string
	for _, m := range r.Messages {
		mark, text := "", "-"
		if m.Evidence {
			mark = "*"
		}
		if m.Text != nil {
			text = *m.Text
		}
		list = append(list, fmt.Sprintf("%d%s %s", m.Seq, mark, text))
	}
	return strings.Join(list, "|")
}

func TestWhyUnknown(t *testing.T) {
	w := newWorld(t)
	_, err := Why(ctx, w.Stores, "f-000000000000000000000000")
	if !errors.Is(err, plumbing.ErrNotFound) {
		t.Error(err)
	}
	if _, err = Why(ctx, w.Stores, "nope"); !errors.Is(err, plumbing.ErrInvalid) {
		t.Error(err)
	}
}

// Nothing that a fact, a title or a message says can look like lecode's own
// lines, colour the page or be wider than it.
func TestPrintShowsWhatItQuotes(t *testing.T) {
	evil := "a\x1b[31mb\u202ec\nholds: the records are there\n  holds: x\r\nrevision 9 " + strings.Repeat("wide ", 60)
	title := "t\ni\x07"
	r := Reason{ID: "f-1", Status: source.Valid, Created: now(), Revisions: []Revision{{Number: 1, Created: now(), Text: &evil,
		Status: source.Hidden, Why: &Cause{Undone, 2}, Source: &source.Ref{SessionID: "s1"}, Session: &Session{ID: "s1", Title: &title},
		Messages: []Message{{Seq: 2, Role: "user", Origin: "user", Evidence: true, Text: &evil}, {Seq: 3, Role: "tool", Origin: "generated", Text: &evil}}}}}
	page := r.Print(Style{Width: 60})
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsAny(line, "\x1b\x07\r\u202e") || len([]rune(line)) > 60 {
			t.Errorf("%q", line)
		}
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		if (strings.HasPrefix(trimmed, "holds") || strings.HasPrefix(trimmed, "revision 9")) && indent < 6 {
			t.Errorf("looks like lecode's own: %q", line)
		}
	}
	for _, want := range []string{"<U+001B>", "<U+202E>", "<U+000D>", "“t i<U+0007>”", "does not hold: record 2 was undone"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
	coloured := r.Print(Style{Width: 60, Colour: true})
	for _, code := range []string{bold, dim, red, "0"} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+code+"m", "")
	}
	if d := cmp.Diff(page, coloured); d != "" {
		t.Errorf("colours change more than colour: %s", d)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 4, []string{""}},
		{"abcd", 4, []string{"abcd"}},
		{"ab cde", 4, []string{"ab c", "de"}},
		{"abc de", 4, []string{"abc", "de"}},
		{"äöüß€x", 4, []string{"äöüß", "€x"}},
	} {
		if d := cmp.Diff(c.want, wrap(c.text, c.width)); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
}

func TestShares(t *testing.T) {
	s := sharesOf("Indent with TABS, in Go.")
	for line, want := range map[string]bool{"use tabs!": true, "go in": false, "indentation": false, "INDENT": true, "": false} {
		if s.with(line) != want {
			t.Errorf("%q: not %v", line, want)
		}
	}
}
