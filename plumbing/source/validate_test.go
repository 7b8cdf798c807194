package source

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		name             string
		change           func(w *world, id string, r *Ref)
		ex               forgets
		working, durable Status
	}{
		{name: "untouched", working: Valid, durable: Valid},
		{name: "appended to", change: func(w *world, id string, r *Ref) { w.append(id, user("more")) }, working: Valid, durable: Valid},
		{name: "session deleted", change: func(w *world, id string, r *Ref) { os.Remove(w.path(id)) }, working: Missing, durable: Missing},
		{name: "other session", change: func(w *world, id string, r *Ref) { r.SessionID = "other" }, working: Missing, durable: Missing},
		{name: "seq past the end", change: func(w *world, id string, r *Ref) { r.Seqs = []int64{1, 99} }, working: Missing, durable: Missing},
		{name: "missing before hidden", change: func(w *world, id string, r *Ref) { r.Seqs = []int64{1, 99} }, ex: forgets{seqs: []int64{1}}, working: Missing, durable: Missing},
		{name: "same length edit", change: func(w *world, id string, r *Ref) { w.edit(id, "Noted.", "Doubt.") }, working: Stale, durable: Stale},
		{name: "longer edit", change: func(w *world, id string, r *Ref) { w.edit(id, "Noted.", "Never mind.") }, working: Stale, durable: Stale},
		{name: "edit outside", change: func(w *world, id string, r *Ref) { w.edit(id, `"title":"Tabs"`, `"title":"Bats"`) }, working: Valid, durable: Valid},
		{name: "stale before hidden", change: func(w *world, id string, r *Ref) { w.edit(id, "Noted.", "Doubt.") }, ex: forgets{seqs: []int64{1}}, working: Stale, durable: Stale},
		{name: "an event", change: func(w *world, id string, r *Ref) { r.Seqs = []int64{3} }, working: Stale, durable: Stale},
		{name: "other seqs", change: func(w *world, id string, r *Ref) { r.Seqs = []int64{1, 2, 4} }, working: Stale, durable: Stale},
		{name: "corrupt behind it", change: func(w *world, id string, r *Ref) { w.append(id, user("x")); w.edit(id, `"seq":6`, `"seq":7`) }, working: Stale, durable: Stale},
		{name: "corrupt before it", change: func(w *world, id string, r *Ref) { w.edit(id, `"seq":1`, `"seq":7`) }, working: Stale, durable: Stale},
		{name: "corrupt header", change: func(w *world, id string, r *Ref) { w.edit(id, `"type":"session"`, `"type":"ses`) }, working: Stale, durable: Stale},
		{name: "header of another ID", change: func(w *world, id string, r *Ref) { w.edit(id, `"id":"s1"`, `"id":"s2"`) }, working: Stale, durable: Stale},
		{name: "cut off", change: func(w *world, id string, r *Ref) { os.Truncate(w.path(id), int64(len(w.read(id))-3)) }, working: Missing, durable: Missing},
		{name: "undone", change: func(w *world, id string, r *Ref) { w.undo(id, 4) }, working: Hidden, durable: Hidden},
		{name: "undone and redone", change: func(w *world, id string, r *Ref) { w.undo(id, 4); w.redo(id) }, working: Valid, durable: Valid},
		{name: "cleared", change: func(w *world, id string, r *Ref) { w.clear(id) }, working: Hidden, durable: Valid},
		{name: "excluded", ex: forgets{generation: 0, seqs: []int64{5}}, working: Hidden, durable: Hidden},
		{name: "older generation", ex: forgets{generation: 1}, working: Hidden, durable: Hidden},
		{name: "typed words age with no forget", change: func(w *world, id string, r *Ref) { *r = w.snapshot(id, 4, 4).Ref }, ex: forgets{generation: 1}, working: Valid, durable: Valid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			id := w.dialogue()
			ref := w.snapshot(id, 1, 5).Ref
			if tt.change != nil {
				tt.change(w, id, &ref)
			}
			cached, done := w.Cached()
			defer done()
			for _, v := range []Validator{w.Validator, *cached, *cached} {
				for p, want := range map[session.Purpose]Status{session.Working: tt.working, session.Durable: tt.durable} {
					got, err := v.Validate(context.Background(), tt.ex, ref, p)
					if err != nil || got != want {
						t.Errorf("%s: %q, %v, want %q", p, got, err, want)
					}
					status, records, err := v.Records(context.Background(), tt.ex, ref, p)
					if err != nil || status != want || (want == Valid) != (len(records) == len(ref.Seqs)) || want != Valid && records != nil {
						t.Errorf("%s: records %q, %d, %v, want %q", p, status, len(records), err, want)
					}
				}
			}
		})
	}
}

