package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent/hook"
	"github.com/lecode/lecode/porcelain/permission"
)

// performed is what became of a call.
type performed struct {
	Result
	masked []string
	denied bool
	ran    bool // the tool itself was asked
	class  permission.Class
}

// callTool does one call of the turn and stores its result. A call of an answer
// that was cut is not done: half of it may be missing.
func (t *turn) callTool(ctx context.Context, b provider.Block, finish provider.Finish) error {
	a := t.a
	c := Call{ID: b.ID, Name: b.Name, Arguments: b.Arguments, Generation: t.generation, SessionID: a.id, Mode: t.mode, turn: t}
	c.Progress = func(text string) { a.emit(Progressed{CallID: c.ID, Text: a.masked(text)}) }
	got := performed{Result: cutShort(finish)}
	share := t.room.take()
	if whole(finish) {
		var err error
		if got, err = a.perform(ctx, c, ""); err != nil {
			return errors.Join(err, t.partly(ctx, c, got))
		}
	}
	t.room.fit(&got.Result, share)
	t.note(c, got)
	seq, err := a.append(ctx, toolMessage(c, got.Result))
	if errors.Is(err, plumbing.ErrInvalid) { // too large for a record
		got.Result = failed(err)
		seq, err = a.append(ctx, toolMessage(c, got.Result))
	}
	if err != nil {
		return err
	}
	a.emit(Called{CallID: c.ID, Name: c.Name, Seq: seq, Result: got.Result, Masked: got.masked})
	return nil
}

// partly keeps what a call had printed when it was cut off: it was on the screen.
func (t *turn) partly(ctx context.Context, c Call, got performed) error {
	if !got.ran || got.Text == "" || ctx.Err() == nil {
		return nil
	}
	got.IsError = true
	got.masked = t.a.mask(&got.Result)
	seq, err := t.a.append(ctx, toolMessage(c, got.Result))
	if err == nil {
		t.a.emit(Called{CallID: c.ID, Name: c.Name, Seq: seq, Result: got.Result, Masked: got.masked})
	}
	return err
}

// whole reports whether the calls of an answer that ended so are all there.
func whole(f provider.Finish) bool { return f == provider.FinishToolCalls || f == provider.FinishStop }

func cutShort(f provider.Finish) Result {
	return failed(plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the answer ended early (%s), so its calls were not run", f), "make the call again, with less in it"))
}

// note keeps what a call means for the rest of the turn.
func (t *turn) note(c Call, got performed) {
	t.outcome.Calls++
	if got.denied {
		t.outcome.Denied++
	}
	if got.ran && got.class != permission.Read {
		t.effects = true
	}
	if got.ran && !got.IsError && c.Name == "memory_forget" {
		t.forgot++
	}
}

// perform finds, judges and runs one call: permission, hooks, the tool, masking
// (design sections 12 and 15.7). child is the task that it is made for. The
// error is the context's own, or that of something that must not go on; all else
// is a result that says what is wrong.
func (a *Agent) perform(ctx context.Context, c Call, child string) (performed, error) {
	tl, need, err := a.needs(ctx, &c)
	if err != nil {
		return performed{Result: failed(err)}, ctx.Err()
	}
	a.emit(Calling{Child: child, CallID: c.ID, Name: c.Name, Arguments: c.Arguments, Summary: need.Summary})
	allowed, why, err := a.may(ctx, c, child, need)
	if err != nil {
		return performed{}, err
	}
	if !allowed {
		return performed{Result: failed(plumbing.Fail(plumbing.ErrRefused, "this call was not allowed: "+why, "go on without it, or say what you need")), denied: true}, nil
	}
	seen := hookCall(c, child, need)
	said, err := a.hook(ctx, hook.BeforeTool, func(h hook.About) map[string]any { return h.BeforeTool(seen) })
	if err != nil {
		return performed{}, err
	}
	if said.Blocked {
		return performed{Result: failed(plumbing.Fail(plumbing.ErrRefused, "a before_tool hook blocked this call: "+said.Reason, ""))}, nil
	}
	got := performed{ran: true, class: need.Class}
	got.Result, err = tl.run(ctx, c)
	if err != nil {
		if ctx.Err() != nil {
			return got, ctx.Err()
		}
		got.Result = failed(err)
	}
	got.masked = a.mask(&got.Result)
	return got, a.after(ctx, seen, &got.Result)
}

// run is Tool.Run; a tool that panics is a defect in lecode and ends only its call.
func (tl Tool) run(ctx context.Context, c Call) (r Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			r, err = Result{}, fmt.Errorf("tool %s: panic (%T)", c.Name, p)
		}
	}()
	return tl.Run(ctx, c)
}

