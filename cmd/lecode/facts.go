package main

import (
	"context"
	"errors"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

type factsCommand struct {
	Offset int64  `default:"0" placeholder:"N" help:"Leave out the first N."`
	Limit  *int64 `placeholder:"N" help:"Print at most N (default: all)."`
	Search string `placeholder:"TEXT" help:"Only facts whose text holds TEXT, letter by letter."`
	Full   bool   `help:"Print whole texts, not the first 512 characters."`

	Learning bool   `help:"Print the latest learning instead, with the proposals that still stand."`
	Session  string `placeholder:"SESSION" help:"With --learning: that session's (default: the latest of any)."`
}

var factsHelp = cli.Help{
	About: `
Lists facts, the oldest first, each with the status of its evidence now. The
text is null unless the evidence of every revision is valid. "file" says of a
line that a tool read whether the file still holds it: same, changed or gone.

--learning prints what came of the latest extraction: its outcome, how many
candidates each check rejected, and what it left to decide.`,
	Example: `$ lecode facts | jq -r 'select(.status=="valid") | .text'`,
	Output:  "a `fact` object a line; none for no facts (with --search that is 1); with --learning a `learning` object, or none (1)",
	Exits:   []int{1, 3, 5, 6, 7},
}

func (c *factsCommand) Run(e *cli.Env) error {
	if c.Offset < 0 || c.Limit != nil && *c.Limit < 1 {
		return plumbing.Fail(plumbing.ErrInvalid, "--offset counts from 0, --limit from 1", "")
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	if c.Learning || c.Session != "" {
		return c.learning(e, s)
	}
	show, done, err := newFactPrinter(e)
	if err != nil {
		return err
	}
	defer done()
	printed := int64(0)
	for {
		page := fact.Page{Offset: c.Offset + printed, Limit: fact.MaxPage}
		if c.Limit != nil {
			page.Limit = min(*c.Limit-printed, fact.MaxPage)
		}
		list, err := c.page(s.Facts, page)
		if err != nil {
			return err
		}
		for _, f := range list {
			if err := show.print(f, "", c.Full, c.Search != ""); err != nil {
				return err
			}
		}
		printed += int64(len(list))
		if int64(len(list)) < page.Limit || c.Limit != nil && printed >= *c.Limit {
			break
		}
	}
	if show.printed == 0 && c.Search != "" {
		return &cli.StatusError{Code: 1}
	}
	return nil
}

func (c *factsCommand) page(store *fact.Store, p fact.Page) ([]fact.Fact, error) {
	if c.Search != "" {
		return store.Search(context.Background(), c.Search, p)
	}
	return store.List(context.Background(), p)
}

// timeLayout is how every time is printed: RFC 3339 in UTC with three decimals.
const timeLayout = "2006-01-02T15:04:05.000Z"

// factPrinter prints facts as their evidence stands now; it opens each session once.
type factPrinter struct {
	e         *cli.Env
	stores    cli.Stores
	validator *source.Validator
	view      fact.View
	files     learned.Checkout
	printed   int64
}

func newFactPrinter(e *cli.Env) (p *factPrinter, done func(), err error) {
	s, err := e.Stores()
	if err != nil {
		return nil, nil, err
	}
	view, err := s.Facts.View(context.Background())
	if err != nil {
		return nil, nil, err
	}
	cached, done := s.Sources.Cached()
	return &factPrinter{e: e, stores: s, validator: cached, view: view, files: learned.Checkout{Dir: s.Checkout().Dir, Sources: *cached}}, done, nil
}

// print prints a fact; a hidden one not where its text was searched for, since that would tell of it.
func (p *factPrinter) print(f fact.Fact, outcome fact.Outcome, full, searched bool) error {
	status, err := fact.StatusBy(context.Background(), p.validator, f, p.view, session.Durable)
	if errors.Is(err, plumbing.ErrRefused) {
		p.e.Note("fact %s is not told: %v", f.ID, err)
		status, err = source.Stale, nil
	}
	if err != nil {
		return err
	}
	if searched && status == source.Hidden {
		return nil
	}
	p.printed++
	told := f.Tell(status, outcome, full)
	if status == source.Valid {
		told.File = p.files.State(context.Background(), p.view, f.Current().Text, f.Current().Source())
	}
	return p.e.Print(told)
}

// printFact prints one fact that a command has just written.
func printFact(e *cli.Env, r fact.Result) error {
	p, done, err := newFactPrinter(e)
	if err != nil {
		return err
	}
	defer done()
	return p.print(r.Fact, r.Outcome, true, false)
}
