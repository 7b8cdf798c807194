package coding

import (
	"context"
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

//go:embed *.json
var schemas embed.FS

// job is one call of a file tool, its arguments taken.
type job interface {
	// where is the path that it is about, as the model gave it; false for none.
	where() (path string, is bool)
	// need says what it would do: a line for a person, and more.
	need(ctx context.Context, t *Toolbox, p place) (summary, detail string, err error)
	run(ctx context.Context, t *Toolbox, p place) (agent.Result, error)
}

// kind is a file tool and how its arguments are taken.
type kind struct {
	name  string
	class permission.Class
	child bool // children get it too
	take  func(a tool.Arguments) job
}

func kinds() []kind {
	return []kind{
		{"read", permission.Read, true, takeRead},
		{"write", permission.Write, true, takeWrite},
		{"edit", permission.Write, true, takeEdit},
		{"grep", permission.Read, true, takeGrep},
		{"glob", permission.Read, true, takeGlob},
		{"ls", permission.Read, true, takeLs},
		{"todo", permission.Read, false, takeTodo},
	}
}

// Tools lists the tools: those of files, then the shell's. Children may code, so
// they get all that looks at files or changes them.
func (t *Toolbox) Tools() []agent.Tool {
	var all []agent.Tool
	for _, k := range kinds() {
		all = append(all, t.tool(k))
	}
	return append(all, t.shellTools()...)
}

func (t *Toolbox) tool(k kind) agent.Tool {
	return agent.Tool{
		Tool: told(k.name), Class: k.class, Child: k.child,
		Needs: func(ctx context.Context, c agent.Call) (permission.Need, error) { return t.needs(ctx, k, c) },
		Run:   func(ctx context.Context, c agent.Call) (agent.Result, error) { return t.run(ctx, k, c) },
	}
}

// told is what a model is told of a tool; that the file is there and well formed a test makes sure.
func told(name string) provider.Tool {
	description, schema := tool.ReadSchema(schemas, name)
	return provider.Tool{Name: name, Description: description, Schema: schema}
}

// take takes a call's arguments, and the place that they name.
func (t *Toolbox) take(k kind, c agent.Call) (job, place, error) {
	a, err := tool.ReadArguments(k.name, c.Arguments)
	if err != nil {
		return nil, place{}, err
	}
	j := k.take(a)
	if err := a.Err(); err != nil {
		return nil, place{}, err
	}
	path, is := j.where()
	if !is {
		return j, place{}, nil
	}
	p, err := t.place(path)
	return j, p, err
}

func (t *Toolbox) needs(ctx context.Context, k kind, c agent.Call) (permission.Need, error) {
	j, p, err := t.take(k, c)
	if err != nil {
		return permission.Need{}, err
	}
	n := permission.Need{Tool: k.name, Class: k.class}
	if p.outside {
		n.Outside = []string{p.real}
		t.name(c, p.real)
	}
	if k.class == permission.Write && gits(p.real) {
		n.Outside, n.Why = []string{p.real}, "git runs what its own folder names, and nobody sees that in a diff"
	}
	n.Summary, n.Detail, err = j.need(ctx, t, p)
	return n, err
}

// gits reports whether a path is git's own, which is asked for like one that is outside.
func gits(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(name string) bool { return strings.EqualFold(name, ".git") })
}

// run does it. Where a path outside the workspace was not named before, a link
// was put there since: nobody was asked for where it leads.
func (t *Toolbox) run(ctx context.Context, k kind, c agent.Call) (agent.Result, error) {
	j, p, err := t.take(k, c)
	if err != nil {
		return agent.Result{}, err
	}
	if p.outside && !t.hasNamed(c, p.real) {
		return agent.Result{}, plumbing.Fail(plumbing.ErrConflict,
			fmt.Sprintf("%q leads to %q, outside the workspace, and did not when permission was asked", p.given, p.real), "look at it again with ls")
	}
	return j.run(ctx, t, p)
}
