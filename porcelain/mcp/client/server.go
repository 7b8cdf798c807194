package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

const (
	restartAfter = time.Minute // from one start to the next
	grace        = time.Second // for what should have ended with its context
	// legacy is the protocol that is spoken first: every server in use knows its
	// handshake, and some never answer, or end at, the newer one.
	legacy = "2025-11-25"
)

// server is one server of the configuration.
type server struct {
	name  string
	set   config.Server
	class permission.Class
	o     Options
	base  context.Context // that it lives in
	limit time.Duration

	changed atomic.Bool // its tools, since they were last listed

	mu       sync.Mutex
	state    State
	why      string // it is not ready
	live     *live
	offered  []agent.Tool
	attempt  chan struct{} // closed when the start under way has ended
	started  time.Time     // when the last start began
	stderr   *tail
	noticed  string // the last notice about its tools
	starting *attempting
}

// attempting is a start under way, to be ended.
type attempting struct{ cancel context.CancelFunc }

func newServer(ctx context.Context, name string, o Options) *server {
	second := o.second
	if second <= 0 {
		second = time.Second
	}
	s := &server{name: name, set: o.Servers[name], o: o, base: ctx, class: permission.Network, stderr: &tail{}, state: Failed}
	switch c := permission.Class(s.set.Class); c {
	case permission.Read, permission.Write, permission.Execute:
		s.class = c
	}
	s.limit = time.Duration(max(s.set.TimeoutSeconds, 1)) * second
	if !s.set.Enabled {
		s.state = Disabled
	}
	return s
}

// begin starts it in the background; mu is held.
func (s *server) begin() {
	if s.state == Disabled || s.state == Closed || s.attempt != nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.base, s.limit)
	s.state, s.why, s.started = Connecting, "", s.o.Now()
	s.attempt, s.starting = make(chan struct{}), &attempting{cancel}
	go func() {
		defer cancel()
		l, tools, err := s.start(ctx)
		if err != nil && ctx.Err() != nil && s.base.Err() == nil {
			err = fmt.Errorf("it did not come up within its time limit of %v", s.limit)
		}
		s.settle(l, tools, err)
	}()
}

// settle keeps what a start has come to.
func (s *server) settle(l *live, tools []agent.Tool, err error) {
	s.mu.Lock()
	closed := s.state == Closed
	if !closed && err == nil {
		s.state, s.live, s.offered = Ready, l, tools
	} else if !closed {
		s.state, s.why = Failed, said(err)
	}
	why, attempt := s.why, s.attempt
	s.starting = nil
	s.mu.Unlock()
	switch {
	case closed && l != nil:
		l.end(errClosed)
	case !closed && err != nil:
		s.notice("mcp server " + s.name + " is not available: " + why)
	}
	// Whoever waits for the start goes on once it was said what became of it.
	s.mu.Lock()
	if s.attempt == attempt {
		s.attempt = nil
	}
	s.mu.Unlock()
	close(attempt)
}

// start connects and asks for the tools.
func (s *server) start(ctx context.Context) (*live, []agent.Tool, error) {
	l, err := s.dial(ctx, legacy)
	var refused *jsonrpc.Error
	if err != nil && errors.As(err, &refused) && !unreached(err) && ctx.Err() == nil {
		l, err = s.dial(ctx, "") // one that knows only the newer handshake
	}
	if err != nil {
		return nil, nil, err
	}
	s.changed.Store(false)
	var tools []agent.Tool
	err = l.bounded(ctx, func() (err error) {
		tools, err = s.list(ctx, l)
		return err
	})
	if err != nil {
		if l.ended() {
			err = l.why
		}
		l.end(err)
		return nil, nil, fmt.Errorf("it does not say what tools it has: %w", err)
	}
	return l, tools, nil
}

// await waits for a start that is under way.
func (s *server) await(ctx context.Context) {
	s.mu.Lock()
	attempt := s.attempt
	s.mu.Unlock()
	if attempt == nil {
		return
	}
	select {
	case <-attempt:
	case <-ctx.Done():
	}
}

