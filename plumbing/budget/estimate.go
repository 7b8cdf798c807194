package budget

import (
	"encoding/base64"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// What stands round the words of a request, in tokens. Providers do not say;
// these are above what is known of the formats that are public.
const (
	frameRequest = 16  // the whole
	frameTools   = 400 // once, where there are tools: some providers add an instruction of their own
	frameTool    = 16  // each tool
	frameMessage = 8   // each message, the system prompt too
	frameBlock   = 8   // each block of a message
)

// Estimate is what a request is reckoned to take, in tokens; add up in it what
// is sent. The zero value is nothing.
type Estimate struct {
	Text    int64 // words: of messages, tool calls and results, tools and their schemas
	Framing int64 // what stands round them
	Media   int64 // an allowance for files
}

// Tokens is the sum.
func (e Estimate) Tokens() int64 { return e.Text + e.Framing + e.Media }

// AddText adds words.
func (e *Estimate) AddText(text string) { e.Text += Tokens(text) }

// AddMessage adds the frame of one message; AddContent adds what is in it.
func (e *Estimate) AddMessage() { e.Framing += frameMessage }

// AddFile adds a file of a media type, its data in base64. Text is counted as
// what it says. For an image the allowance has a floor and grows with the
// bytes, never flat, since providers go by pixels and cap differently; anything
// else counts a token for every three bytes.
func (e *Estimate) AddFile(mediaType, data string) {
	n := int64(len(data)) / 4 * 3
	switch {
	case strings.HasPrefix(mediaType, "text/") || mediaType == "application/json":
		if text, err := base64.StdEncoding.DecodeString(data); err == nil {
			e.Media += Tokens(string(text))
			return
		}
		e.Media += n
	case strings.HasPrefix(mediaType, "image/"):
		e.Media += mediaFloor + n/250
	default:
		e.Media += mediaFloor + n/3
	}
}

// mediaFloor is what a file takes at least, however small: an image of one tile.
const mediaFloor = 1600

// AddContent adds the content blocks of a message, as a request or a session
// record has them: a JSON list that is valid.
func (e *Estimate) AddContent(content []byte) {
	gjson.ParseBytes(content).ForEach(func(_, block gjson.Result) bool {
		e.addBlock(block)
		return true
	})
}

func (e *Estimate) addBlock(b gjson.Result) {
	e.Framing += frameBlock
	switch b.Get("type").Str {
	case "file":
		e.AddText(b.Get("name").Str)
		e.AddFile(b.Get("media_type").Str, b.Get("data").Str)
	case "tool_call":
		e.AddText(b.Get("id").Str)
		e.AddText(b.Get("name").Str)
		e.AddText(b.Get("arguments").Raw)
	case "tool_result":
		e.AddText(b.Get("id").Str)
		e.AddText(b.Get("text").Str)
		b.Get("files").ForEach(func(_, f gjson.Result) bool {
			e.addBlock(f)
			return true
		})
	case "text":
		e.AddText(b.Get("text").Str)
	case "reasoning":
		e.AddText(b.Get("text").Str)
		e.AddText(b.Get("data").Str)
		e.AddText(b.Get("signature").Str)
	default:
		e.AddText(b.Raw)
	}
}

// AddTool adds one tool and its schema, which is JSON.
func (e *Estimate) AddTool(name, description string, schema []byte) {
	e.Framing += frameTool
	e.AddText(name)
	e.AddText(description)
	e.AddText(string(schema))
}

// OfFrame is what a request takes besides its messages and the tools
// themselves: the system prompt and what stands round it all.
func OfFrame(system string, tools bool) Estimate {
	e := Estimate{Framing: frameRequest}
	if system != "" {
		e.AddMessage()
		e.AddText(system)
	}
	if tools {
		e.Framing += frameTools
	}
	return e
}

// OfRequest is the estimate of a whole request: an object of type request, or
// one that carries it as "request", such as a plan (design section 7). What is
// neither wraps plumbing.ErrInvalid.
func OfRequest(object []byte) (Estimate, error) {
	c, err := canon.CanonicalizeObject(object)
	if err != nil {
		return Estimate{}, err
	}
	root := gjson.ParseBytes(c)
	if r := root.Get("request"); r.IsObject() {
		root = r
	}
	messages := root.Get("messages")
	if !messages.IsArray() {
		return Estimate{}, plumbing.Fail(plumbing.ErrInvalid, "the object is no request and carries none", "`lecode help plumbing` shows a request")
	}
	tools := root.Get("tools").Array()
	e := OfFrame(root.Get("system").Str, len(tools) > 0)
	messages.ForEach(func(_, m gjson.Result) bool {
		e.AddMessage()
		e.AddContent([]byte(m.Get("content").Raw))
		return true
	})
	for _, t := range tools {
		e.AddTool(t.Get("name").Str, t.Get("description").Str, []byte(t.Get("schema").Raw))
	}
	return e, nil
}
