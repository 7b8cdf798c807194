package network

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/lecode/lecode/plumbing"
)

// failure is why an attempt failed, in lecode's own words.
type failure struct {
	message    string // follows "provider NAME"
	hint       string
	passing    bool   // may pass by itself
	retryAfter string // as the provider asked
	cause      error  // the caller's own: the end of its context, or what its function returned
}

// Reported is a failure that the provider reports by itself, in a stream or
// in the text beside an HTTP status.
type Reported struct {
	Status   int  // the HTTP status that it has or amounts to; 0: unknown
	Quota    bool // no credit is left: another attempt is in vain
	Overflow bool // the request is larger than the model's window
}

func (r Reported) Error() string { return "reported by the provider" }

// Problem is what is wrong with an answer, in lecode's own words.
type Problem string

func (p Problem) Error() string { return string(p) }

// The problems that several dialects have.
const (
	Cut           = Problem("broke off its answer")
	Unreadable    = Problem("sent an answer that lecode cannot read")
	UnknownFinish = Problem("ended its answer for a reason that lecode does not know")
)

// judge says why an attempt failed. What the watch saw comes before what the
// SDK made of it.
func (c *Client) judge(err error, answer *Answer, w *watch) *failure {
	var reported Reported
	isReported := errors.As(err, &reported)
	var problem Problem
	switch {
	case answer.onErr != nil:
		return &failure{cause: answer.onErr}
	case w.silence.Load() != 0:
		return &failure{message: "sent nothing for " + time.Duration(w.silence.Load()).String(),
			hint: "try again, or see whether it is overloaded"}
	case w.redirected:
		return &failure{message: "redirects to another address, where the key must not go",
			hint: "set " + c.setting("base_url") + " to the address itself"}
	case isReported:
		f := c.status(reported)
		f.retryAfter = w.retryAfter
		return f
	case w.status >= 400:
		f := c.status(Reported{Status: w.status})
		f.retryAfter = w.retryAfter
		return f
	case w.tooLarge:
		return &failure{message: fmt.Sprintf("sent more than %d bytes", int64(maxBody))}
	case w.err != nil:
		return c.connection(w)
	case errors.As(err, &problem):
		return c.problem(problem, answer, w)
	}
	return c.problem(Unreadable, answer, w)
}

func (c *Client) setting(key string) string { return "providers." + c.Spec.Name + "." + key }

// problem is a fault of the answer; a body that is no answer at all is more likely a wrong address.
func (c *Client) problem(p Problem, answer *Answer, w *watch) *failure {
	f := &failure{message: string(p), hint: "try again; if it stays so, the provider does not speak this dialect"}
	switch {
	case w.media == "text/html":
		f.message, f.hint = "sent a web page instead of an answer", "check "+c.setting("base_url")
	case p == Cut && !answer.begun() && w.media != "text/event-stream":
		f.message = "sent no stream of events, or none that ended"
	}
	return f
}

func (c *Client) status(r Reported) *failure {
	f := &failure{message: fmt.Sprintf("refuses the request (HTTP %d)", r.Status)}
	switch {
	case r.Quota || r.Status == http.StatusPaymentRequired:
		f.message, f.hint = c.with("has no credit left for this key", r), "see the account at the provider"
	case r.Overflow:
		f.message = c.with(fmt.Sprintf("says that the request is too large for model %q", c.Spec.Model), r)
		f.hint = "lower agent.context_window to what the model has"
	case r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden:
		f.message, f.hint = c.with("refuses the key", r), c.keyHint()
	case r.Status == http.StatusNotFound:
		f.message = c.with(fmt.Sprintf("does not have model %q", c.Spec.Model), r)
		f.hint = "check the model's name, and " + c.setting("base_url")
	case r.Status == http.StatusRequestTimeout || r.Status == http.StatusTooManyRequests:
		f.message, f.hint, f.passing = c.with("asks to wait", r), "try again later", true
	case r.Status == 0:
		f.message, f.hint = "reports an error instead of an answer", "try again"
	case r.Status >= 500:
		f.message, f.hint, f.passing = c.with("failed", r), "try again later", true
	default:
		f.hint = fmt.Sprintf("model %q may not take what was sent: check agent.thinking, tools and attachments", c.Spec.Model)
	}
	return f
}

func (c *Client) with(message string, r Reported) string {
	if r.Status == 0 {
		return message
	}
	return fmt.Sprintf("%s (HTTP %d)", message, r.Status)
}

func (c *Client) keyHint() string {
	if c.Spec.KeyEnv == "" {
		return "name the variable that holds the key in " + c.setting("api_key_env")
	}
	return "check the key in " + c.Spec.KeyEnv
}

// connection is a failure below HTTP; only the host is named, as the user wrote it.
func (c *Client) connection(w *watch) *failure {
	check := "check the network and " + c.setting("base_url")
	if w.status != 0 {
		return &failure{message: string(Cut), hint: "try again", passing: true}
	}
	f := &failure{message: fmt.Sprintf("cannot be reached at %s", c.Base.Host), hint: check}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(w.err, &dns):
		f.message += ": no such host"
	case errors.Is(w.err, syscall.ECONNREFUSED):
		f.message, f.hint = f.message+": nothing listens there", "start the server, or "+check
	case isCertificate(w.err):
		f.message += ": its certificate is not trusted"
	case errors.Is(w.err, syscall.ECONNRESET), errors.Is(w.err, syscall.EPIPE), errors.Is(w.err, io.EOF), errors.Is(w.err, io.ErrUnexpectedEOF):
		f.message, f.passing = f.message+": the connection was closed", true
	case errors.As(w.err, &timeout) && timeout.Timeout():
		f.message, f.passing = f.message+": no connection in time", true
	}
	return f
}

func isCertificate(err error) bool {
	var verify *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	return errors.As(err, &verify) || errors.As(err, &unknown)
}

// fail is a failure as an error (plumbing.ErrModel), or the caller's own.
func (c *Client) fail(f *failure, attempts int) error {
	named := fmt.Sprintf("provider %q", c.Spec.Name)
	switch {
	case errors.Is(f.cause, context.DeadlineExceeded):
		return &plumbing.Error{Kind: plumbing.ErrModel, Message: named + " did not answer in the time it was given", Hint: "try again", Cause: f.cause}
	case f.cause != nil:
		return fmt.Errorf("ask %s: %w", named, f.cause)
	}
	message := named + " " + f.message
	if attempts > 1 {
		message += fmt.Sprintf(", after %d attempts", attempts)
	}
	return plumbing.Fail(plumbing.ErrModel, message, f.hint)
}

// retryAfter reads the header: seconds, or a date.
func retryAfter(value string, now func() time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, MaxWait.Seconds()) * float64(time.Second)), true
	}
	if now == nil {
		return 0, false
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return date.Sub(now()), true
}