func TestValidateErrors(t *testing.T) {
	w := newWorld(t)
	id := w.dialogue()
	ref := w.snapshot(id, 1, 5).Ref
	machine := errors.Join(errors.New("the database is gone"), plumbing.ErrCorrupt)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	linked := w.new(user("x"))
	linkedRef := w.snapshot(linked, 1, 1).Ref
	if err := os.Rename(w.path(linked), w.path(linked)+".real"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.path(linked)+".real", w.path(linked)); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name string
		v    Validator
		ctx  context.Context
		ex   forgets
		ref  Ref
		kind error
	}{
		{"foreign project", Validator{Sessions: w.store("/other")}, context.Background(), forgets{}, ref, plumbing.ErrRefused},
		{"a link", w.Validator, context.Background(), forgets{}, linkedRef, plumbing.ErrRefused},
		{"exclusions cannot be read", w.Validator, context.Background(), forgets{err: machine}, ref, machine},
		{"not a ref", w.Validator, context.Background(), forgets{}, Ref{SessionID: id}, plumbing.ErrInvalid},
		{"a path for an ID", w.Validator, context.Background(), forgets{}, Ref{ref.Digest, ref.Seqs, "../" + id}, plumbing.ErrInvalid},
		{"cancelled", w.Validator, cancelled, forgets{}, ref, context.Canceled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, err := tt.v.Validate(tt.ctx, tt.ex, tt.ref, session.Working)
			wantKind(t, err, tt.kind)
			if status != "" {
				t.Errorf("status %q beside an error", status)
			}
		})
	}
}

// A forget must be seen by a validator that looked before it.
func TestCachedSeesForget(t *testing.T) {
	w := newWorld(t)
	ref := w.snapshot(w.dialogue(), 4, 4).Ref
	cached, done := w.Cached()
	defer done()
	ex := forgets{}
	for _, want := range []Status{Valid, Hidden} {
		got, err := cached.Validate(context.Background(), ex, ref, session.Durable)
		if err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
		ex = forgets{generation: 1, seqs: []int64{4}}
	}
}

// More sessions than are kept open, and records that are not kept.
func TestCachedBounds(t *testing.T) {
	w := newWorld(t)
	cached, done := w.Cached()
	var refs []Ref
	for range maxKept + 3 {
		refs = append(refs, w.snapshot(w.new(user("x")), 1, 1).Ref)
	}
	large := w.snapshot(w.new(user(strings.Repeat("x", maxIdle))), 1, 1).Ref
	for range 2 {
		for _, r := range append(refs, large) {
			if got, err := cached.Validate(context.Background(), forgets{}, r, session.Working); got != Valid || err != nil {
				t.Fatalf("%q, %v", got, err)
			}
			if n := len(cached.kept.order); n > maxKept || n != len(cached.kept.logs) {
				t.Fatalf("%d logs open, %d in order", len(cached.kept.logs), n)
			}
		}
		if cached.kept.logs[large.SessionID] != nil {
			t.Error("the log with a large record is kept open")
		}
	}
	done()
	if n := len(cached.kept.logs); n != 0 {
		t.Errorf("%d logs open after close", n)
	}
}

func TestWalkPassesErrorsOn(t *testing.T) {
	w := newWorld(t)
	ref := w.snapshot(w.dialogue(), 1, 5).Ref
	mine := errors.Join(errors.New("mine"), plumbing.ErrNotFound)
	_, err := w.Walk(context.Background(), forgets{}, ref, session.Working, func(session.Entry) error { return mine })
	if err != mine {
		t.Errorf("error %v, want fn's own", err)
	}
}

func TestSync(t *testing.T) {
	w := newWorld(t)
	ref := w.snapshot(w.dialogue(), 1, 5).Ref
	if err := w.Sync(context.Background(), ref); err != nil {
		t.Error(err)
	}
	ref.SessionID = "nope"
	wantKind(t, w.Sync(context.Background(), ref), plumbing.ErrNotFound)
}

func TestWorse(t *testing.T) {
	order := []Status{Missing, Stale, Hidden, Unverified, Valid}
	for i, a := range order {
		for j, b := range order {
			if d := cmp.Diff(order[min(i, j)], Worse(a, b)); d != "" {
				t.Errorf("%s, %s: %s", a, b, d)
			}
		}
	}
}
