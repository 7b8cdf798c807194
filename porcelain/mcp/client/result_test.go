package client

import (
	"bufio"
	"strings"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestCapped(t *testing.T) {
	for _, text := range []string{"", "a", strings.Repeat("é", maxText/2), strings.Repeat("x", maxText+1), "x" + strings.Repeat("é", maxText), strings.Repeat("\xff", maxText)} {
		got := capped(text)
		if !utf8.ValidString(got) || len(got) > maxText+64 {
			t.Errorf("%d bytes become %d", len(text), len(got))
		}
		if (got != text) != strings.Contains(got, "[left out: ") && utf8.ValidString(text) {
			t.Errorf("%d bytes are cut without a word", len(text))
		}
	}
	got := capped(strings.Repeat("a", maxText) + "middle" + strings.Repeat("b", maxText))
	if !strings.HasPrefix(got, "aaa") || !strings.HasSuffix(got, "bbb") || !strings.Contains(got, "\n[left out: 32774 bytes]\n") {
		t.Errorf("%q", got[textHead-10:textHead+50])
	}
}

func TestResults(t *testing.T) {
	for name, c := range map[string]struct {
		r    sdk.CallToolResult
		want string
	}{
		"nothing":        {sdk.CallToolResult{}, "[the tool returned nothing]\n"},
		"texts":          {sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "a"}, &sdk.TextContent{Text: "b\n"}}}, "a\nb\n"},
		"bad UTF-8":      {sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "a\xffb"}}}, "a�b\n"},
		"text and JSON":  {sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "a"}}, StructuredContent: map[string]any{"a": 1}}, "a\n"},
		"empty resource": {sdk.CallToolResult{Content: []sdk.Content{&sdk.EmbeddedResource{}}}, "[the tool returned nothing]\n"},
		"no media type":  {sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{MIMEType: "a;;\n", Data: nil}}}, "[omitted: application/octet-stream, 0 bytes]\n"},
	} {
		if got := resultOf(&c.r); got.Text != c.want || len(got.Files) != 0 {
			t.Errorf("%s: %q", name, got.Text)
		}
	}
	var many sdk.CallToolResult
	for range maxCount + 1 {
		many.Content = append(many.Content, &sdk.AudioContent{MIMEType: "audio/wav", Data: []byte("x")})
	}
	if got := resultOf(&many); len(got.Files) != maxCount || got.Text != "[omitted: audio/wav, 1 bytes]\n" {
		t.Errorf("%d files, %q", len(got.Files), got.Text)
	}
}

func FuzzReadLine(f *testing.F) {
	f.Add("{}\n\n[]")
	f.Fuzz(func(t *testing.T, in string) {
		r := bufio.NewReaderSize(strings.NewReader(in), 16)
		var got []string
		for {
			line, err := readLine(r)
			if err != nil {
				break
			}
			got = append(got, string(line))
		}
		if joined := strings.Join(got, "\n"); joined != in && joined+"\n" != in {
			t.Errorf("%q became %q", in, got)
		}
	})
}

// FuzzSchema: whatever a server says, a schema that is taken is a small object.
func FuzzSchema(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{}},"required":["a"]}`)
	f.Fuzz(func(t *testing.T, in string) {
		var v any
		if unmarshal(in, &v) != nil {
			return
		}
		if b, why := schemaOf(v); why == "" && (len(b) > maxSchema || b[0] != '{') {
			t.Errorf("%s", b)
		}
	})
}
