package main

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/derive"
)

type completeCommand struct {
	Model string `placeholder:"MODEL" help:"The model to ask (default: the plan's, for a request agent.model)."`
}

var completeHelp = cli.Help{
	Usage: "[--model MODEL]",
	About: `
Asks a model. A plan comes back with "response" added, ready for --apply; a
request is answered by a response. The call is written to the usage ledger
before anything is printed, whatever came of it.

Plans to compact or to learn are held to memory.max_tokens_per_day before the
model is asked (5). Where the model fails (8), or the call is interrupted, what
it had answered is printed all the same, so that --apply can keep its usage.`,
	Example: `$ lecode compact --plan $S | lecode complete | lecode compact --apply $S
$ echo '{"max_output_tokens":500,"messages":[{"content":[{"text":"Hello.","type":"text"}],"role":"user"}],"system":"","tools":[]}' |
    lecode complete | jq -r '.blocks[].text'`,
	Input:  "a `plan` or a `request` object",
	Output: "the `plan` object with its response, or a `response` object",
	Exits:  []int{5, 7, 8, 130},
}

func (c *completeCommand) Run(e *cli.Env) error {
	data, err := e.Object()
	if err != nil {
		return err
	}
	if _, err := e.Settings(); err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	if gjson.GetBytes(data, "type").Str == compact.TypePlan {
		return c.plan(ctx, e, data)
	}
	return c.request(ctx, e, data)
}

func (c *completeCommand) plan(ctx context.Context, e *cli.Env, data []byte) error {
	plan, err := compact.ReadPlan(data)
	if err != nil {
		return err
	}
	model := c.Model
	if model == "" {
		model = plan.Model
	}
	got, err := ask(ctx, e, model, plan.Request, purposeOf(plan.Purpose), &plan.SessionID)
	if !got.Sent {
		return err
	}
	with, failed := plan.With(got.Response)
	if failed == nil {
		failed = e.Print(jsontext.Value(with))
	}
	return derive.Both(derive.Both(err, got.Unwritten), failed)
}

func (c *completeCommand) request(ctx context.Context, e *cli.Env, data []byte) error {
	request, err := provider.ReadRequest(data)
	if err != nil {
		return err
	}
	got, err := ask(ctx, e, c.Model, request, usage.Answer, nil)
	if !got.Sent {
		return err
	}
	return derive.Both(derive.Both(err, got.Unwritten), e.Print(object.Response{Response: got.Response, Type: "response"}))
}
