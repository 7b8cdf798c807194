package memory

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/session"
)

// How far FirstWords looks, and how much it gives.
const (
	firstRecords = 20
	firstBytes   = 80
)

// FirstWords is what a session that has no title is known by: the beginning of
// the first thing that somebody typed in it, in one line. What was undone or
// forgotten is not it. It is "" where there is nothing of the kind, or the
// session cannot be read.
func FirstWords(ctx context.Context, sessions *session.Store, ex session.Exclusions, id string) string {
	log, err := sessions.Open(ctx, id)
	if err != nil {
		return ""
	}
	defer log.Close()
	visible, err := log.Visibility(ex)
	if err != nil {
		return ""
	}
	for seq := int64(1); seq <= min(log.Last(), firstRecords); seq++ {
		e, err := log.Entry(seq)
		if err != nil {
			return ""
		}
		if !e.Typed() || !visible.Shows(e, session.Durable) {
			continue
		}
		line, err := log.Record(seq)
		if err != nil {
			return ""
		}
		if words := typed(line); words != "" {
			return words
		}
	}
	return ""
}

// typed is the beginning of the words of a message.
func typed(line []byte) string {
	var b strings.Builder
	gjson.GetBytes(line, "content").ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "text" {
			b.WriteString(block.Get("text").Str + " ")
		}
		return b.Len() < 4*firstBytes
	})
	words := strings.Join(strings.Fields(b.String()), " ")
	if len(words) > firstBytes {
		words = strings.ToValidUTF8(words[:firstBytes], "") + "…"
	}
	return words
}
