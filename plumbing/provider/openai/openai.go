// Package openai speaks the chat completions dialect, through OpenAI's own SDK
// and with any base URL: OpenAI, OpenRouter, Gemini's compatible endpoint,
// Ollama, llama.cpp, vLLM.
//
// It knows that dialect and its variants, and nothing of attempts, limits and
// error texts: those are network's. It reads no environment, although the SDK
// would. Start with New.
package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

// BaseURL is where OpenAI itself is.
const BaseURL = "https://api.openai.com/v1/"

type model struct {
	client  *network.Client
	variant variant
}

// variant is what servers of the dialect do not agree on.
type variant struct {
	completionTokens bool // the cap is max_completion_tokens, not max_tokens
	accounting       bool // usage with cost has to be asked for
}

// New is a model at OpenAI, or at spec.BaseURL. Its errors wrap plumbing.ErrInvalid.
func New(spec provider.Spec, opts network.Options) (provider.Model, error) {
	c, err := network.New(spec, BaseURL, opts)
	if err != nil {
		return nil, err
	}
	host := c.Base.Hostname()
	return &model{client: c, variant: variant{
		completionTokens: host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com"),
		accounting:       host == "openrouter.ai" || strings.HasSuffix(host, ".openrouter.ai"),
	}}, nil
}

// Complete is provider.Model's. With on nil the answer is asked for whole,
// since some servers say no usage in a stream.
func (m *model) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	params, err := m.params(r)
	if err != nil {
		return provider.Response{Finish: provider.FinishError, Model: m.client.Spec.Model}, err
	}
	return m.client.Call(ctx, on, func(ctx context.Context, over *http.Client, into *network.Answer) error {
		// The service alone, since a client of the SDK would read the environment.
		service := sdk.NewChatCompletionService(m.options(over)...)
		if on == nil {
			return whole(ctx, &service, params, into)
		}
		return stream(ctx, &service, params, into)
	})
}

func (m *model) options(over *http.Client) []option.RequestOption {
	options := []option.RequestOption{
		option.WithBaseURL(m.client.Base.String()), option.WithHTTPClient(over), option.WithMaxRetries(0),
	}
	if m.client.Spec.Key != "" {
		options = append(options, option.WithAPIKey(m.client.Spec.Key))
	}
	if m.variant.accounting {
		options = append(options, option.WithJSONSet("usage", map[string]any{"include": true}))
	}
	return options
}

func stream(ctx context.Context, service *sdk.ChatCompletionService, params sdk.ChatCompletionNewParams, into *network.Answer) error {
	params.StreamOptions = sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)}
	s := service.NewStreaming(ctx, params).WithEventsMode()
	defer s.Close()
	for s.Next() {
		if err := chunk(s.Current(), into); err != nil {
			return err
		}
	}
	return told(s.Err())
}

func whole(ctx context.Context, service *sdk.ChatCompletionService, params sdk.ChatCompletionNewParams, into *network.Answer) error {
	c, err := service.New(ctx, params)
	if err != nil {
		return told(err)
	}
	return completion(c, into)
}

// told picks from the SDK's error what the provider says in a code; its text stays out.
func told(err error) error {
	var e *sdk.Error
	if !errors.As(err, &e) {
		return err
	}
	return network.Reported{Status: e.StatusCode, Quota: isQuota(e.Code, e.Type), Overflow: isOverflow(e.Code)}
}

func isQuota(codes ...string) bool {
	for _, c := range codes {
		if c == "insufficient_quota" || c == "billing_hard_limit_reached" {
			return true
		}
	}
	return false
}

func isOverflow(code string) bool { return code == "context_length_exceeded" }

// reported reads an error object inside an answer: a string, or an object
// whose code is a number, as HTTP has it, or a word. null is none.
func reported(raw string) error {
	e := gjson.Parse(raw)
	if raw == "" || e.Type == gjson.Null || e.Type == gjson.False {
		return nil
	}
	code, typ := e.Get("code"), e.Get("type").Str
	r := network.Reported{Status: int(code.Int()), Quota: isQuota(code.Str, typ), Overflow: isOverflow(code.Str)}
	switch {
	case r.Status != 0:
	case code.Str == "rate_limit_exceeded" || typ == "rate_limit_error":
		r.Status = http.StatusTooManyRequests
	case typ == "server_error" || typ == "overloaded_error" || code.Str == "server_error":
		r.Status = http.StatusServiceUnavailable
	}
	if r.Status < 400 || r.Status > 599 {
		r.Status = 0
	}
	return r
}
