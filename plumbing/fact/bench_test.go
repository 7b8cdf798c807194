package fact

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// fill makes n facts of about 180 bytes in one transaction.
func (f *fixture) fill(n int) []string {
	f.t.Helper()
	var ids []string
	must(f.t, f.write(ctx, true, func(t *txn) error {
		for i := range n {
			text := fmt.Sprintf("fact %d: in this project everybody says the same thing about file %d, again and again, so that it has some length", i, i*7)
			r := ref(fmt.Sprint("session-", i%500), int64(i+1), int64(i+2))
			id, err := ID(text, r)
			if err != nil {
				return err
			}
			ids = append(ids, id)
			now := formatTime(t.now.Add(time.Duration(i) * time.Millisecond))
			if err := t.exec("INSERT INTO facts (id, created, revision, revised) VALUES (?, ?, 1, ?)", id, now, now); err != nil {
				return err
			}
			if err := t.addRevision(id, 1, text, basis{ref: r}); err != nil {
				return err
			}
		}
		return nil
	}))
	return ids
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkSize tells how much longer a verb takes with 100,000 facts than
// with 100, in turn on both in one run: medians and their ratio (aim 1.5).
// "process" opens the database for each call, as a command does.
func BenchmarkSize(b *testing.B) {
	small, large := newFixture(b), newFixture(b)
	pools := map[*fixture][]string{}
	for f, n := range map[*fixture]int{small: 100, large: 100_000} {
		pools[f] = f.fill(n)
	}
	next := 0
	take := func(f *fixture) string {
		if len(pools[f]) == 0 {
			next++
			pools[f] = append(pools[f], f.remember(fmt.Sprint("more ", next), ref("more", int64(next))).ID)
		}
		id := pools[f][0]
		pools[f] = pools[f][1:]
		return id
	}
	n := int64(0)
	verbs := map[string]func(f *fixture, s *Store, id string) error{
		"remember": func(f *fixture, s *Store, _ string) error {
			n++
			_, err := s.Remember(ctx, fmt.Sprint("new ", n), ref("new", n), RememberOptions{Deduplicate: true})
			return err
		},
		"correct": func(f *fixture, s *Store, id string) error {
			n++
			_, err := s.Correct(ctx, id, 1, fmt.Sprint("corrected ", n), ref("new", n), CorrectOptions{})
			return err
		},
		"forget": func(f *fixture, s *Store, id string) error { _, err := s.Forget(ctx, id); return err },
		"prompt": func(f *fixture, s *Store, _ string) error { _, err := s.NewestFirst(ctx); return err },
		"get":    func(f *fixture, s *Store, id string) error { _, err := s.Get(ctx, id); return err },
	}
	for _, process := range []bool{false, true} {
		for _, verb := range []string{"remember", "correct", "forget", "prompt", "get"} {
			name := verb
			if process {
				name += "/process"
			}
			b.Run(name, func(b *testing.B) {
				took := map[*fixture][]time.Duration{}
				for b.Loop() {
					for _, f := range []*fixture{small, large} {
						s, id := f.Store, ""
						if verb == "correct" || verb == "forget" || verb == "get" {
							id = take(f)
						}
						began := time.Now()
						if process {
							s = NewStore(f.Store.opt)
						}
						must(b, verbs[verb](f, s, id))
						if process {
							must(b, s.Close())
						}
						took[f] = append(took[f], time.Since(began))
					}
				}
				s, l := median(took[small]), median(took[large])
				b.ReportMetric(float64(s.Microseconds()), "us/100")
				b.ReportMetric(float64(l.Microseconds()), "us/100000")
				b.ReportMetric(float64(l)/float64(s), "x")
			})
		}
	}
}

// BenchmarkOpen is what a command pays before its first answer.
func BenchmarkOpen(b *testing.B) {
	f := newFixture(b)
	f.fill(1000)
	b.Run("generation", func(b *testing.B) {
		for b.Loop() {
			s := NewStore(f.Store.opt)
			if _, err := s.Generation(); err != nil {
				b.Fatal(err)
			}
			must(b, s.Close())
		}
	})
	b.Run("generation again", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.Generation(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkEightProcesses: 8 processes with 1,000 mutations each; none may be lost.
func BenchmarkEightProcesses(b *testing.B) {
	for b.Loop() {
		f := newFixture(b)
		began := time.Now()
		all := crowd(b, f.dir, 8, 1000)
		b.ReportMetric(float64(time.Since(began).Milliseconds())/8000, "ms/mutation")
		b.ReportMetric(float64(all.slowest)/1000, "ms/slowest")
		all.holds(b, f.Store)
	}
}

// BenchmarkFirstWrite makes a database.
func BenchmarkFirstWrite(b *testing.B) {
	i := 0
	dir := b.TempDir()
	for b.Loop() {
		i++
		s := NewStore(options(fmt.Sprint(dir, "/", i), &fake{}))
		_, err := s.Remember(ctx, "x", ref("s", 1), RememberOptions{})
		must(b, err)
		must(b, s.Close())
	}
}
