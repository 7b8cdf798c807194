// Command realclients shows that the coding agents people use can use this
// memory: it installs Claude Code, Codex, Gemini CLI and the MCP inspector from
// npm into a temporary folder, gives each the server with the configuration
// that `lecode mcp --print-config` prints, and lets a scripted model on the
// loopback interface call memory_list, memory_recall, a writer that is not
// offered, and one that is, with evidence that is not there. Claude Code is
// also followed: it recalls from the transcript that it is writing.
//
// It is what `make real-clients` runs. It needs Node 20, npm and a network for
// the installation, no account and no key, and touches nothing of the caller's home.
//
// Read run first; model.go is the scripted model, messages.go, responses.go and
// gemini.go its three dialects, clients.go knows the clients.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// A client gets this long, an installation longer.
const (
	clientTime  = 2 * time.Minute
	installTime = 10 * time.Minute
)

func main() {
	bin := flag.String("bin", "bin", "the folder that holds the built lecode")
	npm := flag.String("npm", "", "keep the installed packages in `DIR`, and use those that are there (default: a temporary folder)")
	verbose := flag.Bool("v", false, "also print what each client said, and what it told its model")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *bin, *npm, flag.Args(), *verbose)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "realclients:", err)
		os.Exit(1)
	}
}

// stage is where the clients play: a project with one fact, and a home of their own.
type stage struct {
	ctx     context.Context
	lecode  string
	dir     string // everything lies in it
	home    string
	project string
	npm     string
	fact    string
	flags   []string // of the server that is configured
	verbose bool
	model   *model
}

// rule is what the fact says; a client's model has to see it.
const rule = "Indent with tabs in this repository."

func run(ctx context.Context, bin, npm string, names []string, verbose bool) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lecode-clients-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &stage{ctx: ctx, lecode: filepath.Join(bin, "lecode"), dir: dir, home: filepath.Join(dir, "home"),
		project: filepath.Join(dir, "kettle"), npm: npm, verbose: verbose}
	if npm == "" {
		s.npm = filepath.Join(dir, "npm")
	}
	if err := s.build(); err != nil {
		return err
	}
	if s.model, err = serve(s.fact); err != nil {
		return err
	}
	defer s.model.close()
	var failed []error
	for _, c := range clients() {
		if len(names) > 0 && !contains(names, c.name) {
			continue
		}
		began := time.Now()
		version, err := s.try(c)
		verdict := "ok"
		if err != nil {
			verdict = "FAILED: " + err.Error()
			failed = append(failed, fmt.Errorf("%s: %w", c.name, err))
		}
		fmt.Printf("%-14s %-12s %5.1fs  %s\n", c.name, version, time.Since(began).Seconds(), verdict)
	}
	return errors.Join(failed...)
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// build makes the project and its fact, with lecode's own commands.
func (s *stage) build() error {
	for _, d := range []string{s.home, s.project, s.npm} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	script := `git init -q . 2>/dev/null || true
S=$("$LECODE" new-session | sed 's/.*"id":"\([^"]*\)".*/\1/')
printf '{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"%s"}]}\n' "$RULE" | "$LECODE" append "$S" >/dev/null
"$LECODE" snapshot "$S" 1 1 | "$LECODE" remember --text "$RULE" | sed 's/.*"id":"\([^"]*\)".*/\1/'`
	out, err := s.command(s.ctx, []string{"LECODE=" + s.lecode, "RULE=" + rule}, "sh", "-euc", script).Output()
	if err != nil {
		return fmt.Errorf("make the project: %w", err)
	}
	s.fact = strings.TrimSpace(string(out))
	if !strings.HasPrefix(s.fact, "f-") {
		return fmt.Errorf("make the project: no fact in %q", out)
	}
	return nil
}

// command is a process in the project with nothing of the caller's environment but the PATH.
func (s *stage) command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.project
	cmd.Env = append([]string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/sh",
		"TMPDIR=" + s.dir}, env...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// try installs a client, runs it and judges what its model saw.
func (s *stage) try(c client) (version string, err error) {
	if version, err = s.install(c.pkg); err != nil {
		return version, err
	}
	ctx, stop := context.WithTimeout(s.ctx, clientTime)
	defer stop()
	if c.run != nil {
		return version, c.run(ctx, s)
	}
	return version, s.agent(ctx, c)
}

// install gets a package from npm, unless it is there, and tells its version.
func (s *stage) install(pkg string) (string, error) {
	dir := filepath.Join(s.npm, filepath.Base(pkg))
	if _, err := os.Stat(filepath.Join(dir, "node_modules", pkg)); err != nil {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", err
		}
		ctx, stop := context.WithTimeout(s.ctx, installTime)
		defer stop()
		cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", dir, pkg)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("install %s: %w: %s", pkg, err, last(string(out)))
		}
	}
	return versionOf(filepath.Join(dir, "node_modules", pkg, "package.json")), nil
}

// program is a program that a package installed.
func (s *stage) program(pkg, name string) string {
	return filepath.Join(s.npm, filepath.Base(pkg), "node_modules", ".bin", name)
}

// last is the last line of a text that is not blank.
func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
