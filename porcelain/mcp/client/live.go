package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// errClosed is why a connection ended that Close has ended.
var errClosed = errors.New("it was closed")

// live is one connection to a server.
type live struct {
	session *sdk.ClientSession
	stop    func() // ends it at once, with all that belongs to it
	polite  bool   // the server is told of the end

	once sync.Once
	why  error         // that it has ended; set before done is closed
	done chan struct{} // closed when it has ended
}

// end ends the connection, if it has not ended. It may be called by anybody.
func (l *live) end(why error) {
	l.once.Do(func() {
		l.why = why
		close(l.done)
	})
	l.stop()
}

func (l *live) ended() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// bounded does something that should end with ctx. What does not, such as a
// write to a server that reads nothing, costs the connection.
func (l *live) bounded(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case err := <-done:
		return err
	case <-late.C:
		l.end(errors.New("it was cut off: it takes no messages"))
		<-done // what do writes must not be written after this returns
		return ctx.Err()
	}
}

// farewell tells a server over HTTP that its session ends, and waits a little.
func (l *live) farewell() {
	if !l.polite || l.ended() {
		return
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		_ = l.session.Close()
	}()
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-told:
	case <-late.C:
	}
}

// dial connects, with a protocol version or, where it is "", with the newest.
func (s *server) dial(ctx context.Context, version string) (*live, error) {
	l := &live{done: make(chan struct{})}
	var transport sdk.Transport
	if s.set.URL != "" {
		transport = s.overHTTP(l)
	} else {
		p, err := startProgram(s.set, s.o, s.stderr)
		if err != nil {
			return nil, err
		}
		l.stop = p.kill
		transport = &wire{p: p, l: l, most: cmp.Or(s.o.unasked, maxUnasked)}
	}
	// Nothing of a start outlives its time: what blocks in it is let go.
	hurry := context.AfterFunc(ctx, func() { l.end(context.Cause(ctx)) })
	session, err := s.client(version).Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if !hurry() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		if l.ended() && ctx.Err() == nil && !errors.Is(l.why, errClosed) {
			err = l.why // it says more than that the connection is closed
		}
		l.end(err)
		return nil, err
	}
	l.session = session
	go func() {
		_ = session.Wait()
		l.end(errors.New("the connection has ended"))
	}()
	return l, nil
}

// client is the SDK's, which offers a server nothing: no roots, no model, no questions.
func (s *server) client(version string) *sdk.Client {
	c := sdk.NewClient(&sdk.Implementation{Name: "lecode", Version: s.o.Version}, &sdk.ClientOptions{
		Capabilities:           &sdk.ClientCapabilities{},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { s.changed.Store(true) },
		MultiRoundTrip:         &sdk.MultiRoundTripOptions{Disabled: true},
	})
	c.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			switch {
			case passes(method):
				return next(ctx, method, req)
			case strings.HasPrefix(method, "notifications/"):
				return nil, nil
			}
			return nil, refusal(method)
		}
	})
	return c
}

// passes: what a server may say that is no answer.
func passes(method string) bool {
	switch method {
	case "ping", "notifications/tools/list_changed", "notifications/subscriptions/acknowledged":
		return true
	}
	return false
}

func refusal(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("this client does not do %q", clip(method, 64))}
}
