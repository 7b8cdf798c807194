package tool

import (
	"context"
	"fmt"
	"strconv"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/source"
)

// MaxText is the most bytes of a result that is Markdown or lines of it, its
// marker and the last newline with it (design section 13).
const MaxText = 65_536

// Deps is what the tools work on.
type Deps struct {
	Notes   *note.Store
	Facts   *fact.Store
	Sources source.Validator
	// Checkout is the project's files, for facts that are about one; the zero value says nothing of them.
	Checkout learned.Checkout
}

// Caller says who calls, and with which rights.
type Caller struct {
	Child    bool // a subagent: readers only (design section 12)
	ReadOnly bool // read-only mode, or a server that was not given leave to write
	// Generation, where set, is the project's when the request was sent that
	// this call came from: a correction is refused with plumbing.ErrConflict
	// once something was forgotten since.
	Generation *int64
	// SessionID is the session whose latest learning memory_list tells; "" for none.
	SessionID string
}

// Result is what a model gets: Text, exactly, ending in a newline.
type Result struct {
	Text string
	JSON bool // Text is one canonical object
}

// action is a call whose arguments are right.
type action func(context.Context) (Result, error)

// Call runs the tool of a name with its arguments, one JSON object; no bytes
// at all stand for {}. Whether memory is enabled is for the caller to check.
//
// plumbing.ErrInvalid: no such tool; arguments that are no object, with a
// field that is missing, unknown, twice there or of the wrong type, which is
// named. plumbing.ErrRefused: a writer called without the right to. All else
// is as the stores say it, with hints for a person; Failure has those that a
// model can follow. A call that fails has changed nothing, unless its message
// says so.
func Call(ctx context.Context, d Deps, c Caller, name string, args []byte) (Result, error) {
	k, ok := find(name)
	if !ok {
		return Result{}, plumbing.Fail(plumbing.ErrInvalid, "there is no tool "+quoted(name), "the tools are "+names())
	}
	if err := c.may(k.Tool); err != nil {
		return Result{}, err
	}
	act, err := k.take(args, d, c)
	if err != nil {
		return Result{}, err
	}
	r, err := act(ctx)
	if err != nil {
		return Result{}, called{name, err}
	}
	return r, nil
}

// Check reports whether Call would take these arguments, and does nothing: for
// whoever shows a call and asks for permission first. The error is Call's.
func Check(name string, args []byte) error {
	k, ok := find(name)
	if !ok {
		return plumbing.Fail(plumbing.ErrInvalid, "there is no tool "+quoted(name), "the tools are "+names())
	}
	_, err := k.take(args, Deps{}, Caller{})
	return err
}

// take reads the arguments of a call.
func (k kind) take(args []byte, d Deps, c Caller) (action, error) {
	if len(args) == 0 {
		args = []byte("{}")
	}
	a, err := readArguments(args, "")
	if err != nil {
		return nil, wrongArguments(k.Name, err)
	}
	act := k.bind(a, d, c)
	if err := a.err(); err != nil {
		return nil, wrongArguments(k.Name, err)
	}
	return act, nil
}

// may refuses a writer to whoever has the readers only.
func (c Caller) may(t Tool) error {
	switch {
	case t.Class == Read:
		return nil
	case c.Child:
		return plumbing.Fail(plumbing.ErrRefused, t.Name+" is not for subagents: they read memory and do not write it",
			"report what should be remembered to the agent that started you")
	case c.ReadOnly:
		return plumbing.Fail(plumbing.ErrRefused, t.Name+" writes, and only reading is allowed here",
			"tell the user what should be written, and let them allow it or do it")
	}
	return nil
}

// object is a result that another call can go on from.
func object(v any) (Result, error) {
	b, err := canon.Marshal(v)
	if err != nil {
		return Result{}, fmt.Errorf("write a result: %w", err)
	}
	return Result{Text: string(b) + "\n", JSON: true}, nil
}

// quoted is a name that came from outside, for an error: escaped, and cut where it is long.
func quoted(name string) string {
	const most = 60
	if len(name) <= most {
		return strconv.Quote(name)
	}
	return strconv.Quote(name[:most]) + "…"
}
