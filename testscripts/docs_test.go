package testscripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/config"
)

// blocks returns the fenced blocks of a Markdown file that carry a tag.
func blocks(t *testing.T, file, tag string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```").FindAllStringSubmatch(string(b), -1) {
		if m[1] == tag {
			out = append(out, m[2])
		}
	}
	return out
}

func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../porcelain/help/*.md")
	if err != nil || len(list) == 0 {
		t.Fatalf("no guides: %v", err)
	}
	return append(list, "../README.md")
}

// shell runs a script as a newcomer would, in a new project with the programs on the PATH.
func shell(t *testing.T, script string) string {
	t.Helper()
	work := t.TempDir()
	project := filepath.Join(work, "kettle")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-euc", "git init -q .\n"+script)
	cmd.Dir = project
	cmd.Env = []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	for k, v := range environment(work) {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// shows is what the command lines of a page have to print: what it is about.
func shows(page string) []string {
	if page == "agent.md" {
		return []string{"Deploys are on Mondays.", "/undo [SEQ]", "reading is allowed, the rest is asked for", "MESSAGES", `"type":"result"`}
	}
	return []string{`"type":"section"`, `Indent with tabs.`, `"status":"valid"`}
}

// TestPagesRun runs every command line of the README and the guides, page by page.
func TestPagesRun(t *testing.T) {
	ran := 0
	for _, page := range pages(t) {
		lines := blocks(t, page, "sh")
		if len(lines) == 0 {
			continue
		}
		ran++
		t.Run(filepath.Base(page), func(t *testing.T) {
			out := shell(t, strings.Join(lines, "\n"))
			for _, want := range shows(filepath.Base(page)) {
				if !strings.Contains(out, want) {
					t.Errorf("the page's commands do not print %s:\n%s", want, out)
				}
			}
		})
	}
	if ran < 4 {
		t.Errorf("%d pages with commands, want the README, the tutorial, agent and agents", ran)
	}
}

// TestConfigExamples loads every configuration that the pages show.
func TestConfigExamples(t *testing.T) {
	loaded := 0
	for _, page := range []string{"../porcelain/help/agent.md", "../README.md"} {
		for _, text := range blocks(t, page, "toml") {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := config.Load(config.Options{ConfigDir: dir})
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			loaded++
			if page != "../README.md" && (len(c.Hooks) == 0 || len(c.Chains["fix"].Phases) != 2 || len(c.MCP) < 2 || len(c.Permissions) < 4 || c.Memory.MaxTokensPerDay == nil) {
				t.Errorf("%s: the example lacks something: %+v", page, c)
			}
		}
	}
	if loaded == 0 {
		t.Error("no page shows a configuration")
	}
}

// TestMakeTargets checks that the make targets which the README names are there.
func TestMakeTargets(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("make ([a-z-]+)").FindAllStringSubmatch(string(readme), -1)
	if len(found) < 4 {
		t.Fatalf("the README names %d targets", len(found))
	}
	for _, m := range found {
		if !regexp.MustCompile("(?m)^" + m[1] + ":").Match(makefile) {
			t.Errorf("the README names make %s, which the Makefile lacks", m[1])
		}
	}
}

// TestDemo runs what `make demo` runs and looks at the end of its story.
func TestDemo(t *testing.T) {
	cmd := exec.Command("sh", "demo.sh", bin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{`"outcome":"created"`, `"status":"hidden"`, `"revision":2`, `"changed":true`, "exit code 3", "exit code 1", "never spaces"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the demo does not show %s", want)
		}
	}
}
