// Package agent is the runner (design section 12; seed, every passage on it):
// the turn over plumbing packages, its children, chains and hand-overs.
//
// It knows sessions, the memory, requests and permissions. It must not know the
// terminal, the environment, which model or tools there are, or how anything is
// drawn: those come in as values, and what happens goes out as events.
//
// Read Agent.Prompt first, then turn.go.
package agent
