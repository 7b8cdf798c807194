package compact

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

// maxBytesPerToken bounds a summary whose provider says how many tokens it has:
// more bytes a token than prose of any language takes.
const maxBytesPerToken = 6

// summaryOf is the summary that a response holds. One that is empty or blank,
// over the cap, cut off, refused, or that calls a tool is plumbing.ErrModel.
//
// The cap is in tokens. Where the provider says how many the answer took, that
// counts, within maxBytesPerToken; else the estimate does, which is never under.
func (d Deps) summaryOf(r provider.Response, limits Limits) (string, error) {
	bad := func(format string, a ...any) (string, error) {
		return "", plumbing.Fail(plumbing.ErrModel, "the summary was rejected: "+fmt.Sprintf(format, a...),
			"nothing is lost, the session stays as it was; try again, or use another model")
	}
	for _, b := range r.Blocks {
		switch b.Type {
		case provider.TypeText, provider.TypeReasoning:
		case provider.TypeToolCall:
			return bad("it calls a tool")
		default:
			return bad("it holds a block that no summary has")
		}
	}
	if r.Finish != provider.FinishStop {
		return bad("it did not end by itself (finish reason %s)", r.Finish)
	}
	text := strings.TrimSpace(r.Text())
	if strings.TrimFunc(text, unseen) == "" {
		return bad("it is empty")
	}
	switch over, reported := d.over(text, r.Usage, limits.MaxOutputTokens); {
	case over && reported:
		return bad("it has %d bytes and %d tokens, the cap is %d tokens", len(text), *r.Usage.OutputTokens, limits.MaxOutputTokens)
	case over:
		return bad("it has %d bytes, about %d tokens, the cap is %d", len(text), d.tokens(text), limits.MaxOutputTokens)
	}
	return text, nil
}

func unseen(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }

// over reports whether a text is longer than the cap, and whether the provider's own count says how long it is.
func (d Deps) over(text string, u *provider.Usage, limit int64) (over, reported bool) {
	if u == nil || u.OutputTokens == nil {
		return int64(len(text)) > maxBytesPerToken*limit || d.tokens(text) > limit, false
	}
	return *u.OutputTokens > limit || int64(len(text)) > maxBytesPerToken*limit, true
}
