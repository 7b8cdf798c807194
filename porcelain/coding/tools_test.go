package coding

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

func TestTools(t *testing.T) {
	b := newBox(t)
	want := []string{"read read child", "write write child", "edit write child", "grep read child", "glob read child", "ls read child", "todo read"}
	var got []string
	for _, tl := range b.Tools()[:len(want)] {
		line := tl.Name + " " + string(tl.Class)
		if tl.Child {
			line += " child"
		}
		got = append(got, line)
		if _, err := canon.Check(tl.Schema, nil); err != nil || len(tl.Description) < 50 || len(tl.Description) > 600 {
			t.Errorf("%s: %v, %q", tl.Name, err, tl.Description)
		}
		simple(t, tl.Name, gjson.ParseBytes(tl.Schema))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// simple checks that a schema uses nothing of JSON Schema but what every provider takes.
func simple(t *testing.T, name string, schema gjson.Result) {
	t.Helper()
	allowed := []string{"type", "description", "properties", "required", "additionalProperties", "items", "enum"}
	schema.ForEach(func(key, _ gjson.Result) bool {
		if !slices.Contains(allowed, key.Str) {
			t.Errorf("%s uses %q", name, key.Str)
		}
		return true
	})
	if items := schema.Get("items"); items.Exists() {
		simple(t, name+"[]", items)
	}
	if schema.Get("type").Str == "object" && schema.Get("additionalProperties").Raw != "false" {
		t.Errorf("%s is open", name)
	}
	schema.Get("properties").ForEach(func(key, value gjson.Result) bool {
		if value.Get("description").Str == "" {
			t.Errorf("%s.%s is not described", name, key.Str)
		}
		simple(t, name+"."+key.Str, value)
		return true
	})
}

// rightArguments are ones that each tool takes.
func rightArguments() map[string]map[string]string {
	return map[string]map[string]string{
		"read":  {"limit": `1`, "offset": `1`, "path": `"f"`},
		"write": {"content": `"x"`, "path": `"new"`},
		"edit":  {"edits": `[{"all":true,"new":"y","old":"x"}]`, "path": `"f"`},
		"grep":  {"context": `1`, "glob": `"*"`, "ignore_case": `true`, "limit": `1`, "path": `"."`, "pattern": `"x"`},
		"glob":  {"path": `"."`, "pattern": `"*"`},
		"ls":    {"depth": `1`, "path": `"."`},
		"todo":  {"items": `[{"status":"open","text":"x"}]`},
	}
}

func values() []string {
	return []string{`null`, `true`, `false`, `1`, `1.0`, `1.5`, `2e0`, `""`, `"x"`, `"open"`, `"done"`, `[]`, `[1]`, `["x"]`, `{}`, `[{}]`, `[null]`,
		`[{"new":"y","old":"x"}]`, `[{"all":1,"new":"y","old":"x"}]`, `[{"new":"y","old":"x","x":1}]`, `[{"new":"y"}]`, `[{"new":"y","old":"x"},1]`,
		`[{"status":"Open","text":"x"}]`, `[{"status":"done","text":"x"},{"status":"doing","text":"y"}]`, `[{"status":"done"}]`}
}

func join(fields map[string]string) string {
	var all []string
	for k, v := range fields {
		all = append(all, fmt.Sprintf("%q:%s", k, v))
	}
	slices.Sort(all)
	return "{" + strings.Join(all, ",") + "}"
}

func casesOf(name string) []string {
	base := rightArguments()[name]
	all := []string{join(base), `{}`, `[]`, `null`, `1`}
	for field := range base {
		less := maps.Clone(base)
		delete(less, field)
		all = append(all, join(less))
		less[strings.ToUpper(field)] = base[field]
		all = append(all, join(less))
		for _, v := range values() {
			more := maps.Clone(base)
			more[field] = v
			all = append(all, join(more))
		}
	}
	return all
}

// The schema and the decoder judge alike; what only the decoder can refuse is a range.
func TestSchemasAgree(t *testing.T) {
	for _, k := range kinds() {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(told(k.name).Schema))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(k.name, value); err != nil {
			t.Fatal(err)
		}
		schema, err := c.Compile(k.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range casesOf(k.name) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(args))
			if err != nil {
				t.Fatal(err)
			}
			bySchema, byDecoder := schema.Validate(value), takes(k, args)
			if (bySchema == nil) != (byDecoder == nil) {
				t.Errorf("%s %s: by the schema %v, by the decoder %v", k.name, args, bySchema, byDecoder)
			}
		}
	}
}

