package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/agent"
)

// eventObject is an event as `lecode run --json` prints it.
func eventObject(e agent.Event) any {
	switch v := e.(type) {
	case agent.Began:
		return object.Began{Mode: string(v.Mode), Model: v.Model, New: v.New, SessionID: given(v.SessionID), Type: "began"}
	case agent.Requested:
		return object.Requested{Child: given(v.Child), Facts: v.Facts, Generation: v.Generation, LeftOut: v.LeftOut,
			Tokens: v.Tokens, Type: "requested", Window: v.Window}
	case agent.Streamed:
		return object.Streamed{Child: given(v.Child), Reasoning: given(v.Reasoning), Text: given(v.Text), Type: "streamed"}
	case agent.Answered:
		r := v.Response
		return object.Answered{Blocks: withoutData(r.Blocks), CallID: r.CallID, Child: given(v.Child), Finish: r.Finish,
			Model: r.Model, Priced: v.Priced, Seq: positive(v.Seq), Type: "answered", Usage: r.Usage}
	case agent.Asked:
		return askedObject(v)
	case agent.Calling:
		return object.Calling{Arguments: jsontext.Value(v.Arguments), CallID: v.CallID, Child: given(v.Child), Name: v.Name,
			Summary: v.Summary, Type: "calling"}
	case agent.Progressed:
		return object.Progressed{CallID: v.CallID, Text: v.Text, Type: "progressed"}
	case agent.Called:
		return calledObject(v)
	case agent.Compacting:
		return object.Compacting{Type: "compacting", Why: v.Why}
	case agent.Compacted:
		return object.Compacted(v.Applied)
	case agent.Learned:
		return object.Learning{Event: v.Applied.Event, Seq: v.Applied.Seq, SessionID: v.Applied.SessionID}
	case agent.Stale:
		return object.Stale{Again: v.Again, CallID: v.Response.CallID, Child: given(v.Child), Model: v.Response.Model,
			Type: "stale_answer", Usage: v.Response.Usage}
	case agent.Notice:
		return object.Notice{Text: v.Text, Type: "notice"}
	case agent.Injected:
		return object.Injected{Seq: v.Seq, Text: v.Text, Type: "injected"}
	case agent.Phase:
		return object.Phase{Chain: v.Chain, Mode: string(v.Mode), Number: v.Number, Of: v.Of, Prompt: v.Prompt, Type: "phase"}
	}
	return nil
}

func askedObject(v agent.Asked) object.Asked {
	return object.Asked{Allowed: v.Allowed, Answer: given(string(v.Answer)), CallID: v.CallID, Child: given(v.Child),
		Class: string(v.Need.Class), Name: v.Need.Tool, Outside: append([]string{}, v.Need.Outside...), Summary: v.Need.Summary,
		Type: "asked", Why: v.Why}
}

func calledObject(v agent.Called) object.Called {
	files := []object.CalledFile{}
	for _, f := range v.Result.Files {
		files = append(files, object.CalledFile{Bytes: decodedSize(f.Data), MediaType: f.MediaType, Name: f.Name})
	}
	return object.Called{CallID: v.CallID, Child: given(v.Child), Files: files, IsError: v.Result.IsError,
		Masked: append([]string{}, v.Masked...), Name: v.Name, Seq: positive(v.Seq), Text: v.Result.Text, Type: "called"}
}

// withoutData leaves out what only the provider can read.
func withoutData(blocks []provider.Block) []provider.Block {
	list := make([]provider.Block, len(blocks))
	for i, b := range blocks {
		b.Data, b.Signature = "", nil
		list[i] = b
	}
	return list
}

// decodedSize is how many bytes a text in base64 stands for.
func decodedSize(data string) int64 {
	n := int64(len(data)) / 4 * 3
	for i := len(data) - 1; i >= 0 && i >= len(data)-2 && data[i] == '='; i-- {
		n--
	}
	return n
}

// given is null where a string is empty.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
