package provider

import (
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// ReadRequest reads a request strictly: a duplicate key, a value of the wrong
// type or a "type" other than "request" wraps plumbing.ErrInvalid and names
// the field; unknown fields pass. "system" and "tools" may be missing.
func ReadRequest(data []byte) (Request, error) {
	root, err := object(data, "request")
	if err != nil {
		return Request{}, err
	}
	r := reader{what: "request"}
	q := Request{
		MaxOutputTokens: r.count(root, "", "max_output_tokens", 1),
		System:          r.optional(root, "", "system"),
	}
	for i, m := range r.list(root, "", "messages", true) {
		q.Messages = append(q.Messages, r.message(m, fmt.Sprintf("messages[%d]", i)))
	}
	if len(q.Messages) == 0 {
		r.fail("messages", "must hold at least one message")
	}
	for i, t := range r.list(root, "", "tools", false) {
		path := fmt.Sprintf("tools[%d]", i)
		q.Tools = append(q.Tools, Tool{Description: r.optional(t, path, "description"),
			Name: r.text(t, path, "name"), Schema: r.value(t, path, "schema")})
	}
	return q, r.err
}

// ReadResponse reads a response as strictly. "call_id", "model" and "usage"
// may be missing: null is the same.
func ReadResponse(data []byte) (Response, error) {
	root, err := object(data, "response")
	if err != nil {
		return Response{}, err
	}
	r := reader{what: "response"}
	p := Response{
		CallID: r.optional(root, "", "call_id"),
		Finish: Finish(r.text(root, "", "finish_reason")),
		Model:  r.optional(root, "", "model"),
		Usage:  r.usage(root),
	}
	switch p.Finish {
	case FinishStop, FinishLength, FinishToolCalls, FinishContentFilter, FinishError:
	default:
		r.fail("finish_reason", "must be stop, length, tool_calls, content_filter or error")
	}
	p.Blocks = r.blocks(root, "", "blocks", RoleAssistant)
	return p, r.err
}

// ReadBlock reads one content block, of a session record as well. Fields that
// a block of its type does not have are dropped; an ID or a name that is null,
// as in some imported records, is empty.
func ReadBlock(data []byte) (Block, error) {
	root, err := object(data, "")
	if err != nil {
		return Block{}, err
	}
	r := reader{what: "content block"}
	b := r.block(root, "", "")
	return b, r.err
}

// object is the one canonical JSON object in data; its "type", if it has one, has to be typ.
func object(data []byte, typ string) (gjson.Result, error) {
	c, err := canon.CanonicalizeObject(data)
	if err != nil {
		return gjson.Result{}, err
	}
	root := gjson.ParseBytes(c)
	if t := root.Get("type"); typ != "" && t.Exists() && (t.Type != gjson.String || t.Str != typ) {
		return root, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the object is not of type %q", typ), "pipe in one that is")
	}
	return root, nil
}

// reader walks canonical JSON and keeps the first thing that is wrong. It
// never quotes a value.
type reader struct {
	what string
	err  error
}

func (r *reader) fail(path, must string) {
	if r.err == nil {
		r.err = plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s: %s %s", r.what, path, must),
			"`lecode help plumbing` shows the objects")
	}
}

