package main

import (
	"context"
	"errors"
	"io"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/session"
)

type appendCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
}

var appendHelp = cli.Help{
	Usage: "SESSION",
	About: `
Appends a record a line. Each is stored in canonical form and fsynced before it
is acknowledged; lines that arrive together share one fsync. Lines before the
first bad one are stored and acknowledged; the error names the line. A record
carries no "seq", or the next one; "origin" is due on messages, and
"generation" (from ` + "`lecode generation`" + `, read before the request that
produced it) on what is not the user's.`,
	Example: `$ echo '{"content":[{"text":"We use tabs.","type":"text"}],"origin":"user","role":"user","type":"message"}' |
    lecode append $S
{"seqs":[1],"session_id":"…","type":"appended"}`,
	Input:  "records of type message, cancel, title or memory_usage, a line each",
	Output: "an `appended` object for each fsync",
	Exits:  []int{3, 4, 5, 6, 7},
}

// appendBatch is the most bytes that wait for one fsync.
const appendBatch = 1 << 20

func (c *appendCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	w, err := s.Sessions.Attach(context.Background(), c.Session)
	if err != nil {
		return err
	}
	defer w.Close()
	lines := e.Lines()
	for done := false; !done; {
		var batch [][]byte
		batch, done, err = c.batch(lines)
		if len(batch) > 0 {
			if e := c.store(e, w, s.Facts, lines, batch); e != nil {
				return e
			}
		}
		if err != nil {
			return err
		}
	}
	if lines.Number() == 0 {
		return cli.NothingOn("record")
	}
	return nil
}

// batch reads one line and those that have already arrived behind it.
func (c *appendCommand) batch(lines *cli.Lines) (batch [][]byte, done bool, err error) {
	size := 0
	for len(batch) == 0 || size < appendBatch && lines.Buffered() {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return batch, true, nil
		}
		if err != nil {
			return batch, true, err
		}
		batch = append(batch, line)
		size += len(line)
	}
	return batch, false, nil
}

// store appends a batch; the generation is read anew for each, since another process may forget in between.
func (c *appendCommand) store(e *cli.Env, w *session.Writer, ex session.Exclusions, lines *cli.Lines, batch [][]byte) error {
	generation, err := ex.Generation()
	if err != nil {
		return err
	}
	seqs, err := w.Append(context.Background(), batch, generation)
	if len(seqs) > 0 {
		if err := e.Print(object.Appended{Seqs: seqs, SessionID: c.Session, Type: "appended"}); err != nil {
			return err
		}
	}
	var bad *session.LineError
	if errors.As(err, &bad) {
		return lines.At(lines.Number()-int64(len(batch)-1-bad.Index), bad.Err)
	}
	return err
}
