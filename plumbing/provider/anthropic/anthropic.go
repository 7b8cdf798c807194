// Package anthropic speaks the messages dialect, through Anthropic's own SDK
// and with any base URL.
//
// It knows that dialect, and nothing of attempts, limits and error texts:
// those are network's. It reads no environment and no profile, although the
// SDK would. Start with New.
package anthropic

import (
	"context"
	"errors"
	"net/http"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

// BaseURL is where Anthropic itself is.
const BaseURL = "https://api.anthropic.com/"

type model struct{ client *network.Client }

// New is a model at Anthropic, or at spec.BaseURL. Its errors wrap plumbing.ErrInvalid.
func New(spec provider.Spec, opts network.Options) (provider.Model, error) {
	c, err := network.New(spec, BaseURL, opts)
	if err != nil {
		return nil, err
	}
	return &model{client: c}, nil
}

// Complete is provider.Model's. Even with on nil the answer comes as a stream:
// the provider refuses long ones otherwise, and says the same usage.
func (m *model) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	params, err := m.params(r)
	if err != nil {
		return provider.Response{Finish: provider.FinishError, Model: m.client.Spec.Model}, err
	}
	return m.client.Call(ctx, on, func(ctx context.Context, over *http.Client, into *network.Answer) error {
		// The service alone, since a client of the SDK would read the environment.
		service := sdk.NewMessageService(m.options(over)...)
		s := service.NewStreaming(ctx, params)
		defer s.Close()
		for s.Next() {
			if err := event(s.Current(), into); err != nil {
				return err
			}
		}
		return told(s.Err())
	})
}

func (m *model) options(over *http.Client) []option.RequestOption {
	options := []option.RequestOption{
		option.WithBaseURL(m.client.Base.String()), option.WithHTTPClient(over), option.WithMaxRetries(0),
	}
	if m.client.Spec.Key != "" {
		options = append(options, option.WithAPIKey(m.client.Spec.Key))
	}
	return options
}

// told picks from the SDK's error what the provider says in a code; its text
// stays out. In a stream the HTTP status says nothing, but the error's type does.
func told(err error) error {
	var e *sdk.Error
	if !errors.As(err, &e) {
		return err
	}
	r := network.Reported{Status: e.StatusCode, Quota: e.Type() == sdk.ErrorTypeBillingError}
	if r.Status < 400 {
		r.Status = statusOf(e.Type())
	}
	return r
}

func statusOf(t sdk.ErrorType) int {
	switch t {
	case sdk.ErrorTypeInvalidRequestError:
		return http.StatusBadRequest
	case sdk.ErrorTypeAuthenticationError:
		return http.StatusUnauthorized
	case sdk.ErrorTypePermissionError:
		return http.StatusForbidden
	case sdk.ErrorTypeNotFoundError:
		return http.StatusNotFound
	case sdk.ErrorTypeRateLimitError:
		return http.StatusTooManyRequests
	case sdk.ErrorTypeAPIError:
		return http.StatusInternalServerError
	case sdk.ErrorTypeTimeoutError:
		return http.StatusGatewayTimeout
	case sdk.ErrorTypeOverloadedError:
		return 529
	}
	return 0
}
