package tool

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

func TestTools(t *testing.T) {
	want := []string{
		"memory_read read idempotent", "memory_write write destructive", "memory_edit write destructive", "memory_search read idempotent",
		"memory_recall read idempotent", "memory_list read idempotent", "memory_correct write", "memory_forget write destructive idempotent",
	}
	var got []string
	for _, tool := range Tools() {
		line := tool.Name + " " + string(tool.Class)
		if tool.Destructive {
			line += " destructive"
		}
		if tool.Idempotent {
			line += " idempotent"
		}
		got = append(got, line)
		found, ok := Find(tool.Name)
		if d := cmp.Diff(tool, found); !ok || d != "" || tool.Description == "" {
			t.Errorf("%s is found as %+v", tool.Name, found)
		}
		if _, err := canon.Check(tool.Schema, nil); err != nil {
			t.Errorf("the schema of %s: %v", tool.Name, err)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, ok := Find("memory_"); ok {
		t.Error("a prefix is taken for a tool")
	}
}

// Names are what every client takes, and no text speaks of a tool by the name that some client gives it.
func TestNamesAndDescriptions(t *testing.T) {
	for _, tool := range Tools() {
		if strings.Trim(tool.Name, "abcdefghijklmnopqrstuvwxyz_") != "" || len(tool.Name) > 20 {
			t.Errorf("%s: clients put more before the name", tool.Name)
		}
		texts := []string{tool.Description}
		gjson.GetBytes(tool.Schema, "@dig:description").ForEach(func(_, d gjson.Result) bool {
			texts = append(texts, d.Str)
			return true
		})
		if len(texts) < 2 {
			t.Errorf("%s: a field without a description", tool.Name)
		}
		for _, text := range texts {
			if text == "" || len(text) > 600 || strings.Contains(text, "mcp") || strings.Contains(strings.ReplaceAll(text, " memory_", " "), "memory_") {
				t.Errorf("%s says %q", tool.Name, text)
			}
		}
	}
}

// A schema uses nothing of JSON Schema but what every provider takes: no
// alternatives, no references, no bounds, each object closed.
func TestSchemasAreSimple(t *testing.T) {
	allowed := []string{"type", "description", "properties", "required", "additionalProperties", "items", "enum"}
	var check func(name string, schema gjson.Result)
	check = func(name string, schema gjson.Result) {
		schema.ForEach(func(key, value gjson.Result) bool {
			if !slices.Contains(allowed, key.Str) {
				t.Errorf("%s uses %q", name, key.Str)
			}
			return true
		})
		if schema.Get("type").Type != gjson.String {
			t.Errorf("%s has the type %s", name, schema.Get("type"))
		}
		if schema.Get("type").Str != "object" {
			if schema.Get("items").Exists() {
				check(name+".items", schema.Get("items"))
			}
			return
		}
		if schema.Get("additionalProperties").Raw != "false" {
			t.Errorf("%s is open", name)
		}
		schema.Get("properties").ForEach(func(key, value gjson.Result) bool {
			if !value.Get("description").Exists() {
				t.Errorf("%s.%s is not described", name, key.Str)
			}
			check(name+"."+key.Str, value)
			return true
		})
	}
	for _, tool := range Tools() {
		check(tool.Name, gjson.ParseBytes(tool.Schema))
	}
}

func TestForms(t *testing.T) {
	tool, _ := Find("memory_forget")
	d, s := string(must(canon.Marshal(tool.Description))), string(tool.Schema)
	for form, want := range map[string]string{
		"mcp": `{"annotations":{"destructiveHint":true,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":false},"description":` +
			d + `,"inputSchema":` + s + `,"name":"memory_forget"}`,
		"openai":    `{"function":{"description":` + d + `,"name":"memory_forget","parameters":` + s + `},"type":"function"}`,
		"anthropic": `{"description":` + d + `,"input_schema":` + s + `,"name":"memory_forget"}`,
	} {
		got, err := tool.Form(form)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", form, got, err)
		}
	}
	if _, err := tool.Form("gemini"); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("another form: %v", err)
	}
}

// TestSchemasAgree lets the schema and the decoder judge the same arguments.
// Only the decoder can refuse that a key is there twice (TestDecode), that the
// fields of memory_recall do not go together, and a whole number that no int64
// holds, or that a floating one does not hold exactly.
func TestSchemasAgree(t *testing.T) {
	n := 0
	for _, tool := range Tools() {
		schema := compile(t, tool)
		for _, args := range cases(tool.Name) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(args))
			if err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			bySchema := schema.Validate(value)
			byDecoder := Check(tool.Name, []byte(args))
			if byDecoder != nil && !errors.Is(byDecoder, plumbing.ErrInvalid) {
				t.Errorf("%s %s: %v", tool.Name, args, byDecoder)
			}
			if onlyDecoder(tool.Name, args, byDecoder) {
				byDecoder = nil
			}
			if (bySchema == nil) != (byDecoder == nil) {
				t.Errorf("%s %s: by the schema %v, by the decoder %v", tool.Name, args, bySchema, byDecoder)
			}
			n++
		}
	}
	if n < 1000 {
		t.Errorf("%d cases only", n)
	}
}

