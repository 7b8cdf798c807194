package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// origin is where a value came from.
type origin struct {
	from string
	file string // empty outside files
	line int64
}

// layer is one file that is put over what was read before.
type layer struct {
	c     *Config
	from  string
	file  string
	lines map[string]int64
}

// root applies a whole document.
func (l *layer) root(tree map[string]any) error {
	for _, key := range l.sorted("", tree) {
		if err := l.topLevel(key, tree[key]); err != nil {
			return err
		}
	}
	return nil
}

func (l *layer) topLevel(key string, value any) error {
	for _, s := range l.c.sections() {
		if s.name == key {
			return l.table(key, value, func(t map[string]any) error { return l.bind(key, t, s.fields) })
		}
	}
	switch key {
	case "permissions":
		return l.table(key, value, l.permissions)
	case "providers":
		return bindEach(l, key, value, l.c.Providers, Provider{}, providerFields)
	case "hooks":
		return l.hooks(value)
	case "chains":
		return l.table(key, value, l.chains)
	case "mcp":
		return bindEach(l, key, value, l.c.MCP, Server{TimeoutSeconds: 60, Class: "network", Enabled: true}, serverFields)
	}
	return l.unknown("", key, slices.Concat(l.c.sectionNames(), l.c.plainKeys()))
}

// sorted returns a table's keys in the order of the file, so that the first mistake is reported first.
func (l *layer) sorted(path string, table map[string]any) []string {
	return slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.lines[join(path, a)], l.lines[join(path, b)]), cmp.Compare(a, b))
	})
}

func (l *layer) table(path string, value any, with func(map[string]any) error) error {
	t, ok := value.(map[string]any)
	if !ok {
		return l.wrong(path, "must be a table: ["+path+"]")
	}
	l.note(path)
	return with(t)
}

// bind sets the fields of one table.
func (l *layer) bind(path string, table map[string]any, fields []field) error {
	for _, key := range l.sorted(path, table) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		if i < 0 {
			return l.unknown(path, key, slices.Concat(names(path, fields), l.c.plainKeys()))
		}
		full := join(path, key)
		if must := fields[i].set(table[key]); must != "" {
			return l.wrong(full, must)
		}
		l.note(full)
	}
	return nil
}

// bindEach sets the entries of a table of named tables, each key by key over what is there.
func bindEach[T any](l *layer, path string, value any, into map[string]T, fresh T, fields func(*T) []field) error {
	return l.table(path, value, func(t map[string]any) error {
		for _, name := range l.sorted(path, t) {
			full := join(path, name)
			if !isTableName(name) {
				return l.wrong(full, "must have a NAME of letters, digits, '_', '-' and '.'")
			}
			item, ok := into[name]
			if !ok {
				item = fresh
			}
			err := l.table(full, t[name], func(t map[string]any) error { return l.bind(full, t, fields(&item)) })
			if err != nil {
				return err
			}
			into[name] = item
		}
		return nil
	})
}

func (l *layer) permissions(table map[string]any) error {
	for _, tool := range l.sorted("permissions", table) {
		full, value := join("permissions", tool), ""
		if !isPermission(tool) {
			return invalid(origin{file: l.file, line: l.lines[full]}, join("permissions", quote(tool))+" is not the name of a tool",
				`name a tool, or "bash:" and the first words of a command, one space apart and without wildcards`)
		}
		f := field{to: &value, words: []string{"allow", "ask", "deny"}}
		if must := f.set(table[tool]); must != "" {
			return l.wrong(full, must)
		}
		l.c.Permissions[tool] = value
		l.note(full)
	}
	return nil
}

// list applies the tables of a list; the list replaces a weaker one whole.
func (l *layer) list(path string, value any, with func(path string, table map[string]any) error) error {
	items, ok := value.([]any)
	if !ok {
		return l.wrong(path, "must be a list of tables: [["+path+"]]")
	}
	maps.DeleteFunc(l.c.origins, func(key string, _ origin) bool { return strings.HasPrefix(key, path+"[") })
	l.note(path)
	for i, item := range items {
		full := element(path, i)
		if err := l.table(full, item, func(t map[string]any) error { return with(full, t) }); err != nil {
			return err
		}
	}
	return nil
}

func (l *layer) hooks(value any) error {
	l.c.Hooks = nil
	return l.list("hooks", value, func(path string, table map[string]any) error {
		h := Hook{TimeoutSeconds: 60}
		if err := l.bind(path, table, hookFields(&h)); err != nil {
			return err
		}
		l.c.Hooks = append(l.c.Hooks, h)
		return nil
	})
}

func (l *layer) chains(table map[string]any) error {
	for _, name := range l.sorted("chains", table) {
		full := join("chains", name)
		if !isTableName(name) {
			return l.wrong(full, "must have a NAME of letters, digits, '_', '-' and '.'")
		}
		chain := l.c.Chains[name]
		if err := l.table(full, table[name], func(t map[string]any) error { return l.chain(full, t, &chain) }); err != nil {
			return err
		}
		l.c.Chains[name] = chain
	}
	return nil
}

func (l *layer) chain(path string, table map[string]any, chain *Chain) error {
	for _, key := range l.sorted(path, table) {
		if key != "phases" {
			return l.unknown(path, key, []string{join(path, "phases")})
		}
		chain.Phases = nil
		err := l.list(join(path, key), table[key], func(path string, table map[string]any) error {
			p := Phase{Mode: "default"}
			if err := l.bind(path, table, phaseFields(&p)); err != nil {
				return err
			}
			chain.Phases = append(chain.Phases, p)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// note keeps where a key's value came from.
func (l *layer) note(path string) {
	l.c.origins[path] = origin{from: l.from, file: l.file, line: l.lines[path]}
}

func (l *layer) wrong(path, must string) error {
	return invalid(origin{file: l.file, line: l.lines[path]}, path+" "+must, "correct it, or take it out")
}

func (l *layer) unknown(table, key string, known []string) error {
	path := join(table, key)
	return invalid(origin{file: l.file, line: l.lines[path]}, "unknown key "+quote(path),
		"the nearest known one is "+quote(nearest(path, known)))
}

// invalid is the error for a value at a place.
func invalid(at origin, message, hint string) error {
	switch {
	case at.line > 0:
		message = fmt.Sprintf("%q line %d: %s", at.file, at.line, message)
	case at.file != "":
		message = fmt.Sprintf("%q: %s", at.file, message)
	}
	return plumbing.Fail(plumbing.ErrInvalid, message, hint)
}