func takes(k kind, args string) error {
	a, err := tool.ReadArguments(k.name, []byte(args))
	if err != nil {
		return err
	}
	k.take(a)
	return a.Err()
}

func FuzzArguments(f *testing.F) {
	b := newBox(f)
	b.put("f", "x\n")
	b.read("f")
	all := kinds()
	for i, k := range all {
		for j, args := range casesOf(k.name) {
			if j%5 == 0 {
				f.Add(i, []byte(args))
			}
		}
	}
	f.Fuzz(func(t *testing.T, i int, args []byte) {
		k := all[uint(i)%uint(len(all))]
		if err := takes(k, string(args)); err != nil && !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%s %q: %v", k.name, args, err)
		} else if err == nil && len(args) > 0 {
			if _, err := canon.CanonicalizeObject(args); err != nil {
				t.Errorf("%s %q is taken: %v", k.name, args, err)
			}
		}
		n, err := b.tools[k.name].Needs(t.Context(), b.callOf(k.name, string(args)))
		if err == nil && (n.Class != k.class || n.Tool != k.name || n.Summary == "") {
			t.Errorf("%s %q needs %+v", k.name, args, n)
		}
	})
}

func TestNeeds(t *testing.T) {
	b := newBox(t)
	b.put("f", "a\nb\n")
	b.put("sub/g", "a\n")
	b.link("f", "link")
	b.read("f")
	etc := filepath.Join(b.outside, "x")
	for _, c := range []struct {
		tool, args string
		want       permission.Need
	}{
		{"read", `{"path":"f"}`, permission.Need{Summary: "read f"}},
		{"read", `{"path":"link"}`, permission.Need{Summary: "read link -> " + b.path("f")}},
		{"read", `{"path":"./sub/../f"}`, permission.Need{Summary: "read ./sub/../f"}},
		{"read", jsonOf(m{"path": etc}), permission.Need{Summary: "read " + etc, Outside: []string{etc}}},
		{"read", `{"path":"../out/x"}`, permission.Need{Summary: "read ../out/x", Outside: []string{etc}}},
		{"read", `{"path":"~/x"}`, permission.Need{Summary: "read ~/x", Outside: []string{filepath.Join(filepath.Dir(b.dir), "home/x")}}},
		{"read", `{"path":"~x"}`, permission.Need{Summary: "read ~x"}},
		{"grep", `{"pattern":"a.b","path":"sub"}`, permission.Need{Summary: "grep a.b in sub"}},
		{"grep", jsonOf(m{"path": b.outside, "pattern": "x"}), permission.Need{Summary: "grep x in " + b.outside, Outside: []string{b.outside}}},
		{"glob", `{"pattern":"**/*.go"}`, permission.Need{Summary: "glob **/*.go in ."}},
		{"ls", `{"path":".."}`, permission.Need{Summary: "ls ..", Outside: []string{filepath.Dir(b.dir)}}},
		{"read", `{"path":"two\nlines\u202e"}`, permission.Need{Summary: `read "two\nlines\u202e"`}},
		{"todo", `{"items":[{"text":"x","status":"open"}]}`, permission.Need{Summary: "todo: 1 item"}},
		{"write", content("new", "x\n"), permission.Need{Class: permission.Write, Summary: "write new (a new file, 2 bytes)",
			Detail: "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n"}},
		{"write", content("sub/.git/config", "x\n"), permission.Need{Class: permission.Write, Summary: "write sub/.git/config (a new file, 2 bytes)",
			Outside: []string{b.path("sub/.git/config")}, Why: "git runs what its own folder names, and nobody sees that in a diff",
			Detail: "--- /dev/null\n+++ b/sub/.git/config\n@@ -0,0 +1 @@\n+x\n"}},
		{"read", `{"path":".git/config"}`, permission.Need{Summary: "read .git/config"}},
		{"write", content("f", "a\nc"), permission.Need{Class: permission.Write, Summary: "write f (3 bytes)",
			Detail: "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n"}},
		{"edit", one("f", "b", "c"), permission.Need{Class: permission.Write, Summary: "edit f (1 edit)", Detail: "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"}},
		{"edit", one(etc, "b\n", "c\n"), permission.Need{Class: permission.Write, Summary: "edit " + etc + " (1 edit)", Outside: []string{etc},
			Detail: "--- a" + etc + "\n+++ b" + etc + "\n@@ -1 +1 @@\n-b\n+c\n"}},
	} {
		c.want.Tool = c.tool
		if c.want.Class == "" {
			c.want.Class = permission.Read
		}
		got, err := b.tools[c.tool].Needs(t.Context(), b.callOf(c.tool, c.args))
		if d := cmp.Diff(c.want, got); err != nil || d != "" {
			t.Errorf("%s %s: %v %s", c.tool, c.args, err, d)
		}
	}
	b.moveTo(b.path("sub"))
	got, err := b.tools["read"].Needs(t.Context(), b.callOf("read", `{"path":"../f"}`))
	if err != nil || got.Outside != nil || b.must("read", `{"path":"g"}`) != " 1\ta\n" {
		t.Errorf("from another folder: %+v, %v", got, err)
	}
}