// up is the connection, after a start again where it has ended and may be started.
func (s *server) up(ctx context.Context) (*live, error) {
	for range 2 {
		s.await(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.mu.Lock()
		s.look()
		l, why, state := s.live, s.why, s.state
		again := state == Failed && s.o.Now().Sub(s.started) >= restartAfter
		if again {
			s.begin()
		}
		s.mu.Unlock()
		switch {
		case l != nil && state == Ready:
			return l, nil
		case state == Connecting || again:
		default:
			return nil, s.dead(why)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return nil, s.dead(s.why)
}

// look notes that the connection has ended; mu is held.
func (s *server) look() {
	if s.state == Ready && s.live.ended() {
		s.state, s.why, s.live = Failed, said(s.live.why), nil
	}
}

func (s *server) dead(why string) error {
	if why == "" {
		why = "it is not connected"
	}
	return plumbing.Fail(plumbing.ErrRefused, "mcp server "+s.name+" is not available: "+why,
		"go on without it; it is started again at a call, at most once a minute")
}

// tools are those that it offers now.
func (s *server) tools(ctx context.Context) []agent.Tool {
	s.await(ctx)
	s.mu.Lock()
	s.look()
	l, state := s.live, s.state
	s.mu.Unlock()
	if state == Ready && s.changed.Swap(false) {
		s.relist(ctx, l)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.offered) // those of one that has ended too: a call starts it again
}

// relist asks for the tools again; where that fails the old ones stay.
func (s *server) relist(ctx context.Context, l *live) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	var tools []agent.Tool
	err := l.bounded(ctx, func() (err error) {
		tools, err = s.list(ctx, l)
		return err
	})
	if err != nil {
		s.changed.Store(true)
		s.notice("mcp server " + s.name + " does not say what tools it has now: " + said(err))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offered = tools
}

// call calls a tool by the server's own name for it.
func (s *server) call(ctx context.Context, tool string, arguments []byte) (agent.Result, error) {
	l, err := s.up(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	var got *sdk.CallToolResult
	err = l.bounded(limited, func() (err error) {
		got, err = l.session.CallTool(limited, &sdk.CallToolParams{Name: tool, Arguments: rawObject(arguments)})
		return err
	})
	if err == nil {
		return resultOf(got), nil
	}
	if ctx.Err() != nil {
		return agent.Result{}, ctx.Err()
	}
	if limited.Err() != nil {
		return agent.Result{}, plumbing.Fail(plumbing.ErrBusy, fmt.Sprintf("mcp server %s did not answer within %v", s.name, s.limit),
			"ask for less at once, or raise mcp."+s.name+".timeout_seconds in config.toml")
	}
	return s.failed(l, err)
}

// failed says why a call got no result: the server's own error is one.
func (s *server) failed(l *live, err error) (agent.Result, error) {
	var answered *jsonrpc.Error
	isAnswer := errors.As(err, &answered) && answered.Code != codeRejected
	if unreached(err) || errors.Is(err, sdk.ErrConnectionClosed) {
		l.end(err)
	}
	switch {
	case l.ended():
		return agent.Result{}, s.dead(said(l.why))
	case isAnswer:
		return agent.Result{Text: capped("the server answers with an error: "+answered.Message) + "\n", IsError: true}, nil
	}
	return agent.Result{}, plumbing.Fail(plumbing.ErrRefused, "mcp server "+s.name+" gave no answer that can be used: "+said(err), "go on without this tool")
}

// codeRejected is the SDK's, for what did not get through to a server.
const codeRejected = -32005

// unreached: the request did not reach a server.
func unreached(err error) bool {
	var u *url.Error
	return errors.As(err, &u)
}

// said is an error for a person: short, visible, and without the URL, which may
// have a key in it.
func said(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return prompt.Show(clip(strings.ToValidUTF8(err.Error(), "�"), 512))
}

func (s *server) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look()
	return Status{Name: s.name, State: s.state, Class: string(s.class), Tools: len(s.offered), Error: s.why, Stderr: prompt.Show(s.stderr.String())}
}

// close ends it for good, and waits for that.
func (s *server) close() {
	s.mu.Lock()
	l, attempt := s.live, s.attempt
	if s.starting != nil {
		s.starting.cancel()
	}
	if s.state != Disabled {
		s.state, s.why = Closed, ""
	}
	s.live, s.offered = nil, nil
	s.mu.Unlock()
	if l != nil {
		l.farewell()
		l.end(errClosed)
	}
	if attempt != nil {
		<-attempt
	}
}

func (s *server) notice(text string) {
	if s.o.OnNotice != nil && s.base.Err() == nil {
		s.o.OnNotice(prompt.Show(text))
	}
}
