package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/permission"
)

// Task is the name of the tool that starts a child.
const Task = "task"

// maxTask is the most bytes of a child's answer that its parent gets.
const maxTask = 32 << 10

const taskDescription = `Gives a self-contained piece of work to a child: another run of you with a context of its own, which sees nothing of this conversation and keeps nothing afterwards. It can read files and the memory, search, edit and run commands under the same permissions, but never writes memory. Say all that it needs to know and what it should report; its last answer is the result.`

const taskSchema = `{"additionalProperties":false,"properties":{"description":{"description":"The work in a few words, for the user.","type":"string"},"prompt":{"description":"The whole task.","type":"string"}},"required":["prompt"],"type":"object"}`

type taskArguments struct {
	Description string `json:"description"`
	Prompt      string `json:"prompt"`
}

func readTask(args []byte) (taskArguments, error) {
	var t taskArguments
	if err := json.Unmarshal(args, &t, json.RejectUnknownMembers(true)); err != nil {
		return t, plumbing.Fail(plumbing.ErrInvalid, "task takes prompt and description, both strings", "")
	}
	if strings.TrimSpace(t.Prompt) == "" {
		return t, plumbing.Fail(plumbing.ErrInvalid, "the prompt of a task is empty", "say what the child is to do")
	}
	return t, nil
}

// taskTool is the tool `task`. By itself it only reads; what the child does is
// judged call by call.
func (a *Agent) taskTool() Tool {
	return Tool{
		Tool:  provider.Tool{Name: Task, Description: taskDescription, Schema: []byte(taskSchema)},
		Class: permission.Read,
		Needs: func(_ context.Context, c Call) (permission.Need, error) {
			t, err := readTask(c.Arguments)
			if t.Description == "" {
				t.Description = t.Prompt
			}
			return permission.Need{Class: permission.Read, Summary: "task: " + t.Description}, err
		},
		Run: a.runTask,
	}
}

// child is a run without a session (design section 12): own context, nothing
// kept but what its calls took.
type child struct {
	a        *Agent
	turn     *turn
	call     Call // of the task
	messages []provider.Message
	estimate budget.Estimate
	room     room // what the results of the latest answer may take
}

func (a *Agent) runTask(ctx context.Context, c Call) (Result, error) {
	args, err := readTask(c.Arguments)
	if err != nil {
		return Result{}, err
	}
	if c.turn == nil {
		return Result{}, plumbing.Fail(plumbing.ErrRefused, "a task runs within a turn only", "")
	}
	k := &child{a: a, turn: c.turn, call: c}
	if err := k.say(provider.Message{Role: provider.RoleUser, Content: []provider.Block{provider.Text(args.Prompt)}}); err != nil {
		return Result{}, err
	}
	text, err := k.run(ctx)
	if err != nil {
		return Result{}, err
	}
	if len(text) > maxTask {
		cut := strings.ToValidUTF8(text[:maxTask], "")
		text = fmt.Sprintf("%s\n[… %d more bytes of the child's answer left out]", cut, len(text)-len(cut))
	}
	return Result{Text: strings.TrimRight(text, "\n") + "\n"}, nil
}

func (k *child) say(m provider.Message) error {
	k.messages = append(k.messages, m)
	return add(&k.estimate, m)
}

// run asks until the child has done.
func (k *child) run(ctx context.Context) (string, error) {
	most, err := k.a.most()
	if err != nil {
		return "", err
	}
	for range most {
		got, err := k.ask(ctx)
		if err != nil {
			return "", err
		}
		if err := k.say(provider.Message{Role: provider.RoleAssistant, Content: got.Blocks}); err != nil {
			return "", err
		}
		calls := got.ToolCalls()
		if len(calls) == 0 {
			return got.Text(), nil
		}
		if err := k.callAll(ctx, calls, got.Finish); err != nil {
			return "", err
		}
	}
	return "", plumbing.Fail(plumbing.ErrPaused, fmt.Sprintf("the child has sent %d requests, which is agent.max_turns", most), "give it less to do")
}

// ask sends one request. It keeps the generation of the request that the task
// came from: once something was forgotten, the child ends.
func (k *child) ask(ctx context.Context) (provider.Response, error) {
	a := k.a
	settings, err := a.d.Settings()
	if err != nil {
		return provider.Response{}, err
	}
	model, _ := a.now()
	r := ready{model: model}
	r.request.Tools = a.offered(k.call.Mode, true)
	var generation int64
	if r.request.System, generation, err = a.system(ctx, settings, &r); err != nil {
		return provider.Response{}, err
	}
	if generation != k.call.Generation {
		return provider.Response{}, stale()
	}
	r.request.Messages = k.messages
	r.reckon(k.estimate, a.d.Calls.Calibration)
	kept := reserve(settings, model.Limits.ContextWindow)
	if !model.Limits.Fits(r.tokens, min(kept, leastAnswer)) {
		return provider.Response{}, r.pause(kept, nil)
	}
	r.request.MaxOutputTokens = r.cap(kept)
	k.room.left = r.room()
	return k.send(ctx, r)
}

func stale() error {
	return plumbing.Fail(plumbing.ErrConflict, "something was forgotten while the child ran, and what it had learned until then no longer counts", "give it the task anew")
}

func (k *child) send(ctx context.Context, r ready) (provider.Response, error) {
	a := k.a
	a.emit(Requested{Child: k.call.ID, Generation: k.call.Generation, Tokens: r.tokens, Window: r.model.Limits.ContextWindow, Facts: r.facts, LeftOut: r.leftOut})
	k.turn.outcome.Requests++
	got, err := a.d.Calls.Ask(ctx, r.model, call.Asking{Request: r.request, Purpose: usage.Answer, Session: &a.id, Estimate: r.estimate,
		On: func(d provider.Delta) error { a.streamed(k.call.ID, d); return ctx.Err() }})
	if got.Sent {
		k.turn.account(got, r.estimate.Tokens()+r.request.MaxOutputTokens)
	}
	err = errors.Join(err, a.spent(got)) // nothing of a child is kept but this
	if err != nil {
		return got.Response, err
	}
	now, err := a.d.Facts.Generation()
	if err != nil {
		return got.Response, err
	}
	if now != k.call.Generation {
		a.emit(Stale{Child: k.call.ID, Response: got.Response})
		return got.Response, stale()
	}
	if err := a.tidy(&got.Response); err != nil {
		return got.Response, err
	}
	a.emit(Answered{Child: k.call.ID, Response: got.Response, Priced: got.Priced})
	return got.Response, nil
}

// callAll does the calls of an answer; their results are one message.
func (k *child) callAll(ctx context.Context, calls []provider.Block, finish provider.Finish) error {
	m := provider.Message{Role: provider.RoleTool}
	k.room.calls = int64(len(calls))
	for _, b := range calls {
		c := Call{ID: b.ID, Name: b.Name, Arguments: b.Arguments, Generation: k.call.Generation, Child: true, Mode: k.call.Mode, turn: k.turn}
		got := performed{Result: cutShort(finish)}
		share := k.room.take()
		if whole(finish) {
			var err error
			if got, err = k.a.perform(ctx, c, k.call.ID); err != nil {
				return err
			}
		}
		k.room.fit(&got.Result, share)
		k.turn.note(c, got)
		k.a.emit(Called{Child: k.call.ID, CallID: c.ID, Name: c.Name, Result: got.Result, Masked: got.masked})
		m.Content = append(m.Content, resultBlock(c, got.Result))
	}
	return k.say(m)
}
