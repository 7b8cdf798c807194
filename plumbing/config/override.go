package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// Variable is the environment variable that sets a key: LECODE_MEMORY_ENABLED for "memory.enabled".
func Variable(key string) string {
	return "LECODE_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// readEnvironment applies the variables of the plain settings; others are not asked for.
func (c *Config) readEnvironment(env func(string) string) error {
	for _, s := range c.sections() {
		for _, f := range s.fields {
			key := join(s.name, f.name)
			text := env(Variable(key))
			if text == "" {
				continue
			}
			if must := f.setText(text); must != "" {
				return plumbing.Fail(plumbing.ErrInvalid, "the variable "+Variable(key)+" "+must, "correct it, or unset it")
			}
			c.origins[key] = origin{from: FromEnvironment}
		}
	}
	return nil
}

func (c *Config) readFlags(flags map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(flags)) {
		f, ok := c.plain(key)
		if !ok {
			return plumbing.Fail(plumbing.ErrInvalid, "unknown key "+quote(key), "the nearest known one is "+quote(nearest(key, c.plainKeys())))
		}
		if must := f.setText(flags[key]); must != "" {
			return plumbing.Fail(plumbing.ErrInvalid, key+" "+must, "correct the flag")
		}
		c.origins[key] = origin{from: FromFlag}
	}
	return nil
}

// plain finds a setting that a variable or a flag may set.
func (c *Config) plain(key string) (field, bool) {
	for _, s := range c.sections() {
		for _, f := range s.fields {
			if join(s.name, f.name) == key {
				return f, true
			}
		}
	}
	return field{}, false
}

func (c *Config) plainKeys() []string {
	var keys []string
	for _, s := range c.sections() {
		keys = append(keys, names(s.name, s.fields)...)
	}
	return keys
}

func (c *Config) sectionNames() []string {
	var list []string
	for _, s := range c.sections() {
		list = append(list, s.name)
	}
	return append(list, "permissions", "providers", "hooks", "chains", "mcp")
}

func names(path string, fields []field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = join(path, f.name)
	}
	return list
}
