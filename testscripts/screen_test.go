//go:build unix

package testscripts

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// terminal is a program in a terminal of tmux, which has a server of its own.
type terminal struct {
	t      *testing.T
	socket string
	env    []string
	work   string
}

// newTerminal starts lecode in a new project with a script as its model.
func newTerminal(t *testing.T, script string, columns, rows int, args ...string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not there")
	}
	work := t.TempDir()
	socket, err := os.MkdirTemp("", "lecode-tmux-") // a socket's path has to be short
	if err != nil {
		t.Fatal(err)
	}
	tm := &terminal{t: t, socket: filepath.Join(socket, "s"), work: work}
	t.Cleanup(func() {
		tm.tmux("kill-server")
		os.RemoveAll(socket)
	})
	for name, text := range map[string]string{
		"config/config.toml": "[agent]\nmodel = \"tape\"\n[providers.tape]\ntype = \"script\"\ncommand = [\"" + work + "/config/tape.jsonl\"]\n",
		"config/tape.jsonl":  script, "project/.git/HEAD": "ref: refs/heads/trunk\n", "project/.git/config": "", "project/.git/objects/x": "", "project/.git/refs/x": "",
		"project/notes.txt": "kettle\n",
	} {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for k, v := range environment(work) {
		tm.env = append(tm.env, k+"="+v)
	}
	tm.env = append(tm.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TERM=screen-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "SHELL=/bin/sh")
	if coverage := os.Getenv("GOCOVERDIR"); coverage == "" {
		tm.env = append(tm.env, "GOCOVERDIR="+work)
	}
	tm.start(columns, rows, args...)
	return tm
}

// start begins a server with one window, in which the program runs and its end is told.
func (tm *terminal) start(columns, rows int, args ...string) {
	tm.t.Helper()
	words := "lecode"
	for _, a := range args {
		words += " '" + a + "'"
	}
	out, err := tm.tmux("new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), "-c", filepath.Join(tm.work, "project"),
		words+`; echo "ended: $?"; exec cat`)
	if err != nil {
		tm.t.Fatalf("tmux: %v: %s", err, out)
	}
}

func (tm *terminal) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-S", tm.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = tm.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// keys presses keys by their names in tmux; text types.
func (tm *terminal) keys(names ...string) {
	tm.t.Helper()
	if out, err := tm.tmux(append([]string{"send-keys"}, names...)...); err != nil {
		tm.t.Fatalf("send-keys: %v: %s", err, out)
	}
}

func (tm *terminal) text(text string) {
	tm.t.Helper()
	tm.keys("-l", text)
}

