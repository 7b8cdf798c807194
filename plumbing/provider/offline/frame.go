package offline

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/provider"
)

// The frame of a request to compact, as plumbing/compact builds it: the system
// prompt begins with the line compactLine; one user message has one text block,
// which is two labelled blocks of lines. prior-summary holds one line, the prior
// summary as a JSON string, or none; transcript holds a record a line, as
// canonical JSON with the keys content, role, seq and, if so, synthetic. A
// marker cannot stand at the start of a line of JSON.
const (
	compactLine     = "lecode compact 1"
	openMark        = "<<<lecode:"
	closeMark       = ">>>lecode:"
	blockPrior      = "prior-summary"
	blockTranscript = "transcript"
)

// Record is a message of the transcript.
type Record struct {
	Content   []provider.Block `json:"content"`
	Role      string           `json:"role"`
	Seq       int64            `json:"seq"`
	Synthetic bool             `json:"synthetic"`
}

// Input is what a summary is made of.
type Input struct {
	Prior   string // the summary that the new one takes the place of; may be empty
	Records []Record
}

// readFrame tells a request to compact and reads it. A line of the transcript
// that is no record counts as words that nobody typed: nothing is lost and
// nothing fails.
func readFrame(r provider.Request) (Input, bool) {
	first, _, _ := strings.Cut(r.System, "\n")
	if strings.TrimRight(first, " \r") != compactLine {
		return Input{}, false
	}
	var in Input
	block := ""
	for line := range strings.Lines(userText(r)) {
		line = strings.TrimRight(line, "\r\n")
		name, isOpen := strings.CutPrefix(line, openMark)
		switch {
		case isOpen:
			block = name
		case strings.HasPrefix(line, closeMark):
			block = ""
		case strings.TrimSpace(line) == "":
		case block == blockPrior:
			in.Prior += priorLine(line)
		default:
			in.Records = append(in.Records, recordLine(line))
		}
	}
	return in, true
}

func userText(r provider.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		for _, c := range m.Content {
			if c.Type == provider.TypeText {
				b.WriteString(c.Text)
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func priorLine(line string) string {
	var s string
	if err := json.Unmarshal([]byte(line), &s); err != nil {
		return line + "\n"
	}
	return s
}

func recordLine(line string) Record {
	var r struct {
		Content   []jsontext.Value `json:"content"`
		Role      string           `json:"role"`
		Seq       int64            `json:"seq"`
		Synthetic bool             `json:"synthetic"`
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return Record{Content: []provider.Block{provider.Text(line)}, Role: provider.RoleUser, Synthetic: true}
	}
	rec := Record{Role: r.Role, Seq: r.Seq, Synthetic: r.Synthetic}
	for _, raw := range r.Content {
		rec.Content = append(rec.Content, block(raw))
	}
	return rec
}

// block reads a block of the frame, where a file has a marker instead of its data.
func block(raw jsontext.Value) provider.Block {
	var b struct {
		ID      string `json:"id"`
		IsError bool   `json:"is_error"`
		Name    string `json:"name"`
		Text    string `json:"text"`
		Type    string `json:"type"`
	}
	if whole, err := provider.ReadBlock(raw); err == nil {
		return whole
	}
	_ = json.Unmarshal(raw, &b) // what is no block at all says nothing
	return provider.Block{Type: b.Type, ID: b.ID, Name: b.Name, Text: b.Text, IsError: b.IsError}
}
