package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
)

type estimateCommand struct {
	File    string `arg:"" optional:"" default:"-" help:"The file; - is stdin, the default."`
	Request bool   `help:"It holds a request object, or a plan, not text."`
	Model   string `placeholder:"MODEL" help:"The model to count for (default: agent.model)."`
}

var estimateHelp = cli.Help{
	Usage: "[FILE|-]",
	About: `
Reckons how many tokens a text is, without the model's own tokenizer and never
too few: measured on the vocabularies cl100k and o200k, about a tenth too many
for base64, a third to a half for code and JSON, up to two thirds for prose. What a model was found to count
beyond that, from the usage that its provider reported, comes on top
(calibration_tokens). With --request the frame of messages and tools is counted
too, and files get an allowance that grows with their size. "fits" says whether
it leaves compaction.buffer_tokens of the window for the answer; for a model
that the catalog does not know the window is agent.context_window.`,
	Example: `$ lecode prompt | jq -r .text | lecode estimate | jq .tokens
$ lecode compact --plan $S | lecode estimate --request`,
	Input:  "the text, or with --request a `request` or a `plan` object, where no FILE is given",
	Output: "an `estimate` object",
	Exits:  []int{3, 5, 6},
}

// maxEstimate is the most bytes that are read; more fits into no window.
const maxEstimate = 256 << 20

func (c *estimateCommand) Run(e *cli.Env) error {
	settings, err := e.Settings()
	if err != nil {
		return err
	}
	if c.Model == "" {
		c.Model = settings.Agent.Model
	}
	name, err := findModel(settings.Providers, c.Model)
	if err != nil {
		return err
	}
	limits, from, err := limitsOf(e, name)
	if err != nil {
		return err
	}
	data, err := c.read(e)
	if err != nil {
		return err
	}
	estimate := budget.Estimate{}
	if c.Request {
		estimate, err = budget.OfRequest(data)
	} else {
		estimate.AddText(string(data))
	}
	if err != nil {
		return err
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	tokens := budget.Calibration{Cache: s.Cache}.Factor(name.Provider, name.ID).Tokens(estimate.Tokens())
	return e.Print(object.Estimate{Bytes: int64(len(data)), CalibrationTokens: tokens - estimate.Tokens(),
		ContextWindow: limits.ContextWindow, Fits: limits.Fits(tokens, settings.Compaction.BufferTokens),
		FramingTokens: estimate.Framing, MediaTokens: estimate.Media, Model: name.ID, Provider: name.Provider,
		ReserveTokens: settings.Compaction.BufferTokens, TextTokens: estimate.Text, Tokens: tokens, Type: "estimate", WindowFrom: from})
}

func (c *estimateCommand) read(e *cli.Env) ([]byte, error) {
	in := e.Stdin
	if c.File != "-" {
		f, err := os.Open(c.File)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &plumbing.Error{Kind: plumbing.ErrNotFound, Cause: err, Message: fmt.Sprintf("no file %q", c.File), Hint: "check the path"}
		}
		if err != nil {
			return nil, fmt.Errorf("open the text: %w", err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxEstimate+1))
	if err != nil {
		return nil, fmt.Errorf("read the text: %w", err)
	}
	if len(data) > maxEstimate {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("more than %d bytes", maxEstimate), "no model takes that much; count a part of it")
	}
	if c.Request && len(data) == 0 {
		return nil, cli.NothingOn("object")
	}
	return data, nil
}
