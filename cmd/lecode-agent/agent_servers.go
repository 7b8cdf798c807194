package main

import (
	"context"
	"os"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/mcp/client"
	"github.com/lecode/lecode/porcelain/slash"
)

// addServers starts the MCP servers and gives the agent their tools, which are
// asked for at each prompt: the first waits for those that connect, at most
// their own time limit.
func (w *wiring) addServers(ctx context.Context) error {
	settings, err := w.settings()
	if err != nil || len(settings.MCP) == 0 {
		return err
	}
	w.servers = client.Start(context.WithoutCancel(ctx), client.Options{
		Servers: settings.MCP, Env: os.Environ(), Dir: w.root(), Version: cli.Version(), Now: w.e.Now(),
		OnNotice: func(text string) { w.deps.On(agent.Notice{Text: text}) },
	})
	w.parts = append(w.parts, func() {
		if err := w.servers.Close(); err != nil {
			w.e.Note("%v", err)
		}
	})
	w.deps.Guests = w.servers.Tools
	return ctx.Err()
}

// serversNow is how the MCP servers stand.
func (w *wiring) serversNow() []slash.Server {
	settings, err := w.settings()
	if err != nil || w.servers == nil {
		return nil
	}
	var list []slash.Server
	for _, s := range w.servers.Servers() {
		how := settings.MCP[s.Name].URL
		if how == "" {
			how = strings.Join(settings.MCP[s.Name].Command, " ")
		}
		list = append(list, slash.Server{Name: s.Name, How: how, State: string(s.State), Error: s.Error, Class: s.Class, Tools: s.Tools})
	}
	return list
}
