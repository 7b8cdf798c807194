package transcript

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/canon"
)

// sweContent is the content of a message: a string, or a list of texts and images.
type sweContent struct {
	texts []string
	files []fileBlock
	left  leftovers
	kept  bool // the content could not be read and stays where it is
	other []string
}

func contentOf(o object) sweContent {
	var c sweContent
	if s, ok := o.str("content"); ok {
		c.texts = []string{s}
		return c
	}
	items, ok := o.array("content")
	if c.kept = !ok; !ok {
		return c
	}
	for _, v := range items {
		c.item(v)
	}
	return c
}

func (c *sweContent) item(v jsontext.Value) {
	o := decodeObject(v)
	if o.text("type") == "text" && o.ptr("text") != nil {
		c.texts = append(c.texts, o.text("text"))
		c.left.add(o.without("type", "text"))
		return
	}
	media, data, ok := dataURL(o.object("image_url").text("url"))
	if !ok {
		c.other = append(c.other, o.text("type"))
		c.left.whole(v)
		return
	}
	c.files = append(c.files, fileBlock{Data: data, MediaType: media, Type: blockFile})
	rest := o.without("type", "image_url")
	if image := o.object("image_url").without("url"); len(image) > 0 {
		rest = rest.with("image_url", image)
	}
	c.left.add(rest)
}

// dataURL takes "data:image/png;base64,…" apart.
func dataURL(s string) (media, data string, ok bool) {
	rest, isData := strings.CutPrefix(s, "data:")
	media, data, ok = strings.Cut(rest, ";base64,")
	return media, data, ok && isData
}

// content reads the content of a message and counts what has no place.
func (r *sweRun) content(o object) sweContent {
	c := contentOf(o)
	for _, kind := range c.other {
		count(r.e.report.UnknownBlocks, kind)
	}
	return c
}

// blocks is the content as blocks, texts first.
func (c sweContent) blocks() []any {
	var out []any
	for _, s := range c.texts {
		out = append(out, textBlocks(s)...)
	}
	return append(out, c.fileBlocks()...)
}

func (c sweContent) fileBlocks() []any {
	var out []any
	for _, f := range c.files {
		out = append(out, f)
	}
	return out
}

// remains is the message less the content that went into blocks.
func (c sweContent) remains(o object) object {
	if c.kept {
		return o
	}
	return o.with("content", c.left.value())
}

// answer makes the record of an answer: its reasoning, its words, its calls.
// Where it has an action but no call, and an observation follows, one is made
// up for it. The calls of an earlier answer that never got a result are given up.
func (r *sweRun) answer(p parsed) error {
	r.open = nil
	r.answers = append(r.answers, int(p.number))
	c := r.content(p.object)
	left := c.remains(p.object)
	blocks, left := thoughts(left)
	blocks = append(blocks, c.blocks()...)
	calls, left := r.calls(left)
	if len(calls) == 0 {
		calls, left = r.madeUp(p, left)
	}
	a := answer{record: record{Repaired: p.fix}, Usage: r.e.answers.take(nil, usage{})}
	if blocks = append(blocks, calls...); len(blocks) == 0 {
		a.Foreign, a.Type = p.object, typeForeign
		return r.e.event(a, roleAssistant, p.at)
	}
	a.Content, a.Foreign, a.Origin, a.Role, a.Type = blocks, left, originGenerated, roleAssistant, typeMessage
	return r.e.put(a, p.at)
}

// thoughts reads the thinking of an answer; it stays where it is unless all of it is understood.
func thoughts(o object) (blocks []any, left object) {
	items, _ := o.array("thinking_blocks")
	for _, v := range items {
		b := decodeObject(v)
		if b.text("type") != "thinking" || b.ptr("thinking") == nil || len(b.without("type", "thinking", "signature")) > 0 {
			return nil, o
		}
		blocks = append(blocks, reasoningBlock{Signature: b.ptr("signature"), Text: b.text("thinking"), Type: blockReasoning})
	}
	if len(blocks) > 0 {
		o = o.without("thinking_blocks")
	}
	return blocks, o
}

