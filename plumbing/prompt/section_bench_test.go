package prompt_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// The size of issue 3's figure: 50 facts of 4 revisions, each on a record of
// 100 KB, over 20 sessions of 10 MB.
const (
	benchSessions  = 20
	benchRevisions = 4
	perSession     = prompt.MaxLooked * benchRevisions / benchSessions
	evidenceSize   = 100 << 10
	fillerSize     = 900 << 10
)

// stores is what a section is gathered from, and where its evidence lies.
type stores struct {
	dir      string
	sessions *session.Store
	facts    *fact.Store
	spans    map[string][]span // by path of the log
}

type span struct{ offset, size int64 }

// BenchmarkSection gathers and builds the section, every log opened once and
// every record hashed, against opening, reading and hashing the same bytes of
// the same files, each right after the other, by their medians (aim: at most 3 times).
func BenchmarkSection(b *testing.B) {
	s := newStores(b)
	var bare, whole []time.Duration
	for b.Loop() {
		begin := time.Now()
		s.hashEvidence(b)
		middle := time.Now()
		g, err := s.gather()
		whole = append(whole, time.Since(middle))
		bare = append(bare, middle.Sub(begin))
		if err != nil || len(g.Section.Facts)+len(g.Section.Omitted) != prompt.MaxLooked {
			b.Fatal(err, len(g.Section.Facts), g.Section.Omitted)
		}
	}
	b.ReportMetric(median(whole)/median(bare), "x-hashing")
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}

// hashEvidence is the baseline.
func (s *stores) hashEvidence(b *testing.B) {
	buf := make([]byte, evidenceSize+1024)
	for path, spans := range s.spans {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		for _, at := range spans {
			if _, err := f.ReadAt(buf[:at.size], at.offset); err != nil {
				b.Fatal(err)
			}
			sha256.Sum256(buf[:at.size])
		}
		f.Close()
	}
}

// gather is what a command does for one section, its stores opened anew.
func (s *stores) gather() (prompt.Gathered, error) {
	config := file.Tree{Dir: filepath.Join(s.dir, "config")}
	v := source.Validator{Sessions: s.sessions}
	facts := fact.NewStore(fact.Options{Config: config, Slug: "kettle-1", Validator: v, Enabled: true})
	defer facts.Close()
	cached, done := v.Cached()
	defer done()
	return prompt.Gather(context.Background(), prompt.Stores{
		Newest:     func(ctx context.Context) ([]prompt.Candidate, error) { return candidates(ctx, facts, cached) },
		Generation: facts.Generation,
		Note: func(_ context.Context, name string) (prompt.Note, error) {
			head, err := note.Head(config, "kettle-1", name)
			return prompt.Note{Text: head.Text, Size: head.Size}, err
		},
	}, prompt.Caps{MaxBytes: prompt.DefaultMaxBytes, FactsMaxBytes: prompt.DefaultFactsMaxBytes})
}

func candidates(ctx context.Context, facts *fact.Store, v *source.Validator) ([]prompt.Candidate, error) {
	view, err := facts.View(ctx)
	if err != nil {
		return nil, err
	}
	list, err := facts.NewestFirst(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]prompt.Candidate, len(list))
	for i, f := range list {
		r := f.Current()
		out[i] = prompt.Candidate{
			Fact: prompt.Fact{ID: f.ID, Refs: r.Refs, Revision: r.Number, Text: r.Text},
			Status: func(ctx context.Context) (source.Status, error) {
				return fact.StatusBy(ctx, v, f, view, session.Durable)
			},
		}
	}
	return out, nil
}

func newStores(b *testing.B) *stores {
	s := &stores{dir: b.TempDir(), spans: map[string][]span{}}
	config := file.Tree{Dir: filepath.Join(s.dir, "config")}
	now, ids := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }, 0
	s.sessions = session.NewStore(session.Options{
		Config: config, Cache: file.Tree{Dir: filepath.Join(s.dir, "cache")},
		Project: session.Project{Root: "/kettle", Slug: "kettle-1"},
		Now:     now, NewID: func() (string, error) { ids++; return fmt.Sprintf("s%d", ids), nil },
		LockWait: time.Second, Holder: "the benchmark",
	})
	s.facts = fact.NewStore(fact.Options{Config: config, Slug: "kettle-1", Now: now, Enabled: true,
		Validator: source.Validator{Sessions: s.sessions}})
	defer s.facts.Close()
	var refs []*source.Ref
	for range benchSessions {
		refs = append(refs, s.newSession(b)...)
	}
	for i := range prompt.MaxLooked {
		s.remember(b, i, refs)
	}
	return s
}

// newSession makes a session of 10 MB and returns a ref for each record of evidence in it.
func (s *stores) newSession(b *testing.B) (refs []*source.Ref) {
	ctx := context.Background()
	info, err := s.sessions.New(ctx)
	if err != nil {
		b.Fatal(err)
	}
	w, err := s.sessions.Attach(ctx, info.ID)
	if err != nil {
		b.Fatal(err)
	}
	var lines [][]byte
	for range perSession {
		lines = append(lines, typed("We use tabs. ", evidenceSize), typed("Let us talk of something else. ", fillerSize))
	}
	if _, err := w.Append(ctx, lines, 0); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	l, err := s.sessions.Open(ctx, info.ID)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	path := filepath.Join(s.dir, "config", "sessions", "kettle-1", info.ID+".jsonl")
	for seq := int64(1); seq <= l.Last(); seq += 2 {
		e, err := l.Entry(seq)
		if err != nil {
			b.Fatal(err)
		}
		s.spans[path] = append(s.spans[path], span{e.Offset, e.Size + 1})
		snap, err := source.Validator{Sessions: s.sessions}.Snapshot(ctx, s.facts, info.ID, seq, seq)
		if err != nil {
			b.Fatal(err)
		}
		refs = append(refs, &snap.Ref)
	}
	return refs
}

func typed(words string, size int) []byte {
	return fmt.Appendf(nil, `{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":%q}]}`,
		strings.Repeat(words, size/len(words)))
}

// remember makes fact i with its revisions, each on evidence in another session.
func (s *stores) remember(b *testing.B, i int, refs []*source.Ref) {
	ctx := context.Background()
	r, err := s.facts.Remember(ctx, fmt.Sprintf("Fact %d: we use tabs.", i), refs[i], fact.RememberOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for n := int64(1); n < benchRevisions; n++ {
		text := fmt.Sprintf("Fact %d: we use tabs, revision %d.", i, n+1)
		if _, err := s.facts.Correct(ctx, r.Fact.ID, n, text, refs[i+int(n)*prompt.MaxLooked], fact.CorrectOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
