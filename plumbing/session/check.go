package session

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// incoming is a line on its way into the log.
type incoming struct {
	line    []byte // canonical
	typ     string
	origin  string
	hasSeq  bool
	seq     int64
	hasTime bool
}

func bad(format string, a ...any) error {
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf(format, a...), "`lecode help plumbing` shows the records")
}

// checkIncoming judges one line for Append (design section 4). Its error wraps
// plumbing.ErrInvalid and quotes no content.
func checkIncoming(line []byte, generation int64) (incoming, error) {
	if len(line) > canon.MaxRecord {
		return incoming{}, tooLong(len(line))
	}
	c, err := canon.CanonicalizeObject(line)
	if err != nil {
		return incoming{}, err
	}
	in := incoming{line: c}
	root := gjson.ParseBytes(c)
	if err := in.common(root); err != nil {
		return in, err
	}
	switch in.typ {
	case TypeMessage:
		return in, in.message(root, generation)
	case TypeTitle:
		return in, requireString(root, "title")
	case TypeUsage:
		return in, checkUsage(root)
	case TypeCancel:
		return in, nil
	case TypeUndo, TypeRedo, TypeClear, TypeCompact, TypeLearning:
		return in, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("a record of type %q comes from its own command", in.typ),
			"use that command instead of append")
	}
	return in, bad("append takes records of type message, cancel, title and memory_usage")
}

func tooLong(n int) error {
	return plumbing.Fail(plumbing.ErrInvalid,
		fmt.Sprintf("a record of %d bytes; the most is %d", n, canon.MaxRecord), "split it, or leave attachments out")
}

// common reads type, seq and time, which every record may have.
func (in *incoming) common(root gjson.Result) error {
	typ := root.Get("type")
	if typ.Type != gjson.String {
		return bad("a record needs a \"type\"")
	}
	in.typ = typ.Str
	if seq := root.Get("seq"); seq.Exists() {
		n, ok := integer(seq)
		if !ok {
			return bad("\"seq\" is not a whole number from 1")
		}
		in.hasSeq, in.seq = true, n
	}
	if t := root.Get("time"); t.Exists() {
		in.hasTime = true
		if p, err := time.Parse(timeLayout, t.Str); err != nil || t.Type != gjson.String || stamp(p) != t.Str {
			return bad("\"time\" is not RFC 3339 in UTC with three decimals, as 2026-01-02T15:04:05.000Z")
		}
	}
	return nil
}

func (in *incoming) message(root gjson.Result, generation int64) error {
	role, origin := root.Get("role").Str, root.Get("origin").Str
	in.origin = origin
	if !together(role, origin) {
		if root.Get("origin").Type != gjson.String {
			return plumbing.Fail(plumbing.ErrInvalid, "a message needs an \"origin\"",
				"user for words that a person typed, generated for assistant and tool, synthetic for user-role words that nobody typed")
		}
		return bad("role and origin do not go together: user with user or synthetic, assistant and tool with generated")
	}
	if err := checkGeneration(root.Get("generation"), origin, generation); err != nil {
		return err
	}
	if role == "assistant" {
		if u := root.Get("usage"); u.Exists() && u.Type != gjson.Null && !u.IsObject() {
			return bad("\"usage\" is neither an object nor null")
		}
	}
	return checkContent(role, root.Get("content"))
}

// together reports whether a role may have an origin.
func together(role, origin string) bool {
	switch role {
	case "user":
		return origin == OriginUser || origin == OriginSynthetic
	case "assistant", "tool":
		return origin == OriginGenerated
	}
	return false
}

// checkGeneration: there is no default, since "now" would launder text recalled before a forget.
func checkGeneration(g gjson.Result, origin string, project int64) error {
	if origin == OriginUser {
		if g.Exists() {
			return bad("a user's own message carries no \"generation\"")
		}
		return nil
	}
	const hint = "read it with `lecode generation` before the request"
	n, ok := integer(g)
	switch {
	case !g.Exists():
		return plumbing.Fail(plumbing.ErrInvalid, "a message that is not the user's needs the \"generation\" of its request", hint)
	case !ok:
		return plumbing.Fail(plumbing.ErrInvalid, "\"generation\" is not a whole number from 0", hint)
	case n > project:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("\"generation\" is %d, the project is at %d", n, project), hint)
	}
	return nil
}

