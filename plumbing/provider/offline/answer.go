package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/provider"
)

const (
	noModel = "No model is configured, so nobody has thought about this"
	howTo   = "To get answers, add a model: `lecode config --setup` asks three questions and writes config.toml.\n"

	maxQuotes  = 6
	maxAnswer  = 4096 // tokens at most, whatever the request allows
	labelStart = "# Memory: "
)

// answer quotes what the memory section of r's system prompt (plumbing/prompt)
// holds on the words of the last user message, the best first, each with its
// source, and says that no model is configured and how to get one.
func answer(r provider.Request, tokens func(string) int64) string {
	question := lastQuestion(r)
	room := r.MaxOutputTokens
	if room <= 0 || room > maxAnswer {
		room = maxAnswer
	}
	lines := readMemory(r.System)
	found := best(lines, question)
	head := noModel + ". Memory holds on your words:\n\n"
	switch {
	case len(lines) == 0:
		head = noModel + ", and no memory came with the request.\n\n"
	case len(found) == 0:
		head = noModel + ", and nothing in memory shares a word with your question.\n\n"
	}
	for n := len(found); n >= 0; n-- {
		text := head + quotes(found[:n]) + howTo
		if tokens(text) <= room {
			return text
		}
	}
	if short := head + "\n"; tokens(short) <= room {
		return short
	}
	return clipTokens(noModel+".", room, tokens)
}

func quotes(found []remembered) string {
	var b strings.Builder
	for _, m := range found {
		for line := range strings.Lines(m.text) {
			b.WriteString("> " + strings.TrimRight(line, "\n") + "\n")
		}
		b.WriteString("(" + m.source + ")\n\n")
	}
	return b.String()
}

// lastQuestion is the text of the last user message.
func lastQuestion(r provider.Request) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role != provider.RoleUser {
			continue
		}
		var parts []string
		for _, b := range m.Content {
			if b.Type == provider.TypeText {
				parts = append(parts, b.Text)
			}
		}
		return clean(strings.Join(parts, "\n"))
	}
	return ""
}

// remembered is a fact or a line of a note.
type remembered struct {
	text, source string
	hits         float64
	at           int
}

// readMemory reads the lines of a memory section (plumbing/prompt) out of a system prompt.
func readMemory(system string) []remembered {
	var list []remembered
	note := ""
	inFacts := false
	for line := range strings.Lines(system) {
		line = strings.TrimRight(line, "\n")
		if rest, found := strings.CutPrefix(line, labelStart); found {
			inFacts = strings.HasPrefix(rest, "facts")
			note, _, _ = strings.Cut(rest, " ")
			continue
		}
		switch {
		case inFacts && strings.HasPrefix(line, "{") && gjson.Valid(line):
			list = append(list, factLine(gjson.Parse(line)))
		case !inFacts && note != "" && strings.HasPrefix(line, "> "):
			list = append(list, remembered{text: strings.TrimSpace(line[2:]), source: note})
		case strings.HasPrefix(line, ">"), strings.HasPrefix(line, "["):
		default:
			note, inFacts = "", false
		}
	}
	return list
}

func factLine(v gjson.Result) remembered {
	m := remembered{text: strings.TrimSpace(clean(v.Get("text").String()))}
	parts := []string{fmt.Sprintf("fact %s, revision %d", v.Get("id").String(), v.Get("revision").Int())}
	for _, ref := range v.Get("refs").Array() {
		var seqs []string
		for _, s := range ref.Get("seqs").Array() {
			seqs = append(seqs, s.Raw)
		}
		parts = append(parts, fmt.Sprintf("session %s, seq %s", ref.Get("session_id").String(), strings.Join(seqs, ",")))
	}
	m.source = strings.Join(parts, "; ")
	return m
}

// best are the memories that share words with the question, the most telling first.
func best(list []remembered, question string) []remembered {
	asked := contentWords(question)
	held := map[string]int{}
	for _, m := range list {
		for w := range contentWords(m.text) {
			held[w]++
		}
	}
	var found []remembered
	for i, m := range list {
		m.at = i
		for w := range contentWords(m.text) {
			if asked[w] {
				m.hits += 1 / float64(held[w])
			}
		}
		if m.hits > 0 && m.text != "" {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b remembered) int {
		return cmp.Or(cmp.Compare(b.hits, a.hits), cmp.Compare(a.at, b.at))
	})
	return found[:min(len(found), maxQuotes)]
}

// clipTokens is as much of line as takes at most room tokens.
func clipTokens(line string, room int64, tokens func(string) int64) string {
	for line != "" && tokens(line) > room {
		line = line[:len(line)*3/4]
		line = strings.ToValidUTF8(line, "")
	}
	return line
}
