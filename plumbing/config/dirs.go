// Package config says where lecode's directories lie and what config.toml
// sets (design sections 3 and 14). The environment comes in as an argument.
// Start with ConfigDir.
package config

import (
	"path/filepath"

	"github.com/lecode/lecode/plumbing"
)

// ConfigDir is <config_dir>: the flag, $LECODE_CONFIG_DIR, $XDG_CONFIG_HOME/lecode,
// or lecode in the system's user configuration directory. A relative value is
// resolved against wd; an empty one counts as not set.
func ConfigDir(flag string, getenv func(string) string, system func() (string, error), wd string) (string, error) {
	return directory(flag, getenv("LECODE_CONFIG_DIR"), getenv("XDG_CONFIG_HOME"), system, wd)
}

// CacheDir is <cache_dir>, likewise from $LECODE_CACHE_DIR and $XDG_CACHE_HOME.
func CacheDir(flag string, getenv func(string) string, system func() (string, error), wd string) (string, error) {
	return directory(flag, getenv("LECODE_CACHE_DIR"), getenv("XDG_CACHE_HOME"), system, wd)
}

func directory(flag, own, xdg string, system func() (string, error), wd string) (string, error) {
	for _, dir := range []string{flag, own} {
		if dir == "" {
			continue
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(wd, dir)
		}
		return filepath.Clean(dir), nil
	}
	if filepath.IsAbs(xdg) {
		return filepath.Join(xdg, "lecode"), nil
	}
	dir, err := system()
	if err != nil {
		return "", &plumbing.Error{Kind: plumbing.ErrInvalid, Message: "cannot tell where your directories are: " + err.Error(), Cause: err,
			Hint: "set HOME, or LECODE_CONFIG_DIR and LECODE_CACHE_DIR"}
	}
	return filepath.Join(dir, "lecode"), nil
}