func onlyDecoder(name, args string, err error) bool {
	switch {
	case err == nil:
		return false
	case name == "memory_recall" && strings.HasSuffix(err.Error(), "memory_recall: give either fact_id alone, or session_id with start_seq and end_seq"):
		return true
	}
	for _, big := range []string{`9223372036854775808`, `1e300`, `9007199254740994.0`} {
		if strings.Contains(args, `":`+big) || strings.Contains(args, `"source_snapshot":`+refOf(digest, "["+big+"]", `"s1"`)) {
			return strings.Count(err.Error(), "the field ") == 1 && strings.Contains(err.Error(), "whole number")
		}
	}
	return false
}

func compile(t *testing.T, tool Tool) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(tool.Name, value); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(tool.Name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

const digest = `"sha256:0000000000000000000000000000000000000000000000000000000000000000"`

func refOf(digest, seqs, id string) string {
	return fmt.Sprintf(`{"digest":%s,"seqs":%s,"session_id":%s}`, digest, seqs, id)
}

// right is arguments of each tool that are taken; of memory_recall those of a fact.
func right(tool string) map[string]string {
	return map[string]map[string]string{
		"memory_read":    {"file": `"MEMORY.md"`},
		"memory_write":   {"content": `"x"`, "file": `"MEMORY.md"`, "mode": `"append"`},
		"memory_edit":    {"all": `true`, "file": `"MEMORY.md"`, "new": `"y"`, "old": `"x"`},
		"memory_search":  {"pattern": `"x"`},
		"memory_recall":  {"fact_id": `"f"`, "limit": `1`, "offset": `0`},
		"memory_list":    {"offset": `0`},
		"memory_correct": {"expected_revision": `1`, "fact_id": `"f"`, "source_snapshot": refOf(digest, `[1]`, `"s1"`), "text": `"x"`},
		"memory_forget":  {"fact_id": `"f"`},
	}[tool]
}

// values are one of each type, and what lies at the bounds of some.
func values() []string {
	return []string{
		`null`, `true`, `false`, `0`, `1`, `-1`, `-0`, `1.0`, `1.5`, `1e2`, `1e-2`, `0.0`, `2147483648`, `9007199254740993`, `9223372036854775807`,
		`-9223372036854775808`, `9223372036854775808`, `1e300`, `9007199254740994.0`, `""`, `"x"`, `"1"`, `"append"`, `"Append"`, `"replace"`, `"true"`,
		`"\u0000"`, `"\u202e漢"`, `"MEMORY.md"`, `[]`, `[1]`, `["MEMORY.md"]`, `{}`, `{"file":"MEMORY.md"}`,
		refOf(digest, `[1]`, `"s1"`), refOf(digest, `[1,2.0,1e1]`, `"s1"`), refOf(digest, `[]`, `"s1"`), refOf(digest, `[1.5]`, `"s1"`), refOf(digest, `["1"]`, `"s1"`),
		refOf(digest, `[1,null]`, `"s1"`), refOf(digest, `[[1]]`, `"s1"`), refOf(digest, `[9223372036854775808]`, `"s1"`), refOf(digest, `{}`, `"s1"`),
		refOf(`"sha256:0"`, `[1]`, `"s1"`), refOf(`1`, `[1]`, `"s1"`), refOf(digest, `1`, `"s1"`), refOf(digest, `[1]`, `""`), refOf(digest, `[1]`, `null`),
		`{"digest":` + digest + `,"seqs":[1]}`, `{"seqs":[1],"session_id":"s1"}`, `{"digest":` + digest + `,"session_id":"s1"}`,
		strings.Replace(refOf(digest, `[1]`, `"s1"`), "{", `{"type":"source_ref",`, 1), strings.Replace(refOf(digest, `[1]`, `"s1"`), "seqs", `Seqs`, 1),
	}
}

// cases makes objects around one that is right: each field left out, of
// another type, at its bounds, under another name, and one more.
func cases(tool string) []string {
	objects := []string{join(right(tool)), `[]`, `1`, `null`, `true`, `"x"`, `{}`}
	bases := []map[string]string{right(tool)}
	if tool == "memory_recall" {
		bases = append(bases, map[string]string{"end_seq": `1`, "limit": `1`, "offset": `0`, "session_id": `"s1"`, "start_seq": `1`},
			map[string]string{"end_seq": `1`, "fact_id": `"f"`, "session_id": `"s1"`, "start_seq": `1`})
	}
	for _, base := range bases {
		objects = append(objects, around(base)...)
	}
	return objects
}

func around(base map[string]string) []string {
	objects := []string{join(base)}
	with := func(name, value string) map[string]string {
		m := maps.Clone(base)
		m[name] = value
		return m
	}
	for name := range base {
		less := maps.Clone(base)
		delete(less, name)
		objects = append(objects, join(less))
		less[strings.ToUpper(name[:1])+name[1:]] = base[name]
		objects = append(objects, join(less))
		for _, v := range values() {
			objects = append(objects, join(with(name, v)))
		}
	}
	for _, v := range values() {
		objects = append(objects, join(with("zzz", v)), join(with("", v)))
	}
	return objects
}

func join(m map[string]string) string {
	var fields []string
	for k, v := range m {
		fields = append(fields, fmt.Sprintf("%q:%s", k, v))
	}
	slices.Sort(fields)
	return "{" + strings.Join(fields, ",") + "}"
}
