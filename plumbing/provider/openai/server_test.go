package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

const secret = "sk-very-secret-0123456789"

// server speaks the dialect: the nth request gets the nth reply, the last for all that follow.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	replies []func(w http.ResponseWriter, r *http.Request)
	bodies  []string
	headers []http.Header
	waits   []time.Duration
}

func serve(t *testing.T, replies ...func(http.ResponseWriter, *http.Request)) *server {
	t.Helper()
	s := &server{replies: replies}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := min(len(s.bodies), len(s.replies)-1)
		s.bodies, s.headers = append(s.bodies, string(body)), append(s.headers, r.Header.Clone())
		reply := s.replies[n]
		s.mu.Unlock()
		if r.URL.Path != "/v1/chat/completions" {
			t.Errorf("path %s", r.URL.Path)
		}
		reply(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// model is a model at the server whose waits between attempts are noted and not waited.
func (s *server) model(t *testing.T, change ...func(*provider.Spec)) provider.Model {
	t.Helper()
	spec := provider.Spec{Type: "openai", Name: "near", Model: "small", BaseURL: s.URL + "/v1", Key: secret, KeyEnv: "NEAR_KEY"}
	for _, c := range change {
		c(&spec)
	}
	m, err := New(spec, network.Options{
		Sleep: func(ctx context.Context, d time.Duration) error { s.waits = append(s.waits, d); return ctx.Err() },
		Now:   func() time.Time { return time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// events is a reply that streams events, the last of them [DONE] unless cut.
func events(list ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range list {
			if !strings.HasPrefix(e, ":") {
				e = "data: " + e
			}
			fmt.Fprintf(w, "%s\n\n", e)
			w.(http.Flusher).Flush()
		}
	}
}

func status(code int, body string, headers ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// request is a question, with the cap that tests look for.
func request() provider.Request {
	return provider.Request{MaxOutputTokens: 321, System: "be brief",
		Messages: []provider.Message{{Role: provider.RoleUser, Content: []provider.Block{provider.Text("why?")}}}}
}

// ask streams and returns the pieces too; whatever error comes is searched for secrets.
func ask(t *testing.T, m provider.Model) (provider.Response, []provider.Delta, error) {
	t.Helper()
	var deltas []provider.Delta
	r, err := m.Complete(t.Context(), request(), func(d provider.Delta) error {
		deltas = append(deltas, d)
		return nil
	})
	checkError(t, err)
	return r, deltas, err
}

// checkError looks for the key, the address and the provider's words in all
// that can be got out of an error.
func checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	all := fmt.Sprintf("%v %+v %#v", err, err, err)
	var walk func(error)
	walk = func(e error) {
		all += fmt.Sprintf(" %v %+v %#v %s", e, e, e, dump(reflect.ValueOf(e), 0))
		switch u := e.(type) {
		case interface{ Unwrap() error }:
			if u.Unwrap() != nil {
				walk(u.Unwrap())
			}
		case interface{ Unwrap() []error }:
			for _, e := range u.Unwrap() {
				walk(e)
			}
		}
	}
	walk(err)
	for _, word := range []string{secret, "Bearer", "the body's words"} {
		if strings.Contains(all, word) {
			t.Errorf("an error holds %q", word)
		}
	}
	var p *plumbing.Error
	if errors.As(err, &p) && p.Hint == "" {
		t.Errorf("no way out beside %q", p.Message)
	}
}

// dump prints what hangs on pointers, which %#v does not follow.
func dump(v reflect.Value, depth int) string {
	if depth > 6 || !v.IsValid() {
		return ""
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return dump(v.Elem(), depth+1)
	case reflect.Struct:
		s := ""
		for i := range v.NumField() {
			s += dump(v.Field(i), depth+1)
		}
		return s
	}
	return fmt.Sprint(v)
}

func ptr[T any](v T) *T { return &v }
