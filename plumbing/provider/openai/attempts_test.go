package openai

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

const bad = `{"error":{"message":"the body's words ` + secret + `","type":"t","param":null,"code":null}}`

func TestAttempts(t *testing.T) {
	good := events(head, text("x"), stop, done)
	abort := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	second := time.Second
	for _, c := range []struct {
		name    string
		replies []func(http.ResponseWriter, *http.Request)
		waits   []time.Duration
	}{
		{"429, then an answer", []func(http.ResponseWriter, *http.Request){status(429, bad), good}, []time.Duration{second}},
		{"it says when", []func(http.ResponseWriter, *http.Request){status(429, bad, "Retry-After", "7"), good}, []time.Duration{7 * second}},
		{"it says a date", []func(http.ResponseWriter, *http.Request){status(503, bad, "Retry-After", "Wed, 02 Dec 2026 10:00:20 GMT"), good}, []time.Duration{20 * second}},
		{"it says a date that is over", []func(http.ResponseWriter, *http.Request){status(503, bad, "Retry-After", "Wed, 02 Dec 2026 09:00:00 GMT"), good}, []time.Duration{0}},
		{"it says an hour", []func(http.ResponseWriter, *http.Request){status(429, bad, "Retry-After", "3600"), good}, []time.Duration{network.MaxWait}},
		{"it says nonsense", []func(http.ResponseWriter, *http.Request){status(429, bad, "Retry-After", "-1"), status(429, bad, "Retry-After", "soon"), good}, []time.Duration{second, 2 * second}},
		{"three failures", []func(http.ResponseWriter, *http.Request){status(500, bad), status(502, "<html>"), status(408, ""), good}, []time.Duration{second, 2 * second, 4 * second}},
		{"resets", []func(http.ResponseWriter, *http.Request){abort, abort, good}, []time.Duration{second, 2 * second}},
		{"an error before any answer", []func(http.ResponseWriter, *http.Request){events(`{"error":{"type":"server_error","message":"the body's words"}}`), good}, []time.Duration{second}},
		{"overloaded before any answer", []func(http.ResponseWriter, *http.Request){events(head, `{"error":{"code":"rate_limit_exceeded"}}`), good}, []time.Duration{second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.replies...)
			r, deltas, err := ask(t, s.model(t))
			if err != nil || r.Text() != "x" || len(deltas) != 1 {
				t.Errorf("%+v, %v", r, err)
			}
			if diff := cmp.Diff(c.waits, s.waits); diff != "" {
				t.Error(diff)
			}
			for i, body := range s.bodies {
				if body != s.bodies[0] || len(s.bodies) != len(c.replies) {
					t.Errorf("attempt %d of %d is another request", i+1, len(s.bodies))
				}
			}
		})
	}
}

func TestGivesUp(t *testing.T) {
	for _, c := range []struct {
		name     string
		reply    func(http.ResponseWriter, *http.Request)
		attempts int
		says     string
		hint     string
	}{
		{"for ever", status(500, bad), network.Attempts, "(HTTP 500), after 4 attempts", "later"},
		{"limited", status(429, bad), network.Attempts, "asks to wait (HTTP 429)", "later"},
		{"no credit", status(429, `{"error":{"code":"insufficient_quota","message":"the body's words"}}`), 1, "no credit", "account"},
		{"the request", status(400, bad), 1, "refuses the request (HTTP 400)", "agent.thinking"},
		{"too large", status(400, `{"error":{"code":"context_length_exceeded"}}`), 1, "too large", "agent.context_window"},
		{"the key", status(401, bad), 1, "refuses the key (HTTP 401)", "NEAR_KEY"},
		{"the key too", status(403, ""), 1, "refuses the key (HTTP 403)", "NEAR_KEY"},
		{"the model", status(404, bad), 1, `does not have model "small" (HTTP 404)`, "providers.near.base_url"},
		{"no JSON", status(422, "the body's words"), 1, "(HTTP 422)", ""},
		{"an error that is 200", status(200, `{"error":{"code":401,"message":"the body's words"}}`), 1, "no stream of events", ""},
		{"a web page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<html>the body's words</html>")
		}, 1, "a web page", "providers.near.base_url"},
		{"nothing", events(), 1, "broke off", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.reply)
			r, _, err := ask(t, s.model(t))
			var p *plumbing.Error
			if !errors.Is(err, plumbing.ErrModel) || !errors.As(err, &p) || !strings.Contains(p.Message, c.says) || !strings.Contains(p.Hint, c.hint) {
				t.Errorf("error %v (%+v), want one that says %q and hints %q", err, p, c.says, c.hint)
			}
			if len(s.bodies) != c.attempts || r.Finish != provider.FinishError || r.Usage != nil || r.Blocks != nil {
				t.Errorf("%d attempts, want %d; %+v", len(s.bodies), c.attempts, r)
			}
		})
	}
}

