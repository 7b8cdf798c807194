package network

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
)

// Answer is a response that is being put together. Its methods return an error
// where the call has to end: what is wrong with the answer, or what the
// caller's function returned.
type Answer struct {
	Model string // as the provider names it
	ID    string // the provider's own for this answer; only IDs that calls lack are made from it
	// Refused: text of the answer is a refusal, whatever the provider calls its end.
	Refused bool

	on     func(provider.Delta) error
	onErr  error
	parts  []*part
	calls  map[int64]*part // by the provider's index
	usage  *provider.Usage
	reason provider.Finish
	size   int
}

type part struct {
	block provider.Block // Text and Arguments are set at the end
	text  strings.Builder
	done  bool // of a call: delivered
}

func newAnswer(model string, on func(provider.Delta) error) *Answer {
	return &Answer{Model: model, on: on, calls: map[int64]*part{}}
}

// begun reports whether something of the answer is there that a further attempt would repeat.
func (a *Answer) begun() bool { return len(a.parts) > 0 || a.usage != nil }

// Text appends text.
func (a *Answer) Text(s string) error {
	return a.piece(provider.TypeText, s, provider.Delta{Text: s})
}

// Reasoning appends reasoning.
func (a *Answer) Reasoning(s string) error {
	return a.piece(provider.TypeReasoning, s, provider.Delta{Reasoning: s})
}

func (a *Answer) piece(typ, s string, d provider.Delta) error {
	if s == "" {
		return nil
	}
	a.last(typ).text.WriteString(s)
	if err := a.grow(len(s)); err != nil {
		return err
	}
	return a.deliver(d)
}

// last is the part that pieces of a type go to.
func (a *Answer) last(typ string) *part {
	if n := len(a.parts); n > 0 && a.parts[n-1].block.Type == typ && !a.parts[n-1].done {
		return a.parts[n-1]
	}
	return a.Open(provider.Block{Type: typ})
}

// Open begins a new block, which the next pieces of its type go to.
func (a *Answer) Open(b provider.Block) *part {
	p := &part{block: b}
	a.parts = append(a.parts, p)
	return p
}

// Sign puts a signature on the reasoning that came last.
func (a *Answer) Sign(signature string) {
	if signature != "" {
		p := a.last(provider.TypeReasoning)
		if p.block.Signature != nil {
			signature = *p.block.Signature + signature
		}
		p.block.Signature = &signature
	}
}

// Close ends the block that is open, so that the next piece begins another.
func (a *Answer) Close() {
	if n := len(a.parts); n > 0 && a.parts[n-1].block.Type != provider.TypeToolCall {
		a.parts[n-1].done = true
	}
}

// Call appends to the call with the provider's index: what is empty is not
// said again. Another ID under an index that is taken is another call.
func (a *Answer) Call(index int64, id, name, arguments string) error {
	p := a.calls[index]
	if p == nil || id != "" && p.block.ID != "" && p.block.ID != id {
		p = a.Open(provider.Block{Type: provider.TypeToolCall})
		a.calls[index] = p
	}
	if p.block.ID == "" {
		p.block.ID = id
	}
	if p.block.Name == "" {
		p.block.Name = name
	}
	p.text.WriteString(arguments)
	return a.grow(len(id) + len(name) + len(arguments))
}

// SignCall puts a signature on the call with the provider's index.
func (a *Answer) SignCall(index int64, signature string) {
	if p := a.calls[index]; p != nil && signature != "" {
		p.block.Signature = &signature
	}
}

// CloseCall ends the call with the provider's index and delivers it. One that
// is not whole is judged at the end: the cap may have cut it short.
func (a *Answer) CloseCall(index int64) error {
	if p := a.calls[index]; p != nil && !p.done {
		if err := a.closeCall(p); err != nil && a.onErr != nil {
			return err
		}
	}
	return nil
}

func (a *Answer) closeCall(p *part) error {
	text := p.text.String()
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	arguments, err := canon.CanonicalizeObject([]byte(text))
	if err != nil || p.block.Name == "" {
		return Problem("called a tool without a name, or with arguments that are not a JSON object")
	}
	p.block.Arguments, p.done = jsontext.Value(arguments), true
	if p.block.ID == "" {
		p.block.ID = "call_" + strings.TrimPrefix(canon.Digest([]byte(a.ID), fmt.Append(nil, len(a.parts)), []byte(p.block.Name), arguments), "sha256:")[:16]
	}
	call := p.block
	return a.deliver(provider.Delta{ToolCall: &call})
}

// Usage notes what the provider says of usage; the last known value of each field counts.
func (a *Answer) Usage(u provider.Usage) {
	if !u.Known() {
		return
	}
	if a.usage != nil {
		u = u.Over(*a.usage)
	}
	a.usage = &u
}

// Finish notes why the answer ended.
func (a *Answer) Finish(reason provider.Finish) { a.reason = reason }

func (a *Answer) grow(n int) error {
	if a.size += n; a.size > MaxAnswer {
		return Problem(fmt.Sprintf("sent an answer of more than %d bytes", MaxAnswer))
	}
	return nil
}

func (a *Answer) deliver(d provider.Delta) error {
	if a.on != nil && a.onErr == nil {
		a.onErr = a.on(d)
	}
	return a.onErr
}

// finish completes an answer whose provider said that it is at its end. A call
// that the cap cut short is left out.
func (a *Answer) finish() error {
	if a.reason == "" {
		return Cut
	}
	called := false
	for _, p := range a.parts {
		if p.block.Type != provider.TypeToolCall {
			continue
		}
		if !p.done {
			if err := a.closeCall(p); err != nil && (a.onErr != nil || a.reason != provider.FinishLength) {
				return err
			}
		}
		called = called || p.done
	}
	switch {
	case a.reason == provider.FinishStop && called:
		a.reason = provider.FinishToolCalls
	case a.reason == provider.FinishToolCalls && !called:
		a.reason = provider.FinishStop
	}
	return nil
}

func (a *Answer) fail() { a.reason = provider.FinishError }

// response is what there is, without empty blocks and without calls that are not whole.
func (a *Answer) response() provider.Response {
	r := provider.Response{Finish: a.reason, Model: a.Model, Usage: a.usage}
	for _, p := range a.parts {
		b := p.block
		if b.Type == provider.TypeToolCall {
			if p.done {
				r.Blocks = append(r.Blocks, b)
			}
			continue
		}
		b.Text = strings.ToValidUTF8(p.text.String(), "\uFFFD")
		if b.Text != "" || b.Data != "" || b.Signature != nil {
			r.Blocks = append(r.Blocks, b)
		}
	}
	return r
}
