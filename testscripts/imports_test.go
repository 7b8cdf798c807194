package testscripts

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/lecode/lecode/"

// arrows is the import table of design section 2: what each package may import of lecode's own.
var arrows = map[string][]string{
	"plumbing":                    {},
	"plumbing/file":               {"plumbing"},
	"plumbing/canon":              {"plumbing"},
	"plumbing/adopt":              {"plumbing", "plumbing/file", "plumbing/canon"},
	"plumbing/config":             {"plumbing", "plumbing/file", "plumbing/canon"},
	"plumbing/note":               {"plumbing", "plumbing/file", "plumbing/canon"},
	"plumbing/transcript":         {"plumbing", "plumbing/file", "plumbing/canon"},
	"plumbing/session":            {"plumbing", "plumbing/file", "plumbing/canon"},
	"plumbing/source":             {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/session"},
	"plumbing/fact":               {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/session", "plumbing/source"},
	"plumbing/compact":            {"plumbing", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/provider"},
	"plumbing/secret":             {},
	"plumbing/learned":            {"plumbing", "plumbing/canon", "plumbing/session", "plumbing/source"},
	"plumbing/learn":              {"plumbing", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/provider", "plumbing/compact", "plumbing/learned", "plumbing/secret"},
	"plumbing/recall":             {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/fact"},
	"plumbing/prompt":             {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/note"},
	"plumbing/provider/offline":   {"plumbing/provider"},
	"plumbing/provider":           {"plumbing", "plumbing/canon"},
	"plumbing/provider/network":   {"plumbing", "plumbing/canon", "plumbing/provider"},
	"plumbing/provider/script":    {"plumbing", "plumbing/canon", "plumbing/provider"},
	"plumbing/provider/exec":      {"plumbing", "plumbing/provider"},
	"plumbing/provider/openai":    {"plumbing", "plumbing/provider", "plumbing/provider/network"},
	"plumbing/provider/anthropic": {"plumbing", "plumbing/provider", "plumbing/provider/network"},
	"plumbing/budget":             {"plumbing", "plumbing/file", "plumbing/canon"},
	"plumbing/budget/catalog":     {"plumbing/budget"},
	"plumbing/usage":              {"plumbing", "plumbing/file", "plumbing/canon"},
	"slug":                        {"plumbing"},
	"plumbing/fsck":               {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/note", "plumbing/adopt"},
	"plumbing/tool": {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/fact",
		"plumbing/note", "plumbing/recall", "plumbing/prompt", "plumbing/learned"},
	"porcelain/mcp":    {"plumbing", "plumbing/file", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/note", "plumbing/prompt", "plumbing/tool", "plumbing/transcript"},
	"porcelain/call":   {"plumbing", "plumbing/canon", "plumbing/budget", "plumbing/provider", "plumbing/usage"},
	"porcelain/derive": {"plumbing", "plumbing/budget", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/compact", "plumbing/learn", "plumbing/learned", "plumbing/usage", "porcelain/call"},
	"porcelain/agent": {"plumbing", "plumbing/canon", "plumbing/config", "plumbing/budget", "plumbing/provider", "plumbing/usage", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/prompt",
		"plumbing/compact", "plumbing/learn", "plumbing/tool", "porcelain/call", "porcelain/derive", "porcelain/permission", "porcelain/agent/hook"},
	"porcelain/help":   {},
	"porcelain/memory": {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/prompt", "plumbing/note", "plumbing/recall", "plumbing/usage", "plumbing/learned"},

	"porcelain/coding": {"plumbing", "plumbing/canon", "plumbing/file", "plumbing/provider", "plumbing/prompt", "plumbing/tool", "plumbing/learned", "porcelain/agent",
		"porcelain/permission"},
	"porcelain/permission":              {"plumbing"},
	"porcelain/slash":                   {"plumbing", "plumbing/compact", "plumbing/config", "plumbing/session", "plumbing/usage", "porcelain/agent", "porcelain/memory", "porcelain/permission"},
	"porcelain/mcp/client":              {"plumbing", "plumbing/canon", "plumbing/config", "plumbing/provider", "plumbing/prompt", "porcelain/agent", "porcelain/permission"},
	"porcelain/agent/hook":              {"plumbing", "plumbing/canon", "plumbing/config", "plumbing/prompt"},
	"porcelain/agent/instruct":          {"plumbing", "plumbing/file", "plumbing/canon", "plumbing/prompt", "porcelain/agent", "porcelain/permission"},
	"porcelain/tui/typeset":             {"plumbing/prompt"},
	"porcelain/tui/typeset/typesettest": {"porcelain/tui/typeset"},
	"porcelain/tui":                     {"plumbing", "plumbing/prompt", "plumbing/usage", "porcelain/agent", "porcelain/permission", "porcelain/memory", "porcelain/slash", "porcelain/tui/typeset"},
	"porcelain/tui/memview": {"plumbing", "plumbing/canon", "plumbing/session", "plumbing/source", "plumbing/fact", "plumbing/note", "plumbing/prompt", "plumbing/recall", "plumbing/learned",
		"plumbing/compact", "porcelain/memory", "porcelain/tui/typeset"},
}

// only lists what a package outside the module may be imported by (design section 2).
var only = map[string][]string{
	"github.com/go-git/go-git":               {"slug"},
	"modernc.org/sqlite":                     {"plumbing/fact"},
	"database/sql":                           {"plumbing/fact"},
	"github.com/modelcontextprotocol/go-sdk": {"porcelain/mcp", "porcelain/mcp/client"},
	"github.com/alecthomas/kong":             {"cmd/internal/cli"},
	"mvdan.cc/sh":                            {"porcelain/permission", "porcelain/coding"},
	"github.com/charmbracelet/x/ansi":        {"porcelain/tui/typeset"},
	"github.com/charmbracelet/colorprofile":  {"porcelain/tui"},
	"github.com/charmbracelet/x/term":        {"porcelain/tui"},
	"github.com/yuin/goldmark":               {"porcelain/tui"},
	"charm.land/bubbletea":                   {"porcelain/tui", "porcelain/tui/memview"},

	"charm.land/catwalk":                     {"plumbing/budget/catalog"},
	"github.com/openai/openai-go":            {"plumbing/provider/openai"},
	"github.com/anthropics/anthropic-sdk-go": {"plumbing/provider/anthropic"},
}

func TestImportArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "../...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], module)
		allowed, listed := arrows[pkg]
		isCmd := strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "testscripts")
		if !listed && !isCmd {
			t.Errorf("package %s is not in the table of arrows", pkg)
		}
		seen++
		for _, imp := range fields[1:] {
			own, isOwn := strings.CutPrefix(imp, module)
			if isOwn && !isCmd && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s", pkg, own)
			}
			checkOnly(t, pkg, imp)
		}
	}
	if seen < len(arrows) {
		t.Errorf("go list named %d packages, the table has %d", seen, len(arrows))
	}
}

func checkOnly(t *testing.T, pkg, imp string) {
	t.Helper()
	for outside, allowed := range only {
		if (imp == outside || strings.HasPrefix(imp, outside+"/")) && !slices.Contains(allowed, pkg) {
			t.Errorf("%s imports %s; only %v may", pkg, imp, allowed)
		}
	}
}

// TestPlumbingIsTold checks that no package under plumbing asks the environment, the clock or the process for anything.
func TestPlumbingIsTold(t *testing.T) {
	banned := []string{"os.Getenv(", "os.LookupEnv(", "os.Environ(", "os.Exit(", "time.Now(", "os.Stdin", "os.Stdout", "os.Stderr", "os.Getwd("}
	out, err := exec.Command("git", "grep", "-nF", "--untracked", "-e", strings.Join(banned, "\n"), "--", "../plumbing/*.go", ":!../plumbing/*_test.go").Output()
	if err != nil && len(out) == 0 {
		return // git grep ends with 1 where nothing is found
	}
	t.Errorf("a package under plumbing knows the environment, the clock or the process:\n%s", out)
}
