package fsck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// facts checks the fact database, and hashes the evidence of every revision anew.
func (c *Checker) facts(ctx context.Context, found report) error {
	if c.hotJournal() {
		return found(c.finding(FactsJournal, inConfig, c.factsName(),
			"a write was cut off and is taken back at the next use, or by `lecode fsck --repair`; nothing in it was checked"))
	}
	problems, err := c.opt.Facts.Check(ctx)
	for _, p := range problems {
		if err := found(c.finding(factCode(p.Code), inConfig, c.factsName(), p.Message+": put back a good copy")); err != nil {
			return err
		}
	}
	if err != nil {
		return c.unusable(err, found)
	}
	cited, err := c.citations(ctx)
	if err != nil {
		return c.unusable(err, found)
	}
	return c.refs(ctx, cited, found)
}

// factCode is the code for a problem that package fact tells.
func factCode(problem string) string {
	switch problem {
	case "damaged":
		return FactsDamaged
	case "dangling":
		return FactsDangling
	case "revision":
		return FactsRevision
	case "provenance":
		return FactsPosition
	case "exclusion":
		return FactsExclusion
	case "text":
		return FactsText
	}
	return FactsID
}

// unusable is the finding for a database that cannot be read.
func (c *Checker) unusable(err error, found report) error {
	if errors.Is(err, plumbing.ErrRefused) {
		if c.opt.Config.CheckFile(c.factsName()) != nil {
			return nil // a link or a pipe, told by files
		}
	}
	f, ok := c.refusal(inConfig, c.factsName(), err)
	if !ok {
		return err
	}
	if f.Code == LogCorrupt {
		f.Code = FactsCorrupt
	}
	return found(f)
}

// hotJournal reports whether a write to the database was cut off: to read it
// would then be to write it. A live writer holds the lock for as long as its journal is there.
func (c *Checker) hotJournal() bool {
	there := func() bool {
		info, err := c.opt.Config.Lstat(c.factsName() + "-journal")
		return err == nil && info.Mode().IsRegular() && info.Size() > 0
	}
	if !there() {
		return false
	}
	held, err := c.opt.Config.Locked(c.factsLock())
	return err == nil && !held && there()
}

// citation is the evidence of one revision.
type citation struct {
	fact     string
	revision int64
	ref      source.Ref
}

// each hands every fact over, oldest first.
func (c *Checker) each(ctx context.Context, take func(fact.Fact) error) error {
	for offset := int64(0); ; offset += fact.MaxPage {
		page, err := c.opt.Facts.List(ctx, fact.Page{Offset: offset})
		if err != nil {
			return err
		}
		for _, f := range page {
			if err := take(f); err != nil {
				return err
			}
		}
		if len(page) < fact.MaxPage {
			return nil
		}
	}
}

// citations lists all evidence by session, so that each log is scanned once.
func (c *Checker) citations(ctx context.Context) ([]citation, error) {
	var list []citation
	err := c.each(ctx, func(f fact.Fact) error {
		for _, r := range f.Revisions {
			if ref := r.Source(); ref != nil {
				list = append(list, citation{f.ID, r.Number, *ref})
			}
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b citation) int { return cmp.Compare(a.ref.SessionID, b.ref.SessionID) })
	return list, err
}

func (c *Checker) refs(ctx context.Context, cited []citation, found report) error {
	view, err := c.opt.Facts.View(ctx)
	if err != nil {
		return c.unusable(err, found)
	}
	v, done := source.Validator{Sessions: c.sessions}.Cached()
	defer done()
	for _, r := range cited {
		status, err := v.Validate(ctx, view, r.ref, session.Durable)
		if err == nil && status == source.Valid {
			continue
		}
		f, err := c.broken(r, status, err)
		if err == nil {
			err = found(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// broken is the finding for evidence that does not hold.
func (c *Checker) broken(r citation, status source.Status, err error) (Finding, error) {
	if err != nil && !errors.Is(err, plumbing.ErrRefused) && !errors.Is(err, plumbing.ErrInvalid) {
		return Finding{}, err
	}
	code, why := RefRefused, "lies in a session that may not be read"
	switch {
	case err != nil:
	case status == source.Missing:
		code, why = RefMissing, "is missing: it holds again if its exact records come back"
	case status == source.Stale:
		code, why = RefStale, "is stale: the records are not those that were hashed"
	case status == source.Hidden:
		code, why = RefHidden, "is hidden: undone, or forgotten"
	}
	f := c.finding(code, inConfig, c.logName(r.ref.SessionID),
		fmt.Sprintf("evidence of fact %s, revision %d, %s; the fact is kept and not told", r.fact, r.revision, why))
	return f.online(r.ref.Seqs[0] + 1), nil
}
