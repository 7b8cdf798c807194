package learned

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Says reports whether a stored record is a message that a person typed with
// the words, contiguous and exact, in one of its text blocks.
func Says(record []byte, words string) bool {
	_, _, ok := Around(record, words)
	return ok
}

// Around is what stands before and after the words in the text block that
// holds them first; ok is false where no typed message says them.
func Around(record []byte, words string) (before, after string, ok bool) {
	m := gjson.ParseBytes(record)
	if words == "" || m.Get("type").Str != "message" || m.Get("role").Str != "user" || m.Get("origin").Str != "user" {
		return "", "", false
	}
	m.Get("content").ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "text" {
			before, after, ok = strings.Cut(block.Get("text").Str, words)
		}
		return !ok
	})
	return before, after, ok
}

// whole is the text of a user's or an assistant's message that says nothing
// else: one text block, at most with reasoning beside it. Words that nobody
// typed and no model said are none.
func whole(m gjson.Result) (text string, ok bool) {
	role, origin := m.Get("role").Str, m.Get("origin").Str
	if role != "assistant" && (role != "user" || origin != "user") || origin == "synthetic" {
		return "", false
	}
	blocks := 0
	m.Get("content").ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").Str {
		case "reasoning":
		case "text":
			text = block.Get("text").Str
			blocks++
		default:
			blocks = 2
		}
		return blocks < 2
	})
	return text, blocks == 1
}
