package recall

import (
	"context"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Source returns the page from offset (in characters) of the records that a
// SourceRef names, for session.Working. Where Range takes what is visible now,
// Source shows exactly those records or, with any other status than valid, none.
//
// A ref that is none, offsets and limits are plumbing.ErrInvalid as in Fact; a
// session of another project and a link are plumbing.ErrRefused. A session or
// seq that is not there is no error but status missing: the caller holds a ref
// that once was good.
func Source(ctx context.Context, d Deps, ref source.Ref, offset, limit int64) (Page, error) {
	p, err := newPage(offset, limit)
	if err != nil {
		return Page{}, err
	}
	ex, err := d.Facts.View(ctx)
	if err != nil {
		return Page{}, err
	}
	p.Source, p.SessionID = &ref, &ref.SessionID
	return p.fill(ctx, &d.Sources, ex, session.Working, source.Valid)
}
