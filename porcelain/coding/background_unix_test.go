//go:build unix

package coding

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/permission"
)

func backgroundArgs(line string) string {
	return jsonOf(map[string]any{"command": line, "background": true})
}

func (b *box) begin(line string) string {
	b.t.Helper()
	text := b.must("bash", backgroundArgs(line))
	id, _, ok := strings.Cut(strings.TrimPrefix(text, "["), " ")
	if !ok {
		b.t.Fatalf("started: %q", text)
	}
	return id
}

func idArgs(id string, wait int) string {
	return jsonOf(map[string]any{"id": id, "wait_seconds": wait})
}

// until reads until the output has a text.
func (b *box) until(id, text string) string {
	b.t.Helper()
	all := ""
	eventually(b.t, text, func() bool {
		all += b.must("background_read", idArgs(id, 1))
		return strings.Contains(all, text)
	})
	return all
}

func (b *box) ended(id string) {
	b.t.Helper()
	j, err := b.job(b.callOf("background_read", ""), id)
	if err != nil {
		b.t.Fatal(err)
	}
	<-j.ended
}

func TestBackground(t *testing.T) {
	b := newShell(t)
	id := b.begin("mkfifo f; echo one; read x <f; echo $x; exit 3")
	if id != "b1" {
		t.Errorf("the ID is %q", id)
	}
	if got := b.until(id, "one\n"); !strings.HasSuffix(got, "[b1 is running]\n") {
		t.Errorf("read %q", got)
	}
	if got := b.must("background_read", idArgs(id, 0)); got != "[b1 is running]\n" {
		t.Errorf("with nothing new: %q", got)
	}
	if got := b.must("background_list", "{}"); got != "b1 (running): mkfifo f; echo one; read x <f; echo $x; exit 3\n" {
		t.Errorf("list %q", got)
	}
	if got := b.Finished(); got != nil {
		t.Errorf("finished: %v", got)
	}
	if err := os.WriteFile(b.path("f"), []byte("two\n"), 0); err != nil {
		t.Fatal(err)
	}
	if got := b.until(id, "ended"); !strings.Contains(got, "two\n") || !strings.HasSuffix(got, "[b1 has ended: exit code 3]\n") {
		t.Errorf("read %q", got)
	}
	if got := b.must("background_read", idArgs(id, 60)); got != "[b1 has ended: exit code 3]\n" { // does not wait
		t.Errorf("after the end: %q", got)
	}
	if got := b.Finished(); got != nil {
		t.Errorf("announced though it was read to its end: %v", got)
	}
}

func TestBackgroundUnendedLine(t *testing.T) {
	b := newShell(t)
	id := b.begin("printf 'Password: '; mkfifo f; read x <f")
	if got := b.must("background_read", idArgs(id, 60)); got != "Password: \n[b1 is running]\n" {
		t.Errorf("read %q", got)
	}
}

func TestBackgroundStop(t *testing.T) {
	b := newShell(t)
	how := ""
	if runtime.GOOS == "linux" {
		how = b.program("setsid")
	}
	id := b.begin(fmt.Sprintf(stubborn, how))
	pid := b.pidIn("pid")
	if got := b.must("background_stop", `{"id":"b1"}`); got != "[b1 has ended: signal: terminated]\n" {
		t.Errorf("stop %q", got)
	}
	eventually(t, "the grandchild is dead", func() bool { return !running(pid) })
	if got := b.Finished(); got != nil {
		t.Errorf("announced: %v", got)
	}
	if got := b.must("background_stop", `{"id":"b1"}`); got != "[b1 has ended: signal: terminated]\n" {
		t.Errorf("again: %q", got)
	}
	if got := b.must("background_read", idArgs(id, 0)); got != "[b1 has ended: signal: terminated]\n" {
		t.Errorf("read %q", got)
	}
}

