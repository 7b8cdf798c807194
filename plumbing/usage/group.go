package usage

import (
	"context"
	"slices"
	"strings"
	"time"
)

// By says what lines are grouped by.
type By string

// What lines can be grouped by. A model's key is "provider/model", a day's
// "2006-01-02" in the location of the ledger's clock; the key of calls that
// belong to no session is empty, as is the one of All.
const (
	All       By = ""
	ByModel   By = "model"
	ByPurpose By = "purpose"
	ByDay     By = "day"
	BySession By = "session"
)

// Groups is Totals by group, in the order of their keys.
func (l Ledger) Groups(ctx context.Context, f Filter, by By) (groups []Group, damaged []*Damaged, err error) {
	at := map[string]int{}
	location := l.Now().Location()
	damaged, err = l.Read(ctx, func(line Line) {
		if !f.Takes(line) {
			return
		}
		key := line.key(by, location)
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, Group{Key: key})
		}
		groups[i].Add(line.Usage, line.Estimate, line.Priced)
	})
	slices.SortFunc(groups, func(a, b Group) int { return strings.Compare(a.Key, b.Key) })
	return groups, damaged, err
}

func (l Line) key(by By, location *time.Location) string {
	switch by {
	case ByModel:
		return l.Provider + "/" + l.Model
	case ByPurpose:
		return l.Purpose
	case ByDay:
		at, _ := time.Parse(time.RFC3339Nano, l.Time) // check has read it
		return at.In(location).Format(time.DateOnly)
	}
	if by == BySession && l.SessionID != nil {
		return *l.SessionID
	}
	return ""
}

// Group is the totals of the lines that share a key.
type Group struct {
	Key string
	Totals
}
