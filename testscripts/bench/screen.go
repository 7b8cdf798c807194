package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	screenMessages = 10_000 // of the session that is open
	screenEvents   = 100    // of an answer, a second
	screenIdle     = 10 * time.Second
	screenLimit    = 30 * time.Second // for anything to appear
)

// screen compares the agent's screen with what a terminal can do at all: the
// first frame, a key until it is drawn, and what it costs to do nothing. All
// of it is the built program in a terminal of its own.
func (b *bench) screen() error {
	person, program, err := pty()
	if err != nil {
		b.table.missing("the agent's screen", err)
		return nil
	}
	person.Close()
	program.Close()
	server := httptest.NewServer(http.HandlerFunc(streaming))
	defer server.CloseClientConnections()
	w, err := b.newWorld(b.small.root, "screen")
	if err != nil {
		return err
	}
	settings := fmt.Sprintf("[agent]\nmodel = \"near/small\"\ncontext_window = 10_000_000\n[providers.near]\ntype = \"openai\"\nbase_url = %q\n", server.URL+"/v1")
	if err := os.MkdirAll(w.config.Dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.config.Dir, "config.toml"), []byte(settings), 0o600); err != nil {
		return err
	}
	if w.session, err = w.newSession(b.ctx, screenMessages*screenRecord, screenRecord); err != nil {
		return err
	}
	if err := w.try("", b.lecode, "sessions"); err != nil { // makes the index
		return err
	}
	for _, figure := range []func(*world) error{b.firstFrame, b.keyToScreen, b.idle} {
		if err := figure(w); err != nil {
			return err
		}
	}
	return nil
}

// screenRecord is the size of a message; smaller ones are not made by message.
const screenRecord = 300

// streaming answers like a model that has no end: an event each hundredth of a
// second. The keys that are measured do not occur in it.
func streaming(out http.ResponseWriter, r *http.Request) {
	out.Header().Set("Content-Type", "text/event-stream")
	tick := time.NewTicker(time.Second / screenEvents)
	defer tick.Stop()
	words := []string{"bread ", "and ", "**tea** ", "`for` ", "four\n\n", "- one\n"}
	for i := 0; ; i++ {
		chunk, err := json.Marshal(map[string]any{"id": "c", "object": "chat.completion.chunk", "model": "small",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": words[i%len(words)]}}}})
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(out, "data: %s\n\n", chunk); err != nil {
			return
		}
		out.(http.Flusher).Flush()
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// window is a program in a terminal, and all that it has written there.
type window struct {
	person *os.File
	cmd    *exec.Cmd

	mu    sync.Mutex
	shown []byte
	more  chan struct{} // closed when something came
}

// open starts a program in a terminal.
func open(cmd *exec.Cmd) (*window, error) {
	person, program, err := pty()
	if err != nil {
		return nil, err
	}
	defer program.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "LANG=C.UTF-8")
	lead(cmd)
	w := &window{person: person, cmd: cmd, more: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		person.Close()
		return nil, err
	}
	go w.read()
	return w, nil
}

func (w *window) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := w.person.Read(buf)
		w.mu.Lock()
		w.shown = append(w.shown, buf[:n]...)
		close(w.more)
		w.more = make(chan struct{})
		w.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// close ends the program.
func (w *window) close() {
	w.cmd.Process.Kill()
	w.cmd.Wait()
	w.person.Close()
}

// length is how much was written until now.
func (w *window) length() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.shown)
}

// wait waits until a text was written behind a place.
func (w *window) wait(ctx context.Context, from int, text string) error {
	limit := time.NewTimer(screenLimit)
	defer limit.Stop()
	for {
		w.mu.Lock()
		more, there, end := w.more, bytes.Contains(w.shown[from:], []byte(text)), w.shown[max(from, len(w.shown)-2000):]
		w.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-more:
		case <-limit.C:
			return fmt.Errorf("%q did not appear on the screen, but %q", text, end)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// press is the time from a key until it is on the screen.
func (w *window) press(ctx context.Context, key string) (time.Duration, error) {
	from, began := w.length(), time.Now()
	if _, err := w.person.WriteString(key); err != nil {
		return 0, err
	}
	err := w.wait(ctx, from, key)
	return time.Since(began), err
}

// firstFrame compares the start of the screen until one can type with the time
// that the same program needs to say its version.
func (b *bench) firstFrame(w *world) error {
	start := func() (time.Duration, error) {
		began := time.Now()
		win, err := open(w.command(b.lecode))
		if err != nil {
			return 0, err
		}
		defer win.close()
		err = win.wait(b.ctx, 0, "> ")
		return time.Since(began), err
	}
	agent := filepath.Join(filepath.Dir(b.lecode), executable("lecode-agent"))
	m, err := inTurn(max(b.rounds/2, 3), start, w.wall(nil, agent, "--version"))
	if err != nil {
		return err
	}
	b.table.most("screen: start to first frame", m[0], m[1], "lecode-agent --version", 150*time.Millisecond)
	return nil
}

// keyToScreen compares a key, with a long session open and an answer coming in,
// with a key that the terminal itself echoes.
func (b *bench) keyToScreen(w *world) error {
	win, err := open(w.command(b.lecode, "agent", "--session", w.session))
	if err != nil {
		return err
	}
	defer win.close()
	echo, err := open(w.command("cat"))
	if err != nil {
		return err
	}
	defer echo.close()
	if err := win.wait(b.ctx, 0, "messages before these"); err != nil {
		return err
	}
	if _, err := win.person.WriteString("Go on.\r"); err != nil {
		return err
	}
	if err := win.wait(b.ctx, 0, "bread"); err != nil {
		return err
	}
	keys := []string{"z", "q", "j", "y"}
	n := 0
	key := func() (time.Duration, error) {
		time.Sleep(time.Duration(31+n*7%40) * time.Millisecond) // not in step with the frames
		n++
		return win.press(b.ctx, keys[n%len(keys)])
	}
	m, err := inTurn(8*b.rounds, key, func() (time.Duration, error) { return echo.press(b.ctx, keys[n%len(keys)]) })
	if err != nil {
		return err
	}
	b.table.most(fmt.Sprintf("screen: key until drawn, %d messages, %d events/s", screenMessages, screenEvents), m[0], m[1], "echo of the terminal", 16*time.Millisecond)
	return nil
}

// idle is what a screen spends on which nothing happens, against cat.
func (b *bench) idle(w *world) error {
	win, err := open(w.command(b.lecode))
	if err != nil {
		return err
	}
	defer win.close()
	if err := win.wait(b.ctx, 0, "> "); err != nil {
		return err
	}
	time.Sleep(time.Second) // the session is open by then
	before, err := spentBy(win.cmd.Process.Pid)
	if err != nil {
		return err
	}
	time.Sleep(screenIdle)
	after, err := spentBy(win.cmd.Process.Pid)
	if err != nil {
		return err
	}
	b.table.share("screen: processor while idle", float64(after-before)/float64(screenIdle), 0.01)
	return nil
}
