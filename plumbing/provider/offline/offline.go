package offline

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/provider"
)

// ModelName is what a response names as its model.
const ModelName = "offline"

// Options says how the answers are measured.
type Options struct {
	// Tokens is the estimate that the caller will check an answer with
	// (budget.Tokens); nil: one token for each begun 3 bytes, and 1.3 bytes for
	// what is not ASCII.
	Tokens func(text string) int64
}

// New is the built-in model. What it answers is at most MaxOutputTokens of the
// request by opt.Tokens, and never empty unless not even one line fits.
func New(opt Options) provider.Model {
	if opt.Tokens == nil {
		opt.Tokens = threeBytes
	}
	return model{opt}
}

type model struct{ Options }

// Complete answers; its only failures are a cancelled context and on's own.
// The usage says 0 tokens and cost 0: nothing was asked of anybody, and that is
// known, unlike what a provider does not say.
func (m model) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	if err := ctx.Err(); err != nil {
		return provider.Response{Finish: provider.FinishError, Model: ModelName, Usage: nothing()}, err
	}
	text := m.answer(r)
	response := provider.Response{
		Blocks: []provider.Block{provider.Text(text)},
		Finish: provider.FinishStop,
		Model:  ModelName,
		Usage:  nothing(),
	}
	if on == nil {
		return response, nil
	}
	if err := stream(ctx, text, on); err != nil {
		response.Finish = provider.FinishError
		return response, err
	}
	return response, nil
}

func (m model) answer(r provider.Request) string {
	if in, ok := readFrame(r); ok {
		return Summary(in, r.MaxOutputTokens, m.Tokens)
	}
	if records, ok := readLearn(r); ok {
		return extraction(records, r.MaxOutputTokens, m.Tokens)
	}
	return answer(r, m.Tokens)
}

// stream hands out text line by line.
func stream(ctx context.Context, text string, on func(provider.Delta) error) error {
	for line := range strings.Lines(text) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := on(provider.Delta{Text: line}); err != nil {
			return err
		}
	}
	return nil
}

func nothing() *provider.Usage {
	var zero, in, out int64
	var cost float64
	return &provider.Usage{CacheReadTokens: &zero, CacheWriteTokens: &zero, Cost: &cost, InputTokens: &in, OutputTokens: &out}
}

// threeBytes is the estimate where none is given.
func threeBytes(text string) int64 {
	ascii, other := 0, 0
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return int64((ascii+2)/3 + (other*10+12)/13)
}
