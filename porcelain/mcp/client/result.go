package client

import (
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/agent"
)

// Caps of a result.
const (
	maxText  = 32 << 10 // bytes of text, beginning and end
	textHead = 24 << 10
	maxFiles = 5 << 20 // bytes of all files together
	maxCount = 16      // files
)

// resultOf is a result for the agent: its texts, and its files where they are small.
func resultOf(r *sdk.CallToolResult) agent.Result {
	if len(r.InputRequests) > 0 {
		return agent.Result{IsError: true, Text: "[the server asks for something before it goes on, which this client does not give]\n"}
	}
	g := gathered{left: maxFiles}
	for _, c := range r.Content {
		g.take(c)
	}
	text := strings.Join(g.texts, "\n")
	if text == "" && r.StructuredContent != nil {
		if b, err := canon.Marshal(r.StructuredContent); err == nil {
			text = string(b)
		}
	}
	if text == "" && len(g.files) == 0 {
		text = "[the tool returned nothing]"
	}
	if text = capped(text); text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return agent.Result{Text: text, IsError: r.IsError, Files: g.files}
}

// gathered is what a result has.
type gathered struct {
	texts []string
	files []provider.Block
	left  int // bytes that files may still take
}

func (g *gathered) take(c sdk.Content) {
	switch c := c.(type) {
	case *sdk.TextContent:
		if c.Text != "" {
			g.texts = append(g.texts, c.Text)
		}
	case *sdk.ImageContent:
		g.file("image", c.MIMEType, c.Data)
	case *sdk.AudioContent:
		g.file("audio", c.MIMEType, c.Data)
	case *sdk.ResourceLink:
		g.texts = append(g.texts, fmt.Sprintf("[resource: %s]", prompt.Show(clip(c.URI, 2_048))))
	case *sdk.EmbeddedResource:
		g.resource(c.Resource)
	}
}

func (g *gathered) resource(r *sdk.ResourceContents) {
	switch {
	case r == nil:
	case r.Blob != nil:
		g.file(r.URI, r.MIMEType, r.Blob)
	case r.Text != "":
		g.texts = append(g.texts, r.Text)
	}
}

// file takes a file along, or says that it was left out. A picture that is not
// what it says it is would make a provider refuse the whole request.
func (g *gathered) file(name, kind string, data []byte) {
	media, _, err := mime.ParseMediaType(kind)
	if err != nil || len(media) > 128 {
		media = "application/octet-stream"
	}
	isImage := strings.HasPrefix(media, "image/")
	wrong := isImage && media != "image/svg+xml" && http.DetectContentType(data) != media
	if wrong || len(data) == 0 || len(data) > g.left || len(g.files) == maxCount {
		g.texts = append(g.texts, fmt.Sprintf("[omitted: %s, %d bytes]", media, len(data)))
		return
	}
	g.left -= len(data)
	g.files = append(g.files, provider.Block{Type: provider.TypeFile, Name: prompt.Show(clip(strings.ToValidUTF8(name, "�"), 256)),
		MediaType: media, Data: base64.StdEncoding.EncodeToString(data)})
}

// capped is a text of valid UTF-8 with its beginning and its end, at most maxText
// bytes and a line that says how much is not there.
func capped(text string) string {
	text = strings.ToValidUTF8(text, "�")
	if len(text) <= maxText {
		return text
	}
	head, tail := textHead, len(text)-(maxText-textHead)
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[left out: %d bytes]\n%s", text[:head], tail-head, text[tail:])
}
