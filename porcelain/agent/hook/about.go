package hook

import (
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxResult is the most bytes that a hook gets of a tool's result.
const MaxResult = 64 << 10

// About is what every event tells.
type About struct {
	SessionID   string // "": the session has no record yet
	ProjectRoot string
	Mode, Model string
}

// Call is a call of a tool, as a hook sees it.
type Call struct {
	Tool, ID  string
	Class     string
	Arguments []byte    // one JSON object
	Commands  []Command // of a command line; nil for other tools
	Child     string    // the call ID of the task that it is made in; "": the session's own turn
}

// Command is one command of a command line.
type Command struct {
	Words []string `json:"words"`
	Class string   `json:"class"`
}

// object is the keys of every event, and room for its own.
func (a About) object(event string) map[string]any {
	return map[string]any{
		"event": event, "session_id": orNull(a.SessionID),
		"project_root": text(a.ProjectRoot), "mode": a.Mode, "model": text(a.Model),
	}
}

// SessionStart is the object of the event SessionStart; a session goes on unless it is new.
func (a About) SessionStart(isNew bool) map[string]any {
	o := a.object(SessionStart)
	o["new"] = isNew
	return o
}

// Prompt is the object of the event Prompt: what a person typed, whole.
func (a About) Prompt(prompt string) map[string]any {
	o := a.object(Prompt)
	o["prompt"] = text(prompt)
	return o
}

// BeforeTool is the object of the event BeforeTool.
func (a About) BeforeTool(c Call) map[string]any {
	o := a.call(BeforeTool, c)
	o["class"] = c.Class
	o["arguments"] = jsontext.Value(c.Arguments)
	o["commands"] = nil
	if c.Commands != nil {
		commands := make([]Command, len(c.Commands))
		for i, cmd := range c.Commands {
			commands[i].Class = cmd.Class
			for _, word := range cmd.Words {
				commands[i].Words = append(commands[i].Words, text(word))
			}
		}
		o["commands"] = commands
	}
	return o
}

// AfterTool is the object of the event AfterTool. result is what the model
// gets, masked; of one longer than MaxResult bytes it has the beginning.
func (a About) AfterTool(c Call, isError bool, result string) map[string]any {
	o := a.call(AfterTool, c)
	o["is_error"] = isError
	head := text(head(result, MaxResult))
	o["result"], o["result_cut"] = head, len(result) > MaxResult
	return o
}

func (a About) call(event string, c Call) map[string]any {
	o := a.object(event)
	o["tool"], o["call_id"], o["child"] = text(c.Tool), text(c.ID), orNull(c.Child)
	return o
}

// BeforeCompact is the object of the event BeforeCompact; reason says what asked for the summary.
func (a About) BeforeCompact(reason string) map[string]any {
	o := a.object(BeforeCompact)
	o["reason"] = text(reason)
	return o
}

// AfterCompact is the object of the event AfterCompact: the record of the
// summary, up to where it covers, and what came of it; 0 where there is none.
func (a About) AfterCompact(seq, coveredThrough int64, outcome string) map[string]any {
	o := a.object(AfterCompact)
	o["seq"], o["covered_through"], o["outcome"] = seq, coveredThrough, text(outcome)
	return o
}

// Stop is the object of the event Stop: why a turn ended, and the last answer, whole.
func (a About) Stop(reason, answer string) map[string]any {
	o := a.object(Stop)
	o["reason"], o["answer"] = text(reason), text(answer)
	return o
}

// text is valid UTF-8, which JSON asks for: a path or a command may not be.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return text(s)
}

// head is the beginning of s, at most most bytes of whole characters.
func head(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