// calls reads the tool calls that an answer has, and opens them.
func (r *sweRun) calls(o object) (blocks []any, left object) {
	items, _ := o.array("tool_calls")
	var rest leftovers
	for _, v := range items {
		call := decodeObject(v)
		f := call.object("function")
		if f.ptr("name") == nil || call.ptr("id") == nil {
			count(r.e.report.UnknownBlocks, "tool_call")
			rest.whole(v)
			continue
		}
		arguments, asWritten := sweArguments(f)
		blocks = append(blocks, callBlock{Arguments: arguments, ID: call.ptr("id"), Name: f.ptr("name"), Type: blockCall})
		r.opens(call.text("id"), f.text("name"))
		call = call.without("id", "function")
		if f = f.without("name"); asWritten {
			f = f.without("arguments")
		}
		if len(f) > 0 {
			call = call.with("function", f)
		}
		rest.add(call)
	}
	if len(items) > 0 {
		o = o.with("tool_calls", rest.value())
	}
	return blocks, o
}

func (r *sweRun) opens(id, name string) {
	r.names.set(id, name)
	r.open = append(r.open, id)
}

// sweArguments reads arguments that are written as a string of JSON; what is
// no JSON object stays the string it is. asWritten is false where the string
// says more than the object: its spacing.
func sweArguments(f object) (arguments jsontext.Value, asWritten bool) {
	s, ok := f.str("arguments")
	if !ok {
		if f["arguments"] == nil {
			return raw(object{}), true
		}
		return f["arguments"], true
	}
	c, err := canon.CanonicalizeObject([]byte(s))
	if err != nil {
		return f["arguments"], true
	}
	return c, string(c) == s
}

// madeUp makes a call for an action whose observation is a user message.
func (r *sweRun) madeUp(p parsed, o object) (blocks []any, left object) {
	action, ok := o.str("action")
	if !ok || int(p.number)+1 >= len(r.history) {
		return nil, o
	}
	next := r.again(int(p.number) + 1)
	if !observes(next) {
		return nil, o
	}
	id, name := fmt.Sprintf("import-%d", p.number), "bash"
	if named := stringsOf(next, "tool_call_ids"); len(named) > 0 {
		id = named[0]
	}
	r.opens(id, name)
	r.e.report.MadeUpCalls++
	return []any{callBlock{Arguments: raw(object{"command": raw(action)}), ID: &id, MadeBy: madeByImport, Name: &name, Type: blockCall}},
		o.without("action")
}

// observes reports whether a message that follows an action is its observation.
func observes(o object) bool {
	role := o.text("role")
	return (role == roleUser || role == roleTool) && !o.yes("is_demo")
}

// observation makes the record of what an action showed: the result of the
// calls it names, or of those that are open. The first has the text.
func (r *sweRun) observation(p parsed) error {
	c := r.content(p.object)
	ids, taken := r.open, []string(nil)
	if named := stringsOf(p.object, "tool_call_ids"); len(named) > 0 {
		ids, taken = named, []string{"tool_call_ids"}
	}
	r.open = nil
	b := resultBlock{Files: append([]fileBlock{}, c.files...), Text: strings.Join(c.texts, "\n"), Type: blockResult}
	var blocks []any
	for i := range ids {
		b.ID = &ids[i]
		if name, ok := r.names.get(ids[i]); ok {
			b.Name = &name
		}
		blocks = append(blocks, b)
		b = resultBlock{Files: []fileBlock{}, Type: blockResult}
	}
	if len(ids) == 0 {
		blocks = append(blocks, b)
	}
	return r.put(p, c, []part{{roleTool, originGenerated, blocks}}, taken...)
}

// stringsOf is the array of strings under key; nil where it is anything else.
func stringsOf(o object, key string) []string {
	var out []string
	if o[key].Kind() != '[' || json.Unmarshal(o[key], &out) != nil {
		return nil
	}
	return out
}
