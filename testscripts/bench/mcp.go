package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/slug"
)

// reference is the memory server that the protocol's own project publishes on
// npm. It checks no evidence, and reads its whole file for each answer.
const reference = "@modelcontextprotocol/server-memory"

// mcpSizes is with how many facts, or entities, an answer is measured.
var mcpSizes = [2]int{1_000, 100_000}

// mcpFooter says what the columns are.
const mcpFooter = `
Medians of round trips over stdio to a server that runs already: one frame out, one frame back.
ours: memory_recall of one fact, whose evidence is read and hashed each time. read_graph is all that there is,
open_nodes one entity; the reference answers both from its file, without evidence.
The server of ours with 100,000 facts against 1,000 is the last row: the aim is flat.`

// peer is a running MCP server.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// measureMCP prints the figures of `go run ./testscripts/bench -mcp`.
func (b *bench) measureMCP(npm string) error {
	if out, err := exec.CommandContext(b.ctx, "git", "init", "-q", filepath.Join(b.dir, "project")).CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	version, script, err := b.installReference(npm)
	if err != nil {
		return err
	}
	var worlds [2]*world
	var mine [2]measurement
	for i, n := range mcpSizes {
		if worlds[i], err = b.factWorld(n); err != nil {
			return fmt.Errorf("build %d facts: %w", n, err)
		}
		p, err := worlds[i].peer(nil, b.lecode, "mcp")
		if err != nil {
			return err
		}
		defer p.close()
		mine[i] = p.ask("memory_recall", map[string]any{"fact_id": worlds[i].fact}, `valid`)
	}
	ours, err := inTurn(10*b.rounds, mine[:]...)
	if err != nil {
		return err
	}
	for i, n := range mcpSizes {
		if err := b.compare(worlds[i], n, ours[i], version, script); err != nil {
			return err
		}
	}
	b.table.times(fmt.Sprintf("mcp: memory_recall, %d facts against %d", mcpSizes[1], mcpSizes[0]), ours[1], ours[0], "lecode itself", 1.5)
	return b.table.print(os.Stdout, mcpFooter)
}

// compare measures the reference alone: where it holds much, it keeps the machine busy after its answer too.
func (b *bench) compare(w *world, n int, ours time.Duration, version, script string) error {
	graph := filepath.Join(b.dir, fmt.Sprintf("graph-%d.jsonl", n))
	if err := writeGraph(graph, n); err != nil {
		return err
	}
	p, err := w.peer([]string{"MEMORY_FILE_PATH=" + graph}, "node", script)
	if err != nil {
		return err
	}
	defer p.close()
	for _, one := range []struct {
		tool, want string
		args       map[string]any
	}{
		{"read_graph", fmt.Sprintf("entity %d", n-1), map[string]any{}},
		{"open_nodes", "entity 0", map[string]any{"names": []any{"entity 0"}}},
	} {
		m, err := inTurn(max(3, b.rounds/6), p.ask(one.tool, one.args, one.want))
		if err != nil {
			return err
		}
		b.table.times(fmt.Sprintf("mcp: memory_recall, %d facts", n), ours, m[0], "server-memory "+version+" "+one.tool, 0)
	}
	return nil
}

// ask measures a round trip; what comes back has to hold want.
func (p *peer) ask(tool string, args map[string]any, want string) measurement {
	return func() (time.Duration, error) {
		p.id++
		frame, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": "tools/call",
			"params": map[string]any{"name": tool, "arguments": args}})
		if err != nil {
			return 0, err
		}
		began := time.Now()
		answer, err := p.exchange(frame)
		took := time.Since(began)
		if err == nil && !strings.Contains(answer, want) {
			err = fmt.Errorf("%s does not answer with %q", tool, want)
		}
		return took, err
	}
}

func (p *peer) exchange(frame []byte) (string, error) {
	if _, err := p.in.Write(append(frame, '\n')); err != nil {
		return "", err
	}
	return p.out.ReadString('\n')
}

// peer starts a server in the world's project and shakes hands with it.
func (w *world) peer(env []string, name string, args ...string) (*peer, error) {
	p := &peer{cmd: w.command(name, args...)}
	p.cmd.Env = append(p.cmd.Env, env...)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = p.exchange([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`))
	if err == nil {
		_, err = io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		p.close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// close ends the server with its input.
func (p *peer) close() {
	p.in.Close()
	p.cmd.Wait()
}

// factWorld is a world with n facts; the one that is asked for stands on evidence.
func (b *bench) factWorld(n int) (*world, error) {
	w, err := b.newWorld(filepath.Join(b.dir, "project"), fmt.Sprintf("facts-%d", n))
	if err != nil {
		return nil, err
	}
	if err := w.fill(b.ctx, smallLog, recordSize); err != nil {
		return nil, err
	}
	p, err := slug.Find(b.ctx, slug.Options{Dir: w.root})
	if err != nil {
		return nil, err
	}
	facts := fact.NewStore(fact.Options{Config: w.config, Slug: p.Slug, Now: time.Now, Enabled: true})
	defer facts.Close()
	for i := range n - 1 {
		if i%10_000 == 9_999 {
			fmt.Fprintf(os.Stderr, "bench: %d of %d facts\n", i+1, n)
		}
		seq := int64(i%100 + 1)
		text := fmt.Sprintf("In this project everybody says the same thing about file %d, so that it has some length.", i)
		if _, err := facts.Add(b.ctx, text, []fact.Position{{SessionID: w.session, Seq: seq}}); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// writeGraph writes as many entities in the reference's own form.
func writeGraph(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	for i := range n {
		fmt.Fprintf(out, `{"type":"entity","name":"entity %d","entityType":"rule","observations":["In this project everybody says the same thing about file %d, so that it has some length."]}`+"\n", i, i)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// installReference gets the reference from npm, unless it is in npm already.
func (b *bench) installReference(npm string) (version, script string, err error) {
	if npm == "" {
		npm = filepath.Join(b.dir, "npm")
	}
	dir := filepath.Join(npm, filepath.Base(reference))
	pkg := filepath.Join(dir, "node_modules", reference)
	if _, err := os.Stat(pkg); err != nil {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", "", err
		}
		cmd := exec.CommandContext(b.ctx, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", dir, reference)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("install %s: %w: %s", reference, err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(pkg, "package.json"))
	if err != nil {
		return "", "", err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(text, &p); err != nil {
		return "", "", fmt.Errorf("read the version of %s: %w", reference, err)
	}
	return p.Version, filepath.Join(pkg, "dist", "index.js"), nil
}
