package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// onPipe is an Env whose streams are no terminal.
func onPipe(t *testing.T, stdin string) (e *cli.Env, stdout, stderr *bytes.Buffer) {
	t.Helper()
	e, stderr = env(t, "", nil)
	stdout = &bytes.Buffer{}
	e.Stdin, e.Stdout = strings.NewReader(stdin), stdout
	return e, stdout, stderr
}

func TestInput(t *testing.T) {
	for _, c := range []struct {
		words       []string
		stdin, want string // with "|" before what was piped in beside the words
	}{
		{[]string{"fix", "it"}, "", "fix it"}, {[]string{"fix it"}, " \n\n", "fix it"},
		{[]string{"fix it"}, "a\nb\n", "fix it|a\nb"}, {nil, "a\r\n", "a"}, {[]string{"-"}, "  a\n", "  a"},
		{nil, "", ""}, {[]string{"-"}, "", ""}, {[]string{" "}, "", ""}, {nil, "\ufeffa", "a"}, {[]string{"/editsys", "set"}, "x", "/editsys set\n\nx"},
		{nil, strings.Repeat("a", maxStdin), strings.Repeat("a", maxStdin)},
	} {
		e, _, _ := onPipe(t, c.stdin)
		in, err := (&runCommand{Prompt: c.words}).input(e)
		got := in.Text
		if in.Piped != "" {
			got += "|" + in.Piped
		}
		if err != nil || got != c.want {
			t.Errorf("%q and %.20q: %.40q, %v", c.words, c.stdin, got, err)
		}
	}
	for stdin, says := range map[string]string{strings.Repeat("a", maxStdin+1): "more than 1048576 bytes", "\xff": "not UTF-8"} {
		e, _, _ := onPipe(t, stdin)
		if _, err := (&runCommand{}).input(e); !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%.10q: %v", stdin, err)
		}
	}
}

func TestAttach(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	png := []byte("\x89PNG\r\n\x1a\n0000")
	blocks, err := attach([]string{write("a b.png", png), write("x.md", []byte("# hé"))})
	want := []provider.Block{{Type: "file", Name: "a b.png", MediaType: "image/png", Data: base64.StdEncoding.EncodeToString(png)},
		{Type: "file", Name: "x.md", MediaType: "text/plain", Data: base64.StdEncoding.EncodeToString([]byte("# hé"))}}
	if diff := cmp.Diff(want, blocks); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for path, kind := range map[string]error{
		filepath.Join(dir, "none"): plumbing.ErrNotFound, dir: plumbing.ErrInvalid,
		write("zero", []byte{0, 1}): plumbing.ErrInvalid, write("bad", []byte("a\xff")): plumbing.ErrInvalid,
		write("large", make([]byte, maxAttached+1)): plumbing.ErrInvalid,
	} {
		if _, err := attach([]string{path}); !errors.Is(err, kind) {
			t.Errorf("%s: %v, want %v", filepath.Base(path), err, kind)
		}
	}
}

// Every event has an object, which is canonical JSON with a type, and holds no data of files.
func TestEventObjects(t *testing.T) {
	signature := "of the provider"
	secret := base64.StdEncoding.EncodeToString([]byte("secret"))
	for _, event := range []agent.Event{
		agent.Began{}, agent.Requested{}, agent.Streamed{}, agent.Asked{}, agent.Progressed{}, agent.Compacting{}, agent.Compacted{},
		agent.Learned{Applied: learn.Applied{Event: learned.Event{Type: "learning"}}}, agent.Stale{}, agent.Notice{}, agent.Injected{}, agent.Phase{}, agent.Calling{Arguments: []byte(`{}`)},
		agent.Answered{Response: provider.Response{Blocks: []provider.Block{{Type: "reasoning", Data: secret, Signature: &signature}}}},
		agent.Called{Result: agent.Result{Files: []provider.Block{{Type: "file", Name: "a.png", MediaType: "image/png", Data: secret}}}},
	} {
		b, err := canon.Marshal(eventObject(event))
		if err != nil {
			t.Errorf("%T: %v", event, err)
			continue
		}
		if gjson.GetBytes(b, "type").Str == "" || strings.Contains(string(b), secret) || strings.Contains(string(b), signature) {
			t.Errorf("%T: %s", event, b)
		}
		if n := gjson.GetBytes(b, "files.0.bytes"); n.Exists() && n.Int() != int64(len("secret")) {
			t.Errorf("%s", b)
		}
	}
	for n := range 9 {
		if got := decodedSize(base64.StdEncoding.EncodeToString(make([]byte, n))); got != int64(n) {
			t.Errorf("%d bytes are said to be %d", n, got)
		}
	}
}

