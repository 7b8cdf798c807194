// Command lecode is the plumbing and the light porcelain: one file a command.
// See `lecode help`.
package main

import (
	"os"

	"github.com/lecode/lecode/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Program{Name: cli.ProgramLight, Grammar: grammar}.Main())
}

// grammar returns what one command takes; only the one that was asked for is built.
func grammar(name string) (cli.Grammar, cli.Help) {
	switch name {
	case "help":
		return &helpCommand{}, helpHelp
	case "slug":
		return &slugCommand{}, slugHelp
	case "new-session":
		return &newSessionCommand{}, newSessionHelp
	case "append":
		return &appendCommand{}, appendHelp
	case "import":
		return &importCommand{}, importHelp
	case "undo":
		return &undoCommand{}, undoHelp
	case "redo":
		return &redoCommand{}, redoHelp
	case "clear":
		return &clearCommand{}, clearHelp
	case "remember":
		return &rememberCommand{}, rememberHelp
	case "sessions":
		return &sessionsCommand{}, sessionsHelp
	case "log":
		return &logCommand{}, logHelp
	case "snapshot":
		return &snapshotCommand{}, snapshotHelp
	case "validate":
		return &validateCommand{}, validateHelp
	case "facts":
		return &factsCommand{}, factsHelp
	case "recall":
		return &recallCommand{}, recallHelp
	case "generation":
		return &generationCommand{}, generationHelp
	case "config":
		return &configCommand{}, configHelp
	case "prompt":
		return &promptCommand{}, promptHelp
	case "correct":
		return &correctCommand{}, correctHelp
	case "attach-source":
		return &attachSourceCommand{}, attachSourceHelp
	case "forget":
		return &forgetCommand{}, forgetHelp
	case "provenance":
		return &provenanceCommand{}, provenanceHelp
	case "exclusions":
		return &exclusionsCommand{}, exclusionsHelp
	case "delete-session":
		return &deleteSessionCommand{}, deleteSessionHelp
	case "export":
		return &exportCommand{}, exportHelp
	case "why":
		return &whyCommand{}, whyHelp
	case "tool":
		return &toolCommand{}, toolHelp
	case "memory":
		return &memoryCommand{}, memoryHelp()
	case "note":
		return &noteCommand{}, noteHelp
	case "usage":
		return &usageCommand{}, usageHelp
	case "status":
		return &statusCommand{}, statusHelp
	case "fsck":
		return &fsckCommand{}, fsckHelp
	}
	panic("no grammar for " + name)
}
