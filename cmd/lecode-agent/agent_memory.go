package main

import (
	"context"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// addMemory gives the agent the memory tools; where memory is disabled it has none.
func (w *wiring) addMemory(settings *config.Config) error {
	if !settings.Memory.Enabled {
		return nil
	}
	d := w.stores.Tools()
	for _, t := range tool.Tools() {
		w.deps.Tools = append(w.deps.Tools, memoryTool(d, t))
	}
	return nil
}

// memoryTool is one of the tools of plumbing/tool; children get the readers
// (design section 12), and neither they nor a read-only mode ever write.
func memoryTool(d tool.Deps, t tool.Tool) agent.Tool {
	class := permission.Read
	if t.Class == tool.Write {
		class = permission.Write
	}
	return agent.Tool{
		Tool:  provider.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema},
		Class: class, Group: "memory", Child: class == permission.Read,
		Needs: func(ctx context.Context, c agent.Call) (permission.Need, error) {
			summary, detail := aboutMemory(t.Name, c.Arguments)
			if t.Class == tool.Write {
				detail = factNow(ctx, d, gjson.GetBytes(c.Arguments, "fact_id").Str) + detail
			}
			return permission.Need{Tool: t.Name, Group: "memory", Class: class, Summary: summary, Detail: detail}, tool.Check(t.Name, c.Arguments)
		},
		Run: func(ctx context.Context, c agent.Call) (agent.Result, error) {
			caller := tool.Caller{Child: c.Child, ReadOnly: c.Child || c.Mode == permission.ReadOnly, Generation: &c.Generation, SessionID: c.SessionID}
			r, err := tool.Call(ctx, d, caller, t.Name, c.Arguments)
			return agent.Result{Text: r.Text}, err
		},
	}
}

// factNow is the text of the fact that a call would change, where it may be
// told: nobody knows a fact by its ID.
func factNow(ctx context.Context, d tool.Deps, id string) string {
	f, err := d.Facts.Get(ctx, id)
	if err != nil {
		return "" // the call itself says what is wrong
	}
	view, err := d.Facts.View(ctx)
	if err != nil {
		return ""
	}
	if status, err := fact.StatusBy(ctx, d.Sources, f, view, session.Durable); err != nil || status != source.Valid {
		return ""
	}
	return "the fact now: " + f.Current().Text + "\n"
}

// aboutMemory says what a call is about, and the words that it would store.
func aboutMemory(name string, args []byte) (summary, detail string) {
	summary = name
	for _, key := range []string{"file", "fact_id", "session_id", "pattern"} {
		if v := gjson.GetBytes(args, key); v.Type == gjson.String {
			summary += " " + v.Str
			break
		}
	}
	for _, key := range []string{"content", "old", "new", "text"} {
		if v := gjson.GetBytes(args, key); v.Type == gjson.String {
			detail += key + ": " + v.Str + "\n"
		}
	}
	return summary, detail
}
