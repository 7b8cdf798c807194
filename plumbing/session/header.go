package session

import (
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// Version is the version of the log that this package writes and reads.
const Version = 1

// Header is the first line of a log.
type Header struct {
	ID       string
	Root     string
	Slug     string
	Time     string
	Writer   string
	Version  int64
	Imported *ImportedFrom
}

// ImportedFrom says what a foreign session was read from.
type ImportedFrom struct{ Format, SourceID string }

// headerLine is the header as stored.
type headerLine struct {
	ID       string          `json:"id"`
	Imported *importedHeader `json:"imported,omitzero"`
	Project  projectHeader   `json:"project"`
	Seq      int64           `json:"seq"`
	Time     string          `json:"time"`
	Type     string          `json:"type"`
	Version  int64           `json:"version"`
	Writer   string          `json:"writer"`
}

type projectHeader struct {
	Root string `json:"root"`
	Slug string `json:"slug"`
}

type importedHeader struct {
	Format   string `json:"format"`
	SourceID string `json:"source_id"`
}

func (s *Store) header(id string, imported *ImportedFrom) ([]byte, error) {
	if !utf8.ValidString(s.opt.Project.Root) {
		return nil, plumbing.Fail(plumbing.ErrRefused, "the project's path is not UTF-8, which a session's header cannot hold",
			"give the directory another name")
	}
	h := headerLine{ID: id, Project: projectHeader{s.opt.Project.Root, s.opt.Project.Slug},
		Time: stamp(s.opt.Now()), Type: TypeSession, Version: Version, Writer: s.opt.Writer}
	if imported != nil {
		h.Imported = &importedHeader{imported.Format, imported.SourceID}
	}
	return canon.Marshal(h)
}

func parseHeader(line []byte) Header {
	h := Header{
		ID:      gjson.GetBytes(line, "id").Str,
		Root:    gjson.GetBytes(line, "project.root").Str,
		Slug:    gjson.GetBytes(line, "project.slug").Str,
		Time:    gjson.GetBytes(line, "time").Str,
		Writer:  gjson.GetBytes(line, "writer").Str,
		Version: gjson.GetBytes(line, "version").Int(),
	}
	if im := gjson.GetBytes(line, "imported"); im.IsObject() {
		h.Imported = &ImportedFrom{im.Get("format").Str, im.Get("source_id").Str}
	}
	return h
}

// timeLayout is RFC 3339 in UTC with three decimals (design section 4).
const timeLayout = "2006-01-02T15:04:05.000Z"

func stamp(t time.Time) string { return t.UTC().Format(timeLayout) }
