package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Setting is one value of the merged configuration and where it came from.
type Setting struct {
	Key string `json:"key"`
	// Value is the value as TOML has it; empty for a key without default that is not set.
	Value string `json:"-"`
	// Data is the value itself: bool, int64, float64, string, []string, or nil.
	Data any `json:"value"`
	// Origin is one of the From constants.
	Origin string `json:"origin"`
	// File and Line say where, for a value from a file.
	File *string `json:"file"`
	Line *int64  `json:"line"`
}

// Settings lists the plain settings, all of them, in the order of design
// section 14, then what is set of the tables with free names, by name. Of the
// variables for an MCP server only the names are shown: a value may be a key.
func (c *Config) Settings() []Setting {
	var list []Setting
	for _, s := range c.sections() {
		for _, f := range s.fields {
			list = append(list, c.setting(join(s.name, f.name), f.get()))
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(c.Permissions)) {
		list = append(list, c.setting(join("permissions", tool), c.Permissions[tool]))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		p := c.Providers[name]
		list = append(list, c.given(join("providers", name), providerFields(&p))...)
	}
	for i := range c.Hooks {
		list = append(list, c.given(element("hooks", i), hookFields(&c.Hooks[i]))...)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Chains)) {
		for i, p := range c.Chains[name].Phases {
			list = append(list, c.given(element(join(join("chains", name), "phases"), i), phaseFields(&p))...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.MCP)) {
		s := c.MCP[name]
		list = append(list, c.given(join("mcp", name), serverFields(&s))...)
	}
	return list
}

// IsDefault reports whether nothing sets a key.
func (c *Config) IsDefault(key string) bool {
	_, ok := c.origins[key]
	return !ok
}

// given lists the fields of a table that some file sets, or that have a default.
func (c *Config) given(path string, fields []field) []Setting {
	var list []Setting
	for _, f := range fields {
		key, value := join(path, f.name), f.get()
		if _, ok := c.origins[key]; ok || !isZero(value) {
			list = append(list, c.setting(key, value))
		}
	}
	return list
}

func isZero(value any) bool {
	switch v := value.(type) {
	case string:
		return v == ""
	case []string:
		return len(v) == 0
	}
	return value == nil
}

func (c *Config) setting(key string, value any) Setting {
	s := Setting{Key: key, Value: text(value), Data: value, Origin: FromDefault}
	if o, ok := c.origins[key]; ok {
		s.Origin = o.from
		if o.file != "" {
			s.File, s.Line = &o.file, &o.line
		}
	}
	return s
}

// get reads a field's value; nil is not set.
func (f field) get() any {
	switch to := f.to.(type) {
	case *bool:
		return *to
	case *int64:
		return *to
	case *float64:
		return *to
	case *string:
		return *to
	case *[]string:
		return *to
	case **int64:
		if *to != nil {
			return **to
		}
	case **float64:
		if *to != nil {
			return **to
		}
	case *map[string]string:
		return slices.Sorted(maps.Keys(*to))
	}
	return nil
}

// text is a value as TOML has it.
func text(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		return tomlString(v)
	case []string:
		list := make([]string, len(v))
		for i, s := range v {
			list[i] = tomlString(s)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return ""
}

// tomlString quotes a string as TOML does, control characters as escapes.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\u` + strings.ToUpper(strconv.FormatInt(0x10000+int64(r), 16)[1:]))
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
