package tool

import (
	"embed"
	"strings"
)

// Class says whether a tool reads or writes; permissions go by it (design section 12).
type Class string

// The classes of the memory tools (seed, "What the agent sees").
const (
	Read  Class = "read"
	Write Class = "write"
)

// Tool is what a model, and whoever asks for permission, is told of a tool.
type Tool struct {
	Name        string
	Description string
	Class       Class
	// Destructive: a call may end what was there; Idempotent: the same call
	// again changes nothing more. They are MCP's annotations.
	Destructive, Idempotent bool
	Schema                  []byte // the JSON Schema of its arguments, canonical
}

//go:embed *.json
var schemas embed.FS

// kind is a tool and what it does.
type kind struct {
	Tool
	// bind takes the arguments; the action is run only if all of them are right.
	bind func(*arguments, Deps, Caller) action
}

// kinds lists the tools, in the order of design section 8, without what their schemas say.
func kinds() []kind {
	return []kind{
		{Tool{Name: "memory_read", Class: Read, Idempotent: true}, read},
		{Tool{Name: "memory_write", Class: Write, Destructive: true}, write},
		{Tool{Name: "memory_edit", Class: Write, Destructive: true}, edit},
		{Tool{Name: "memory_search", Class: Read, Idempotent: true}, search},
		{Tool{Name: "memory_recall", Class: Read, Idempotent: true}, recallEvidence},
		{Tool{Name: "memory_list", Class: Read, Idempotent: true}, list},
		{Tool{Name: "memory_correct", Class: Write}, correct},
		{Tool{Name: "memory_forget", Class: Write, Destructive: true, Idempotent: true}, forget},
	}
}

// find returns the kind of a name.
func find(name string) (kind, bool) {
	for _, k := range kinds() {
		if k.Name == name {
			return k, true
		}
	}
	return kind{}, false
}

// Tools lists all eight, in the order of design section 8; schemas and
// descriptions are read from the files beside the code when it is called.
func Tools() []Tool {
	var all []Tool
	for _, k := range kinds() {
		all = append(all, k.told())
	}
	return all
}

// Find returns the tool of a name.
func Find(name string) (Tool, bool) {
	k, ok := find(name)
	if !ok {
		return Tool{}, false
	}
	return k.told(), true
}

// told reads what a model is told; that the files are there and well formed a test makes sure.
func (k kind) told() Tool {
	t := k.Tool
	t.Description, t.Schema = ReadSchema(schemas, k.Name)
	return t
}

func names() string {
	var all []string
	for _, k := range kinds() {
		all = append(all, k.Name)
	}
	return strings.Join(all, ", ")
}