// On a terminal text is shown as it comes, once, in whole words, made visible; calls go to stderr.
func TestWatchStreams(t *testing.T) {
	e, stdout, stderr := onPipe(t, "")
	w := newWatcher(e, false, true, func() {})
	w.stream = true
	text := provider.Response{Blocks: []provider.Block{provider.Text("one two\x1b three")}}
	for _, event := range []agent.Event{agent.Streamed{Text: "one t"}, agent.Streamed{Text: "wo\x1b"}, agent.Streamed{Child: "c", Text: "no "},
		agent.Streamed{Reasoning: "no "}, agent.Streamed{Text: " three"}, agent.Answered{Response: text}, agent.Calling{Summary: "read\ngo.mod"}} {
		w.on(event)
	}
	if err := w.text(text.Text()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("one two<U+001B> three\n", stdout.String()); diff != "" || stderr.String() != "· read go.mod\n" {
		t.Errorf("%s%q", diff, stderr)
	}
	if err := w.text("and then"); err != nil || !strings.HasSuffix(stdout.String(), "\nand then\n") {
		t.Errorf("%q, %v", stdout, err)
	}
}

// In a pipe nothing but warnings is shown before the end, and the answer once.
func TestWatchPipe(t *testing.T) {
	e, stdout, stderr := onPipe(t, "")
	w := newWatcher(e, false, false, func() {})
	w.on(agent.Streamed{Text: "half "})
	w.on(agent.Notice{Text: "a notice"})
	if stdout.Len() > 0 || stderr.String() != "lecode: : a notice\n" {
		t.Fatalf("%q, %q", stdout, stderr)
	}
	w.on(agent.Answered{Response: provider.Response{Blocks: []provider.Block{provider.Text("half and half")}}})
	if err := w.end(ran{Outcome: agent.Outcome{Text: "half and half\r\n"}}, nil); err != nil || stdout.String() != "half and half\n" {
		t.Errorf("%q, %v", stdout, err)
	}
	stdout.Reset()
	if err := w.end(ran{Outcome: agent.Outcome{Text: "half"}}, plumbing.ErrModel); err != nil || stdout.Len() > 0 {
		t.Errorf("after a failure: %q, %v", stdout, err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A reader that went away ends the turn, once.
func TestWatchBroken(t *testing.T) {
	e, _, _ := onPipe(t, "")
	e.Stdout = closed{}
	ends := 0
	w := newWatcher(e, true, false, func() { ends++ })
	for range 3 {
		w.on(agent.Notice{Text: "x"})
	}
	if err := w.end(ran{}, nil); ends != 1 || !errors.Is(w.failed(), io.ErrClosedPipe) || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%d, %v, %v", ends, w.failed(), err)
	}
}

func TestOutcome(t *testing.T) {
	stopped := ran{Outcome: agent.Outcome{Stopped: "max_turns"}}
	for want, c := range map[string]struct {
		r   ran
		err error
	}{
		"done": {}, "stopped": {stopped, plumbing.ErrPaused}, "paused": {ran{}, plumbing.ErrPaused},
		"failed": {ran{}, plumbing.ErrModel}, "interrupted": {ran{}, &cli.StatusError{Code: 130}},
	} {
		if got := outcome(c.r, c.err); got != want {
			t.Errorf("%v: %s, want %s", c.err, got, want)
		}
	}
}

// The exact command is in the question, made visible, and nothing but an answer is taken for one.
func TestAsk(t *testing.T) {
	go1 := permission.Need{Tool: "bash", Class: permission.Execute, Summary: "go test ./...\nrm\x1b x", Detail: strings.Repeat("line\n", 50),
		Outside: []string{"/etc/x\n"}, Commands: []permission.Command{{Words: []string{"go", "test"}, Class: permission.Execute, Known: true}}}
	write := permission.Need{Tool: "write", Class: permission.Write, Summary: "write a.go"}
	for _, c := range []struct {
		need  permission.Need
		typed string
		want  permission.Answer
		kept  int
	}{
		{go1, "o\n", permission.Once, 0}, {go1, "maybe\n\n SESSION \n", permission.Session, 0}, {go1, "", permission.Refuse, 0}, {go1, "d\n", permission.Refuse, 0},
		{write, "a\n", permission.Always, 1}, {go1, "a\nn\n", permission.Refuse, 0},
	} {
		e, _, stderr := onPipe(t, c.typed)
		kept := 0
		w := newWatcher(e, false, false, func() {})
		w.keep = func(context.Context, permission.Need) (string, error) { kept++; return "there", nil }
		got, err := w.asking(newKeyboard(e))(t.Context(), c.need, permission.Verdict{Why: "it is set to ask"})
		if err != nil || got != c.want || kept != c.kept {
			t.Errorf("%q: %s, %v, kept %d", c.typed, got, err, kept)
		}
		if c.need.Tool == "bash" && !strings.HasPrefix(stderr.String(), "bash (execute): it is set to ask\n  go test ./...\n  rm<U+001B> x\n  outside the workspace: /etc/x\n  line\n") ||
			c.need.Tool == "bash" && !strings.Contains(stderr.String(), "  … 10 more lines\n") {
			t.Errorf("%s", stderr)
		}
	}
	e, _, _ := onPipe(t, "")
	if newWatcher(e, false, false, nil).asker(nil) != nil {
		t.Error("somebody is asked though there is no terminal")
	}
}

// A read that was given up loses no line.
func TestKeyboard(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	e, _, _ := onPipe(t, "")
	e.Stdin = r
	k := newKeyboard(e)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.next(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	go io.WriteString(w, "one\ntwo\n")
	for _, want := range []string{"one", "two"} {
		if line, err := k.next(t.Context()); line != want || err != nil {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
}

func TestRead(t *testing.T) {
	for typed, want := range map[string][]said{
		"one\ntwo\n": {{"one", false}, {"two", false}}, "a\\\nb\\\nc\n": {{"a\nb\nc", false}}, "a\\": {{"a", false}},
		"\"\"\"\n/a\n\nb\n \"\"\" \nc": {{"/a\n\nb", true}, {"c", false}}, "\"\"\"\nopen": {{"open", true}}, "\"\"\"": {{"", true}}, "\n": {{"", false}},
		"say \"\"\"\n": {{"say \"\"\"", false}},
	} {
		e, _, _ := onPipe(t, typed)
		talk := newTalk(e)
		var got []said
		for {
			s, err := talk.read(t.Context())
			if err != nil {
				break
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(said{})); diff != "" {
			t.Errorf("%q: %s", typed, diff)
		}
	}
}