func at(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// text is a string that must be there.
func (r *reader) text(o gjson.Result, path, key string) string {
	v := o.Get(key)
	if v.Type != gjson.String {
		r.fail(at(path, key), "must be a string")
	}
	return v.Str
}

// optional is a string, or "" where it is missing or null.
func (r *reader) optional(o gjson.Result, path, key string) string {
	if o.Get(key).Type == gjson.Null {
		return ""
	}
	return r.text(o, path, key)
}

func (r *reader) pointer(o gjson.Result, path, key string) *string {
	if o.Get(key).Type == gjson.Null {
		return nil
	}
	s := r.text(o, path, key)
	return &s
}

// value is a JSON object that must be there, as it stands.
func (r *reader) value(o gjson.Result, path, key string) jsontext.Value {
	v := o.Get(key)
	if !v.IsObject() {
		r.fail(at(path, key), "must be an object")
		return nil
	}
	return jsontext.Value(v.Raw)
}

func (r *reader) list(o gjson.Result, path, key string, must bool) []gjson.Result {
	v := o.Get(key)
	if v.Type == gjson.Null && !must {
		return nil
	}
	if !v.IsArray() {
		r.fail(at(path, key), "must be a list")
		return nil
	}
	items := v.Array()
	for i, item := range items {
		if !item.IsObject() {
			r.fail(fmt.Sprintf("%s[%d]", at(path, key), i), "must be an object")
			return nil
		}
	}
	return items
}

// count is a whole number from least to MaxTokens.
func (r *reader) count(o gjson.Result, path, key string, least int64) int64 {
	v := o.Get(key)
	n, err := strconv.ParseInt(v.Raw, 10, 64)
	if v.Type != gjson.Number || err != nil || n < least || n > MaxTokens {
		r.fail(at(path, key), fmt.Sprintf("must be a whole number from %d", least))
	}
	return n
}

func (r *reader) usage(root gjson.Result) *Usage {
	v := root.Get("usage")
	switch {
	case v.Type == gjson.Null:
		return nil
	case !v.IsObject():
		r.fail("usage", "must be an object or null")
		return nil
	}
	var u Usage
	for key, to := range map[string]**int64{
		"input_tokens": &u.InputTokens, "output_tokens": &u.OutputTokens,
		"cache_read_tokens": &u.CacheReadTokens, "cache_write_tokens": &u.CacheWriteTokens,
	} {
		if v.Get(key).Type != gjson.Null {
			n := r.count(v, "usage", key, 0)
			*to = &n
		}
	}
	if cost := v.Get("cost"); cost.Type != gjson.Null {
		if cost.Type != gjson.Number || !(cost.Num >= 0 && cost.Num < 1e15) {
			r.fail("usage.cost", "must be a number from 0, or null")
		}
		u.Cost = &cost.Num
	}
	return &u
}

func (r *reader) message(o gjson.Result, path string) Message {
	m := Message{Role: r.text(o, path, "role")}
	switch m.Role {
	case RoleUser, RoleAssistant, RoleTool:
	default:
		r.fail(at(path, "role"), "must be user, assistant or tool")
	}
	m.Content = r.blocks(o, path, "content", m.Role)
	return m
}

func (r *reader) blocks(o gjson.Result, path, key, role string) []Block {
	var blocks []Block
	for i, b := range r.list(o, path, key, true) {
		blocks = append(blocks, r.block(b, fmt.Sprintf("%s[%d]", at(path, key), i), role))
	}
	return blocks
}

// block reads a block; role is whose message it stands in, "" for anyone's.
func (r *reader) block(o gjson.Result, path, role string) Block {
	b := Block{Type: r.text(o, path, "type")}
	if of := roleOf(b.Type); of != "" && role != "" && of != role {
		r.fail(at(path, "type"), "is one that only the role "+of+" has")
	}
	switch b.Type {
	case TypeText:
		b.Text = r.text(o, path, "text")
	case TypeReasoning:
		b.Text, b.Data, b.Signature = r.text(o, path, "text"), r.optional(o, path, "data"), r.pointer(o, path, "signature")
	case TypeToolCall:
		b.ID, b.Name = r.optional(o, path, "id"), r.optional(o, path, "name")
		b.Arguments, b.Signature = r.value(o, path, "arguments"), r.pointer(o, path, "signature")
	case TypeToolResult:
		r.result(&b, o, path)
	case TypeFile:
		r.file(&b, o, path)
	default:
		r.fail(at(path, "type"), "must be text, reasoning, tool_call, tool_result or file")
	}
	return b
}

func (r *reader) result(b *Block, o gjson.Result, path string) {
	b.ID, b.Name, b.Text = r.optional(o, path, "id"), r.optional(o, path, "name"), r.text(o, path, "text")
	if v := o.Get("is_error"); !v.IsBool() {
		r.fail(at(path, "is_error"), "must be true or false")
	}
	b.IsError = o.Get("is_error").Bool()
	for i, f := range r.list(o, path, "files", false) {
		file := r.block(f, fmt.Sprintf("%s[%d]", at(path, "files"), i), "")
		if file.Type != TypeFile {
			r.fail(fmt.Sprintf("%s[%d].type", at(path, "files"), i), "must be file")
		}
		b.Files = append(b.Files, file)
	}
}

func (r *reader) file(b *Block, o gjson.Result, path string) {
	b.Name, b.MediaType, b.Data = r.optional(o, path, "name"), r.text(o, path, "media_type"), r.text(o, path, "data")
	if _, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(b.Data))); err != nil {
		r.fail(at(path, "data"), "must be base64")
	}
}

// roleOf is the only role that may have a block of a type; "" for every role.
func roleOf(typ string) string {
	switch typ {
	case TypeReasoning, TypeToolCall:
		return RoleAssistant
	case TypeToolResult:
		return RoleTool
	}
	return ""
}
