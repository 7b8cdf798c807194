package network

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

// trip is a transport in memory, so that the clock of a bubble can move.
type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// lines is a dialect in which each line is a piece of text and the line "end" the end.
func lines(ctx context.Context, over *http.Client, into *Answer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://near.invalid/", strings.NewReader("q"))
	if err != nil {
		return err
	}
	res, err := over.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b := make([]byte, 64)
	for {
		n, err := res.Body.Read(b)
		for _, line := range strings.Fields(string(b[:n])) {
			if line == "end" {
				into.Finish(provider.FinishStop)
			} else if err := into.Text(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func client(t *testing.T, opts Options) *Client {
	t.Helper()
	c, err := New(provider.Spec{Name: "near", Model: "small", Stall: time.Minute}, "http://near.invalid", opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pipe is a body that write fills, and that ends when the request does.
func pipe(write func(io.Writer)) trip {
	return func(r *http.Request) (*http.Response, error) {
		out, in := io.Pipe()
		stop := context.AfterFunc(r.Context(), func() { in.CloseWithError(r.Context().Err()) })
		go func() {
			defer stop()
			write(in)
			in.Close()
		}()
		return &http.Response{StatusCode: http.StatusOK, Body: out, Header: http.Header{}, Request: r}, nil
	}
}

func TestStall(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(io.Writer)
		says  string
		after time.Duration
		text  string
	}{
		{"within an answer", func(w io.Writer) { io.WriteString(w, "half\n"); time.Sleep(time.Hour) }, "sent nothing for 1m0s", time.Minute, "half"},
		{"before any", func(io.Writer) { time.Sleep(time.Hour) }, "sent nothing for 5m0s", 5 * time.Minute, ""},
		{"slow but alive", func(w io.Writer) {
			for range 10 {
				time.Sleep(59 * time.Second)
				io.WriteString(w, "x\n")
			}
			io.WriteString(w, "end\n")
		}, "", 590 * time.Second, "xxxxxxxxxx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r, err := client(t, Options{Transport: pipe(c.write)}).Call(t.Context(), nil, lines)
				if took := time.Since(start); took != c.after {
					t.Errorf("ended after %s, want %s", took, c.after)
				}
				if c.says == "" && err != nil || c.says != "" && (!errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), c.says)) {
					t.Errorf("error %v, want %q", err, c.says)
				}
				if errors.Is(err, context.Canceled) || r.Text() != c.text {
					t.Errorf("%v, text %q", err, r.Text())
				}
				synctest.Wait()
				time.Sleep(2 * time.Hour) // lets what sleeps above end within the bubble
			})
		})
	}
}

// A server that takes the request and says nothing at all.
func TestStallBeforeHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := trip(func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() })
		start := time.Now()
		_, err := client(t, Options{Transport: silent}).Call(t.Context(), nil, lines)
		if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "5m0s") || time.Since(start) != 5*time.Minute {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

// Who is slow to take the pieces is no silent model.
func TestSlowListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(provider.Delta) error { time.Sleep(time.Hour); return nil }
		r, err := client(t, Options{Transport: pipe(func(w io.Writer) { io.WriteString(w, "a\n"); io.WriteString(w, "b end\n") })}).Call(t.Context(), slow, lines)
		if err != nil || r.Text() != "ab" {
			t.Errorf("%q, %v", r.Text(), err)
		}
	})
}

// The waits between attempts are real ones where none are lent, and end with the context.
func TestWaits(t *testing.T) {
	broken := trip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 503, Body: io.NopCloser(strings.NewReader("")), Header: http.Header{}, Request: r}, nil
	})
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := client(t, Options{Transport: broken}).Call(t.Context(), nil, lines)
		if took := time.Since(start); took != 7*time.Second || !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "after 4 attempts") {
			t.Errorf("%s, %v", took, err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, cancel)
		start := time.Now()
		_, err := client(t, Options{Transport: broken}).Call(ctx, nil, lines)
		if took := time.Since(start); took != 2*time.Second || !errors.Is(err, context.Canceled) || errors.Is(err, plumbing.ErrModel) {
			t.Errorf("%s, %v", took, err)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC) }
	for value, want := range map[string]time.Duration{
		"0": 0, " 3 ": 3 * time.Second, "0.5": 500 * time.Millisecond, "1e300": MaxWait,
		"Wed, 02 Dec 2026 10:00:05 GMT": 5 * time.Second, "Wed, 02 Dec 2026 09:59:00 GMT": -time.Minute,
	} {
		if got, ok := retryAfter(value, now); !ok || got != want {
			t.Errorf("%q: %s, %v", value, got, ok)
		}
	}
	for _, value := range []string{"", "-1", "NaN", "soon"} {
		if got, ok := retryAfter(value, now); ok {
			t.Errorf("%q: %s", value, got)
		}
	}
	if _, ok := retryAfter("Wed, 02 Dec 2026 10:00:05 GMT", nil); ok {
		t.Error("a date was read without a clock")
	}
}

// A body without end is cut off, and an error's body is not read for ever.
func TestEndlessBody(t *testing.T) {
	endless := func(status int) trip {
		return func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Body: io.NopCloser(zeros{}), Header: http.Header{}, Request: r}, nil
		}
	}
	drain := func(ctx context.Context, over *http.Client, _ *Answer) error {
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://near.invalid/", nil)
		res, err := over.Do(req)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, res.Body)
		return err
	}
	for status, says := range map[int]string{200: "more than", 400: "HTTP 400"} {
		_, err := client(t, Options{Transport: endless(status)}).Call(t.Context(), nil, drain)
		if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), says) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
