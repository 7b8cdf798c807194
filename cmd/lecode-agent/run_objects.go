package main

import (
	"time"

	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/slash"
)

// answerObjects is what a slash command found or did, as the plumbing prints
// it; none where only its page says it.
func answerObjects(value any, sessionID string, now time.Time) (list []any) {
	switch v := value.(type) {
	case memory.Answer:
		return memoryObjects(v.Value)
	case session.Event:
		return []any{object.Event{Record: v.Record, Seq: v.Seq, SessionID: sessionID, Type: "event"}}
	case compact.Applied:
		return []any{object.Compacted(v)}
	case []slash.Listed:
		for _, s := range v {
			list = append(list, object.SessionOf(s.Info))
		}
	case slash.Spending:
		return []any{usageObject(v.Session, usage.BySession, sessionID), usageObject(v.Today, usage.ByDay, now.Format(time.DateOnly))}
	}
	return list
}

func usageObject(t usage.Totals, by usage.By, key string) object.Usage {
	return object.Usage{Totals: object.TotalsOf(t), By: given(string(by)), Key: given(key), Type: "usage"}
}

func memoryObjects(value any) (list []any) {
	switch v := value.(type) {
	case note.Note:
		return []any{object.NoteOf(v)}
	case memory.Hits:
		for _, m := range object.MatchesOf(v.Matches, v.Truncated) {
			list = append(list, m)
		}
	case memory.Notes:
		for _, n := range v {
			list = append(list, object.NoteIn(n))
		}
	case memory.Facts:
		for _, f := range v.Facts {
			list = append(list, f.Told(false))
		}
	case recall.Page:
		return []any{v}
	case memory.Corrected:
		return []any{v.After.Told(true)}
	case fact.Receipt:
		return []any{v.Told()}
	}
	return list
}
