package provider

import (
	"context"
	"time"
)

// Model answers requests. It may be asked from several goroutines at once.
type Model interface {
	// Complete asks once. With on the answer is streamed: on gets its pieces
	// in order, one at a time, and never after Complete has returned; an error
	// of its own ends the call and is returned. With nil nothing is streamed.
	//
	// A failure of the model wraps plumbing.ErrModel, a request that cannot be
	// sent plumbing.ErrInvalid; a cancellation is the context's own error. What
	// was received before a failure is returned beside the error, with
	// FinishError and with the usage as far as it is known.
	Complete(ctx context.Context, r Request, on func(Delta) error) (Response, error)
}

// Delta is a piece of an answer that is being streamed; exactly one field is set.
type Delta struct {
	Text      string
	Reasoning string
	ToolCall  *Block // complete, once all of its arguments are there
}

// Spec is what cmd hands to a constructor. Keys come as values; no package
// under plumbing reads the environment.
type Spec struct {
	Type    string   // as config has it: "offline", "script", "exec", "openai" or "anthropic"
	Name    string   // the provider's NAME, for error messages
	Model   string   // the model's ID at the provider
	BaseURL string   // http or https; empty: the type's own
	Key     string   // the key itself; empty: none is sent
	KeyEnv  string   // the variable that Key came from, for error messages; set, Key must be too
	Command []string // exec: program and arguments
	File    string   // script: the file with the recorded responses
	// Thinking is "off", "low", "medium" or "high"; empty is "off".
	Thinking string
	// Stall is how long a network model may send no byte once its answer has
	// begun, and a program none at all; 0: the default of its package.
	Stall time.Duration
}
