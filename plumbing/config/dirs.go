package config

import (
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// ConfigDir is <config_dir> (design section 3): the flag, $LECODE_CONFIG_DIR,
// $XDG_CONFIG_HOME/lecode, or lecode in the system's user configuration
// directory, which is asked for only then (os.UserConfigDir). The first that
// is set counts; an empty one is not set. Flag and variable may be relative to
// wd, the working directory; a relative XDG_CONFIG_HOME is ignored, as the XDG
// specification has it. The result is absolute and clean; nothing is made, and
// links are left as they are. It wraps plumbing.ErrInvalid where nothing names
// a directory and ErrNotFound where a relative one has no wd.
func ConfigDir(flag string, getenv func(string) string, userConfigDir func() (string, error), wd string) (string, error) {
	d := directory{what: "configuration", option: "--config-dir", own: "LECODE_CONFIG_DIR", xdg: "XDG_CONFIG_HOME", home: ".config"}
	return d.find(flag, getenv, userConfigDir, wd)
}

// CacheDir is <cache_dir>: likewise the flag, $LECODE_CACHE_DIR,
// $XDG_CACHE_HOME/lecode, or lecode in the system's user cache directory
// (os.UserCacheDir).
func CacheDir(flag string, getenv func(string) string, userCacheDir func() (string, error), wd string) (string, error) {
	d := directory{what: "cache", option: "--cache-dir", own: "LECODE_CACHE_DIR", xdg: "XDG_CACHE_HOME", home: ".cache"}
	return d.find(flag, getenv, userCacheDir, wd)
}

// directory is the names under which one of the directories is looked for.
type directory struct {
	what, option, own, xdg, home string
}

func (d directory) find(flag string, getenv func(string) string, system func() (string, error), wd string) (string, error) {
	for _, dir := range []string{flag, getenv(d.own)} {
		if dir != "" {
			return d.absolute(dir, wd)
		}
	}
	xdg := getenv(d.xdg)
	if filepath.IsAbs(xdg) {
		return d.absolute(filepath.Join(xdg, "lecode"), wd)
	}
	dir, err := system()
	if err != nil && xdg != "" {
		// The system's function knows XDG too and fails on a relative one.
		if home := getenv("HOME"); filepath.IsAbs(home) {
			dir, err = filepath.Join(home, d.home), nil
		}
	}
	if err != nil {
		return "", &plumbing.Error{Kind: plumbing.ErrInvalid, Cause: err,
			Message: "nothing says where the " + d.what + " directory is", Hint: "set HOME, " + d.own + " or " + d.option}
	}
	return d.absolute(filepath.Join(dir, "lecode"), wd)
}

func (d directory) absolute(dir, wd string) (string, error) {
	if strings.ContainsRune(dir, 0) {
		return "", plumbing.Fail(plumbing.ErrInvalid, "the name of the "+d.what+" directory holds a NUL", "name another one")
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	if !filepath.IsAbs(wd) {
		return "", plumbing.Fail(plumbing.ErrNotFound, "the "+d.what+" directory is relative to a working directory that is not there",
			"give an absolute one with "+d.option)
	}
	return filepath.Join(wd, dir), nil
}
