package fsck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

// logs scans every log of the project and holds each index against what it found.
func (c *Checker) logs(ctx context.Context, found report) error {
	ids, err := c.ids()
	if err != nil {
		return c.orFail(inConfig, c.sessionDir(), err, found)
	}
	g, err := c.knownGeneration()
	if err != nil {
		return err
	}
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.step(i, len(ids))
		if err := c.log(ctx, id, g, found); err != nil {
			return err
		}
	}
	return c.orphans(ids, found)
}

// ids lists the sessions, in the order of their IDs; what is no plain file has its finding already.
func (c *Checker) ids() ([]string, error) { return c.sessions.IDs() }

func (c *Checker) log(ctx context.Context, id string, generation int64, found report) error {
	name := c.logName(id)
	if c.opt.Config.CheckFile(name) != nil {
		return nil // told by files, or gone
	}
	l, err := c.sessions.Open(ctx, id)
	switch {
	case errors.Is(err, plumbing.ErrNotFound):
		return nil // deleted meanwhile
	case errors.Is(err, plumbing.ErrRefused):
		return c.foreign(name, err, found)
	case errors.Is(err, plumbing.ErrCorrupt):
		f, _ := c.refusal(inConfig, name, err)
		return found(f.at(1, 0))
	case err != nil:
		return err
	}
	defer l.Close()
	if err := c.ending(l, found); err != nil {
		return err
	}
	if err := c.records(l, generation, found); err != nil {
		return err
	}
	if err := c.summaries(ctx, l, generation, found); err != nil {
		return err
	}
	return c.index(l, found)
}

func (c *Checker) foreign(name string, err error, found report) error {
	f, ok := c.refusal(inConfig, name, err)
	if !ok {
		return err
	}
	if strings.Contains(f.Help, "another project") {
		f.Code = LogForeign
		f = f.online(1)
	}
	return found(f)
}

// ending finds where a log stops short of its file's end.
func (c *Checker) ending(l *session.Log, found report) error {
	name := c.logName(l.ID())
	if bad := l.Corruption(); bad != nil {
		return found(c.finding(LogCorrupt, inConfig, name, bad.Reason+
			"; it can be read up to there, nothing is appended to it and its evidence does not hold: put back a good copy").at(bad.Line, bad.Offset))
	}
	torn := l.TornBytes()
	if torn == 0 || c.attached(l.ID()) {
		return nil // a writer may be in the middle of a line
	}
	end, err := l.Entry(l.Last())
	if err != nil {
		return err
	}
	return found(c.finding(LogTorn, inConfig, name, fmt.Sprintf(
		"%d bytes behind the last newline are no record: the next append, or `lecode fsck --repair`, sets them aside", torn)).at(l.Last()+2, end.Offset+end.Size+1))
}

// attached reports whether a writer holds the session.
func (c *Checker) attached(id string) bool {
	held, err := c.opt.Config.Locked(c.lockName(id))
	return err == nil && held
}

// records judges what only all records together tell.
func (c *Checker) records(l *session.Log, generation int64, found report) error {
	undos := map[int64]bool{}
	ahead := false
	for e, err := range l.Records(1, l.Last()) {
		if err != nil {
			return c.orFail(inConfig, c.logName(l.ID()), err, found)
		}
		if e.Generation > generation && generation >= 0 && !ahead {
			ahead = true
			err = found(c.finding(LogAhead, inConfig, c.logName(l.ID()), fmt.Sprintf(
				"a record of generation %d where the project is at %d: the fact database is an older copy, and what was forgotten since may be told again",
				e.Generation, generation)).at(e.Seq+1, e.Offset))
		}
		if fault := event(e, undos); fault != "" && err == nil {
			err = found(c.finding(LogRecord, inConfig, c.logName(l.ID()), fault+"; it is read as if it hid nothing more").at(e.Seq+1, e.Offset))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// event says what is wrong with an undo or a redo; undos are those before it.
func event(e session.Entry, undos map[int64]bool) string {
	switch e.Type {
	case session.TypeUndo:
		undos[e.Seq] = true
		from, to := gjson.GetBytes(e.Raw, "from").Int(), gjson.GetBytes(e.Raw, "to").Int()
		if from < 1 || to < from || to >= e.Seq {
			return "an undo of records that are not before it"
		}
	case session.TypeRedo:
		if !undos[gjson.GetBytes(e.Raw, "undo").Int()] {
			return "a redo of no undo before it"
		}
	case session.TypeMessage:
		pairs := []string{"user user", "user synthetic", "assistant generated", "tool generated"}
		if !slices.Contains(pairs, e.Role+" "+e.Origin) {
			return "a message whose role and origin do not go together"
		}
	}
	return ""
}

// knownGeneration is the project's, -1 where the database cannot tell or would
// have to be written to before it can.
func (c *Checker) knownGeneration() (int64, error) {
	if c.hotJournal() {
		return -1, nil
	}
	return c.generation()
}
