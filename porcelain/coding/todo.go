package coding

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
)

// Todo is one thing that the model means to do.
type Todo struct {
	Text   string
	Status string // Open, Doing or Done
}

// How far a thing to do is.
const (
	Open  = "open"
	Doing = "doing"
	Done  = "done"
)

// The most that a list may be: items, and bytes of the text of one.
const (
	maxTodos    = 100
	maxTodoText = 500
)

// todoJob is todo: {items:[{text,status}]}.
type todoJob struct{ items []Todo }

func takeTodo(a tool.Arguments) job {
	j := todoJob{}
	a.Objects("items", func(a tool.Arguments) {
		j.items = append(j.items, Todo{Status: a.Word("status", Open, Doing, Done), Text: a.Text("text")})
	})
	return j
}

func (j todoJob) where() (string, bool) { return "", false }

func (j todoJob) need(context.Context, *Toolbox, place) (string, string, error) {
	return fmt.Sprintf("todo: %s", counted(len(j.items), "item")), "", j.check()
}

func (j todoJob) check() error {
	if len(j.items) > maxTodos {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the list has %d items, and the most is %d", len(j.items), maxTodos),
			"leave out what is done")
	}
	for i, item := range j.items {
		switch {
		case strings.TrimSpace(item.Text) == "":
			return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("item %d says nothing", i+1), "say what is to be done")
		case len(item.Text) > maxTodoText || strings.ContainsAny(item.Text, "\r\n"):
			return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("item %d is not one line of at most %d bytes", i+1, maxTodoText), "make it shorter")
		}
	}
	return nil
}

// run replaces the list, which is kept as long as the Toolbox, and nowhere else.
func (j todoJob) run(_ context.Context, t *Toolbox, _ place) (agent.Result, error) {
	if err := j.check(); err != nil {
		return agent.Result{}, err
	}
	t.mu.Lock()
	t.todos = slices.Clone(j.items)
	t.mu.Unlock()
	if len(j.items) == 0 {
		return agent.Result{Text: "The list is empty.\n"}, nil
	}
	var b strings.Builder
	for i, item := range j.items {
		fmt.Fprintf(&b, "%d. [%s] %s\n", i+1, map[string]string{Open: " ", Doing: ">", Done: "x"}[item.Status], item.Text)
	}
	return agent.Result{Text: b.String()}, nil
}
