// Package client calls the tools of other programs' MCP servers: those that
// config.toml names, as programs on stdio or over streamable HTTP (design
// sections 12 and 14).
//
// What a server says is untrusted: its descriptions, schemas and results are
// capped, shown with their invisible characters and never trusted to say what
// class a tool has. A server that fails, hangs or floods costs its own calls and
// never the agent. Its results are results of tools named mcp__SERVER__TOOL,
// which learning takes for no reading of a file (design section 11).
//
// It knows the protocol, the official SDK and processes. It must not know the
// environment, the clock, models, sessions or facts: what it needs is handed to
// it. Read Start first, then server.call; wire.go and http.go are the two
// transports, offer.go and result.go what is taken from a server.
package client
