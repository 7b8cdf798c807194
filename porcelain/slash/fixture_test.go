package slash

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/permission"
)

// fake is an agent that writes down what it was asked.
type fake struct {
	standing agent.Standing
	did      []string
	fails    error
	compact  compact.Applied
	outcome  agent.Outcome
	handed   string // the new session of a hand-over that fails in its first turn
}

func (f *fake) do(format string, a ...any) error {
	f.did = append(f.did, fmt.Sprintf(format, a...))
	return f.fails
}

func (f *fake) Standing() agent.Standing { return f.standing }
func (f *fake) Compact(context.Context) (compact.Applied, error) {
	return f.compact, f.do("compact")
}
func (f *fake) Undo(_ context.Context, seq int64) (session.Event, error) {
	return session.Event{Seq: 9, Record: []byte(`{"from":3,"to":6}`)}, f.do("undo %d", seq)
}
func (f *fake) Redo(context.Context) (session.Event, error) {
	return session.Event{Seq: 10, Record: []byte(`{"undo":9}`)}, f.do("redo")
}
func (f *fake) Clear(context.Context) (session.Event, error) {
	return session.Event{Seq: 11, Record: []byte(`{}`)}, f.do("clear")
}
func (f *fake) Switch(_ context.Context, id string) error { return f.do("switch %q", id) }
func (f *fake) SetModel(name string) error {
	err := f.do("model %s", name)
	if err == nil {
		f.standing.Model = name
	}
	return err
}
func (f *fake) SetMode(m permission.Mode) { f.standing.Mode = m }
func (f *fake) Handoff(_ context.Context, words string) (string, agent.Outcome, error) {
	if err := f.do("handoff %q", words); err != nil {
		return f.handed, f.outcome, err
	}
	return "new", f.outcome, nil
}
func (f *fake) Chain(_ context.Context, name, words string) (agent.Outcome, error) {
	return f.outcome, f.do("chain %s %q", name, words)
}
func (f *fake) CallTool(_ context.Context, generation *int64, name string, args []byte) (string, error) {
	return "", f.do("tool %s %s %v", name, args, generation != nil)
}

var noon = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)

// newDeps is commands over stores in folders of the test's own.
func newDeps(t *testing.T) (Deps, *fake) {
	t.Helper()
	f := &fake{standing: agent.Standing{SessionID: "s2", Model: "m", Mode: permission.Default}}
	config1 := file.Tree{Dir: t.TempDir()}
	n, clock := 0, func() time.Time { return noon }
	sessions := session.NewStore(session.Options{Config: config1, Cache: file.Tree{Dir: t.TempDir()},
		Project: session.Project{Root: "/kettle", Slug: "kettle"}, Now: clock,
		NewID: func() (string, error) { n++; return fmt.Sprintf("s%d", n), nil }, Writer: Writer})
	sources := source.Validator{Sessions: sessions}
	facts := fact.NewStore(fact.Options{Config: config1, Slug: "kettle", Validator: sources, Now: clock, Enabled: true})
	t.Cleanup(func() { facts.Close() })
	settings := &config.Config{Permissions: map[string]string{}, Memory: config.Memory{MaxBytes: 100}}
	return Deps{
		Agent: f, Now: clock,
		Memory: memory.Deps{Facts: facts, Sources: sources, Sessions: sessions, Now: clock,
			Notes: note.NewStore(note.Options{Config: config1, Slug: "kettle", Now: clock, LockWait: time.Second})},
		Base:     &base{},
		Settings: func() (*config.Config, error) { return settings, nil },
		Ledger:   usage.Ledger{Config: config1, Slug: "kettle", Now: clock},
	}, f
}

// say runs a line that has to succeed, and is what it prints.
func saying(t *testing.T, d Deps, line string) (Answer, string) {
	t.Helper()
	a, err := Run(t.Context(), d, line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	text := a.Print(memory.Style{Width: 80})
	if text != "" && !strings.HasSuffix(text, "\n") {
		t.Errorf("%s: no newline at the end of %q", line, text)
	}
	return a, text
}
