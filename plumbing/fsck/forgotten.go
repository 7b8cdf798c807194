package fsck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Forgotten checks what the project's forgets have left (design section 15.4).
// It hands over counts of what they made inert (Finding.Count), and names file
// and line wherever a line of MinLine characters or more of a forgotten record
// still stands in something that lecode keeps for prompts: MEMORY.md, the
// scratchpad, notes, the daily files, their .bak, facts' texts. A forgotten
// record that is no longer there cannot be compared (Unprovable); a user's own
// message that holds the line is told apart (TypedAgain). It writes nothing;
// errors as Check.
func (c *Checker) Forgotten(ctx context.Context, found func(Finding) error) error {
	if c.hotJournal() {
		return found(c.finding(FactsJournal, inConfig, c.factsName(),
			"a write was cut off and is taken back at the next use, or by `lecode fsck --repair`; nothing was checked"))
	}
	s := &sweep{Checker: c, ctx: ctx, found: found, excluded: map[string][]int64{}, seen: map[string]map[int64]bool{}, words: newNeedles()}
	if err := s.load(); err != nil {
		if errors.Is(err, plumbing.ErrRefused) {
			// Whoever asks for proof of a forget must not take silence for it.
			return found(c.finding(FactsCorrupt, inConfig, c.factsName(), "what was forgotten cannot be read, so nothing was checked: "+err.Error()))
		}
		return c.unusable(err, found)
	}
	if s.generation == 0 && len(s.excluded) == 0 {
		return nil
	}
	for _, step := range []func() error{s.collect, s.unprovable, s.counts, s.standing, s.again} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// sweep is one run of Forgotten.
type sweep struct {
	*Checker
	ctx        context.Context
	found      report
	view       fact.View
	generation int64
	excluded   map[string][]int64        // ascending seqs, by session key
	seen       map[string]map[int64]bool // forgotten records that are there, by key
	words      needles
}

func (s *sweep) load() (err error) {
	if s.view, err = s.opt.Facts.View(s.ctx); err != nil {
		return err
	}
	if s.generation, err = s.view.Generation(); err != nil {
		return err
	}
	list, err := s.opt.Facts.Exclusions(s.ctx)
	for _, p := range list {
		s.excluded[p.SessionID] = append(s.excluded[p.SessionID], p.Seq)
	}
	return err
}

// eachLog opens every log that may be read; what is wrong with the others is Check's to say.
func (s *sweep) eachLog(take func(*session.Log) error) error {
	ids, err := s.ids()
	if err != nil {
		return s.orFail(inConfig, s.sessionDir(), err, s.found)
	}
	for i, id := range ids {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.step(i, len(ids))
		l, err := s.sessions.Open(s.ctx, id)
		if errors.As(err, new(*plumbing.Error)) {
			continue
		}
		if err != nil {
			return err
		}
		err = take(l)
		l.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// collect reads the forgotten records, from every copy that is there.
func (s *sweep) collect() error {
	return s.eachLog(func(l *session.Log) error {
		key := session.Key(l.ID())
		for _, seq := range s.excluded[key] {
			if seq > l.Last() {
				break
			}
			line, err := l.Record(seq)
			if err != nil {
				return err
			}
			if e, err := l.Entry(seq); err != nil || !e.Message() {
				continue
			}
			if s.seen[key] == nil {
				s.seen[key] = map[int64]bool{}
			}
			s.seen[key][seq] = true
			s.words.addRecord(line)
		}
		return nil
	})
}

// unprovable names the forgotten records that are nowhere to compare with.
func (s *sweep) unprovable() error {
	keys := []string{}
	for key := range s.excluded {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		gone := len(s.excluded[key]) - len(s.seen[key])
		if gone == 0 {
			continue
		}
		err := s.found(s.finding(Unprovable, inConfig, s.logName(key), fmt.Sprintf(
			"%d forgotten records are gone from the log, so whether their words still stand somewhere cannot be told", gone)))
		if err != nil {
			return err
		}
	}
	return nil
}

// counts tells what the forgets have made inert.
func (s *sweep) counts() error {
	err := s.eachLog(func(l *session.Log) error {
		n := map[string]int64{}
		for seq := int64(1); seq <= l.Last(); seq++ {
			e, err := l.Entry(seq)
			if err != nil {
				return err
			}
			if code := s.inert(e); code != "" {
				n[code]++
			}
		}
		for _, k := range []struct{ code, what string }{
			{InertMessages, "generated messages"}, {InertSummaries, "summaries"}, {InertProposals, "outcomes of learning"},
		} {
			if n[k.code] == 0 {
				continue
			}
			err := s.found(s.finding(k.code, inConfig, s.logName(l.ID()),
				fmt.Sprintf("%d %s are older than the last forget: kept in the log and used no more", n[k.code], k.what)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.stopped()
}

// inert is the code under which a record older than the last forget is counted.
func (s *sweep) inert(e session.Entry) string {
	if max(e.Generation, 0) >= s.generation {
		return ""
	}
	switch {
	case e.Message() && !e.Typed():
		return InertMessages
	case e.Type == session.TypeCompact:
		return InertSummaries
	case e.Type == session.TypeLearning:
		return InertProposals
	}
	return ""
}

// stopped counts the facts that hold no longer because of a forget.
func (s *sweep) stopped() error {
	cited, err := s.citations(s.ctx)
	if err != nil {
		return s.unusable(err, s.found)
	}
	v, done := source.Validator{Sessions: s.sessions}.Cached()
	defer done()
	overlap, generation := map[string]bool{}, map[string]bool{}
	for _, r := range cited {
		var older bool
		status, err := v.Walk(s.ctx, s.view, r.ref, session.Durable, func(e session.Entry) error {
			older = older || !e.Typed() && max(e.Generation, 0) < s.generation
			return nil
		})
		if err != nil && !errors.As(err, new(*plumbing.Error)) {
			return err
		}
		if err != nil || status != source.Hidden {
			continue
		}
		if s.overlaps(r.ref) {
			overlap[r.fact] = true
		} else if older {
			generation[r.fact] = true
		}
	}
	for id := range overlap {
		delete(generation, id)
	}
	return errors.Join(s.count(InertOverlap, len(overlap), "stand on forgotten records"),
		s.count(InertGeneration, len(generation), "stand on words of a model from before the last forget"))
}

func (s *sweep) overlaps(ref source.Ref) bool {
	seqs := s.excluded[session.Key(ref.SessionID)]
	return slices.ContainsFunc(ref.Seqs, func(seq int64) bool {
		_, is := slices.BinarySearch(seqs, seq)
		return is
	})
}

func (s *sweep) count(code string, n int, why string) error {
	if n == 0 {
		return nil
	}
	return s.found(s.finding(code, inConfig, s.factsName(), fmt.Sprintf("%d facts %s: kept and not told", n, why)))
}

// again finds the user's own messages that hold a forgotten line and were not forgotten with it.
func (s *sweep) again() error {
	if len(s.words.lines) == 0 {
		return nil
	}
	return s.eachLog(func(l *session.Log) error {
		vis, err := l.Visibility(s.view)
		if err != nil {
			return s.orFail(inConfig, s.logName(l.ID()), err, s.found)
		}
		for e, err := range l.Records(1, l.Last()) {
			if err != nil {
				return s.orFail(inConfig, s.logName(l.ID()), err, s.found)
			}
			if !e.Typed() || !vis.Shows(e, session.Durable) || !s.words.inRecord(e.Raw) {
				continue
			}
			err := s.found(s.finding(TypedAgain, inConfig, s.logName(l.ID()),
				"a user typed a forgotten line here too; it was not forgotten with the other").at(e.Seq+1, e.Offset))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// standing looks for forgotten lines in the managed outputs.
func (s *sweep) standing() error {
	if len(s.words.lines) == 0 {
		return nil
	}
	if err := s.notes(s.memoryDir()); err != nil {
		return err
	}
	return s.each(s.ctx, func(f fact.Fact) error {
		for _, r := range f.Revisions {
			if !slices.ContainsFunc(strings.Split(r.Text, "\n"), s.words.in) {
				continue
			}
			err := s.found(s.finding(StillStands, inConfig, s.factsName(), fmt.Sprintf(
				"a forgotten line stands in the text of fact %s, revision %d: forget it too, or correct it", f.ID, r.Number)))
			if err != nil {
				return err
			}
		}
		return nil
	})
}
