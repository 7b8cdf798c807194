// Command bench measures the figures that the project holds itself to, each
// against a named baseline taken in turn in the same run, and prints them as
// one table of medians. It is what `make bench` runs; it is no test, and a
// figure that misses its aim is told, not failed.
//
// Read figures in main.go first; process.go and inprocess.go measure,
// sessions.go builds what is measured on, screen.go has the program in a
// terminal, table.go prints. mcp.go is a mode of its own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

const (
	smallLog = 1 << 20
	largeLog = 64 << 20
)

// footer says what is measured elsewhere.
const footer = `
Medians of runs in turn with their baseline; a busy machine makes single figures doubtful, not their ratios.
remember, correct and forget with 100,000 facts against 100 (aim 1.5x), and eight processes at once:
  go test -run '^$' -bench 'Size|EightProcesses' -benchtime 10x ./plumbing/fact`

// bench is one run: where it works, how often it measures, what it found.
type bench struct {
	ctx    context.Context
	lecode string // the program under test
	dir    string // everything that is written lies in it
	rounds int
	table  table

	small, large, wide *world
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == memoryFlag {
		os.Exit(memoryOf(os.Args[2], os.Args[3:]))
	}
	bin := flag.String("bin", "bin", "the folder that holds the built lecode")
	dir := flag.String("dir", "", "work in a new folder in `DIR` (default: the system's temporary folder); it decides what fsync costs")
	rounds := flag.Int("rounds", 31, "how often a start of a process is measured; the rest follows from it")
	mcp := flag.Bool("mcp", false, "measure the MCP server beside the reference memory server from npm instead; it needs Node and a network")
	npm := flag.String("npm", "", "with -mcp: keep the reference server in `DIR`, or use the one that is there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *bin, *dir, max(*rounds, 3), *mcp, *npm)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, bin, dir string, rounds int, mcp bool, npm string) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	if dir, err = os.MkdirTemp(dir, "lecode-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	b := &bench{ctx: ctx, lecode: filepath.Join(bin, executable("lecode")), dir: dir, rounds: rounds}
	if mcp {
		return b.measureMCP(npm)
	}
	if err := b.build(); err != nil {
		return err
	}
	for _, figure := range b.figures() {
		if err := figure(); err != nil {
			return err
		}
	}
	return b.table.print(os.Stdout, footer)
}

// figures lists what is measured, in the order of the table.
func (b *bench) figures() []func() error {
	return []func() error{
		b.startUp, b.appendProcess, b.recallProcess, b.coldScan, b.memory, b.appendRecords, b.validate, b.searchNotes, b.screen,
	}
}
