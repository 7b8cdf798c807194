package fsck

import (
	"path/filepath"
	"slices"
	"strings"
)

// Finding is one thing that is not as it should be. Line counts from 1, Offset
// is in bytes; nil where they mean nothing. None of it is transcript text.
type Finding struct {
	Code   string
	File   string // absolute path, valid UTF-8
	Help   string // what it means and what to do, one line
	Line   *int64
	Offset *int64

	name string // slash-separated, in the tree that tree says; for repair
	tree treeKind
}

type treeKind int

const (
	inConfig treeKind = iota
	inCache
)

// The codes of findings. A code is part of the machine interface.
const (
	LogCorrupt     = "log_corrupt"      // a line that lecode did not write so; the log can be read up to there
	LogForeign     = "log_foreign"      // the header names another project
	LogTorn        = "log_torn"         // bytes behind the last newline; the next writer sets them aside
	LogRecord      = "log_record"       // an event that names records which cannot be meant
	LogAhead       = "log_ahead"        // a record of a later generation than the project's: the fact database is an old copy
	SummaryStale   = "summary_stale"    // a summary whose records have other bytes than when it was made
	IndexStale     = "index_stale"      // made for another state of the log; not used
	IndexDamaged   = "index_damaged"    // says other things than the log, and would be used
	IndexOrphan    = "index_orphan"     // of no session
	TemporaryFile  = "temporary_file"   // left over from a write that was cut off
	AliasesDamaged = "aliases_damaged"  // old roots that cannot be read
	LockStray      = "lock_stray"       // a lock that no session can have
	NotPlain       = "not_plain"        // a link, pipe, device, folder or hard link where a file of lecode's should be
	Permissions    = "permissions"      // others may read or write it
	Unreadable     = "unreadable"       // it cannot be read
	NoteNotText    = "note_not_text"    // not UTF-8
	FactsCorrupt   = "facts_corrupt"    // the fact database cannot be used
	FactsJournal   = "facts_journal"    // a write to it was cut off; the next use takes it back
	FactsDamaged   = "facts_damaged"    // SQLite finds damage
	FactsDangling  = "facts_dangling"   // rows without the row that they belong to
	FactsID        = "facts_id"         // an ID that does not fit, or is there though forgotten
	FactsRevision  = "facts_revision"   // a revision is lacking
	FactsPosition  = "facts_provenance" // evidence and provenance differ
	FactsText      = "facts_text"       // a text that was not overwritten
	FactsExclusion = "facts_exclusion"  // an exclusion that can hide nothing, or more forgets than the generation counts
	RefMissing     = "ref_missing"      // a fact's evidence is not there
	RefStale       = "ref_stale"        // its bytes are not those that were hashed
	RefHidden      = "ref_hidden"       // undone or forgotten; kept and not told
	RefRefused     = "ref_refused"      // in a session that may not be read

	// With Forgotten.
	StillStands = "still_stands" // a line of a forgotten record stands in a managed output
	TypedAgain  = "typed_again"  // a user typed it again, independently
	Unprovable  = "unprovable"   // the forgotten records are gone: nothing to compare with
	// Counts: what the forget has made inert, as it should.
	InertMessages   = "inert_messages"
	InertSummaries  = "inert_summaries"
	InertProposals  = "inert_proposals"
	InertOverlap    = "inert_overlap"
	InertGeneration = "inert_generation"
)

// Corrupt reports whether the finding says that stored bytes are not what lecode wrote.
func (f Finding) Corrupt() bool {
	return slices.Contains([]string{LogCorrupt, FactsCorrupt, FactsDamaged, FactsDangling, FactsID,
		FactsRevision, FactsPosition, FactsExclusion, RefStale, SummaryStale}, f.Code)
}

// Count reports whether the finding only counts what a forget has made inert, which is no fault.
func (f Finding) Count() bool { return strings.HasPrefix(f.Code, "inert_") }

// at returns the finding with a line, from 1, and an offset.
func (f Finding) at(line, offset int64) Finding {
	f.Line, f.Offset = &line, &offset
	return f
}

// online returns the finding with a line, from 1.
func (f Finding) online(line int64) Finding {
	f.Line = &line
	return f
}

// oneLine keeps help on one line and in valid UTF-8.
func oneLine(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\n", " "), "\uFFFD")
}

func (c *Checker) finding(code string, tree treeKind, name, help string) Finding {
	t := c.opt.Config
	if tree == inCache {
		t = c.opt.Cache
	}
	return Finding{Code: code, File: oneLine(filepath.Clean(t.Path(name))), Help: oneLine(help), name: name, tree: tree}
}
