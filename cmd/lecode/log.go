package main

import (
	"bufio"
	"fmt"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

type logCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
	Start   *int64 `arg:"" optional:"" help:"The first seq; alone it is also the last."`
	End     *int64 `arg:"" optional:"" help:"The last seq."`
	Raw     bool   `help:"Print the stored lines themselves; with a range just the messages that a snapshot takes."`
	Visible string `placeholder:"PURPOSE" enum:",working,durable,all" default:"" help:"Only messages visible for working or durable, or all records (default: all; with --raw and a range: working)."`
	Context bool   `help:"Print what a model would now be sent: the summary in force and the raw rest."`
	Lineage bool   `help:"Print the chain of summaries that ends with the one in force, or with the one at START."`
}

var logHelp = cli.Help{
	Usage: "SESSION [START [END]]",
	About: `
Prints the records of a session, or those from START to END. "status" says for
each purpose whether a message is visible ("valid") or not ("hidden"); it is
null for events. --raw without a range prints the log as it is, its header
line first.

--context prints the messages of the next request: a call without a result gets
one that says so, and a result without its call is left out, named on stderr.
--lineage prints what each summary of the chain covers, the oldest first; it
prints nothing where no summary is in force.`,
	Example: `$ lecode log $S | jq -r '.record.content[]?.text'
$ lecode log --raw $S 1 5 | sha256sum
$ lecode log --context $S | jq -s 'map(.message)'`,
	Output: "a `record` object a line; with --raw the stored lines; with --context `context`, with --lineage `lineage` objects",
	Exits:  []int{3, 5, 6},
}

func (c *logCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	if c.Context || c.Lineage {
		return c.summaries(ctx, e, compact.Deps{Sessions: s.Sessions, Exclusions: s.Facts})
	}
	log, err := s.Sessions.Open(ctx, c.Session)
	if err != nil {
		return err
	}
	defer log.Close()
	start, end, err := c.bounds(log)
	if err != nil {
		return err
	}
	if c.Visible == "" && c.Raw && c.Start != nil {
		c.Visible = string(session.Working)
	}
	if err := c.print(e, s.Facts, log, start, end); err != nil {
		return err
	}
	if bad := log.Corruption(); bad != nil && (c.End == nil || *c.End > log.Last()) {
		return bad.Err(c.Session)
	}
	return nil
}

// bounds are the first and last seq asked for. Only a whole raw log starts with its header.
func (c *logCommand) bounds(log *session.Log) (start, end int64, err error) {
	start, end = 1, log.Last()
	if c.Start == nil {
		if c.Raw && (c.Visible == "" || c.Visible == "all") {
			start = 0
		}
		return start, end, nil
	}
	start, end = *c.Start, *c.Start
	if c.End != nil {
		end = *c.End
	}
	if start < 1 || end < start {
		return 0, 0, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("no range: START is %d, END is %d", start, end),
			"seqs count from 1, START comes first")
	}
	if end > log.Last() {
		if bad := log.Corruption(); bad != nil {
			return start, log.Last(), nil
		}
		return 0, 0, plumbing.Fail(plumbing.ErrNotFound,
			fmt.Sprintf("session %q ends at seq %d, before %d", c.Session, log.Last(), end), "")
	}
	return start, end, nil
}

func (c *logCommand) print(e *cli.Env, ex session.Exclusions, log *session.Log, start, end int64) error {
	var visible *session.Visibility
	if !c.Raw || c.Visible != "" && c.Visible != "all" {
		var err error
		if visible, err = log.Visibility(ex); err != nil {
			return err
		}
	}
	out := bufio.NewWriterSize(e.Out(), 64<<10)
	for entry, err := range log.Records(start, end) {
		if err != nil {
			return err
		}
		ok, err := c.wanted(visible, entry)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		line := entry.Raw
		if !c.Raw {
			if line, err = recordLine(visible, entry); err != nil {
				return err
			}
		}
		out.Write(line)
		if err := out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (c *logCommand) wanted(visible *session.Visibility, entry session.Entry) (bool, error) {
	if c.Visible == "" || c.Visible == "all" {
		return true, nil
	}
	if !entry.Message() {
		return false, nil
	}
	return visible.Visible(entry.Seq, session.Purpose(c.Visible))
}

func recordLine(visible *session.Visibility, entry session.Entry) ([]byte, error) {
	o := object.Record{Digest: canon.Digest(entry.Raw), Record: entry.Raw, Type: "record"}
	if entry.Message() {
		for p, status := range map[session.Purpose]**string{session.Working: &o.Status.Working, session.Durable: &o.Status.Durable} {
			ok, err := visible.Visible(entry.Seq, p)
			if err != nil {
				return nil, err
			}
			s := string(source.Hidden)
			if ok {
				s = string(source.Valid)
			}
			*status = &s
		}
	}
	return canon.Marshal(o)
}
