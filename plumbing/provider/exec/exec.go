// Package exec is a model that is any program (design section 9): it gets the
// prompt on stdin and prints its answer on stdout.
//
// The prompt is plain text: see Prompt. What the program prints is the answer,
// without the line ends at its end, usage unknown; unless it prints exactly
// one JSON object of type "response", which is then read as one, usage and
// finish reason with it. Tools are not offered. A program that wants the
// request as JSON stands in for `lecode complete` in a pipe instead.
//
// It knows processes and no provider. The program is the user's own: it gets
// the environment as it is. Start with New.
package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

// The limits of a call.
const (
	MaxAnswer    = 8 << 20          // bytes on stdout
	DefaultStall = 10 * time.Minute // without a byte on stdout
	killWait     = 2 * time.Second  // for the pipes of a program that was killed
)

type model struct {
	spec  provider.Spec
	stall time.Duration
}

// New is the program spec.Command. None wraps plumbing.ErrInvalid.
func New(spec provider.Spec) (provider.Model, error) {
	if len(spec.Command) == 0 || spec.Command[0] == "" {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("provider %q has no command", spec.Name),
			fmt.Sprintf("set providers.%s.command", spec.Name))
	}
	m := &model{spec: spec, stall: spec.Stall}
	if m.stall <= 0 {
		m.stall = DefaultStall
	}
	return m, nil
}

// Complete runs the program once. It is killed, with all that it started,
// when the context ends, when it prints too much and when it prints nothing
// for too long. Its stderr is shown to nobody.
func (m *model) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &output{on: on, cancel: cancel}
	cmd := exec.CommandContext(inner, m.spec.Command[0], m.spec.Command[1:]...)
	cmd.Stdin = strings.NewReader(Prompt(r))
	cmd.Stdout = out
	cmd.WaitDelay = killWait
	group(cmd)
	var silent atomic.Bool
	silence := time.AfterFunc(m.stall, func() { silent.Store(true); cancel() })
	defer silence.Stop()
	out.progress = func() { silence.Reset(m.stall) }
	err := cmd.Run()
	response := provider.Response{Finish: provider.FinishError, Model: m.spec.Model}
	if text := out.valid(); text != "" {
		response.Blocks = []provider.Block{provider.Text(text)}
	}
	if err := m.judge(ctx, err, out, silent.Load()); err != nil {
		return response, err
	}
	return m.answer(out, response)
}

// answer is a whole output as a response.
func (m *model) answer(out *output, response provider.Response) (provider.Response, error) {
	if !utf8.Valid(out.all.Bytes()) {
		response.Blocks = nil
		return response, m.fail("printed what is not UTF-8", "")
	}
	if object := bytes.TrimSpace(out.all.Bytes()); isResponse(object) {
		structured, err := provider.ReadResponse(object)
		if err != nil {
			var p *plumbing.Error
			detail := ""
			if errors.As(err, &p) {
				detail = ": " + p.Message
			}
			response.Blocks = nil
			return response, m.fail("printed a response that is wrong"+detail, "")
		}
		if structured.Model == "" {
			structured.Model = m.spec.Model
		}
		return structured, out.deliver(structured)
	}
	response.Finish = provider.FinishStop
	return response, out.rest()
}

func isResponse(b []byte) bool {
	return len(b) > 0 && b[0] == '{' && gjson.ValidBytes(b) && gjson.GetBytes(b, "type").String() == "response"
}

// judge says what ended a run, nil for a good end.
func (m *model) judge(ctx context.Context, err error, out *output, silent bool) error {
	var exit *exec.ExitError
	switch {
	case out.onErr != nil:
		return fmt.Errorf("ask provider %q: %w", m.spec.Name, out.onErr)
	case out.tooLong:
		return m.fail(fmt.Sprintf("printed more than %d bytes", MaxAnswer), "")
	case silent:
		return m.fail("printed nothing for "+m.stall.String(), "")
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &plumbing.Error{Kind: plumbing.ErrModel, Message: m.what() + " did not answer in the time it was given", Hint: "try again", Cause: ctx.Err()}
	case ctx.Err() != nil:
		return fmt.Errorf("ask provider %q: %w", m.spec.Name, ctx.Err())
	case err == nil || errors.Is(err, exec.ErrWaitDelay), isBrokenPipe(err):
		return nil
	case errors.As(err, &exit):
		return m.fail("ended with "+exit.String(), "run it yourself to see what it says on stderr")
	}
	return plumbing.Fail(plumbing.ErrInvalid, m.what()+" cannot be started", fmt.Sprintf("check providers.%s.command: %q", m.spec.Name, m.spec.Command[0]))
}

func (m *model) what() string { return fmt.Sprintf("the program of provider %q", m.spec.Name) }

func (m *model) fail(message, hint string) error {
	if hint == "" {
		hint = fmt.Sprintf("check providers.%s.command", m.spec.Name)
	}
	return plumbing.Fail(plumbing.ErrModel, m.what()+" "+message, hint)
}

// isBrokenPipe: the program ended well without reading its whole stdin, as head does.
func isBrokenPipe(err error) bool { return errors.Is(err, errPipe) || errors.Is(err, io.ErrClosedPipe) }
