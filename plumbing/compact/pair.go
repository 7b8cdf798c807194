package compact

import (
	"fmt"

	"github.com/lecode/lecode/plumbing/provider"
)

// noResult is what a model is told of a call that has no result.
const noResult = "[no result: the call was cancelled, rejected or never answered. These words were made up for this request and are not in the log.]"

// pairing joins the calls of a context to their results.
type pairing struct {
	parts []Part
	open  map[string][]place // calls without a result, by ID
	found map[place]answer   // the result of each call
	ids   map[place]string   // the ID that a call has in the request, where it needed a new one
	left  []int64
}

// place is a block of a part.
type place struct{ part, block int }

type answer struct {
	block provider.Block
	seq   int64
}

// pair makes messages safe for any provider: behind a message that calls tools
// stands one with a result for each call, in the order of the calls, and no
// other result is anywhere. left are the records of results that no visible
// call asked for.
func pair(parts []Part) (safe []Part, left []int64) {
	p := &pairing{parts: parts, open: map[string][]place{}, found: map[place]answer{}, ids: map[place]string{}}
	for i, part := range parts {
		switch part.Message.Role {
		case provider.RoleAssistant:
			p.calls(i)
		case provider.RoleTool:
			p.results(i)
		}
	}
	for i, part := range parts {
		if part.Message.Role == provider.RoleTool {
			continue
		}
		part.Message.Content = p.named(i)
		safe = append(safe, part)
		if answers, any := p.answers(i); any {
			safe = append(safe, answers)
		}
	}
	return safe, p.left
}

// calls notes what a message asks for. An earlier call of the same ID that is
// still open will get no result any more.
func (p *pairing) calls(i int) {
	seen := map[string]bool{}
	for j, b := range p.parts[i].Message.Content {
		if b.Type != provider.TypeToolCall {
			continue
		}
		at := place{i, j}
		if b.ID == "" || seen[b.ID] {
			p.ids[at] = fmt.Sprintf("call-%d-%d", p.parts[i].Seqs[0], j)
		}
		if !seen[b.ID] {
			p.open[b.ID] = nil
		}
		seen[b.ID] = true
		p.open[b.ID] = append(p.open[b.ID], at)
	}
}

// results gives each result to the call that waits for it.
func (p *pairing) results(i int) {
	unasked := false
	for _, b := range p.parts[i].Message.Content {
		waiting := p.open[b.ID]
		if b.Type != provider.TypeToolResult || len(waiting) == 0 {
			unasked = true
			continue
		}
		p.found[waiting[0]] = answer{b, p.parts[i].Seqs[0]}
		p.open[b.ID] = waiting[1:]
	}
	if unasked {
		p.left = append(p.left, p.parts[i].Seqs...)
	}
}

// named is the content of a part with an ID in each call.
func (p *pairing) named(i int) []provider.Block {
	content := p.parts[i].Message.Content
	for j := range content {
		if id, ok := p.ids[place{i, j}]; ok {
			content[j].ID = id
		}
	}
	return content
}

// answers is the message with the results of a part's calls; any is false where it makes none.
func (p *pairing) answers(i int) (part Part, any bool) {
	part = Part{From: FromNobody, Message: provider.Message{Role: provider.RoleTool}, Seqs: []int64{}}
	for j, call := range p.parts[i].Message.Content {
		if call.Type != provider.TypeToolCall {
			continue
		}
		any = true
		got, ok := p.found[place{i, j}]
		if !ok {
			got.block = provider.Block{Type: provider.TypeToolResult, Name: call.Name, Text: noResult, IsError: true}
		} else if part.From = FromRecord; len(part.Seqs) == 0 || part.Seqs[len(part.Seqs)-1] != got.seq {
			part.Seqs = append(part.Seqs, got.seq)
		}
		got.block.ID = call.ID
		part.Message.Content = append(part.Message.Content, got.block)
	}
	return part, any
}