// needs finds the tool and what the call would do.
func (a *Agent) needs(ctx context.Context, c *Call) (Tool, permission.Need, error) {
	list := a.tools(c.Mode, c.Child)
	i := slices.IndexFunc(list, func(t Tool) bool { return t.Name == c.Name })
	if i < 0 {
		return Tool{}, permission.Need{}, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("there is no tool %.60q here", c.Name), "use one of those that you were given")
	}
	tl := list[i]
	need := permission.Need{Class: tl.Class, Summary: c.Name + " " + string(c.Arguments)}
	var err error
	if tl.Needs != nil {
		if need, err = tl.Needs(ctx, *c); err != nil {
			return tl, need, err
		}
	}
	need.Tool, need.Group = tl.Name, tl.Group
	return tl, need, nil
}

// may judges a call, and asks the person where that is due.
func (a *Agent) may(ctx context.Context, c Call, child string, need permission.Need) (bool, string, error) {
	settings, err := a.d.Settings()
	if err != nil {
		return false, "", err
	}
	v := permission.Rules{Settings: settings.Permissions, Mode: c.Mode}.Judge(need, a.grants)
	asked := Asked{Child: child, CallID: c.ID, Need: need, Allowed: v.Setting == permission.Allow, Why: v.Why}
	if v.Setting == permission.Ask {
		if a.d.Ask == nil {
			asked.Why = v.Why + ", and nobody is there to be asked"
		} else if err := a.question(ctx, need, v, &asked); err != nil {
			return false, "", err
		}
	}
	a.emit(asked)
	return asked.Allowed, asked.Why, nil
}

func (a *Agent) question(ctx context.Context, need permission.Need, v permission.Verdict, asked *Asked) error {
	answer, err := a.d.Ask(ctx, need, v)
	if err != nil {
		return err
	}
	asked.Answer = answer
	switch answer {
	case permission.Session, permission.Always:
		a.grants.Add(need)
		asked.Allowed = true
	case permission.Once:
		asked.Allowed = true
	default:
		asked.Why = "the user said no"
	}
	return nil
}

// failed is an error as a result.
func failed(err error) Result {
	return Result{Text: tool.Failure(err), IsError: true}
}

// mask takes secrets out of a result, once, before model, log and hooks see it.
func (a *Agent) mask(r *Result) []string {
	if a.d.Mask == nil {
		return nil
	}
	var kinds []string
	r.Text, kinds = a.d.Mask(r.Text)
	r.Detail, _ = a.d.Mask(r.Detail)
	return kinds
}

func (a *Agent) masked(text string) string {
	if a.d.Mask == nil {
		return text
	}
	text, _ = a.d.Mask(text)
	return text
}

// after runs the hooks behind a call. What they say, the model is told.
func (a *Agent) after(ctx context.Context, c hook.Call, r *Result) error {
	said, err := a.hook(ctx, hook.AfterTool, func(h hook.About) map[string]any { return h.AfterTool(c, r.IsError, r.Text) })
	if err != nil {
		return err
	}
	for _, n := range said.Notes {
		if r.Text != "" && !strings.HasSuffix(r.Text, "\n") {
			r.Text += "\n"
		}
		r.Text += "[a hook of the user's says: " + n + "]\n"
	}
	return nil
}

// CallTool calls a tool for a person who typed it, past permissions and hooks,
// as the words of /memory do (seed, "Correction, forgetting, and recovery").
// generation, where set, is the project's when the evidence was captured. A call
// that is not allowed is plumbing.ErrRefused; the other errors are the tool's.
func (a *Agent) CallTool(ctx context.Context, generation *int64, name string, args []byte) (string, error) {
	_, mode := a.now()
	now, err := a.d.Facts.Generation()
	if err != nil {
		return "", err
	}
	if generation != nil {
		now = *generation
	}
	c := Call{ID: "typed", Name: name, Arguments: args, Generation: now, SessionID: a.Standing().SessionID, Mode: mode}
	tl, need, err := a.needs(ctx, &c)
	if err != nil {
		return "", err
	}
	allowed, why, err := a.may(ctx, c, "", need)
	switch {
	case err != nil:
		return "", err
	case !allowed:
		return "", plumbing.Fail(plumbing.ErrRefused, name+" was not allowed: "+why, "permissions."+name+" in config.toml says when to ask; `lecode memory` does the same without asking")
	}
	seen := hookCall(c, "", need)
	said, err := a.hook(ctx, hook.BeforeTool, func(h hook.About) map[string]any { return h.BeforeTool(seen) })
	switch {
	case err != nil:
		return "", err
	case said.Blocked:
		return "", plumbing.Fail(plumbing.ErrRefused, "a before_tool hook blocked "+name+": "+said.Reason, "")
	}
	got, err := tl.Run(ctx, c)
	if err != nil {
		return "", err
	}
	return got.Text, a.after(ctx, seen, &got)
}