func TestWholeFails(t *testing.T) {
	for says, reply := range map[string]func(http.ResponseWriter, *http.Request){
		"refuses the key (HTTP 401)": status(200, `{"error":{"code":401,"message":"the body's words"}}`),
		"cannot read":                status(200, `{"choices":[`),
		"that lecode cannot read":    status(200, `{"choices":[]}`),
		"broke off":                  status(200, `{"choices":[{"index":0,"message":{"content":"x"}}]}`),
	} {
		_, err := serve(t, reply).model(t).Complete(t.Context(), request(), nil)
		checkError(t, err)
		if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
}

// The key goes to no other address, whatever the server wants.
func TestRedirect(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		s := serve(t, status(code, "", "Location", other.URL+"/v1/chat/completions"))
		_, _, err := ask(t, s.model(t))
		if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "redirects") || strings.Contains(err.Error(), other.URL) || reached || len(s.bodies) != 1 {
			t.Errorf("%d: %v, reached %v", code, err, reached)
		}
	}
}

func TestUnreachable(t *testing.T) {
	s := serve(t, status(500, ""))
	m := s.model(t)
	s.Close()
	_, _, err := ask(t, m)
	if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "nothing listens") || len(s.waits) != 0 {
		t.Errorf("%v, %d waits", err, len(s.waits))
	}
}

func TestNew(t *testing.T) {
	base := provider.Spec{Type: "openai", Name: "near", Model: "small"}
	for _, c := range []struct {
		name   string
		change func(*provider.Spec)
		names  string
	}{
		{"no key", func(s *provider.Spec) { s.KeyEnv = "NEAR_KEY" }, "NEAR_KEY"},
		{"a key of spaces", func(s *provider.Spec) { s.KeyEnv, s.Key = "NEAR_KEY", " \n" }, "NEAR_KEY is not set"},
		{"two lines", func(s *provider.Spec) { s.KeyEnv, s.Key = "NEAR_KEY", secret+"\n"+secret }, "NEAR_KEY"},
		{"a password", func(s *provider.Spec) { s.BaseURL = "https://ada:" + secret + "@example.com/v1" }, "base_url"},
		{"a query", func(s *provider.Spec) { s.BaseURL = "https://example.com/v1?key=" + secret }, "base_url"},
		{"no URL", func(s *provider.Spec) { s.BaseURL = "example.com" }, "base_url"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := base
			c.change(&spec)
			_, err := New(spec, network.Options{})
			checkError(t, err)
			if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), c.names) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// No environment of the SDK's decides anything: no key where none is set, and no other address.
func TestReadsNoEnvironment(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"} {
		t.Setenv(name, secret)
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: "+secret)
	s := serve(t, events(text("x"), stop))
	if _, _, err := ask(t, s.model(t, func(p *provider.Spec) { p.Key, p.KeyEnv = "", "" })); err != nil {
		t.Fatal(err)
	}
	for name, values := range s.headers[0] {
		if strings.Contains(strings.Join(values, " "), secret) {
			t.Errorf("header %s comes from the environment", name)
		}
	}
}