func TestTodo(t *testing.T) {
	b := newBox(t)
	text := b.must("todo", `{"items":[{"text":"read","status":"done"},{"text":"write","status":"doing"},{"text":"test","status":"open"}]}`)
	if text != "1. [x] read\n2. [>] write\n3. [ ] test\n" {
		t.Errorf("%q", text)
	}
	want := []Todo{{"read", Done}, {"write", Doing}, {"test", Open}}
	if d := cmp.Diff(want, b.Todos()); d != "" {
		t.Error(d)
	}
	for _, args := range []string{
		`{"items":[{"text":" ","status":"open"}]}`, `{"items":[{"text":"a\nb","status":"open"}]}`, `{"items":[{"text":"a","status":"later"}]}`,
		`{"items":[` + strings.Repeat(`{"text":"a","status":"open"},`, maxTodos) + `{"text":"a","status":"open"}]}`,
		jsonOf(m{"items": []any{m{"text": strings.Repeat("x", maxTodoText+1), "status": "open"}}}),
	} {
		if _, err := b.call("todo", args); !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%.80s: %v", args, err)
		}
	}
	if d := cmp.Diff(want, b.Todos()); d != "" {
		t.Error(d)
	}
	if text := b.must("todo", `{"items":[]}`); text != "The list is empty.\n" || len(b.Todos()) != 0 {
		t.Errorf("%q", text)
	}
}

// No more calls are remembered than are needed, and the same ID for another call is another.
func TestNamed(t *testing.T) {
	b := newBox(t)
	for i := range maxNamed + 10 {
		b.name(agent.Call{ID: fmt.Sprint(i)}, "/x")
	}
	if len(b.names) != maxNamed || b.hasNamed(agent.Call{ID: "0"}, "/x") || !b.hasNamed(agent.Call{ID: "20"}, "/x") || b.hasNamed(agent.Call{ID: "20", Name: "y"}, "/x") {
		t.Errorf("%d", len(b.names))
	}
}