func TestBackgroundRefuses(t *testing.T) {
	b := newShell(t)
	if got := b.must("background_list", "{}"); got != "[no background commands]\n" {
		t.Errorf("list %q", got)
	}
	for _, tt := range []struct {
		name, args string
		kind       error
	}{
		{"background_read", `{"id":"b9"}`, plumbing.ErrNotFound},
		{"background_stop", `{"id":"b9"}`, plumbing.ErrNotFound},
		{"background_read", `{"id":1}`, plumbing.ErrInvalid},
		{"background_read", `{"id":"b1","wait_seconds":61}`, plumbing.ErrInvalid},
		{"background_read", `{"id":"b1","wait_seconds":-1}`, plumbing.ErrInvalid},
		{"background_stop", `{"id":"b1","wait_seconds":1}`, plumbing.ErrInvalid},
		{"background_list", `{"id":"b1"}`, plumbing.ErrInvalid},
	} {
		if _, err := b.call(tt.name, tt.args); !errors.Is(err, tt.kind) {
			t.Errorf("%s %s: %v", tt.name, tt.args, err)
		}
	}
	for name, args := range map[string]string{"bash": backgroundArgs("true"), "background_read": idArgs("b1", 0), "background_stop": `{"id":"b1"}`, "background_list": "{}"} {
		c := b.callOf(name, args)
		c.Child = true
		if _, err := b.tools[name].Run(t.Context(), c); !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("a child's %s: %v", name, err)
		}
		if _, err := b.tools[name].Needs(t.Context(), c); !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("what a child's %s needs: %v", name, err)
		}
	}
}

func TestBackgroundNeeds(t *testing.T) {
	b := newShell(t)
	b.begin("mkfifo f; read x <f")
	n, err := b.tools["background_stop"].Needs(t.Context(), b.callOf("background_stop", `{"id":"b1"}`))
	want := permission.Need{Tool: "background_stop", Class: permission.Read, Summary: "b1: mkfifo f; read x <f", Why: "it ends only what was started here"}
	if diff := cmp.Diff(want, n); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestBackgroundCaps(t *testing.T) {
	b := newShell(t)
	b.run("mkfifo f")
	for range maxJobs {
		b.begin("read x <f")
	}
	if _, err := b.call("bash", backgroundArgs("true")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("one too many: %v", err)
	}
	b.must("background_stop", `{"id":"b1"}`)
	id := b.begin("yes 0123456789 | head -c 3000000; printf '\nlast\n'")
	b.ended(id)
	got := b.must("background_read", idArgs(id, 0))
	if !strings.HasPrefix(got, "[") || !strings.Contains(got, " bytes that came before this were not kept: more than 1024 KiB") ||
		!strings.Contains(got, " bytes left out …]\n") || !strings.HasSuffix(got, "\nlast\n[b9 has ended: exit code 0]\n") || len(got) > maxOutput+300 {
		t.Errorf("%d bytes: %q … %q", len(got), got[:100], got[len(got)-60:])
	}
	j, err := b.job(b.callOf("background_read", ""), id)
	if err != nil {
		t.Fatal(err)
	}
	if j.out.b != nil {
		t.Errorf("%d bytes are kept of what was read", len(j.out.b))
	}
}

func TestBackgroundCancelledRead(t *testing.T) {
	b := newShell(t)
	b.begin("mkfifo f; read x <f")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := b.readBackground(ctx, b.callOf("background_read", idArgs("b1", 60)))
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	b.shell.second = time.Millisecond
	if got := b.must("background_read", idArgs("b1", 5)); got != "[b1 is running]\n" {
		t.Errorf("waited for nothing: %q", got)
	}
}

// A command outlives the call that started it, and ends with the toolbox.
func TestBackgroundClose(t *testing.T) {
	b := newShell(t)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := b.runBash(ctx, b.callOf("bash", backgroundArgs("mkfifo f; echo $$ >pid; read x <f"))); err != nil {
		t.Fatal(err)
	}
	cancel()
	pid := b.pidIn("pid")
	if !running(pid) {
		t.Error("it ended with the call")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if running(pid) {
		t.Error("it runs after Close")
	}
	if _, err := b.call("bash", backgroundArgs("true")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("after Close: %v", err)
	}
}

func TestBackgroundAtOnce(t *testing.T) {
	b := newShell(t)
	var all sync.WaitGroup
	for i := range maxJobs {
		all.Go(func() {
			id := b.begin(fmt.Sprintf("seq 1000; echo end of %d", i))
			for !strings.Contains(b.must("background_read", idArgs(id, 60)), "has ended") {
				b.Finished()
				b.must("background_list", "{}")
			}
		})
	}
	all.Wait()
}
