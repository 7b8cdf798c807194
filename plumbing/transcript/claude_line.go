package transcript

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// claudeRun is one run over the lines of a file.
type claudeRun struct {
	*claude
	e     *emitter
	names *recent[string] // tool names by call ID
}

// line hands on what one line becomes.
func (r *claudeRun) line(l line) error {
	p, err := r.e.parse(l.bytes, fmt.Sprintf("line %d", l.number), l.number)
	if err != nil {
		return err
	}
	if s, ok := p.object.str("sessionId"); ok && s != r.session {
		r.e.report.OtherSession++
	}
	return r.e.handOn(p, r.records)
}

// records makes the records of a line that could be read.
func (r *claudeRun) records(p parsed) error {
	m := p.object.object("message")
	switch role, _ := m.str("role"); {
	case p.object.text("type") == "user" && role == roleUser:
		return r.user(p, m)
	case p.object.text("type") == "assistant" && role == roleAssistant:
		return r.assistant(p, m)
	}
	return r.foreign(p)
}

// foreign keeps a line that is no message, whole and in its place.
func (r *claudeRun) foreign(p parsed) error {
	return r.e.event(r.base(p, p.object), claudeKind(p.object), p.at)
}

// base is an event that keeps left of a line.
func (r *claudeRun) base(p parsed, left object) record {
	return record{Foreign: left, Repaired: p.fix, Time: normalTime(p.object.text("timestamp")), Type: typeForeign}
}

// claudeKind is what a line without a place is counted as.
func claudeKind(o object) string {
	kind := o.text("type")
	switch kind {
	case "system":
		return kind + "/" + o.text("subtype")
	case "attachment":
		return kind + "/" + o.object("attachment").text("type")
	}
	return kind
}

// remains is what a message line has besides the content that went into
// blocks: the line as it is, less taken (of the message) and less a timestamp
// that the record's time says in the same words.
func remains(o, m object, left leftovers, taken ...string) object {
	m = m.without(taken...).with("content", left.value())
	o = o.with("message", m)
	if ts := o.text("timestamp"); ts != "" && normalTime(ts) == ts {
		o = o.without("timestamp")
	}
	return o
}

// assistant makes the record of an assistant line: a piece of an answer, or
// an event that still carries the usage where the piece is empty.
func (r *claudeRun) assistant(p parsed, m object) error {
	blocks, left := r.answerBlocks(m)
	a := answer{record: r.base(p, p.object), CallID: m.ptr("id"), Model: m.ptr("model")}
	if a.CallID == nil {
		a.CallID = p.object.ptr("requestId")
	}
	a.Usage = r.e.answers.take(a.CallID, claudeUsage(p.object, m))
	if len(blocks) == 0 {
		return r.e.event(a, "assistant", p.at)
	}
	var taken []string
	if m.ptr("id") != nil {
		taken = append(taken, "id")
	}
	if a.Model != nil {
		taken = append(taken, "model")
	}
	a.Content, a.Foreign = blocks, remains(p.object, m, left, taken...)
	a.Origin, a.Role, a.Type = originGenerated, roleAssistant, typeMessage
	return r.e.put(a, p.at)
}

// claudeUsage reads the usage of a line; older versions wrote the cost beside the message.
func claudeUsage(o, m object) usage {
	u := m.object("usage")
	return usage{
		CacheReadTokens: tokens(u["cache_read_input_tokens"]), CacheWriteTokens: tokens(u["cache_creation_input_tokens"]),
		Cost: money(o["costUSD"]), InputTokens: tokens(u["input_tokens"]), OutputTokens: tokens(u["output_tokens"]),
	}
}

// answerBlocks reads the content of an assistant message.
func (r *claudeRun) answerBlocks(m object) (blocks []any, left leftovers) {
	if s, is := m.str("content"); is {
		return textBlocks(s), left
	}
	items, _ := m.array("content")
	for _, v := range items {
		if b, rest := r.answerBlock(v); b != nil {
			blocks = append(blocks, b)
			left.add(rest)
		} else if !emptyText(v) {
			count(r.e.report.UnknownBlocks, decodeObject(v).text("type"))
			left.whole(v)
		}
	}
	return blocks, left
}

// answerBlock reads one block of an answer and what is left over of it; nil where it has no place.
func (r *claudeRun) answerBlock(v jsontext.Value) (block any, rest object) {
	o := decodeObject(v)
	kind := o.text("type")
	switch {
	case kind == "text" && o.text("text") != "":
		return textBlock{o.text("text"), blockText}, o.without("type", "text")
	case kind == "thinking" && o.ptr("thinking") != nil:
		return reasoningBlock{Signature: o.ptr("signature"), Text: o.text("thinking"), Type: blockReasoning},
			o.without("type", "thinking", "signature")
	case kind == "redacted_thinking" && o.ptr("data") != nil:
		return reasoningBlock{Data: o.ptr("data"), Type: blockReasoning}, o.without("type", "data")
	case kind == "tool_use" && o["input"] != nil:
		id, name := o.ptr("id"), o.ptr("name")
		if id != nil && name != nil {
			r.names.set(*id, *name)
		}
		return callBlock{Arguments: o["input"], ID: id, Name: name, Type: blockCall}, o.without("type", "input", "id", "name")
	}
	return claudeFile(o)
}

// textBlocks is s as a block, or nothing where s is empty.
func textBlocks(s string) []any {
	if s == "" {
		return nil
	}
	return []any{textBlock{s, blockText}}
}

// emptyText is a block that says nothing.
func emptyText(v jsontext.Value) bool {
	o := decodeObject(v)
	s, ok := o.str("text")
	return ok && s == "" && len(o) == 2 && o.text("type") == "text"
}

// claudeFile reads an image or a document whose bytes are in the line.
func claudeFile(o object) (block any, rest object) {
	src := o.object("source")
	kind := o.text("type")
	data, hasData := src.str("data")
	media, hasMedia := src.str("media_type")
	if kind != "image" && kind != "document" || src.text("type") != "base64" || !hasData || !hasMedia {
		return nil, nil
	}
	f := fileBlock{Data: data, MediaType: media, Type: blockFile}
	rest = o.without("type")
	if f.Name = o.ptr("title"); f.Name != nil {
		rest = rest.without("title")
	}
	if src = src.without("type", "data", "media_type"); len(src) > 0 {
		return f, rest.with("source", src)
	}
	return f, rest.without("source")
}