// screen is what is seen now, without what changes from run to run.
func (tm *terminal) screen(more ...string) string {
	tm.t.Helper()
	out, err := tm.tmux(append([]string{"capture-pane", "-p"}, more...)...)
	if err != nil {
		tm.t.Fatalf("capture-pane: %v: %s", err, out)
	}
	for pattern, with := range map[string]string{`…[0-9a-f]{8}\b`: "…SESSION", `[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]`: "*", `· \d+s\b`: "· Ns", `\d+% of`: "N% of", `[▓░]{8}`: "BAR", `\(\d+\.\ds\)`: "(Ns)"} {
		out = regexp.MustCompile(pattern).ReplaceAllString(out, with)
	}
	var b strings.Builder
	for l := range strings.Lines(out) {
		b.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// wait looks until the screen shows all of some texts, and not one that begins with "!".
func (tm *terminal) wait(texts ...string) string {
	tm.t.Helper()
	limit := time.Now().Add(30 * time.Second)
	for {
		screen := tm.screen()
		if showsAll(screen, texts) {
			return screen
		}
		if time.Now().After(limit) {
			tm.t.Fatalf("the screen does not show %q:\n%s", texts, screen)
		}
		time.Sleep(20 * time.Millisecond) // tmux tells of no change
	}
}

func showsAll(screen string, texts []string) bool {
	for _, text := range texts {
		if absent, not := strings.CutPrefix(text, "!"); strings.Contains(screen, strings.TrimPrefix(text, "!")) == (not && absent != "") {
			return false
		}
	}
	return true
}

// compare holds a screen against a golden file, once both say the same or the time is over.
func (tm *terminal) compare(name string) {
	tm.t.Helper()
	path := filepath.Join("testdata", "screens", name)
	if *update {
		time.Sleep(500 * time.Millisecond)
		if err := os.WriteFile(path, []byte(tm.screen()), 0o644); err != nil {
			tm.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tm.t.Fatal(err)
	}
	limit := time.Now().Add(20 * time.Second)
	for {
		got := tm.screen()
		if bytes.Equal(want, []byte(got)) {
			return
		}
		if time.Now().After(limit) {
			tm.t.Fatalf("%s: the screen is\n%s\nwant\n%s", name, got, want)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

const (
	tapeText = `{"deltas":["# Kettle\n\nIt holds **1.7** li","tres:\n\n- water\n- tea\n"],"response":{"blocks":[{"text":"# Kettle\n\nIt holds **1.7** litres:\n\n- water\n- tea\n","type":"text"}],"finish_reason":"stop"}}` + "\n"
	tapeHang = `{"deltas":["half an "],"hang":true,"response":{"blocks":[{"text":"half an ","type":"text"}],"finish_reason":"error"}}` + "\n"
	tapeCall = `{"response":{"blocks":[{"arguments":{"command":"touch made && echo done"},"id":"c1","name":"bash","type":"tool_call"}],"finish_reason":"tool_calls"}}` + "\n"
	tapeEdit = `{"response":{"blocks":[{"arguments":{"content":"pot\n","path":"new.txt"},"id":"c2","name":"write","type":"tool_call"}],"finish_reason":"tool_calls"}}` + "\n"
	tapeFine = `{"response":{"blocks":[{"text":"It is fine.","type":"text"}],"finish_reason":"stop"}}` + "\n"
)

// TestScreenAnswer: a prompt, a streamed answer, and the end; nothing is left on the terminal but the conversation.
func TestScreenAnswer(t *testing.T) {
	tm := newTerminal(t, tapeText, 80, 24)
	tm.wait(">", "tape")
	tm.text("What is a kettle?")
	tm.keys("Enter")
	tm.wait("tea", "!working")
	tm.compare("answer.txt")
	tm.keys("C-d")
	tm.wait("ended: 0")
	if s := tm.screen(); strings.Contains(s, "tape ·") || !strings.Contains(s, "It holds 1.7 litres:") {
		t.Errorf("after the end:\n%s", s)
	}
}

// TestScreenInterrupt: esc keeps what was shown, and the next prompt is taken (P6).
func TestScreenInterrupt(t *testing.T) {
	tm := newTerminal(t, tapeHang+tapeFine, 80, 24)
	tm.wait(">", "tape")
	tm.text("Begin.")
	tm.keys("Enter")
	tm.wait("half an", "esc interrupts")
	tm.keys("Escape")
	tm.wait("interrupted; what was shown is kept", "!working")
	tm.text("Again.")
	tm.keys("Enter")
	tm.wait("It is fine.", "!working")
	tm.compare("interrupt.txt")
	tm.keys("C-c", "C-c")
	tm.wait("ended: 0")
}

// TestScreenPermission: the exact command is shown; once runs it, deny does not.
func TestScreenPermission(t *testing.T) {
	tm := newTerminal(t, tapeCall+tapeFine+tapeEdit+tapeFine, 80, 30)
	tm.wait(">", "tape")
	tm.text("Make it.")
	tm.keys("Enter")
	tm.wait("touch made && echo done", "once", "deny")
	if _, err := os.Stat(filepath.Join(tm.work, "project", "made")); err == nil {
		t.Fatal("it ran before it was allowed")
	}
	tm.keys("o")
	tm.wait("✓ bash: touch made", "It is fine.", "!working")
	if _, err := os.Stat(filepath.Join(tm.work, "project", "made")); err != nil {
		t.Error(err)
	}
	tm.text("Write it.")
	tm.keys("Enter")
	tm.wait("write new.txt", "+pot", "deny")
	tm.compare("permission.txt")
	tm.keys("d")
	tm.wait("⊘ write new.txt", "the user said no", "!working")
	if _, err := os.Stat(filepath.Join(tm.work, "project", "new.txt")); err == nil {
		t.Error("it was written though it was denied")
	}
}

// TestScreenAlways: "always" goes into the project's config.toml.
func TestScreenAlways(t *testing.T) {
	tm := newTerminal(t, tapeEdit+tapeFine, 80, 24)
	tm.wait(">", "tape")
	tm.text("Write it.")
	tm.keys("Enter")
	tm.wait("always")
	tm.keys("a")
	tm.wait("always allowed from now on", "It is fine.", "!working")
	files, _ := filepath.Glob(filepath.Join(tm.work, "config", "memory", "*", "config.toml"))
	if len(files) != 1 {
		t.Fatalf("config files: %v", files)
	}
	if text, _ := os.ReadFile(files[0]); string(text) != "[permissions]\nwrite = \"allow\"\n" {
		t.Errorf("config.toml is %q", text)
	}
}

// TestScreenQueue: what is sent during a turn waits for its end; a command that cannot run says so.
func TestScreenQueue(t *testing.T) {
	tm := newTerminal(t, tapeCall+tapeFine+tapeText, 80, 24)
	tm.wait(">", "tape")
	tm.text("First.")
	tm.keys("Enter")
	tm.wait("once")
	tm.keys("Escape")
	tm.wait("interrupted", "!working")
	tm.text("!sleep 1000")
	tm.keys("Enter")
	tm.wait("> !sleep 1000", "!tape ·")
	tm.keys("C-c")
	tm.wait("tape ·", "signal: interrupt")
	tm.text("!echo from the shell")
	tm.keys("Enter")
	tm.wait("\nfrom the shell", "tape ·")
	tm.text("Second.")
	tm.keys("Enter")
	tm.wait("It is fine.", "!working")
}

// TestScreenComplete: a slash command and a file are completed.
func TestScreenComplete(t *testing.T) {
	tm := newTerminal(t, tapeFine, 60, 20)
	tm.wait(">", "tape")
	tm.text("/us")
	tm.wait("› /usage")
	tm.keys("Tab", "Enter")
	tm.wait("> /usage", "today")
	tm.text("Look at @not")
	tm.wait("› @notes.txt")
	tm.keys("Tab")
	tm.wait("> Look at @notes.txt")
	tm.compare("complete.txt")
}

// TestScreenResume: a session is gone on with, and shows its end.
func TestScreenResume(t *testing.T) {
	tm := newTerminal(t, tapeText, 80, 24)
	tm.wait(">", "tape")
	tm.text("What is a kettle?")
	tm.keys("Enter")
	tm.wait("tea", "!working")
	tm.keys("C-d")
	tm.wait("ended: 0")
	tm.tmux("kill-server")
	tm.socket += "2" // the old server may not be gone yet
	tm.start(80, 24, "--continue")
	tm.wait("> What is a kettle?", "It holds 1.7 litres:", "tape")
	tm.text("Again.")
	tm.keys("Enter")
	tm.wait("> Again.\n\n# Kettle", "!working") // the script begins anew in each process
	tm.keys("Up", "Up")
	tm.wait("> What is a kettle?\ntape ·")
}

// TestScreenResize: while an answer streams the terminal gets narrow and wide again; no line is broken.
func TestScreenResize(t *testing.T) {
	tm := newTerminal(t, tapeText+tapeHang, 100, 30)
	tm.wait(">", "tape")
	tm.text("What is a kettle, and what is it good for in a kitchen?")
	tm.keys("Enter")
	tm.wait("tea", "!working")
	tm.text("More.")
	tm.keys("Enter")
	tm.wait("half an")
	for _, size := range [][2]string{{"40", "20"}, {"20", "10"}, {"100", "30"}, {"40", "20"}} {
		if out, err := tm.tmux("resize-window", "-x", size[0], "-y", size[1]); err != nil {
			t.Fatalf("resize: %v: %s", err, out)
		}
		tm.wait("half an", ">\n")
	}
	tm.compare("resize_40.txt")
	tm.keys("Escape")
	tm.wait("interrupted")
}

// TestScreenPlain: --plain and a terminal that can nothing fall back to lines.
func TestScreenPlain(t *testing.T) {
	tm := newTerminal(t, tapeFine, 80, 24, "--plain")
	tm.wait(">", "!tape ·")
	tm.text("Hello.")
	tm.keys("Enter")
	tm.wait("It is fine.\n>")
}

// TestScreenShellOutput: what a program printed stays, its last line without a
// newline too, and after a resize at least in the scrollback.
func TestScreenShellOutput(t *testing.T) {
	tm := newTerminal(t, tapeFine, 100, 24)
	tm.wait(">", "tape")
	tm.text(`!printf 'first\nno-newline'`)
	tm.keys("Enter")
	tm.wait("first\nno-newline\n", "tape ·")
	tm.text("Thanks.")
	tm.keys("Enter")
	tm.wait("first\nno-newline\n", "It is fine.", "!working")
	if out, err := tm.tmux("resize-window", "-x", "60", "-y", "20"); err != nil {
		t.Fatal(err, out)
	}
	tm.wait("!no-newline\n\n", "It is fine.", "tape ·")
	if all := tm.screen("-S", "-200"); !strings.Contains(all, "first\nno-newline\n") {
		t.Errorf("it is gone:\n%s", all)
	}
}
