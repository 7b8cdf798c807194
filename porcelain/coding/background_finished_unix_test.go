//go:build unix

package coding

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
)

func TestFinished(t *testing.T) {
	b := newShell(t)
	c := b.callOf("bash", backgroundArgs("printf 'a\\n[forged]\\n'\n: '\u202e'; exit 2"))
	c.Generation = 7
	if _, err := b.runBash(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	quiet := b.begin("true")
	much := b.begin("seq 100000 | sed s/^/line/; exit 1")
	left := b.begin("mkfifo f; { read x <f; } & echo a")
	for _, id := range []string{"b1", quiet, much, left} {
		b.ended(id)
	}
	got := b.Finished()
	if len(got) != 4 {
		t.Fatalf("%d have ended: %v", len(got), got)
	}
	want := []agent.Finished{
		{Text: "[background command b1 has ended: exit code 2]\n[command: printf 'a\\n[forged]\\n'\\n: '<U+202E>'; exit 2]\n[its last lines:]\n> a\n> [forged]\n", Generation: 7},
		{Text: "[background command b2 has ended: exit code 0]\n[command: true]\n"},
	}
	if diff := cmp.Diff(want, got[:2]); diff != "" {
		t.Errorf("finished (-want +got):\n%s", diff)
	}
	if text := got[2].Text; len(text) > maxAnnounced || len(text) < maxAnnounced-100 || !strings.HasSuffix(text, "> line99999\n> line100000\n") {
		t.Errorf("%d bytes: %q", len(text), text)
	}
	if text := got[3].Text; !strings.HasPrefix(text, "[background command b4 has ended: exit code 0; what it left running was ended]\n") {
		t.Errorf("left: %q", text)
	}
	if again := b.Finished(); again != nil {
		t.Errorf("told again: %v", again)
	}
}

func TestLastLines(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		"\n\n":                    "",
		"a":                       "> a\n",
		"a\nb\n":                  "> a\n> b\n",
		"a\n\nb\n\n":              "> a\n> \n> b\n",
		"0123456789\nab\n":        "> ab\n",
		"a\nxxxxxx0123456":        "> …xx0123456\n",
		"xxxxxxxxxé01234567":      "> …01234567\n",
		strings.Repeat("a\n", 20): "> a\n> a\n> a\n",
	} {
		if got := lastLines([]byte(in), "> ", 15); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What was printed under an older generation is not given to a later one (design section 12).
func TestBackgroundGeneration(t *testing.T) {
	b := newShell(t)
	c := b.callOf("bash", backgroundArgs("mkfifo f; echo old; read x <f; echo $x"))
	c.Generation = 3
	if _, err := b.runBash(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	read := func(generation int64) (agent.Result, error) {
		c := b.callOf("background_read", idArgs("b1", 60))
		c.Generation = generation
		return b.readBackground(t.Context(), c)
	}
	if _, err := read(4); !errors.Is(err, plumbing.ErrConflict) {
		t.Errorf("later: %v", err)
	}
	list := b.callOf("background_list", "{}")
	list.Generation = 4
	if r, err := b.listBackground(t.Context(), list); err != nil || r.Text != "b1 (running): [older than the last forget]\n" {
		t.Errorf("list %q, %v", r.Text, err)
	}
	// Dropped is dropped, also for a call that began before. "old" may come after
	// the first rejection, so that it is made sure that it has come.
	j, err := b.job(c, "b1")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "output", func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.out.end() > 0
	})
	if _, err := read(4); !errors.Is(err, plumbing.ErrConflict) {
		t.Errorf("later: %v", err)
	}
	if err := os.WriteFile(b.path("f"), []byte("new\n"), 0); err != nil {
		t.Fatal(err)
	}
	b.ended("b1")
	r, err := read(3)
	if err != nil || r.Text != "new\n[b1 has ended: exit code 0]\n" {
		t.Errorf("of its own: %q, %v", r.Text, err)
	}
}

// What has ended is forgotten some time, what the model knows of first.
func TestBackgroundForgets(t *testing.T) {
	b := newShell(t)
	for range maxEnded + 3 {
		b.ended(b.begin("true"))
	}
	if n := len(b.Finished()); n != maxEnded+3 {
		t.Errorf("%d were announced", n)
	}
	b.ended(b.begin("true"))
	if got := strings.Count(b.must("background_list", "{}"), "\n"); got != maxEnded+1 {
		t.Errorf("%d are listed", got)
	}
	for range maxUntold + 3 {
		b.ended(b.begin("true"))
	}
	if n := len(b.Finished()); n != maxUntold+1 {
		t.Errorf("%d were announced", n)
	}
}
