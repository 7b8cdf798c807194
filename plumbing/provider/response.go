package provider

import "strings"

// Finish is why an answer ended.
type Finish string

// The reasons there are. A model that ends for one that lecode does not know
// gives FinishError and an error.
const (
	FinishStop          Finish = "stop"
	FinishLength        Finish = "length"         // the cap was met: the answer is cut
	FinishToolCalls     Finish = "tool_calls"     // it waits for the results of its calls
	FinishContentFilter Finish = "content_filter" // refused, by the provider or the model
	FinishError         Finish = "error"          // what is there is a part
)

// Response is what a model answered (design section 9). Whoever gets one
// checks it, whoever gave it.
type Response struct {
	Blocks []Block `json:"blocks"` // text, reasoning and tool_call
	// CallID names the call in the ledger. A model leaves it empty, since
	// providers repeat theirs; whoever makes the call then gives it one.
	CallID string `json:"call_id"`
	Finish Finish `json:"finish_reason"`
	Model  string `json:"model"` // as the provider names it, else as it was asked for
	Usage  *Usage `json:"usage"` // nil: the provider said nothing
}

// Text is the text of the answer, its text blocks put together.
func (r Response) Text() string {
	var b strings.Builder
	for _, block := range r.Blocks {
		if block.Type == TypeText {
			b.WriteString(block.Text)
		}
	}
	return b.String()
}

// ToolCalls are the calls of the answer, in order.
func (r Response) ToolCalls() []Block {
	var calls []Block
	for _, block := range r.Blocks {
		if block.Type == TypeToolCall {
			calls = append(calls, block)
		}
	}
	return calls
}
