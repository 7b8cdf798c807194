package agent

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/agent/hook"
)

// attach attaches the session, a new one where none is named.
func (a *Agent) attach(ctx context.Context) error {
	started := false
	if a.w != nil {
		if a.w.Err() == nil {
			return nil
		}
		// It takes no more records, such as after a full disk; what is stored counts.
		started = a.started
		_ = a.detach() // it is closed already
	}
	id, fresh := a.id, a.id == ""
	if fresh {
		info, err := a.d.Sessions.New(ctx)
		if err != nil {
			return err
		}
		id = info.ID
	}
	w, err := a.d.Sessions.Attach(ctx, id)
	if err != nil {
		return err
	}
	spent, err := usage.OfRecords(spending(w.Log()))
	if err != nil {
		w.Close()
		return fmt.Errorf("read what session %q took: %w", id, err)
	}
	a.mu.Lock()
	a.w, a.id, a.context, a.started = w, id, &live{}, started
	a.standing = Standing{Usage: spent}
	a.section = nil
	a.mu.Unlock()
	m, mode := a.now()
	a.emit(Began{SessionID: id, New: fresh, Model: m.Name(), Mode: mode})
	return nil
}

// recount takes the session's usage anew from its records.
func (a *Agent) recount() {
	spent, err := usage.OfRecords(spending(a.w.Log()))
	if err != nil {
		a.notice("what the session took cannot be read: %v", err)
		return
	}
	a.stand(func(s *Standing) { s.Usage = spent })
}

// spending yields the records of a log that can carry usage.
func spending(log *session.Log) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		for seq := int64(1); seq <= log.Last(); seq++ {
			e, err := log.Entry(seq)
			var line []byte
			if err == nil {
				if !usage.Carries(e.Type, e.Role) {
					continue
				}
				line, err = log.Record(seq)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// detach lets the session go.
func (a *Agent) detach() error {
	if a.w == nil {
		return nil
	}
	w, id := a.w, a.id
	a.mu.Lock()
	a.w, a.context = nil, nil
	a.mu.Unlock()
	if err := w.Close(); err != nil {
		return fmt.Errorf("close session %q: %w", id, err)
	}
	return nil
}

// start runs the hooks of a session's start, once.
func (a *Agent) start(ctx context.Context) error {
	if a.started {
		return nil
	}
	said, err := a.hook(ctx, hook.SessionStart, func(h hook.About) map[string]any { return h.SessionStart(a.w.Log().Last() == 0) })
	if err != nil {
		return err
	}
	if said.Blocked {
		return plumbing.Fail(plumbing.ErrRefused, "a session_start hook blocked: "+said.Reason, "it is in config.toml under [[hooks]]")
	}
	a.started = true
	return nil
}

// Switch attaches another session, or for "" begins a new one at the next prompt.
func (a *Agent) Switch(ctx context.Context, sessionID string) error {
	done, err := a.begin("changing the session")
	if err != nil {
		return err
	}
	defer done()
	if sessionID != "" && sessionID == a.id {
		return nil
	}
	// The next one is taken before this one is let go: what cannot be had loses nothing.
	other := &Agent{d: a.d, id: sessionID}
	other.model, other.mode = a.now()
	if sessionID != "" {
		if err := other.attach(ctx); err != nil {
			return err
		}
	}
	if err := a.detach(); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.id, a.w, a.context, a.started, a.standing = sessionID, other.w, other.context, false, other.standing
	return nil
}

// Undo hides the last exchange, or the one that holds seq.
func (a *Agent) Undo(ctx context.Context, seq int64) (session.Event, error) {
	return a.change(ctx, func() (session.Event, error) { return a.w.Undo(ctx, a.d.Facts, seq) })
}

// Redo takes the latest undo back.
func (a *Agent) Redo(ctx context.Context) (session.Event, error) {
	return a.change(ctx, func() (session.Event, error) { return a.w.Redo(ctx) })
}

// Clear begins the context anew.
func (a *Agent) Clear(ctx context.Context) (session.Event, error) {
	return a.change(ctx, func() (session.Event, error) { return a.w.Clear(ctx) })
}

func (a *Agent) change(ctx context.Context, do func() (session.Event, error)) (session.Event, error) {
	done, err := a.begin("changing the session")
	if err != nil {
		return session.Event{}, err
	}
	defer done()
	if a.w == nil && a.id == "" {
		return session.Event{}, plumbing.Fail(plumbing.ErrNo, "nothing has been said yet", "")
	}
	if err := a.attach(ctx); err != nil {
		return session.Event{}, err
	}
	return do()
}

// append stores one record and returns its seq. It is not cut off by an
// interrupt: what is stored has happened.
func (a *Agent) append(ctx context.Context, record any) (int64, error) {
	line, err := canon.Marshal(record)
	if err != nil {
		return 0, fmt.Errorf("write a record: %w", err)
	}
	generation, err := a.d.Facts.Generation()
	if err != nil {
		return 0, err
	}
	seqs, err := a.w.Append(context.WithoutCancel(ctx), [][]byte{line}, generation)
	if err != nil {
		return 0, fmt.Errorf("store a record in session %q: %w", a.id, err)
	}
	return seqs[0], nil
}
