package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/transcript"
)

type importCommand struct {
	File   string `arg:"" help:"The transcript."`
	Format string `placeholder:"FORMAT" help:"claude-code, swe-agent or lecode (default: told from the file)."`
}

var importHelp = cli.Help{
	Usage: "FILE",
	About: `
Reads another agent's transcript, or a log that ` + "`lecode export`" + ` wrote, into a
session of its own, under the source's own ID. Only what a person typed becomes the user's; wrappers, notices and
other words that nobody typed are synthetic, tool results are tool messages.
What has no place in a message is kept in the record as "foreign". Importing a
file again appends what is new in it; where it changed behind what was stored,
nothing is written (4).`,
	Example: `$ lecode import ~/.claude/projects/-home-ada-kettle/5d2c….jsonl
{"appended":17,"format":"claude-code","session_id":"5d2c…","type":"imported",…}`,
	Output: "one `imported` object",
	Exits:  []int{3, 4, 5, 6, 7, 130},
}

func (c *importCommand) Run(e *cli.Env) error {
	f, size, err := c.open()
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := e.Settings(); err != nil {
		return err
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	if c.Format == "" {
		if c.Format, err = c.detect(f, size); err != nil {
			return err
		}
	}
	if c.Format == transcript.FormatLecode {
		return c.own(e, s, f, size)
	}
	step, done := e.Progress("reading the transcript")
	in := &stepReader{f, size, step}
	t, err := transcript.Open(c.Format, in, size, c.File)
	done()
	if err != nil {
		return err
	}
	generation, err := s.ImportGeneration()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	in.step, done = e.Progress("storing its records")
	defer done()
	got, err := s.Sessions.Import(ctx, session.ImportOptions{
		ID: t.ID, From: session.ImportedFrom{Format: t.Format, SourceID: t.SourceID},
		Records: t.Records(), Generation: generation,
	})
	if err != nil {
		return err
	}
	return e.Print(importedObject(got, t))
}

// open refuses what is no regular file, without waiting for a FIFO.
func (c *importCommand) open() (*os.File, int64, error) {
	info, err := os.Stat(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("no file %q", c.File), "")
	}
	if err != nil {
		return nil, 0, fmt.Errorf("look at the transcript: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a regular file", c.File), "give the transcript's file itself")
	}
	f, err := os.Open(c.File)
	if err != nil {
		return nil, 0, fmt.Errorf("open the transcript: %w", err)
	}
	return f, info.Size(), nil
}

// stepReader tells how far a file has been read.
type stepReader struct {
	r    io.ReaderAt
	size int64
	step func(done, total int64)
}

func (r *stepReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.r.ReadAt(p, at)
	r.step(at+int64(n), r.size)
	return n, err
}

// detect tells the format from how the file begins.
func (c *importCommand) detect(f *os.File, size int64) (string, error) {
	head := make([]byte, min(size, transcript.HeadSize))
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	format, ok := transcript.Detect(head)
	if !ok {
		return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("cannot tell the format of %q", c.File),
			"name it with --format: "+strings.Join(append(transcript.Formats(), transcript.FormatLecode), ", "))
	}
	return format, nil
}

// own imports a log that `lecode export` wrote.
func (c *importCommand) own(e *cli.Env, s cli.Stores, f *os.File, size int64) error {
	ctx, stop := e.Context()
	defer stop()
	step, done := e.Progress("reading the log")
	defer func() { done() }()
	in := io.NewSectionReader(&stepReader{f, size, func(at, of int64) {
		if step(at, of); at == of {
			done()
			step, done = e.Progress("checking and storing the log")
		}
	}}, 0, size)
	got, err := s.Sessions.ImportLog(ctx, in, func(g int64) error { return raise(ctx, e, s.Facts, g) })
	if err != nil {
		return fmt.Errorf("%q: %w", c.File, err)
	}
	o := object.Imported{Appended: got.Appended, Format: transcript.FormatLecode, Left: map[string]int64{}, Records: map[string]int64{},
		SessionID: got.ID, SourceID: session.Key(got.ID), Type: "imported", Unplaced: map[string]int64{}}
	if got.Copy {
		o.CopyOf = &o.SourceID
		e.Note("session %q is there already; this is the copy %q, to read, cite and search", o.SourceID, got.ID)
	}
	return e.Print(o)
}

// raise lifts the project's generation to the highest in an imported log, and
// says so: what models said before is not shown from then on.
func raise(ctx context.Context, e *cli.Env, facts *fact.Store, to int64) error {
	now, err := facts.Generation()
	if err != nil || to <= now {
		return err
	}
	if err := facts.RaiseGeneration(ctx, to); err != nil {
		return err
	}
	e.Note("the project's generation is raised from %d to %d, the highest in the log: what models said before is not shown any more", now, to)
	return nil
}

func importedObject(got session.Imported, t *transcript.Transcript) object.Imported {
	r := t.Report()
	foreign := int64(0)
	for _, n := range r.Foreign {
		foreign += n
	}
	o := object.Imported{
		Appended: got.Appended, Unchanged: got.Unchanged, Format: t.Format, SessionID: got.ID, SourceID: t.SourceID,
		Type: "imported", Unplaced: r.Foreign,
		Records: map[string]int64{"assistant": r.Assistant, "foreign": foreign, "synthetic": r.Synthetic, "tool": r.Tool, "user": r.User},
		Left:    leftovers(r),
		Usage: &object.ImportedUsage{CacheReadTokens: r.Usage.CacheReadTokens, CacheWriteTokens: r.Usage.CacheWriteTokens,
			Calls: r.Usage.Calls, InputTokens: r.Usage.InputTokens, OutputTokens: r.Usage.OutputTokens,
			UnknownUsageCalls: r.Usage.UnknownUsageCalls},
	}
	return o
}

// leftovers counts what was out of the ordinary; what did not occur is left out.
func leftovers(r transcript.Report) map[string]int64 {
	all := map[string]int64{
		"blank_lines": r.BlankLines, "external_outputs": r.External, "made_up_calls": r.MadeUpCalls, "moved_lines": r.Moved,
		"other_session_lines": r.OtherSession, "repaired_bytes": r.RepairedBytes, "repaired_lines": r.RepairedLines,
		"repaired_surrogates": r.RepairedSurrogates, "split_lines": r.SplitLines, "torn_bytes": r.TornBytes,
		"unsplit_prompts": r.UnsplitPrompts, "unread_lines": r.UnreadLines, "unsure_sources": r.UnsureSources,
	}
	for k, n := range r.UnknownBlocks {
		all["unknown_block "+k] = n
	}
	for k, n := range all {
		if n == 0 {
			delete(all, k)
		}
	}
	return all
}
