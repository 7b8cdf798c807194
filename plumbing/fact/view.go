package fact

import (
	"context"
	"slices"
	"sync"
)

// View is the exclusions as one command sees them: the generation is read
// once, the exclusions of a session when they are first asked for. It is a
// session.Exclusions for hundreds of questions in one go, safe for many
// goroutines, and meant to be short-lived: whoever waits for a model reads the
// Store again. It holds no lock on the database.
//
// A forget in between only ever hides more: a View that meets it takes over
// the new generation and reads anew what it asks for from then on.
type View struct{ *view }

type view struct {
	s   *Store
	ctx context.Context

	mu         sync.Mutex
	generation int64
	known      map[string][]int64
}

// View reads the generation and returns a View on it.
func (s *Store) View(ctx context.Context) (View, error) {
	v := &view{s: s, ctx: ctx, known: map[string][]int64{}}
	err := s.read(ctx, func(q *query) (err error) {
		v.generation, err = q.generation()
		return err
	})
	if err := ignoreNone(err); err != nil {
		return View{}, err
	}
	return View{v}, nil
}

// Generation returns the generation that the View has seen.
func (v View) Generation() (int64, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.generation, nil
}

// Excluded returns the forgotten seqs of the sessions with this session.Key, ascending.
func (v View) Excluded(key string) ([]int64, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if seqs, ok := v.known[key]; ok {
		return slices.Clone(seqs), nil
	}
	var g int64
	var seqs []int64
	err := v.s.read(v.ctx, func(q *query) (err error) {
		if g, err = q.generation(); err == nil {
			seqs, err = q.excluded(key)
		}
		return err
	})
	if err := ignoreNone(err); err != nil {
		return nil, err
	}
	if g > v.generation {
		v.generation = g
		clear(v.known)
	}
	v.known[key] = seqs
	return slices.Clone(seqs), nil
}
