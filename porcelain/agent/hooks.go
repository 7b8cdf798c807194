package agent

import (
	"context"
	"time"

	"github.com/lecode/lecode/porcelain/agent/hook"
	"github.com/lecode/lecode/porcelain/permission"
)

// hook runs the hooks of an event, with what every event tells besides its own.
// Warnings are told once. Whatever a hook says is masked: it goes to model and log.
func (a *Agent) hook(ctx context.Context, event string, object func(hook.About) map[string]any) (hook.Outcome, error) {
	if len(a.d.Hooks.Hooks) == 0 {
		return hook.Outcome{}, nil
	}
	m, mode := a.now()
	about := hook.About{SessionID: a.Standing().SessionID, ProjectRoot: a.d.Root, Mode: string(mode), Model: m.Name()}
	said, err := a.d.Hooks.Run(ctx, event, object(about))
	said.Reason = a.masked(said.Reason)
	for i, n := range said.Notes {
		said.Notes[i] = a.masked(n)
	}
	for i, w := range said.Warnings {
		said.Warnings[i] = a.masked(w)
	}
	a.warn(said.Warnings)
	return said, err
}

// lastWords is how long the hooks of an interrupted turn's end may take.
const lastWords = 5 * time.Second

// ending is the context of what runs at the end of a turn: one that an
// interrupt still ends, or, where that has been, one of its own for a little.
func ending(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), lastWords)
}

// hookCall is a call as hooks see it.
func hookCall(c Call, child string, need permission.Need) hook.Call {
	h := hook.Call{Tool: c.Name, ID: c.ID, Class: string(need.Class), Arguments: c.Arguments, Child: child}
	for _, cmd := range need.Commands {
		h.Commands = append(h.Commands, hook.Command{Words: cmd.Words, Class: string(cmd.Class)})
	}
	return h
}
