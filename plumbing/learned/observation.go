package learned

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/canon"
)

// Observation is a line that a file of the project held when it was read
// (design section 11).
type Observation struct {
	Path string // relative, as the tool was given it
	Line string // without its number and its line end
	// Numbers are the lines of the file that the tool printed it at.
	Numbers []int64
}

// Quote is how the tool printed the line at a number.
func (o Observation) Quote(number int64) string {
	return strconv.FormatInt(number, 10) + "\t" + o.Line
}

// Text is the fact: PATH contains, and the line as a canonical JSON string.
func (o Observation) Text() string {
	line, err := canon.Marshal(o.Line)
	if err != nil {
		return ""
	}
	return o.Path + contains + string(line)
}

const contains = " contains "

// Read takes a text of that form apart, without asking who says so.
func Read(text string) (Observation, bool) {
	for at := 0; ; at++ {
		next := strings.Index(text[at:], contains+`"`)
		if next < 0 {
			return Observation{}, false
		}
		at += next
		quoted := jsontext.Value(text[at+len(contains):])
		line, err := jsontext.AppendUnquote(nil, quoted)
		o := Observation{Path: text[:at], Line: string(line)}
		if err == nil && relative(o.Path) && o.Text() == text {
			return o, true
		}
	}
}

// relative reports whether a path names something below the folder that it is taken from.
func relative(path string) bool {
	if path == "" || strings.ContainsAny(path, "\x00\\:\n") || path[0] == '/' {
		return false
	}
	depth := 0
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return false
			}
		default:
			depth++
		}
	}
	return depth > 0
}

// Observed looks for the proof of a fact of that form in the records of one
// exchange, ascending: a call of the local read tool with that path, its own
// result with the line, and a message that says exactly the text.
func Observed(text string, records [][]byte) (Observation, bool) {
	o, ok := Read(text)
	if !ok {
		return Observation{}, false
	}
	confirmed := false
	r := readings{path: o.Path, line: o.Line, calls: map[string]int{}}
	for _, record := range records {
		m := gjson.ParseBytes(record)
		if m.Get("type").Str != "message" {
			continue
		}
		if said, ok := whole(m); ok && said == text {
			confirmed = true
		}
		r.take(m)
	}
	o.Numbers = r.numbers
	return o, confirmed && len(r.numbers) > 0
}

// readings follows the calls of the read tool through an exchange.
type readings struct {
	path, line string
	calls      map[string]int // by ID: 1 a call of read with that path, -1 anything else or done
	numbers    []int64
}

func (r *readings) take(m gjson.Result) {
	role := m.Get("role").Str
	m.Get("content").ForEach(func(_, block gjson.Result) bool {
		id := block.Get("id").Str
		switch typ := block.Get("type").Str; {
		case id == "":
		case typ == "tool_call" && role == "assistant":
			r.call(id, block)
		case typ == "tool_result" && role == "tool":
			if r.calls[id] == 1 && block.Get("name").Str == "read" && block.Get("is_error").Type == gjson.False {
				r.result(block.Get("text").Str)
			}
			r.calls[id] = -1
		}
		return true
	})
}

// call notes a call; an ID that is used twice proves nothing.
func (r *readings) call(id string, block gjson.Result) {
	path := block.Get("arguments.path")
	switch {
	case r.calls[id] != 0:
		r.calls[id] = -1
	case block.Get("name").Str == "read" && path.Type == gjson.String && path.Str == r.path:
		r.calls[id] = 1
	default:
		r.calls[id] = -1
	}
}

// result looks for the line in what the tool printed: N, a tab, the line. A
// line that the tool has cut is not what the file holds, and does not count.
func (r *readings) result(text string) {
	for printed := range strings.SplitSeq(text, "\n") {
		number, line, ok := strings.Cut(printed, "\t")
		if !ok || strings.TrimSuffix(line, "\r") != r.line || Cut(line) {
			continue
		}
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > 0 && strconv.FormatInt(n, 10) == number {
			r.numbers = append(r.numbers, n)
		}
	}
}

// CutMark is how the read tool ends a line that it has cut:
// "… [cut: N more bytes]".
const CutMark = "… [cut: "

// Cut reports whether a line that the read tool printed is cut.
func Cut(line string) bool {
	at := strings.LastIndex(line, CutMark)
	if at < 0 {
		return false
	}
	n, rest, _ := strings.Cut(line[at+len(CutMark):], " ")
	_, err := strconv.ParseInt(n, 10, 64)
	return err == nil && strings.TrimSuffix(rest, "\r") == "more bytes]"
}
