package agent

import (
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/permission"
)

// Event is something that happened, for whoever watches: one of the types below.
// They come in order, one at a time; `lecode run --json` prints each.
type Event interface{ event() }

type (
	// Began says that a session is attached, with which model and mode.
	Began struct {
		SessionID string
		New       bool
		Model     string
		Mode      permission.Mode
	}
	// Requested says that a request goes out: what it was reckoned to take.
	Requested struct {
		Child      string // "" for the session's own turn, else the call ID of the task
		Generation int64
		Tokens     int64 // estimate of the prompt, calibrated
		Window     int64
		Facts      int64 // facts in the memory section
		LeftOut    int64 // facts and notes that did not fit, or not whole
	}
	// Streamed is a piece of an answer; exactly one of the two is set.
	Streamed struct {
		Child           string
		Text, Reasoning string
	}
	// Answered says that a response was accepted and stored.
	Answered struct {
		Child    string
		Seq      int64 // 0 in a child
		Response provider.Response
		Priced   *float64 // by the catalog, in US dollars; nil: not known
	}
	// Asked says what became of the question whether a call may run.
	Asked struct {
		Child   string
		CallID  string
		Need    permission.Need
		Allowed bool
		Answer  permission.Answer // "" where nobody was asked
		Why     string
	}
	// Calling says that a call begins.
	Calling struct {
		Child     string
		CallID    string
		Name      string
		Arguments []byte
		Summary   string
	}
	// Progressed is output of a call as it comes; masked.
	Progressed struct {
		CallID string
		Text   string
	}
	// Called says that a call has its result, and that it is stored.
	Called struct {
		Child  string
		CallID string
		Name   string
		Seq    int64 // 0 in a child
		Result Result
		Masked []string // kinds of secrets that were masked
	}
	// Compacting says that a summary is being made, and why.
	Compacting struct{ Why string }
	// Compacted says that the session has a new summary.
	Compacted struct{ Applied compact.Applied }
	// Learned says what learning came to.
	Learned struct{ Applied learn.Applied }
	// Stale says that something was forgotten while a model answered, so that its answer was dropped.
	Stale struct {
		Child    string
		Response provider.Response
		Again    bool // the turn is asked again
	}
	// Notice is a line for a person, such as a warning.
	Notice struct{ Text string }
	// Injected is a synthetic message that joined the session, such as the end of a background command.
	Injected struct {
		Seq  int64
		Text string
	}
	// Phase says that a phase of a chain begins.
	Phase struct {
		Chain  string
		Number int64 // from 1
		Of     int64
		Prompt string
		Mode   permission.Mode
	}
)

func (Began) event()      {}
func (Requested) event()  {}
func (Streamed) event()   {}
func (Answered) event()   {}
func (Asked) event()      {}
func (Calling) event()    {}
func (Progressed) event() {}
func (Called) event()     {}
func (Compacting) event() {}
func (Compacted) event()  {}
func (Learned) event()    {}
func (Stale) event()      {}
func (Notice) event()     {}
func (Injected) event()   {}
func (Phase) event()      {}
