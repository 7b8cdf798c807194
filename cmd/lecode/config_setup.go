package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/prompt"
)

// setup asks what config.toml should say, shows it and writes it, once the
// person agrees. Until then nothing is written, whatever happens.
func (c *configCommand) setup(e *cli.Env) error {
	ctx, stop := e.Context()
	defer stop()
	a, w, err := newAsking(ctx, e)
	if err != nil {
		return err
	}
	edits, err := a.questions()
	if err == nil {
		if err = a.write(w, edits); err == nil {
			overridden(e)
		}
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(e.Stderr)
		return &cli.StatusError{Code: 130} // who interrupts knows it
	}
	return err
}

// newAsking reads the user's own file: what it says is what Enter answers.
func newAsking(ctx context.Context, e *cli.Env) (*asking, config.Writer, error) {
	dir, _, err := e.Directories()
	if err != nil {
		return nil, config.Writer{}, err
	}
	now, err := config.Load(config.Options{ConfigDir: dir})
	if err != nil {
		return nil, config.Writer{}, err
	}
	a := &asking{ctx: ctx, out: e.Stderr, getenv: e.Getenv, now: now, lines: e.Lines(), person: cli.IsTerminal(e.Stdin), came: make(chan typed, 1)}
	return a, config.Writer{Tree: file.Tree{Dir: dir}, Holder: "lecode config"}, nil
}

// questions asks the three, and returns what the answers come to.
func (a *asking) questions() ([]config.Edit, error) {
	a.say("Three questions. Enter takes what stands in [brackets]; nothing is written before you say so.\n")
	name, err := a.provider()
	if err != nil {
		return nil, err
	}
	chosen, err := a.model(name)
	if err != nil {
		return nil, err
	}
	learn, err := a.learning()
	if err != nil {
		return nil, err
	}
	return append(chosen.edits(), config.Edit{Key: "memory.auto_learn", Value: learn}), nil
}

// write shows what would be written and writes it.
func (a *asking) write(w config.Writer, edits []config.Edit) error {
	c, err := w.Plan(edits...)
	if err != nil {
		return err
	}
	lines, err := config.SetAll(nil, edits)
	if err != nil {
		return err
	}
	if err := w.Check(); err != nil {
		a.say("\n%s is not written by lecode. This is what to add to it:\n\n%s", prompt.Show(c.Path), indented(lines))
		return err
	}
	if c.Same() {
		a.say("\n%s says all this already; it stays as it is.", prompt.Show(c.Path))
		return nil
	}
	a.say("\nIn %s this will stand:\n\n%s", prompt.Show(c.Path), indented(lines))
	if c.Existed {
		a.say("All else in it stays; what it was goes to config.toml.bak.")
	}
	yes, err := a.yes("write it?", true)
	if err != nil {
		return err
	}
	if !yes {
		return plumbing.Fail(plumbing.ErrNo, "nothing was written", "`lecode config --setup` asks again")
	}
	if err := w.Write(a.ctx, c); err != nil {
		return err
	}
	a.say("written. `lecode config` shows every setting; `lecode run 'What do you know of this project?'` tries it.")
	return nil
}

func indented(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(prompt.Show(string(text))) {
		b.WriteString("    " + line)
	}
	return b.String()
}

// overridden says which of the answers something stronger than the user's file has the last word on.
func overridden(e *cli.Env) {
	settings, err := e.Settings()
	if err != nil {
		e.Note("in this project: %v", err)
		return
	}
	for _, s := range settings.Settings() {
		if (s.Key == "agent.model" || s.Key == "memory.auto_learn") && s.Origin != config.FromUser && s.Origin != config.FromDefault {
			e.Note("here %s is %s all the same: that comes from the %s", s.Key, s.Value, from(s))
		}
	}
}

func from(s config.Setting) string {
	if s.File != nil {
		return s.Origin + "'s file, " + *s.File
	}
	return s.Origin + ", " + config.Variable(s.Key)
}

// asking is a talk of plain lines: questions on stderr, answers on stdin.
type asking struct {
	ctx    context.Context
	out    io.Writer
	getenv func(string) string
	now    *config.Config // the user's file as it is
	lines  *cli.Lines
	person bool // at a terminal, who can be asked again
	came   chan typed
}

type typed struct {
	line string
	err  error
}

func (a *asking) say(format string, v ...any) { fmt.Fprintf(a.out, format+"\n", v...) }

// line waits for an answer; the context's end is its error.
func (a *asking) line() (string, error) {
	go func() {
		line, err := a.lines.Next()
		a.came <- typed{strings.TrimSpace(string(line)), err}
	}()
	select {
	case got := <-a.came:
		if errors.Is(got.err, io.EOF) {
			return "", plumbing.Fail(plumbing.ErrInvalid, "stdin ended before all was answered", "nothing was written; give a line an answer")
		}
		return got.line, got.err
	case <-a.ctx.Done():
		return "", a.ctx.Err()
	}
}

// ask asks until take likes the answer; "" is the preset one. What take does
// not like it says, without the answer itself: that may be a key.
func (a *asking) ask(question, preset string, take func(string) (wrong string)) error {
	if preset != "" {
		question += " [" + prompt.Show(preset) + "]"
	}
	for {
		fmt.Fprintf(a.out, "%s: ", question)
		line, err := a.line()
		if err != nil {
			return err
		}
		if !a.person {
			fmt.Fprintln(a.out) // nobody typed a newline
		}
		if line == "" {
			line = preset
		}
		wrong := take(line)
		if wrong == "" {
			return nil
		}
		if !a.person {
			return plumbing.Fail(plumbing.ErrInvalid, "the answer to \""+question+"\" is wrong: "+wrong, "nothing was written")
		}
		a.say("  %s", wrong)
	}
}

// yes asks for yes or no.
func (a *asking) yes(question string, preset bool) (bool, error) {
	said, word := preset, "n"
	if preset {
		word = "y"
	}
	err := a.ask(question+" y or n", word, func(s string) string {
		switch strings.ToLower(s) {
		case "y", "yes":
			said = true
		case "n", "no":
			said = false
		default:
			return "answer y or n"
		}
		return ""
	})
	return said, err
}
