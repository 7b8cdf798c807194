package exec

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing/provider"
)

// Prompt is a request as plain text: the system prompt, then the messages. A
// single message of a user stands there as it is; of several, each begins with
// a line that says whose it is: "### user", "### assistant" or "### tool".
func Prompt(r provider.Request) string {
	var b strings.Builder
	if r.System != "" {
		b.WriteString(strings.TrimRight(r.System, "\n") + "\n\n")
	}
	alone := len(r.Messages) == 1 && r.Messages[0].Role == provider.RoleUser
	for i, m := range r.Messages {
		if i > 0 {
			b.WriteString("\n")
		}
		if !alone {
			b.WriteString("### " + m.Role + "\n")
		}
		for _, block := range m.Content {
			write(&b, block)
		}
	}
	return b.String()
}

func write(b *strings.Builder, block provider.Block) {
	text := ""
	switch block.Type {
	case provider.TypeText:
		text = block.Text
	case provider.TypeToolCall:
		text = fmt.Sprintf("[calls %s %s]", block.Name, block.Arguments)
	case provider.TypeToolResult:
		text = fmt.Sprintf("[%s answers]\n%s", block.Name, block.Text)
	case provider.TypeFile:
		text = fmt.Sprintf("[omitted: %s, %d bytes]", block.MediaType, base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(block.Data, "="))))
	}
	if text != "" {
		b.WriteString(strings.TrimRight(text, "\n") + "\n")
	}
}
