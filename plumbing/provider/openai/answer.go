package openai

import (
	"strconv"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

// chunk puts one event of a stream into the answer.
func chunk(c sdk.ChatCompletionChunk, into *network.Answer) error {
	if err := reported(raw(c.JSON.ExtraFields, "error")); err != nil {
		return err
	}
	if c.JSON.Usage.Valid() {
		into.Usage(usage(c.Usage))
	}
	name(into, c.ID, c.Model)
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // only one was asked for
		}
		if err := delta(choice.Delta, into); err != nil {
			return err
		}
		if err := reported(raw(choice.JSON.ExtraFields, "error")); err != nil {
			return err
		}
		if err := finish(choice.FinishReason, into); err != nil {
			return err
		}
	}
	return nil
}

func name(into *network.Answer, id, model string) {
	if id != "" {
		into.ID = id
	}
	if model != "" {
		into.Model = model
	}
}

func delta(d sdk.ChatCompletionChunkChoiceDelta, into *network.Answer) error {
	if err := into.Reasoning(reasoning(d.JSON.ExtraFields)); err != nil {
		return err
	}
	if err := into.Text(d.Content); err != nil {
		return err
	}
	if err := refusal(d.Refusal, into); err != nil {
		return err
	}
	for _, call := range d.ToolCalls {
		if err := into.Call(call.Index, call.ID, call.Function.Name, call.Function.Arguments); err != nil {
			return err
		}
		into.SignCall(call.Index, signature(call.RawJSON()))
	}
	return nil
}

// completion puts an answer that came whole into the answer.
func completion(c *sdk.ChatCompletion, into *network.Answer) error {
	if c == nil {
		return network.Unreadable
	}
	if err := reported(raw(c.JSON.ExtraFields, "error")); err != nil {
		return err
	}
	if c.JSON.Usage.Valid() {
		into.Usage(usage(c.Usage))
	}
	name(into, c.ID, c.Model)
	if len(c.Choices) == 0 {
		return network.Unreadable
	}
	m, choice := c.Choices[0].Message, c.Choices[0]
	if err := into.Reasoning(reasoning(m.JSON.ExtraFields)); err != nil {
		return err
	}
	if err := into.Text(m.Content); err != nil {
		return err
	}
	if err := refusal(m.Refusal, into); err != nil {
		return err
	}
	for i, call := range m.ToolCalls {
		if err := into.Call(int64(i), call.ID, call.Function.Name, call.Function.Arguments); err != nil {
			return err
		}
		into.SignCall(int64(i), signature(call.RawJSON()))
	}
	if err := reported(raw(choice.JSON.ExtraFields, "error")); err != nil {
		return err
	}
	return finish(choice.FinishReason, into)
}

// finish notes why the answer ended; a refusal, met before, outweighs a plain stop.
func finish(reason string, into *network.Answer) error {
	switch reason {
	case "":
	case "stop":
		if !into.Refused {
			into.Finish(provider.FinishStop)
		} else {
			into.Finish(provider.FinishContentFilter)
		}
	case "length":
		into.Finish(provider.FinishLength)
	case "tool_calls", "function_call":
		into.Finish(provider.FinishToolCalls)
	case "content_filter":
		into.Finish(provider.FinishContentFilter)
	case "error":
		return network.Reported{}
	default:
		return network.UnknownFinish
	}
	return nil
}

func refusal(text string, into *network.Answer) error {
	if text == "" {
		return nil
	}
	into.Refused = true
	return into.Text(text)
}

// reasoning is what some servers send beside the content, under either name.
func reasoning(extra map[string]respjson.Field) string {
	for _, key := range []string{"reasoning_content", "reasoning"} {
		if v := gjson.Parse(raw(extra, key)); v.Type == gjson.String && v.Str != "" {
			return v.Str
		}
	}
	return ""
}

// signature is Gemini's, which it wants back with the call.
func signature(call string) string {
	return gjson.Get(call, "extra_content.google.thought_signature").String()
}

func raw(extra map[string]respjson.Field, key string) string {
	return extra[key].Raw()
}

// usage reads the counts that are there. The dialect counts what came from a
// cache, or went to one, within prompt_tokens; lecode counts it apart.
func usage(u sdk.CompletionUsage) provider.Usage {
	details := u.PromptTokensDetails.JSON
	out := provider.Usage{
		InputTokens:      count(u.JSON.PromptTokens),
		OutputTokens:     count(u.JSON.CompletionTokens),
		CacheReadTokens:  count(details.CachedTokens),
		CacheWriteTokens: count(details.CacheWriteTokens),
		Cost:             cost(u.JSON.ExtraFields["cost"]),
	}
	if out.InputTokens != nil {
		for _, cached := range []*int64{out.CacheReadTokens, out.CacheWriteTokens} {
			if cached != nil {
				*out.InputTokens = max(0, *out.InputTokens-*cached)
			}
		}
	}
	return out
}

// count is a whole number from 0; absent, null and everything else is nil.
func count(f respjson.Field) *int64 {
	n, err := strconv.ParseInt(f.Raw(), 10, 64)
	if !f.Valid() || err != nil || n < 0 || n > provider.MaxTokens {
		return nil
	}
	return &n
}

func cost(f respjson.Field) *float64 {
	n, err := strconv.ParseFloat(f.Raw(), 64)
	if err != nil || !(n >= 0 && n < 1e15) {
		return nil
	}
	return &n
}
