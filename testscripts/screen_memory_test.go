//go:build unix

package testscripts

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// lecode runs the program beside the terminal, in the same project.
func (tm *terminal) lecode(stdin string, args ...string) string {
	tm.t.Helper()
	cmd := exec.Command(filepath.Join(bin, "lecode"), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(tm.work, "project"), tm.env, strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		tm.t.Fatalf("lecode %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// remembered is a terminal in whose session something was said twice, and remembered once.
func remembered(t *testing.T) (tm *terminal, fact string) {
	tm = newTerminal(t, tapeFine+tapeFine, 100, 30)
	tm.wait(">", "tape")
	tm.text("We deploy on Fridays.")
	tm.keys("Enter")
	tm.wait("It is fine.", "!working")
	tm.text("Correction: we deploy on Mondays.")
	tm.keys("Enter")
	tm.wait("> Correction: we deploy on Mondays.\n\nIt is fine.", "!working")
	id := gjson.Get(tm.lecode("", "sessions"), "id").Str
	made := tm.lecode(tm.lecode("", "snapshot", id, "1", "1"), "remember", "--text", "We deploy on Fridays.")
	return tm, gjson.Get(made, "id").Str
}

// TestScreenForget: the memory view shows why a fact is believed, forgets it
// after two questions, and shows the receipt.
func TestScreenForget(t *testing.T) {
	tm, fact := remembered(t)
	tm.text("/memory")
	tm.keys("Enter")
	tm.wait("1-1 of 1 fact", "valid", "We deploy on Fridays.")
	tm.keys("w")
	tm.wait("why "+fact, "> We deploy on Fridays.", "holds")
	tm.keys("Escape")
	tm.wait("1-1 of 1 fact")
	tm.keys("f")
	tm.wait("Forgotten for good:", "What stays on disk:")
	tm.keys("y")
	tm.wait("allow memory_forget", "the fact now: We deploy on Fridays.", "deny") // by the normal permissions
	tm.keys("o")
	tm.wait("Forgot "+fact, "Generation: 1, before 0")
	tm.keys("q", "q")
	tm.wait("tape ·")
	if got := tm.lecode("", "facts"); got != "" {
		t.Errorf("facts after it: %s", got)
	}
}

// TestScreenForgetDenied: a question that is answered with no changes nothing.
func TestScreenForgetDenied(t *testing.T) {
	tm, _ := remembered(t)
	tm.keys("M-m")
	tm.wait("1-1 of 1 fact")
	tm.keys("f")
	tm.wait("Forgotten for good:")
	tm.keys("y")
	tm.wait("allow memory_forget", "deny")
	tm.keys("d")
	tm.wait("was not allowed")
	if got := tm.lecode("", "facts"); gjson.Get(got, "status").Str != "valid" {
		t.Errorf("facts after it: %s", got)
	}
}

// TestScreenCorrect: the evidence is chosen from the transcript, the words are
// typed, and the new revision stands on what was chosen.
func TestScreenCorrect(t *testing.T) {
	tm, fact := remembered(t)
	tm.text("/memory")
	tm.keys("Enter")
	tm.wait("1-1 of 1 fact", "valid")
	tm.keys("c")
	tm.wait("Which session", "the fact's own")
	tm.keys("Enter")
	tm.wait("chosen: record 1", "Correction: we deploy on Mondays.")
	tm.keys("g", "j", "j")
	tm.wait("chosen: record 3")
	tm.keys("Enter")
	tm.wait("What is so now", "> We deploy on Fridays.")
	tm.keys("C-u")
	tm.text("We deploy on Mondays.")
	tm.keys("Enter")
	tm.wait("+ We deploy on Mondays.", "y corrects it")
	tm.keys("y")
	tm.wait("allow memory_correct", "text: We deploy on Mondays.", "deny")
	tm.keys("o")
	tm.wait("why "+fact, "revision 2", "It holds")
	if got := tm.lecode("", "facts"); gjson.Get(got, "text").Str != "We deploy on Mondays." || gjson.Get(got, "source.seqs").Raw != "[3]" {
		t.Errorf("facts after it: %s", got)
	}
}

// TestScreenRemember: the first fact of a project, with the words that say it, by what the screen says.
func TestScreenRemember(t *testing.T) {
	tm := newTerminal(t, tapeFine, 100, 30)
	tm.wait("say what to do", "alt+m memory")
	tm.text("We deploy on Fridays.")
	tm.keys("Enter")
	tm.wait("It is fine.", "!working")
	tm.keys("M-m")
	tm.wait("There are no facts yet.", "press a here")
	tm.keys("a")
	tm.wait("Which session", "open now")
	tm.keys("Enter")
	tm.wait("chosen: record 1")
	tm.keys("Enter")
	tm.wait("What is to be remembered", "> We deploy on Fridays.")
	tm.keys("Enter")
	tm.wait("Remember this?", "+ We deploy on Fridays.")
	tm.keys("y")
	tm.wait("remembered", "It holds")
	tm.keys("q", "q")
	tm.wait("tape ·")
	if got := tm.lecode("", "facts"); gjson.Get(got, "text").Str != "We deploy on Fridays." || gjson.Get(got, "status").Str != "valid" || gjson.Get(got, "source.seqs").Raw != "[1]" {
		t.Errorf("facts after it: %s", got)
	}
}
