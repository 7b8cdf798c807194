package session

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/file"
)

// maxGeneration is the largest generation that is believed of a file from
// outside: a project is raised to it and has to be able to count on.
const maxGeneration = 1 << 40

// ImportLog reads what Export wrote into a session of this project: under its
// own ID, or where that is taken as the copy S~2, S~3 … (Imported.Copy), to
// read, cite and search, never appended to. An exported copy is imported as the
// session that it is a copy of. Every line keeps its bytes but the header,
// which names this project and the new ID from then on (design section 4).
//
// The input is checked whole as a log before anything of it is seen; one that
// is none, that breaks or that is cut off wraps plumbing.ErrInvalid and names
// line and byte. Then raise is called with the greatest generation in it, if
// that is not 0, and only then the log appears; its error is returned as it is.
func (s *Store) ImportLog(ctx context.Context, r io.Reader, raise func(generation int64) error) (Imported, error) {
	spool, err := s.spool(ctx, r)
	if err != nil {
		return Imported{}, err
	}
	defer spool.discard()
	in, err := spool.check(ctx)
	if err != nil {
		return Imported{}, err
	}
	if in.generation > 0 && raise != nil {
		if err := raise(in.generation); err != nil {
			return Imported{}, err
		}
	}
	id, err := s.publish(ctx, in)
	if err != nil {
		return Imported{}, err
	}
	l, err := s.Open(ctx, id) // makes the index while the log is still warm
	if err != nil {
		return Imported{}, err
	}
	return Imported{ID: id, Appended: in.records, Copy: IsCopy(id)}, l.Close()
}

// spool is a log from outside that no one else sees yet.
type spool struct {
	s    *Store
	name string
	f    *os.File
	size int64
}

// incomingLog is a spool that is a whole log.
type incomingLog struct {
	*spool
	header     map[string]jsontext.Value
	key        string // the session ID, without the "~N" of a copy
	body       int64  // offset of the first record
	records    int64
	generation int64 // the greatest
}

// spool writes the input to a temporary file beside the logs: it may be larger
// than memory, and its header cannot be written before all of it is known.
func (s *Store) spool(ctx context.Context, r io.Reader) (*spool, error) {
	p := &spool{s: s, name: path.Join(s.dir(), file.TempPrefix+"import-"+rand.Text())}
	var err error
	if p.f, err = s.opt.Config.Create(p.name, os.O_RDWR|os.O_EXCL); err != nil {
		return nil, fmt.Errorf("import a log: %w", err)
	}
	if p.size, err = io.Copy(p.f, contextReader{ctx, r}); err != nil {
		p.discard()
		return nil, fmt.Errorf("import a log: %w", err)
	}
	return p, nil
}

func (p *spool) discard() {
	p.f.Close()
	p.s.opt.Config.Remove(p.name)
}

// contextReader stops reading when ctx ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// check scans the input as a log.
func (p *spool) check(ctx context.Context) (*incomingLog, error) {
	r, stop := p.s.watched(ctx, "", p.f, p.size)
	defer stop()
	found, err := scan(r, p.size)
	if err != nil {
		return nil, err
	}
	if c := found.corrupt; c != nil {
		return nil, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("the input is no log of lecode's from line %d, byte %d on: %s", c.Line, c.Offset, c.Reason),
			"give it what `lecode export` wrote")
	}
	if found.end != p.size {
		return nil, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("the input is cut off: %d bytes stand behind its last line end, at byte %d", p.size-found.end, found.end),
			"export the session again")
	}
	in := &incomingLog{spool: p, records: found.count - 1}
	if err := in.readHeader(found); err != nil {
		return nil, err
	}
	return in, in.readGenerations(found)
}

func (in *incomingLog) readHeader(found *scanned) error {
	in.body = found.end
	if found.count > 1 {
		second, _ := decodeEntry(found.entries[entrySize:2*entrySize], 1)
		in.body = second.Offset
	}
	line := make([]byte, in.body-1)
	if _, err := in.f.ReadAt(line, 0); err != nil {
		return fmt.Errorf("read the header of the log: %w", err)
	}
	head := parseHeader(line)
	if head.Version < 1 {
		return plumbing.Fail(plumbing.ErrInvalid, "the header of the log names no version", "give it what `lecode export` wrote")
	}
	if head.Version > Version {
		return plumbing.Fail(plumbing.ErrRefused,
			fmt.Sprintf("the log has version %d; this lecode reads version %d", head.Version, Version), "use the lecode that wrote it")
	}
	if err := CheckID(head.ID); err != nil {
		return err
	}
	in.key = Key(head.ID)
	if err := json.Unmarshal(line, &in.header); err != nil {
		return fmt.Errorf("read the header of the log: %w", err)
	}
	return nil
}

// readGenerations finds the greatest generation, and holds every message to
// what append would have taken: a tool's output must not come in as a person's.
func (in *incomingLog) readGenerations(found *scanned) error {
	for seq := range found.count {
		e, _ := decodeEntry(found.entries[seq*entrySize:], seq)
		switch {
		case e.Message() && !together(e.Role, e.Origin):
			return plumbing.Fail(plumbing.ErrInvalid,
				fmt.Sprintf("record %d has a role and an origin that do not go together", seq), "give it what `lecode export` wrote")
		case e.Typed() && e.Generation >= 0:
			return plumbing.Fail(plumbing.ErrInvalid,
				fmt.Sprintf("record %d is the user's own and carries a generation", seq), "give it what `lecode export` wrote")
		case e.Generation > maxGeneration:
			return plumbing.Fail(plumbing.ErrInvalid,
				fmt.Sprintf("record %d has generation %d; no project has forgotten so often", seq, e.Generation), "")
		}
		in.generation = max(in.generation, e.Generation)
	}
	return nil
}

// publish puts the log in place under the first ID that is free.
func (s *Store) publish(ctx context.Context, in *incomingLog) (string, error) {
	for n := 1; ; n++ {
		id := in.key
		if n > 1 {
			id = fmt.Sprintf("%s~%d", in.key, n)
		}
		if _, err := s.opt.Config.Lstat(s.logName(id)); err == nil {
			continue // whatever stands there has the ID
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("import a log: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return "", err
		}
		head, err := s.adopt(in.header, id)
		if err != nil {
			return "", err
		}
		err = s.opt.Config.WriteNew(s.logName(id), func(w io.Writer) error { return in.write(w, head) })
		if errors.Is(err, fs.ErrExist) {
			continue // another import was faster
		}
		if err != nil {
			return "", fmt.Errorf("import a log as session %q: %w", id, err)
		}
		return id, nil
	}
}

// adopt is the header with this project and the ID in it; what else it says is kept.
func (s *Store) adopt(header map[string]jsontext.Value, id string) ([]byte, error) {
	project, err := canon.Marshal(projectHeader{s.opt.Project.Root, s.opt.Project.Slug})
	if err != nil {
		return nil, err
	}
	name, err := canon.Marshal(id)
	if err != nil {
		return nil, err
	}
	header["project"], header["id"] = project, name
	line, err := canon.Marshal(header)
	if err == nil && len(line) > canon.MaxRecord {
		err = tooLong(len(line))
	}
	return line, err
}

func (in *incomingLog) write(w io.Writer, head []byte) error {
	out := bufio.NewWriterSize(w, chunk)
	out.Write(append(head, '\n'))
	if _, err := io.Copy(out, io.NewSectionReader(in.f, in.body, in.size-in.body)); err != nil {
		return err
	}
	return out.Flush()
}
