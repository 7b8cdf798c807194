package object

import (
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
)

// SessionOf is a session of a list as an object.
func SessionOf(i session.Info) Session {
	o := Session{
		Bytes: i.Bytes, Created: known(i.Created), ID: i.ID, Messages: i.Messages, Records: i.Records,
		Title: i.Title, TornBytes: i.TornBytes, Type: "session", Updated: known(i.Updated),
	}
	if i.Copy {
		key := session.Key(i.ID)
		o.CopyOf = &key
	}
	if i.Corrupt != nil {
		o.Corrupt = &Corruption{Line: i.Corrupt.Line, Offset: i.Corrupt.Offset, Reason: i.Corrupt.Reason}
	}
	if i.Imported != nil {
		o.Imported = &Origin{Format: i.Imported.Format, SourceID: i.Imported.SourceID}
	}
	return o
}

// NoteOf is a note that was read as an object.
func NoteOf(n note.Note) Note {
	modified := n.Modified.UTC().Format(usage.TimeLayout)
	return Note{Bytes: n.Bytes, Digest: &n.Digest, File: n.File, Modified: &modified, Text: &n.Text, Type: "note"}
}

// NoteIn is a note of a list as an object.
func NoteIn(n note.Info) Note {
	modified := n.Modified.UTC().Format(usage.TimeLayout)
	return Note{Bytes: n.Bytes, File: n.File, Modified: &modified, Type: "note"}
}

// MatchesOf are matches as objects; truncated says that there are more.
func MatchesOf(list []note.Match, truncated bool) []Match {
	objects := make([]Match, len(list))
	for i, m := range list {
		objects[i] = Match{After: m.After, Before: m.Before, Column: m.Column, File: m.File, Line: m.Line,
			More: truncated && i == len(list)-1, Text: m.Text, TextTruncated: m.Cut, Type: "match"}
	}
	return objects
}

// known is null where a string is not known.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
