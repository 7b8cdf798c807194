package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxStreamed is the most bytes of one event stream, and of all that a server
// sends of its own accord over one connection.
const maxStreamed = 64 << 20

// overHTTP is the streamable HTTP transport. l ends with all its requests.
func (s *server) overHTTP(l *live) sdk.Transport {
	ctx, cancel := context.WithCancel(s.base)
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxResponseHeaderBytes = 1 << 20
	l.polite = true
	l.stop = func() {
		cancel()
		base.CloseIdleConnections()
	}
	g := &guard{base: base, ctx: ctx, cutOff: func(why error) { l.end(why) }}
	return &sdk.StreamableClientTransport{Endpoint: s.set.URL, MaxEventSize: maxMessage,
		HTTPClient: &http.Client{Transport: g, CheckRedirect: sameHost}}
}

// sameHost refuses to be sent to another host, or from TLS to none: what is
// asked of one server is not for another.
func sameHost(r *http.Request, via []*http.Request) error {
	first := via[0].URL
	switch {
	case len(via) > 5:
		return errors.New("it redirects again and again")
	case r.URL.Host != first.Host || r.URL.Scheme != first.Scheme && r.URL.Scheme != "https":
		return errors.New("it redirects to another host, which is refused")
	}
	return nil
}

// guard bounds what comes back over HTTP, and ends it with the connection.
type guard struct {
	base    http.RoundTripper
	ctx     context.Context
	cutOff  func(error)
	unasked atomic.Int64 // bytes of streams that no call asked for
}

// RoundTrip is for http.RoundTripper.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(g.ctx, cancel)
	done := func() {
		stop()
		cancel()
	}
	a, err := g.base.RoundTrip(r.WithContext(ctx))
	if err != nil {
		done()
		return nil, err
	}
	b := &body{ReadCloser: a.Body, done: done, g: g, left: maxMessage, unasked: r.Method == http.MethodGet}
	if kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type")); kind == "text/event-stream" {
		b.left = maxStreamed
	}
	a.Body = b
	return a, nil
}

// body is a response's, which ends the connection where it is too large.
type body struct {
	io.ReadCloser
	done    func()
	g       *guard
	left    int64
	unasked bool
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 || b.unasked && b.g.unasked.Add(int64(n)) > maxStreamed {
		why := fmt.Errorf("it was cut off: an answer of more than %d bytes", maxMessage)
		if b.unasked {
			why = errors.New("it was cut off: a flood of messages that nobody asked for")
		}
		b.g.cutOff(why)
		return 0, why
	}
	return n, err
}

func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
