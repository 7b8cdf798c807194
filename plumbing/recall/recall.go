package recall

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// The caps of design section 13.
const (
	MaxBytes     = 16_384 // of a page as JSON, with its newline
	DefaultLimit = 4_096  // characters (code points) of source_text; whoever gets no limit gives this one
	MaxLimit     = 8_192  // characters; a greater limit is taken as this
	MaxFactText  = 512    // characters of fact_text
)

// Page is one page of evidence. Its keys are always there; null is what there
// is none of. FactText and SourceText are there only with status valid.
type Page struct {
	FactID            *string       `json:"fact_id"`
	FactText          *string       `json:"fact_text"`           // cut at MaxFactText
	FactTextTruncated *bool         `json:"fact_text_truncated"` // null where FactText is
	Limit             int64         `json:"limit"`               // the one given, at most MaxLimit
	NextOffset        *int64        `json:"next_offset"`         // null: this page is the last, or there is none
	Offset            int64         `json:"offset"`
	Revision          *int64        `json:"revision"` // of the fact, the current one
	SessionID         *string       `json:"session_id"`
	Source            *source.Ref   `json:"source"` // compare its digest before pages are put together
	SourceText        *string       `json:"source_text"`
	Status            source.Status `json:"status"`
	Type              string        `json:"type"` // "recall"
}

// Deps is where recall looks.
type Deps struct {
	Facts   *fact.Store
	Sources source.Validator
}

// Fact returns the page from offset (in characters) of what the current
// revision of a fact stands on. The fact is valid only if the evidence of
// every revision is, for session.Durable; validated anew for each page.
//
// Offset below 0 or, where it can be told, past the end, limit below 1 and an
// ill-formed ID are plumbing.ErrInvalid; a fact that was never known or was
// forgotten is plumbing.ErrNotFound. A fact that is known and not valid is no
// error: see Status.
func Fact(ctx context.Context, d Deps, id string, offset, limit int64) (Page, error) {
	p, err := newPage(offset, limit)
	if err != nil {
		return Page{}, err
	}
	f, err := d.Facts.Get(ctx, id)
	if err != nil {
		return Page{}, err
	}
	// After the fact was read: a forget in between hides it.
	ex, err := d.Facts.View(ctx)
	if err != nil {
		return Page{}, err
	}
	p.about(f)
	sources, done := d.Sources.Cached()
	defer done()
	older := fact.Fact{ID: f.ID, Revisions: f.Revisions[:len(f.Revisions)-1]}
	status, err := fact.StatusBy(ctx, sources, older, ex, session.Durable)
	if err != nil {
		return Page{}, err
	}
	return p.fill(ctx, sources, ex, session.Durable, status)
}

// Range returns the page from offset (in characters) of what is visible of a
// session from start to end inclusive, for session.Working: after a clear,
// direct recall no longer shows what was said before it.
//
// Nothing visible there is status hidden without a source. Ranges, offsets and
// limits as in Fact and source.Validator.Snapshot; a session that is not there
// and end past its end are plumbing.ErrNotFound, a corrupt session is
// plumbing.ErrCorrupt: with both the page is there beside the error, with
// status missing or stale, for whoever shows it.
func Range(ctx context.Context, d Deps, id string, start, end, offset, limit int64) (Page, error) {
	p, err := newPage(offset, limit)
	if err != nil {
		return Page{}, err
	}
	ex, err := d.Facts.View(ctx)
	if err != nil {
		return Page{}, err
	}
	p.SessionID = &id
	sources, done := d.Sources.Cached()
	defer done()
	snap, err := sources.Snapshot(ctx, ex, id, start, end)
	switch {
	case errors.Is(err, plumbing.ErrNo):
		p.Status = source.Hidden
		return p, nil
	case errors.Is(err, plumbing.ErrNotFound):
		p.Status = source.Missing
		return p, err
	case errors.Is(err, plumbing.ErrCorrupt):
		p.Status = source.Stale
		return p, err
	case err != nil:
		return Page{}, err
	}
	p.Source = &snap.Ref
	return p.fill(ctx, sources, ex, session.Working, source.Valid)
}

func newPage(offset, limit int64) (Page, error) {
	if offset < 0 {
		return Page{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the offset %d is below 0", offset),
			"begin at 0 and go on with next_offset")
	}
	if limit < 1 {
		return Page{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the limit %d is below 1", limit),
			fmt.Sprintf("give 1 to %d characters", MaxLimit))
	}
	return Page{Type: "recall", Offset: offset, Limit: min(limit, MaxLimit), Status: source.Unverified}, nil
}

// about fills in what is known of a fact whether it holds or not, and its text, which fill takes out again if it does not.
func (p *Page) about(f fact.Fact) {
	r := f.Current()
	p.FactID, p.Revision = &f.ID, &r.Number
	text, cut := truncate(r.Text, MaxFactText)
	p.FactText, p.FactTextTruncated = &text, &cut
	if p.Source = r.Source(); p.Source != nil {
		p.SessionID = &p.Source.SessionID
	}
}

func truncate(text string, characters int) (string, bool) {
	for i := range text {
		if characters == 0 {
			return text[:i], true
		}
		characters--
	}
	return text, false
}

// fill validates the source, together with what was found of older revisions,
// and adds its text where all is valid.
func (p Page) fill(ctx context.Context, sources *source.Validator, ex session.Exclusions, purpose session.Purpose, older source.Status) (Page, error) {
	if p.Source == nil {
		p.Status = source.Worse(older, source.Unverified)
		return p.bare(), nil
	}
	room, err := p.room()
	if err != nil {
		return Page{}, err
	}
	text := pager{skip: p.Offset, limit: p.Limit, room: room}
	status, err := sources.Walk(ctx, ex, *p.Source, purpose, text.record)
	if err != nil {
		return Page{}, err
	}
	if p.Status = source.Worse(older, status); p.Status != source.Valid {
		return p.bare(), nil
	}
	text.end()
	if len(text.page) == 0 {
		return Page{}, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("the offset %d is past the end, at %d", p.Offset, text.at), "begin at 0 and go on with next_offset")
	}
	all := string(text.page)
	p.SourceText = &all
	if next := p.Offset + text.taken; text.full {
		p.NextOffset = &next
	}
	return p, nil
}

// bare takes the content out.
func (p Page) bare() Page {
	p.FactText, p.FactTextTruncated, p.SourceText = nil, nil, nil
	return p
}
