package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// set puts a value of TOML where it belongs; what it returns is what the
// value must be, if it is not: never the value itself, which may be a secret.
func (f field) set(value any) (must string) {
	switch to := f.to.(type) {
	case *bool:
		v, ok := value.(bool)
		if !ok {
			return "must be true or false"
		}
		*to = v
	case *int64, **int64:
		v, ok := value.(int64)
		if !ok || v < f.min || v > f.max {
			return fmt.Sprintf("must be a whole number from %d to %d", f.min, f.max)
		}
		put(to, v)
	case *float64, **float64:
		v, ok := number(value)
		if !ok || !(v >= float64(f.min) && v <= float64(f.max)) {
			return fmt.Sprintf("must be a number from %d to %d", f.min, f.max)
		}
		put(to, v)
	case *string:
		return f.setString(to, value)
	case *[]string:
		return setList(to, value)
	case *map[string]string:
		return setVariables(to, value)
	}
	return ""
}

// put stores a number, by way of a pointer where the key has no default.
func put[T int64 | float64](to any, v T) {
	switch to := to.(type) {
	case *T:
		*to = v
	case **T:
		*to = &v
	}
}

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

func (f field) setString(to *string, value any) (must string) {
	v, ok := value.(string)
	switch {
	case len(f.words) > 0 && (!ok || !slices.Contains(f.words, v)):
		return "must be one of " + strings.Join(quoted(f.words), ", ")
	case !ok && f.must == "":
		return "must be a string"
	case !ok || f.check != nil && !f.check(v):
		return "must be " + f.must
	}
	*to = v
	return ""
}

func setList(to *[]string, value any) (must string) {
	items, ok := value.([]any)
	list := make([]string, 0, len(items))
	for _, item := range items {
		s, isString := item.(string)
		ok = ok && isString && !strings.ContainsRune(s, 0) && (s != "" || len(list) > 0)
		list = append(list, s)
	}
	if !ok {
		return `must be a list of strings, such as ["program", "argument"]`
	}
	*to = list
	return ""
}

func setVariables(to *map[string]string, value any) (must string) {
	table, ok := value.(map[string]any)
	env := make(map[string]string, len(table))
	for name, item := range table {
		s, isString := item.(string)
		ok = ok && isString && isVariable(name) && !strings.ContainsRune(s, 0)
		env[name] = s
	}
	if !ok {
		return "must be a table of environment variables and strings"
	}
	*to = env
	return ""
}

// setText sets a value from a variable or a flag.
func (f field) setText(text string) (must string) {
	var value any = text
	switch f.to.(type) {
	case *bool:
		if v, err := strconv.ParseBool(text); err == nil {
			value = v
		}
	case *int64, **int64:
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			value = v
		}
	case *float64, **float64:
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			value = v
		}
	}
	return f.set(value)
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return out
}
