package config

import (
	"errors"
	"os"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return m[name] }
}

func TestConfigDir(t *testing.T) {
	system := func() (string, error) { return "/home/ada/.config", nil }
	fails := func() (string, error) { return "", errors.New("neither is defined") }
	tests := []struct {
		name, flag string
		env        func(string) string
		system     func() (string, error)
		wd, want   string
		err        error
	}{
		{"the system's", "", env(), system, "/w", "/home/ada/.config/lecode", nil},
		{"XDG", "", env("XDG_CONFIG_HOME", "/xdg"), system, "/w", "/xdg/lecode", nil},
		{"a relative XDG is ignored", "", env("XDG_CONFIG_HOME", "xdg"), system, "/w", "/home/ada/.config/lecode", nil},
		{"a relative XDG on which the system fails", "", env("XDG_CONFIG_HOME", "xdg", "HOME", "/h"), fails, "/w", "/h/.config/lecode", nil},
		{"an empty XDG", "", env("XDG_CONFIG_HOME", ""), system, "/w", "/home/ada/.config/lecode", nil},
		{"the variable", "", env("LECODE_CONFIG_DIR", "/own", "XDG_CONFIG_HOME", "/xdg"), system, "/w", "/own", nil},
		{"the variable, relative", "", env("LECODE_CONFIG_DIR", "relative"), fails, "/w/d", "/w/d/relative", nil},
		{"the variable, going up", "", env("LECODE_CONFIG_DIR", "../x/./y/"), fails, "/w/d", "/w/x/y", nil},
		{"the variable, empty", "", env("LECODE_CONFIG_DIR", ""), system, "/w", "/home/ada/.config/lecode", nil},
		{"the variable with a tilde is a name like any other", "", env("LECODE_CONFIG_DIR", "~/x"), fails, "/w", "/w/~/x", nil},
		{"the flag", "/flag/", env("LECODE_CONFIG_DIR", "/own"), fails, "/w", "/flag", nil},
		{"the flag, relative", "f", env(), fails, "/w", "/w/f", nil},
		{"the flag that looks like an option", "-x", env(), fails, "/w", "/w/-x", nil},
		{"the system's, relative", "", env(), func() (string, error) { return "h/.config", nil }, "/w", "/w/h/.config/lecode", nil},
		{"nothing", "", env(), fails, "/w", "", plumbing.ErrInvalid},
		{"nothing but a relative XDG and HOME", "", env("XDG_CONFIG_HOME", "x", "HOME", "h"), fails, "/w", "", plumbing.ErrInvalid},
		{"a NUL", "a\x00b", env(), system, "/w", "", plumbing.ErrInvalid},
		{"relative and no working directory", "a", env(), system, "", "", plumbing.ErrNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ConfigDir(tt.flag, tt.env, tt.system, tt.wd)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("%q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestCacheDir(t *testing.T) {
	system := func() (string, error) { return "/home/ada/.cache", nil }
	for _, tt := range []struct {
		flag string
		env  func(string) string
		want string
	}{
		{"", env("XDG_CONFIG_HOME", "/no", "LECODE_CONFIG_DIR", "/no"), "/home/ada/.cache/lecode"},
		{"", env("XDG_CACHE_HOME", "/xdg"), "/xdg/lecode"},
		{"", env("LECODE_CACHE_DIR", "c", "XDG_CACHE_HOME", "/xdg"), "/w/c"},
		{"f", env("LECODE_CACHE_DIR", "c"), "/w/f"},
	} {
		got, err := CacheDir(tt.flag, tt.env, system, "/w")
		if got != tt.want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, tt.want)
		}
	}
	failing := func() (string, error) { return "", errors.New("relative") }
	got, err := CacheDir("", env("XDG_CACHE_HOME", "rel", "HOME", "/h"), failing, "/w")
	if got != "/h/.cache/lecode" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// The standard library's own functions, with the environment that they read.
func TestDirsOfTheSystem(t *testing.T) {
	t.Setenv("HOME", "/h")
	for _, xdg := range []string{"", "rel"} {
		t.Setenv("XDG_CONFIG_HOME", xdg)
		got, err := ConfigDir("", os.Getenv, os.UserConfigDir, "/w")
		if err != nil || (got != "/h/.config/lecode" && got != "/h/Library/Application Support/lecode") {
			t.Errorf("XDG_CONFIG_HOME=%q: %q, %v", xdg, got, err)
		}
	}
}
