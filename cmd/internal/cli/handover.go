package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/lecode/lecode/plumbing"
)

// handOver replaces this process by the other program, from this program's own
// folder (links resolved), with arguments, environment and stdin untouched
// (design section 1). It returns only when that failed.
func handOver(row Row) error { return handOverWith(row, os.Args[1:]) }

func handOverWith(row Row, args []string) error {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return fmt.Errorf("find the folder of lecode: %w", err)
	}
	path := filepath.Join(filepath.Dir(self), row.Program)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); err != nil {
		return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
			Message: fmt.Sprintf("this command needs the program %q, which is not there", path),
			Hint:    "install " + row.Program + " beside lecode"}
	}
	return become(path, args)
}

// agentInstalled reports whether the other program stands beside this one.
func agentInstalled() bool {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(filepath.Dir(self), ProgramAgent))
	return err == nil
}

// external runs lecode-NAME from the PATH, absolute folders only, as Git does
// with git-NAME. The global flags reach it as a directory and as environment.
func external(inv invocation, env *Env) error {
	path := lookAbsolute("lecode-"+inv.command, env.Getenv("PATH"))
	if path == "" {
		hint := "`lecode help` lists the commands"
		if near := nearest(inv.command, names()); near != "" {
			hint = fmt.Sprintf("did you mean `lecode %s`?", near)
		}
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a lecode command", inv.command), hint)
	}
	for name, value := range map[string]string{"LECODE_CONFIG_DIR": inv.globals.ConfigDir, "LECODE_CACHE_DIR": inv.globals.CacheDir} {
		if value == "" {
			continue
		}
		abs, err := filepath.Abs(value)
		if err != nil {
			return fmt.Errorf("resolve %q: %w", value, err)
		}
		if err := os.Setenv(name, abs); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
	}
	if err := inv.globals.chdir(); err != nil {
		return err
	}
	return become(path, inv.args)
}

// lookAbsolute finds an executable in the absolute folders of a PATH; a
// relative one could be planted by the repository.
func lookAbsolute(name, pathList string) string {
	if name != filepath.Base(name) {
		return ""
	}
	for _, dir := range filepath.SplitList(pathList) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		} else if errors.Is(err, exec.ErrDot) {
			continue
		}
	}
	return ""
}