func checkContent(role string, content gjson.Result) error {
	if !content.IsArray() || content.Get("#").Int() == 0 {
		return bad("\"content\" is not a list of at least one block")
	}
	var err error
	i := 0
	content.ForEach(func(_, block gjson.Result) bool {
		i++
		if err = checkBlock(role, block); err != nil {
			err = bad("content block %d: %s", i, err)
		}
		return err == nil
	})
	return err
}

// field is a key that a block must have, and the JSON type of its value.
type field struct {
	key  string
	kind func(gjson.Result) bool
}

func isString(r gjson.Result) bool { return r.Type == gjson.String }
func isBool(r gjson.Result) bool   { return r.IsBool() }
func isObject(r gjson.Result) bool { return r.IsObject() }

func isBase64(r gjson.Result) bool {
	if r.Type != gjson.String {
		return false
	}
	_, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(r.Str)))
	return err == nil
}

func blockFields(typ string) []field {
	switch typ {
	case "text", "reasoning":
		return []field{{"text", isString}}
	case "tool_call":
		return []field{{"id", isString}, {"name", isString}, {"arguments", isObject}}
	case "tool_result":
		return []field{{"id", isString}, {"name", isString}, {"text", isString}, {"is_error", isBool}}
	case "file":
		return []field{{"name", isString}, {"media_type", isString}, {"data", isBase64}}
	}
	return nil
}

// blockRole is the only role that may have such a block; "" for every role.
func blockRole(typ string) string {
	switch typ {
	case "reasoning", "tool_call":
		return "assistant"
	case "tool_result":
		return "tool"
	}
	return ""
}

func checkBlock(role string, block gjson.Result) error {
	typ := block.Get("type").Str
	if of := blockRole(typ); of != "" && of != role {
		return fmt.Errorf("%s belongs to the role %s", typ, of)
	}
	fields := blockFields(typ)
	if fields == nil {
		return fmt.Errorf("its type is not text, reasoning, tool_call, tool_result or file")
	}
	for _, f := range fields {
		if v := block.Get(f.key); !v.Exists() || !f.kind(v) {
			return fmt.Errorf("%s needs %q of its type", typ, f.key)
		}
	}
	if files := block.Get("files"); files.Exists() && !files.IsArray() {
		return fmt.Errorf("\"files\" of %s is not a list", typ)
	}
	return nil
}

func checkUsage(root gjson.Result) error {
	for _, k := range []string{"call_id", "purpose"} {
		if err := requireString(root, k); err != nil {
			return err
		}
	}
	if u := root.Get("usage"); !u.Exists() || u.Type != gjson.Null && !u.IsObject() {
		return bad("\"usage\" is neither an object nor null")
	}
	return nil
}

func requireString(root gjson.Result, key string) error {
	if root.Get(key).Type != gjson.String {
		return bad("%q is not a string", key)
	}
	return nil
}

// complete puts seq, and time where it is missing, into a canonical object; keys stay sorted.
func (in *incoming) complete(seq int64, now string) ([]byte, error) {
	line := in.line
	if !in.hasSeq {
		line = splice(line, "seq", fmt.Sprintf("%d", seq))
	}
	if !in.hasTime && now != "" {
		line = splice(line, "time", `"`+now+`"`)
	}
	if len(line) > canon.MaxRecord {
		return nil, tooLong(len(line))
	}
	return line, nil
}

// splice puts "key":value into a canonical object that does not have the key.
// key is ASCII, so that byte order and UTF-16 order agree about it.
func splice(object []byte, key, value string) []byte {
	at, first := len(object)-1, true
	gjson.ParseBytes(object).ForEach(func(k, _ gjson.Result) bool {
		if k.String() > key {
			at = k.Index
			return false
		}
		first = false
		return true
	})
	pair := `"` + key + `":` + value
	switch {
	case at < len(object)-1:
		pair += ","
	case !first:
		pair = "," + pair
	}
	return bytes.Join([][]byte{object[:at], []byte(pair), object[at:]}, nil)
}
