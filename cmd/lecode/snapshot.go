package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
)

type snapshotCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
	Start   int64  `arg:"" help:"The first seq."`
	End     int64  `arg:"" help:"The last seq, at most 200 positions on."`
}

var snapshotHelp = cli.Help{
	Usage: "SESSION START END",
	About: `
Names the visible messages from START to END, hidden ones left out, with one
SHA-256 over their stored lines. The digest is what
` + "`lecode log --raw SESSION START END | sha256sum`" + ` shows.`,
	Example: `$ lecode snapshot $S 1 1 | lecode remember --text 'We use tabs.'`,
	Output:  "one `source_ref` object",
	Exits:   []int{1, 3, 5, 6},
}

func (c *snapshotCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	snap, err := s.Sources.Snapshot(ctx, s.Facts, c.Session, c.Start, c.End)
	if err != nil {
		return err
	}
	if snap.Generated {
		e.Note("the range holds generated records: such evidence ends with the next forget in this project")
	}
	return e.Print(object.SourceRef{Digest: snap.Ref.Digest, Seqs: snap.Ref.Seqs, SessionID: snap.Ref.SessionID, Type: "source_ref"})
}
