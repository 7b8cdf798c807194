package client

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
)

// Options is what a client works with.
type Options struct {
	Servers map[string]config.Server // by NAME, as config.toml has them
	// Env is what programs get for an environment, besides the env of the
	// configuration and LECODE_READONLY=1 (design section 7).
	Env      []string
	Dir      string // where programs run, absolute
	Version  string // of lecode, which servers are told
	Now      func() time.Time
	OnNotice func(string) // gets lines for a person, from several goroutines; may be nil

	second  time.Duration // what a second of a time limit is; 0: a second
	unasked int           // messages between two answers; 0: maxUnasked
}

// State is how it stands with a server.
type State string

// The states.
const (
	Connecting State = "connecting"
	Ready      State = "ready"
	Failed     State = "failed" // it did not come up, or has ended; the next call may start it again
	Disabled   State = "disabled"
	Closed     State = "closed"
)

// Status is how one server stands, for a listing. Its texts are made visible.
type Status struct {
	Name  string
	State State
	Class string // of its tools
	Tools int    // that are offered
	Error string // why it is not there; "": it is
	// Stderr is the end of what a program has written to stderr, at most 4 KiB.
	Stderr string
}

// Client holds the servers.
type Client struct {
	servers []*server // by name
	notify  func(string)
	stop    func() // ends what depends on the context
	release func() bool

	mu   sync.Mutex
	last string // notice about names that collide, so that it is given once
}

// Start begins to connect to all servers and returns at once. A server that does
// not come up within its timeout_seconds is a notice. All ends with ctx; Close
// waits for the end.
func Start(ctx context.Context, o Options) *Client {
	ctx, stop := context.WithCancel(ctx)
	c := &Client{notify: o.OnNotice, stop: stop}
	if c.notify == nil {
		c.notify = func(string) {}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Servers)) {
		s := newServer(ctx, name, o)
		c.servers = append(c.servers, s)
		s.mu.Lock()
		s.begin()
		s.mu.Unlock()
	}
	c.release = context.AfterFunc(ctx, c.shut)
	return c
}

// Tools are the tools of all servers that are there, by name. It waits for those
// that still connect, at most their time limit and until ctx ends, and asks those
// again that said that their tools changed.
func (c *Client) Tools(ctx context.Context) []agent.Tool {
	lists := make([][]agent.Tool, len(c.servers))
	c.each(func(i int, s *server) { lists[i] = s.tools(ctx) })
	var all []agent.Tool
	seen := map[string]bool{}
	for i, list := range lists {
		for _, t := range list {
			if seen[t.Name] {
				c.once(fmt.Sprintf("mcp server %s: a tool was left out, another server has one of the name %s", c.servers[i].name, t.Name))
				continue
			}
			seen[t.Name] = true
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b agent.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// once gives a notice, unless it was the last of its kind.
func (c *Client) once(text string) {
	c.mu.Lock()
	again := c.last == text
	c.last = text
	c.mu.Unlock()
	if !again {
		c.notify(prompt.Show(text))
	}
}

// Servers is how the servers stand, by name.
func (c *Client) Servers() []Status {
	list := make([]Status, len(c.servers))
	for i, s := range c.servers {
		list[i] = s.status()
	}
	return list
}

// Close ends all servers: programs with their process groups, connections after
// the server was told, within about a second. It may be called again.
func (c *Client) Close() error {
	c.release()
	c.shut()
	c.stop()
	return nil
}

func (c *Client) shut() { c.each(func(_ int, s *server) { s.close() }) }

// each does something for all servers at once and waits for it.
func (c *Client) each(do func(int, *server)) {
	var all sync.WaitGroup
	for i, s := range c.servers {
		all.Go(func() { do(i, s) })
	}
	all.Wait()
}
