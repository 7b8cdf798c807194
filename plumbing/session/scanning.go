package session

import (
	"context"
	"io"
)

// watched is a log that is read from end to end: it tells how far that is
// (Options.Scanning), and ends with ctx.
func (s *Store) watched(ctx context.Context, id string, r io.ReaderAt, size int64) (w io.ReaderAt, stop func()) {
	if s.opt.Scanning == nil {
		return watchedReader{ctx, r, size, func(int64, int64) {}}, func() {}
	}
	step, stop := s.opt.Scanning(id)
	return watchedReader{ctx, r, size, step}, stop
}

type watchedReader struct {
	ctx  context.Context
	r    io.ReaderAt
	size int64
	step func(done, total int64)
}

func (w watchedReader) ReadAt(p []byte, at int64) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.ReadAt(p, at)
	w.step(at+int64(n), w.size)
	return n, err
}
