package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

const (
	appended   = 1000 // records that are appended one by one
	appendStep = 10   // of them, before the baseline has its turn
)

// appendRecords appends 1,000 records one by one in this process, in turn with
// a bare write and fsync of as many bytes to a file in the same folder.
func (b *bench) appendRecords() error {
	w := b.small
	info, err := w.sessions.New(b.ctx)
	if err != nil {
		return err
	}
	writer, err := w.sessions.Attach(b.ctx, info.ID)
	if err != nil {
		return err
	}
	defer writer.Close()
	bare, err := os.OpenFile(filepath.Join(filepath.Dir(w.path), "bare"), os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(bare.Name())
	defer bare.Close()
	line := message(1, recordSize)
	var ours, bares []time.Duration
	for range appended / appendStep {
		var last int64
		took, err := each(appendStep, func() error {
			seqs, err := writer.Append(b.ctx, [][]byte{line}, 0)
			if err == nil {
				last = seqs[0]
			}
			return err
		})
		if err != nil {
			return err
		}
		stored, err := writer.Log().Record(last)
		if err != nil {
			return err
		}
		stored = append(stored, '\n')
		bareTook, err := each(appendStep, func() error { return writeAndSync(bare, stored) })
		if err != nil {
			return err
		}
		ours, bares = append(ours, took...), append(bares, bareTook...)
	}
	b.table.extra("append in process, one record", median(ours), median(bares), "write+fsync", 100*time.Microsecond)
	return nil
}

// each runs f n times and tells how long each took.
func each(n int, f func() error) (took []time.Duration, err error) {
	for range n {
		began := time.Now()
		if err := f(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}

func writeAndSync(f *os.File, b []byte) error {
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Sync()
}

// validate judges a source of 1 MB, as many records as one may have, in turn
// with SHA-256 of the same bytes in memory.
func (b *bench) validate() error {
	id, err := b.small.newSession(b.ctx, smallLog, smallLog/source.MaxPositions)
	if err != nil {
		return err
	}
	v := source.Validator{Sessions: b.small.sessions}
	snap, err := v.Snapshot(b.ctx, nothingForgotten{}, id, 1, source.MaxPositions)
	if err != nil {
		return err
	}
	_, records, err := v.Records(b.ctx, nothingForgotten{}, snap.Ref, session.Durable)
	if err != nil {
		return err
	}
	whole := append(bytes.Join(records, []byte("\n")), '\n')
	if digest := fmt.Sprintf("%x", sha256.Sum256(whole)); digest != snap.Digest && "sha256:"+digest != snap.Digest {
		return fmt.Errorf("the digest of the source is %s and not the SHA-256 of its bytes", snap.Digest)
	}
	cached, done := v.Cached()
	defer done()
	m, err := inTurn(10*b.rounds, b.judge(&v, snap.Ref), hashOf(whole), b.judge(cached, snap.Ref))
	if err != nil {
		return err
	}
	b.table.times("validate a 1 MB source in process", m[0], m[1], "SHA-256 in memory", 1.5)
	b.table.times("the same, the log kept open", m[2], m[1], "SHA-256 in memory", 1.5)
	return nil
}

func (b *bench) judge(v *source.Validator, ref source.Ref) measurement {
	return func() (time.Duration, error) {
		began := time.Now()
		status, err := v.Validate(b.ctx, nothingForgotten{}, ref, session.Durable)
		if err == nil && status != source.Valid {
			err = fmt.Errorf("the source is %s", status)
		}
		return time.Since(began), err
	}
}

func hashOf(b []byte) measurement {
	return func() (time.Duration, error) {
		began := time.Now()
		sha256.Sum256(b)
		return time.Since(began), nil
	}
}
