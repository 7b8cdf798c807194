// Package network is what the models behind HTTP share: one call with its
// attempts, the limits on silence and size, no redirects, failures in words,
// and an answer that is put together from pieces.
//
// It knows HTTP and a provider.Spec. It must not know any provider's dialect,
// the environment or the clock, and no error of it carries a key, a URL or
// anything that a provider said. Start with New and Client.Call.
package network

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

// The limits of a call.
const (
	Attempts     = 4                // of one call, the first included
	MaxWait      = 60 * time.Second // between two attempts, whatever the provider asks for
	DefaultStall = 2 * time.Minute  // without a byte of an answer that has begun
	firstByte    = 5                // stall limits without any byte: the model may have to read a long prompt
	MaxAnswer    = 8 << 20          // bytes of text, reasoning and arguments
	maxBody      = 512 << 20        // bytes of one HTTP answer: a streamed token takes some 250
	maxErrorBody = 1 << 20
)

// Options is what cmd lends to the models behind HTTP; the zero value works.
type Options struct {
	Transport http.RoundTripper                          // nil: one of its own, without proxies
	Sleep     func(context.Context, time.Duration) error // between attempts; nil: a timer
	Now       func() time.Time                           // for a Retry-After that is a date; nil: such a date is not read
}

// Client makes calls to one model.
type Client struct {
	Spec  provider.Spec
	Base  *url.URL // with a slash at its end
	opts  Options
	stall time.Duration
}

// New checks a spec; base is where the type's own provider is. A missing or
// impossible key, and a base URL that is none or has a password in it, wrap
// plumbing.ErrInvalid.
func New(spec provider.Spec, base string, opts Options) (*Client, error) {
	if spec.BaseURL != "" {
		base = spec.BaseURL
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("provider %q has a base_url that cannot be used", spec.Name),
			fmt.Sprintf("providers.%s.base_url is an http or https URL without a password or a query", spec.Name))
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path, u.RawPath = u.Path+"/", ""
	}
	if spec.Key, err = key(spec); err != nil {
		return nil, err
	}
	c := &Client{Spec: spec, Base: u, opts: opts, stall: spec.Stall}
	if c.stall <= 0 {
		c.stall = DefaultStall
	}
	if c.opts.Transport == nil {
		c.opts.Transport = &http.Transport{ForceAttemptHTTP2: true, TLSHandshakeTimeout: 30 * time.Second, IdleConnTimeout: 90 * time.Second}
	}
	if c.opts.Sleep == nil {
		c.opts.Sleep = sleep
	}
	return c, nil
}

// key is the key without the space around it, which a file it was read from may have left.
func key(spec provider.Spec) (string, error) {
	k := strings.TrimSpace(spec.Key)
	if k == "" && spec.KeyEnv != "" {
		return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("provider %q needs a key and %s is not set", spec.Name, spec.KeyEnv),
			fmt.Sprintf("set %s to the key, or name another variable in providers.%s.api_key_env", spec.KeyEnv, spec.Name))
	}
	if strings.IndexFunc(k, func(r rune) bool { return r <= ' ' || r >= 0x7f }) >= 0 {
		return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("what %s holds is not a key: it has spaces or characters beyond ASCII", orKey(spec.KeyEnv)),
			"set it to the key alone")
	}
	return k, nil
}

func orKey(env string) string {
	if env == "" {
		return "the key's variable"
	}
	return env
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Once makes one attempt over the client it is given, which lives no longer
// than the attempt, and puts what comes into the answer.
type Once func(ctx context.Context, over *http.Client, into *Answer) error

// Call makes a call, with further attempts after failures that may pass by
// themselves, as long as nothing of an answer has come: neither a piece, nor
// usage, which a further attempt would count a second time.
func (c *Client) Call(ctx context.Context, on func(provider.Delta) error, once Once) (provider.Response, error) {
	for attempt := 1; ; attempt++ {
		answer := newAnswer(c.Spec.Model, on)
		response, f := c.attempt(ctx, answer, once)
		if f == nil {
			return response, nil
		}
		if !f.passing || answer.begun() || attempt == Attempts {
			return response, c.fail(f, attempt)
		}
		if err := c.opts.Sleep(ctx, c.wait(f, attempt)); err != nil {
			return response, c.fail(c.ended(ctx, &failure{cause: err}), attempt)
		}
	}
}

func (c *Client) attempt(ctx context.Context, answer *Answer, once Once) (provider.Response, *failure) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &watch{next: c.opts.Transport, stall: c.stall, cancel: cancel}
	defer w.close()
	over := &http.Client{Transport: w, CheckRedirect: w.redirect}
	err := once(inner, over, answer)
	if err == nil {
		err = answer.finish()
	}
	if err == nil {
		return answer.response(), nil
	}
	answer.fail()
	return answer.response(), c.ended(ctx, c.judge(err, answer, w))
}

// ended puts the caller's own end before whatever it led to.
func (c *Client) ended(ctx context.Context, f *failure) *failure {
	if ctx.Err() != nil {
		return &failure{cause: ctx.Err()}
	}
	return f
}

// wait is how long to wait before the next attempt.
func (c *Client) wait(f *failure, attempt int) time.Duration {
	wait := time.Second << (attempt - 1)
	if asked, ok := retryAfter(f.retryAfter, c.opts.Now); ok {
		wait = max(asked, 0)
	}
	return min(wait, MaxWait)
}
