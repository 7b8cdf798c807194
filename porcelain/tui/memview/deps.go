package memview

import (
	"context"
	"time"

	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
)

// Deps is what a view shows and what it calls. All functions are needed; they
// are called from other goroutines than the one that draws, and have to end
// when their context does. Stores.Deps makes the real ones.
type Deps struct {
	Colour bool
	Now    func() time.Time // ages are told against it

	Facts   func(ctx context.Context, q Query) (Facts, error)
	Why     func(ctx context.Context, id string) (memory.Reason, error)
	Recall  func(ctx context.Context, id string, offset int64) (recall.Page, error)
	Foresee func(ctx context.Context, id string) (Forgetting, error)
	Forget  func(ctx context.Context, id string) (fact.Receipt, error)

	Sessions func(ctx context.Context) (Sessions, error)
	Messages func(ctx context.Context, w Window) (Messages, error)
	Evidence func(ctx context.Context, sessionID string, first, last int64) (Evidence, error)
	Correct  func(ctx context.Context, c Correction) error
	Remember func(ctx context.Context, r Remembering) (fact.Result, error)

	Notes       func(ctx context.Context) (note.Listing, error)
	Note        func(ctx context.Context, file string) (note.Note, error)
	SearchNotes func(ctx context.Context, pattern string) (note.Found, error)

	Learning func(ctx context.Context) (*learned.Found, error)
	Quoted   func(ctx context.Context, ref source.Ref) (Quoted, error)

	Injected  func(ctx context.Context) (Injected, error)
	Summaries func(ctx context.Context) (History, error)
	Loss      func(ctx context.Context, sessionID string, seq int64) (compact.Loss, error)
}

// Query asks for a page of facts, memory.FactsPage of them at most.
type Query struct {
	Offset int64
	Words  string // only facts whose text holds them, letter by letter; "": all
}

// Facts is a page of facts, the oldest first.
type Facts struct {
	Offset   int64
	Total    *int64 // nil: not counted, as with Words
	More     bool   // there is a next page
	Facts    []memory.Listed
	Warnings []string
}

// Forgetting is what a forget would do, as things stand now.
type Forgetting struct {
	Fact      fact.Fact
	Status    source.Status   // of the fact now; its text is told only where it is valid
	Positions []fact.Position // that would be excluded
	Stops     []memory.Listed // other facts that hold now and would not any more
	Looked    int64           // facts that were looked at for it
	All       bool            // those are all there are
	Summaries int64           // of the session that is open: summaries that hold now and would not any more
	SessionID string          // the session that is open; "": none
	Remains   []string        // what stays on disk
}

// Sessions is where evidence may come from.
type Sessions struct {
	Current  string // the session that is open; "": none
	Sessions []session.Info
}

// Window asks for some of a session's messages.
type Window struct {
	SessionID string
	From      int64 // seq to begin at; 0: the end
	Back      bool  // those before From, From itself left out; else those from it on
	Limit     int
}

// Messages is messages that may be evidence: those visible for session.Working, ascending.
type Messages struct {
	List          []memory.Message // Text is never nil
	Before, After bool             // there are more
}

// Evidence is chosen records as they were when they were chosen.
type Evidence struct {
	Snapshot   source.Snapshot
	Generation int64 // the project's, read before them
	Messages   []memory.Message
}

// Correction is a new wording of a fact.
type Correction struct {
	FactID   string
	Revision int64 // the current one, as the person saw it
	Text     string
	Evidence Evidence
}

// Remembering is a new fact.
type Remembering struct {
	Text     string
	Evidence Evidence
}

// Quoted is the words that a ref names; none where the status is not source.Valid.
type Quoted struct {
	Status   source.Status
	Messages []memory.Message
}

// Injected is the memory section of a request.
type Injected struct {
	Disabled bool // memory.enabled is off: there is no section
	Last     bool // of the last request; else as the next one would carry it
	// Gone are facts of it, by ID, that may not be told any more: forgotten since,
	// or their evidence does not hold now.
	Gone     map[string]bool
	Gathered prompt.Gathered
	Caps     prompt.Caps
}

// History is the summaries of a session, the latest first.
type History struct {
	SessionID string // "": no session is open
	Summaries []Summary
}

// Summary is a compact event.
type Summary struct {
	session.Summary
	Standing session.Standing
	InForce  bool
	Time     time.Time // zero where the event has none
	First    int64     // the first record that it was the first to cover
	Input    *int64    // tokens of the request; nil: not said
	Output   *int64    // tokens of the answer; nil: not said
}
