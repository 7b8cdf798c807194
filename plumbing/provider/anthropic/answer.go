package anthropic

import (
	"strconv"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/respjson"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

// event puts one event of a stream into the answer. Unknown ones pass.
func event(e sdk.MessageStreamEventUnion, into *network.Answer) error {
	switch e.Type {
	case "message_start":
		if e.Message.Model != "" {
			into.Model = e.Message.Model
		}
		into.ID = e.Message.ID
		into.Usage(started(e.Message.Usage))
	case "content_block_start":
		return start(e.Index, e.ContentBlock, into)
	case "content_block_delta":
		return delta(e.Index, e.Delta, into)
	case "content_block_stop":
		into.Close()
		return into.CloseCall(e.Index)
	case "message_delta":
		into.Usage(changed(e.Usage))
		return finish(e.Delta.StopReason, into)
	}
	return nil
}

func start(index int64, b sdk.ContentBlockStartEventContentBlockUnion, into *network.Answer) error {
	switch b.Type {
	case "text":
		return into.Text(b.Text)
	case "thinking":
		if err := into.Reasoning(b.Thinking); err != nil {
			return err
		}
		into.Sign(b.Signature)
	case "redacted_thinking":
		into.Open(provider.Block{Type: provider.TypeReasoning, Data: b.Data})
	case "tool_use":
		return into.Call(index, b.ID, b.Name, input(b.JSON.Input.Raw()))
	}
	return nil
}

// input is what the frame of a call carries: the place-holder {} where the arguments follow.
func input(raw string) string {
	if raw == "{}" || raw == "null" {
		return ""
	}
	return raw
}

func delta(index int64, d sdk.MessageStreamEventUnionDelta, into *network.Answer) error {
	switch d.Type {
	case "text_delta":
		return into.Text(d.Text)
	case "thinking_delta":
		return into.Reasoning(d.Thinking)
	case "signature_delta":
		into.Sign(d.Signature)
	case "input_json_delta":
		return into.Call(index, "", "", d.PartialJSON)
	}
	return nil
}

func finish(reason sdk.StopReason, into *network.Answer) error {
	switch reason {
	case "":
	case sdk.StopReasonEndTurn, sdk.StopReasonStopSequence:
		into.Finish(provider.FinishStop)
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		into.Finish(provider.FinishLength)
	case sdk.StopReasonToolUse:
		into.Finish(provider.FinishToolCalls)
	case sdk.StopReasonRefusal:
		into.Finish(provider.FinishContentFilter)
	default:
		return network.UnknownFinish
	}
	return nil
}

func started(u sdk.Usage) provider.Usage {
	return provider.Usage{
		InputTokens:      count(u.JSON.InputTokens),
		OutputTokens:     count(u.JSON.OutputTokens),
		CacheReadTokens:  count(u.JSON.CacheReadInputTokens),
		CacheWriteTokens: count(u.JSON.CacheCreationInputTokens),
	}
}

func changed(u sdk.MessageDeltaUsage) provider.Usage {
	return provider.Usage{
		InputTokens:      count(u.JSON.InputTokens),
		OutputTokens:     count(u.JSON.OutputTokens),
		CacheReadTokens:  count(u.JSON.CacheReadInputTokens),
		CacheWriteTokens: count(u.JSON.CacheCreationInputTokens),
	}
}

// count is a whole number from 0; absent, null and everything else is nil.
func count(f respjson.Field) *int64 {
	n, err := strconv.ParseInt(f.Raw(), 10, 64)
	if !f.Valid() || err != nil || n < 0 || n > provider.MaxTokens {
		return nil
	}
	return &n
}
