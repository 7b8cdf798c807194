package agent

import (
	"context"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

// Tool is something that a model may call. The package that offers it fills it in.
type Tool struct {
	provider.Tool // name, description and the JSON Schema of its arguments
	// Class is what a call does at most.
	Class permission.Class
	// Group is a name that settings may use for several tools; may be empty.
	Group string
	// Child says that children get it too (design section 12).
	Child bool
	// Needs says what a call would do, before anything is done. Arguments that
	// the tool would not take wrap plumbing.ErrInvalid. nil: just the class.
	Needs func(ctx context.Context, c Call) (permission.Need, error)
	// Run does it. An error becomes a result that says what is wrong and what
	// to do (plumbing/tool.Failure), unless ctx has ended.
	Run func(ctx context.Context, c Call) (Result, error)
}

// Call is one call of a tool.
type Call struct {
	ID         string
	Name       string
	Arguments  []byte // one JSON object, canonical
	Generation int64  // the project's, before the request that the call came from
	SessionID  string // "" where nothing is kept, as in a child
	Child      bool
	Mode       permission.Mode
	// Progress takes output as it comes, for a person; may be nil.
	Progress func(text string)

	turn *turn // that it is made in; nil where a person typed it
}

// Result is what a call came to.
type Result struct {
	Text    string           // for the model; ends in a newline where it is not empty
	IsError bool             // the tool ran and says that it failed
	Files   []provider.Block // of type file, such as an image that was read
	// Detail is for a person's eyes, such as a coloured diff's source; neither sent nor stored.
	Detail string
}
