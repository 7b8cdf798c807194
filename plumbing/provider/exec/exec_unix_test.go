//go:build unix

package exec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

func shell(t *testing.T, script string, stall time.Duration) provider.Model {
	t.Helper()
	m, err := New(provider.Spec{Type: "exec", Name: "mine", Model: "mine", Command: []string{"/bin/sh", "-c", script}, Stall: stall})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func request() provider.Request {
	return provider.Request{MaxOutputTokens: 1, System: "be brief", Messages: []provider.Message{{Role: "user", Content: []provider.Block{provider.Text("why?")}}}}
}

func TestAnswers(t *testing.T) {
	zero := int64(0)
	for _, c := range []struct {
		name, script string
		want         provider.Response
	}{
		{"the prompt comes back", "cat", provider.Response{Blocks: []provider.Block{provider.Text("be brief\n\nwhy?")}, Finish: provider.FinishStop, Model: "mine"}},
		{"stdin is not read", "echo hi", provider.Response{Blocks: []provider.Block{provider.Text("hi")}, Finish: provider.FinishStop, Model: "mine"}},
		{"line ends within stay", `printf 'a\n\n b\r\n\n'`, provider.Response{Blocks: []provider.Block{provider.Text("a\n\n b")}, Finish: provider.FinishStop, Model: "mine"}},
		{"nothing", "true", provider.Response{Finish: provider.FinishStop, Model: "mine"}},
		{"JSON that is an answer", `echo '{"candidates":[]}'`, provider.Response{Blocks: []provider.Block{provider.Text(`{"candidates":[]}`)}, Finish: provider.FinishStop, Model: "mine"}},
		{"a response", `echo ' {"type":"response","blocks":[{"type":"text","text":"ü"}],"finish_reason":"length","usage":{"output_tokens":0}}'`,
			provider.Response{Blocks: []provider.Block{provider.Text("ü")}, Finish: provider.FinishLength, Model: "mine", Usage: &provider.Usage{OutputTokens: &zero}}},
		{"something is left behind", `echo hi; sleep 100 & `, provider.Response{Blocks: []provider.Block{provider.Text("hi")}, Finish: provider.FinishStop, Model: "mine"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			streamed := ""
			r, err := shell(t, c.script, 0).Complete(t.Context(), request(), func(d provider.Delta) error { streamed += d.Text; return nil })
			if diff := cmp.Diff(c.want, r); err != nil || diff != "" {
				t.Error(err, diff)
			}
			if streamed != c.want.Text() {
				t.Errorf("streamed %q", streamed)
			}
		})
	}
}

// Characters that are cut between two writes are streamed whole.
func TestCutCharacter(t *testing.T) {
	var got []string
	o := &output{on: func(d provider.Delta) error { got = append(got, d.Text); return nil }, progress: func() {}}
	for _, s := range []string{"a\xc3", "\xbc\n", "\nb\xe2\x82", "\xac\n"} {
		if _, err := o.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.rest(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "ü", "\n\nb", "€"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name, script, says string
		kind               error
	}{
		{"a status", "echo half; echo the secret words >&2; exit 3", "exit status 3", plumbing.ErrModel},
		{"a signal", "echo half; kill -9 $$", "signal: killed", plumbing.ErrModel},
		{"not UTF-8", `printf '\377'`, "not UTF-8", plumbing.ErrModel},
		{"a response that is wrong", `echo '{"type":"response","blocks":[],"finish_reason":"end"}'`, "finish_reason", plumbing.ErrModel},
		{"too much", "yes", "printed more than", plumbing.ErrModel},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := shell(t, c.script, 0).Complete(t.Context(), request(), nil)
			var p *plumbing.Error
			if !errors.Is(err, c.kind) || !errors.As(err, &p) || !strings.Contains(p.Message, c.says) || strings.Contains(p.Message+p.Hint, "secret") || p.Hint == "" {
				t.Errorf("error %v, want %q", err, c.says)
			}
			if r.Finish != provider.FinishError {
				t.Errorf("%+v", r.Finish)
			}
		})
	}
	m, err := New(provider.Spec{Name: "mine", Command: []string{filepath.Join(t.TempDir(), "none")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = m.Complete(t.Context(), request(), nil); !errors.Is(err, plumbing.ErrInvalid) || errors.Is(err, plumbing.ErrModel) {
		t.Errorf("no program: %v", err)
	}
	if _, err = New(provider.Spec{Name: "mine"}); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("no command: %v", err)
	}
}

// A cancelled program ends with all that it started: each holds a pipe open, which ends with the last of them.
func TestCancel(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := os.ReadFile(pipe)
		ended <- err
	}()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := shell(t, "exec 3>"+pipe+"; sleep 1000 & echo half; wait", 0).Complete(ctx, request(), func(provider.Delta) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || errors.Is(err, plumbing.ErrModel) || r.Text() != "half" {
		t.Errorf("%+v, %v", r, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestSilence(t *testing.T) {
	_, err := shell(t, "exec sleep 1000", time.Millisecond).Complete(t.Context(), request(), nil)
	if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "printed nothing for 1ms") {
		t.Errorf("%v", err)
	}
}

func TestListenerFails(t *testing.T) {
	mine := errors.New("mine")
	if _, err := shell(t, "yes", 0).Complete(t.Context(), request(), func(provider.Delta) error { return mine }); !errors.Is(err, mine) || errors.Is(err, plumbing.ErrModel) {
		t.Errorf("%v", err)
	}
}
