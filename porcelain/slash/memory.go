package slash

import (
	"context"

	"github.com/lecode/lecode/porcelain/memory"
)

// words is /memory: the words of `lecode memory`, for the session at hand. What
// changes the memory goes through the agent's tools, and so past permissions
// and hooks.
func words(ctx context.Context, d Deps, args string) (Answer, error) {
	m := d.Memory
	m.Call, m.SessionID, m.Tool = "/memory", d.Agent.Standing().SessionID, d.Agent.CallTool
	settings, err := d.Settings()
	if err != nil {
		return Answer{}, err
	}
	m.MaxBytes = settings.Memory.MaxBytes
	a, err := memory.Run(ctx, m, memory.Split(args))
	if err != nil {
		return Answer{}, err
	}
	return Answer{Value: a, No: a.No, Warnings: a.Warnings}, nil
}
