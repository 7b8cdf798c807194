package source

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

const (
	// maxKept bounds the logs that a Cached validator holds open, two files each.
	maxKept = 64
	// maxIdle is the largest record, in bytes, that a kept log may have read:
	// it holds a buffer of that size.
	maxIdle = 1 << 20
)

// opened is a log with what of it is visible.
type opened struct {
	log     *session.Log
	vis     *session.Visibility // nil: not made yet
	largest int64               // record read, in bytes
}

// kept is the open logs of a Cached validator.
type kept struct {
	mu    sync.Mutex // held while a log is in use: a Log is for one goroutine
	logs  map[string]*opened
	order []string // opened first, first
}

// Cached returns a validator that opens each log once and makes its visibility
// once a generation, for the many refs of one command. It sees each log as it
// was when it was opened (its records are read and hashed anew each time) and
// takes the exclusions of one project only. It is safe for many goroutines,
// which wait for one another. Call close when the command is done; a
// validator that was closed goes on and opens logs anew.
func (v Validator) Cached() (cached *Validator, close func()) {
	k := &kept{logs: map[string]*opened{}}
	return &Validator{Sessions: v.Sessions, kept: k}, k.close
}

func (k *kept) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.order) > 0 {
		k.drop(k.order[0])
	}
}

// drop closes a log; k.mu is held.
func (k *kept) drop(id string) {
	k.logs[id].log.Close()
	delete(k.logs, id)
	k.order = slices.DeleteFunc(k.order, func(s string) bool { return s == id })
}

// open returns the session's log; done has to be called when it is no longer in use.
func (v Validator) open(ctx context.Context, id string) (o *opened, done func(), err error) {
	if v.kept != nil {
		return v.kept.open(ctx, v.Sessions, id)
	}
	log, err := v.Sessions.Open(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return &opened{log: log}, func() { log.Close() }, nil
}

func (k *kept) open(ctx context.Context, s *session.Store, id string) (*opened, func(), error) {
	k.mu.Lock()
	o := k.logs[id]
	if o == nil {
		log, err := s.Open(ctx, id)
		if err != nil {
			k.mu.Unlock()
			return nil, nil, err
		}
		if len(k.order) >= maxKept {
			k.drop(k.order[0])
		}
		o = &opened{log: log}
		k.logs[id] = o
		k.order = append(k.order, id)
	}
	return o, func() {
		if o.largest > maxIdle {
			k.drop(id)
		}
		k.mu.Unlock()
	}, nil
}

// visibility is made again only when the generation moved: no exclusion comes without that.
func (o *opened) visibility(ex session.Exclusions) (*session.Visibility, error) {
	if o.vis != nil {
		g, err := ex.Generation()
		if err != nil {
			return nil, fmt.Errorf("read the generation: %w", err)
		}
		if g == o.vis.Generation() {
			return o.vis, nil
		}
	}
	vis, err := o.log.Visibility(ex)
	if err != nil {
		return nil, err
	}
	o.vis = vis
	return vis, nil
}

// records yields the records of ascending seqs, those that lie side by side in
// one reading. One that is not there is plumbing.ErrNotFound.
func (o *opened) records(ctx context.Context, seqs []int64) iter.Seq2[session.Entry, error] {
	return func(yield func(session.Entry, error) bool) {
		for len(seqs) > 0 {
			n := 1
			for n < len(seqs) && seqs[n] == seqs[n-1]+1 {
				n++
			}
			got := 0
			for e, err := range o.log.Records(seqs[0], seqs[n-1]) {
				if err == nil {
					err = ctx.Err()
				}
				got++
				o.largest = max(o.largest, e.Size)
				if !yield(e, err) || err != nil {
					return
				}
			}
			if got < n {
				yield(session.Entry{}, plumbing.Fail(plumbing.ErrNotFound,
					fmt.Sprintf("session %q has no record %d", o.log.ID(), seqs[got]), ""))
				return
			}
			seqs = seqs[n:]
		}
	}
}
