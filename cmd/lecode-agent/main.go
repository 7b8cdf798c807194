// Command lecode-agent is the part of lecode that needs models, their catalog
// or MCP, which start slower than plumbing may: one file a command. lecode
// hands such commands over, so that a user sees one program.
package main

import (
	"os"

	"github.com/lecode/lecode/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Program{Name: cli.ProgramAgent, Grammar: grammar}.Main())
}

// grammar returns what one command takes; only the one that was asked for is built.
func grammar(name string) (cli.Grammar, cli.Help) {
	switch name {
	case "agent":
		return &agentCommand{}, agentHelp
	case "run":
		return &runCommand{}, runHelp
	case "mcp":
		return &mcpCommand{}, mcpHelp
	case "compact":
		return &compactCommand{}, compactHelp
	case "complete":
		return &completeCommand{}, completeHelp
	case "estimate":
		return &estimateCommand{}, estimateHelp
	case "learn":
		return &learnCommand{}, learnHelp
	case "models":
		return &modelsCommand{}, modelsHelp
	}
	panic("no grammar for " + name)
}
