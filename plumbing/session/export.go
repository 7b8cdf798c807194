package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

// Export writes the log's own lines, header first. A message that is undone,
// forgotten or older than a forget, and a compact or learning event that no
// longer holds, becomes {"seq":N,"type":"omitted"}, so that every other record
// keeps its seq, bytes and digest; what only a clear hides is kept, for facts
// may stand on it. all writes the log as it is (design section 4). Bytes
// behind the last newline are never part of it.
//
// The exclusions are read once, before the first byte is written. A corrupt
// session is written up to where it breaks and ends with plumbing.ErrCorrupt;
// the other errors are Open's and w's.
func (s *Store) Export(ctx context.Context, id string, ex Exclusions, all bool, w io.Writer) error {
	l, err := s.Open(ctx, id)
	if err != nil {
		return err
	}
	defer l.Close()
	out := bufio.NewWriterSize(w, 64<<10)
	if err := l.export(ctx, ex, all, out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export session %q: %w", id, err)
	}
	if c := l.Corruption(); c != nil {
		return c.Err(id)
	}
	return nil
}

func (l *Log) export(ctx context.Context, ex Exclusions, all bool, out *bufio.Writer) error {
	keep := func(Entry) (bool, error) { return true, nil }
	if !all {
		h, err := l.holding(ctx, ex)
		if err != nil {
			return err
		}
		keep = h.keeps
	}
	for e, err := range l.Records(0, l.Last()) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		ok, err := keep(e)
		if err != nil {
			return err
		}
		if ok {
			out.Write(e.Raw)
		} else {
			fmt.Fprintf(out, `{"seq":%d,"type":%q}`, e.Seq, TypeOmitted)
		}
		if err := out.WriteByte('\n'); err != nil {
			return fmt.Errorf("export session %q: %w", l.id, err)
		}
	}
	return nil
}
