// Package testscripts holds one script a case, <command>_<case>.txtar, and
// the runner that builds the programs once and puts them on the PATH.
package testscripts

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"
)

var update = flag.Bool("update", false, "refresh the golden output in the scripts")

// bin is the folder of the built programs.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "lecode-bin-")
	if err == nil {
		bin = dir
		err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the programs:", err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// build makes the programs, with -cover where the test run has it. With -race
// each start of lecode-agent takes several times as long, and the scripts start
// it hundreds of times: that is for make torture. The packages' own tests have
// it always.
func build(dir string) error {
	args := []string{"build", "-tags", "lecode_testhooks"}
	if raceEnabled && os.Getenv("LECODE_TORTURE") != "" {
		args = append(args, "-race")
	}
	if testing.CoverMode() != "" {
		args = append(args, "-cover", "-covermode", testing.CoverMode(), "-coverpkg", "github.com/lecode/lecode/...")
	}
	args = append(args, "-o", dir+string(os.PathSeparator), "../cmd/...")
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 ".",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"let":   let,
		},
	})
}

// environment is what the programs under test see: nothing of the real home, configuration or Git.
func environment(work string) map[string]string {
	return map[string]string{
		"HOME":                work + "/home",
		"LECODE_CONFIG_DIR":   work + "/config",
		"LECODE_CACHE_DIR":    work + "/cache",
		"XDG_CONFIG_HOME":     work + "/home/.config",
		"XDG_CACHE_HOME":      work + "/home/.cache",
		"GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_GLOBAL":   work + "/home/.gitconfig",
		"GIT_AUTHOR_NAME":     "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
		"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
		"LECODE_TEST_DATA": os.Getenv("LECODE_TEST_DATA"),
		"GOCOVERDIR":       os.Getenv("GOCOVERDIR"),
		"GORACE":           "atexit_sleep_ms=0", // else each program with -race ends a second late
	}
}

func setup(env *testscript.Env) error {
	for k, v := range environment(env.WorkDir) {
		env.Setenv(k, v)
	}
	env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("BIN", bin)
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	env.Setenv("TESTDATA", filepath.Join(here, "testdata"))
	if env.Getenv("GOCOVERDIR") == "" {
		env.Setenv("GOCOVERDIR", env.WorkDir)
	}
	return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
}

// condition: [root] holds for the superuser, whom permissions do not stop; [data] where public transcripts are there.
func condition(cond string) (bool, error) {
	switch cond {
	case "root":
		return runtime.GOOS != "windows" && os.Geteuid() == 0, nil
	case "data":
		return os.Getenv("LECODE_TEST_DATA") != "", nil
	}
	return false, fmt.Errorf("unknown condition %q", cond)
}

// exits runs a command and wants one exit code: exits 3 lecode recall f-0.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstdout: %s\nstderr: %s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// let sets a variable from the last line that the last command printed: let S .session_id.
func let(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: let NAME PATH")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	v := gjson.Get(lines[len(lines)-1], strings.TrimPrefix(args[1], "."))
	if !v.Exists() {
		ts.Fatalf("no %s in %s", args[1], lines[len(lines)-1])
	}
	ts.Setenv(args[0], v.String())
}
