package network

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

var (
	errRedirect = errors.New("redirected")
	errTooLarge = errors.New("too large")
)

// watch is the transport of one attempt. It notes what failures are told by,
// and ends the attempt where no byte comes. The time in which nobody reads
// does not count: a slow consumer is no silent model.
type watch struct {
	next   http.RoundTripper
	stall  time.Duration
	cancel context.CancelFunc

	status     int
	retryAfter string
	media      string
	err        error // of the connection, not of what came over it
	redirected bool
	tooLarge   bool
	silence    atomic.Int64 // the limit that was met, a time.Duration
	body       io.Closer
}

// redirect refuses to follow: the key and the conversation go where the user said, and nowhere else.
func (w *watch) redirect(*http.Request, []*http.Request) error {
	w.redirected = true
	return errRedirect
}

func (w *watch) timer(d time.Duration) *time.Timer {
	return time.AfterFunc(d, func() {
		w.silence.Store(int64(d))
		w.cancel()
	})
}

// RoundTrip sends a request without the headers in which the SDKs tell about this machine.
func (w *watch) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name := range req.Header {
		if strings.HasPrefix(name, "X-Stainless-") {
			req.Header.Del(name)
		}
	}
	req.Header.Set("User-Agent", "lecode")
	t := w.timer(firstByte * w.stall)
	res, err := w.next.RoundTrip(req)
	t.Stop()
	if err != nil {
		w.err = err
		return nil, err
	}
	w.status, w.retryAfter = res.StatusCode, res.Header.Get("Retry-After")
	w.media, _, _ = strings.Cut(strings.ToLower(res.Header.Get("Content-Type")), ";")
	w.body = res.Body
	left := int64(maxBody)
	if w.status >= 400 {
		left = maxErrorBody
	}
	res.Body = &body{ReadCloser: res.Body, watch: w, left: left, limit: firstByte * w.stall}
	return res, nil
}

func (w *watch) close() {
	if w.body != nil {
		w.body.Close()
	}
}

// body is an HTTP answer that is read under the limits.
type body struct {
	io.ReadCloser
	watch *watch
	left  int64
	limit time.Duration // on the next byte
}

func (b *body) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return b.full()
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	t := b.watch.timer(b.limit)
	n, err := b.ReadCloser.Read(p)
	t.Stop()
	if n > 0 {
		b.limit = b.watch.stall
	}
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.watch.err = err
	}
	return n, err
}

// full ends an error's text quietly, nobody shows it, and an answer with an error.
func (b *body) full() (int, error) {
	if b.watch.status >= 400 {
		return 0, io.EOF
	}
	b.watch.tooLarge = true
	return 0, errTooLarge
}
