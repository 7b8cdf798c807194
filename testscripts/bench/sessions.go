package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/slug"
)

const (
	recordSize = 1500     // bytes of a usual record, about
	wideRecord = 15 << 20 // of one close to the largest that is taken
	batchSize  = 1 << 20
)

// world is a configuration and a cache directory of its own, with one session and one fact in one project.
type world struct {
	about         string // for the table
	root          string // of the project
	config, cache file.Tree
	sessions      *session.Store
	session       string // the ID of its session
	path          string // of that session's log
	fact          string // the ID of its fact
	largest       int64  // bytes of the largest record
}

// nothingForgotten is the exclusions of a project that never forgot.
type nothingForgotten struct{}

func (nothingForgotten) Generation() (int64, error)       { return 0, nil }
func (nothingForgotten) Excluded(string) ([]int64, error) { return nil, nil }

// build makes the project and its worlds.
func (b *bench) build() error {
	root := filepath.Join(b.dir, "project")
	if out, err := exec.CommandContext(b.ctx, "git", "init", "-q", root).CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %w: %s", err, out)
	}
	for _, make := range []struct {
		to          **world
		name, about string
		size        int64
		record      int
	}{
		{&b.small, "small", "1 MB log", smallLog, recordSize},
		{&b.large, "large", "64 MB log", largeLog, recordSize},
		{&b.wide, "wide", "15 MiB records", largeLog, wideRecord},
	} {
		w, err := b.newWorld(root, make.name)
		if err != nil {
			return err
		}
		w.about = make.about
		if err := w.fill(b.ctx, make.size, make.record); err != nil {
			return fmt.Errorf("build the %s: %w", make.about, err)
		}
		*make.to = w
	}
	return nil
}

func (b *bench) newWorld(root, name string) (*world, error) {
	p, err := slug.Find(b.ctx, slug.Options{Dir: root})
	if err != nil {
		return nil, err
	}
	w := &world{
		root:   root,
		config: file.Tree{Dir: filepath.Join(b.dir, name, "config")},
		cache:  file.Tree{Dir: filepath.Join(b.dir, name, "cache")},
	}
	w.sessions = session.NewStore(session.Options{
		Config: w.config, Cache: w.cache, Project: session.Project{Root: p.Root, Slug: p.Slug},
		Now: time.Now, NewID: newID, LockWait: time.Second, Holder: "bench",
	})
	return w, nil
}

func newID() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}

// fill makes the world's session of about size bytes, and a fact that stands on a record in its middle.
func (w *world) fill(ctx context.Context, size int64, record int) error {
	var err error
	if w.session, err = w.newSession(ctx, size, record); err != nil {
		return err
	}
	if w.path, err = w.logPath(); err != nil {
		return err
	}
	log, err := w.sessions.Open(ctx, w.session)
	if err != nil {
		return err
	}
	defer log.Close()
	middle := log.Last()/2 + 1
	middle += (middle + 1) % 2 // the user's records have odd seqs
	entry, err := log.Entry(middle)
	if err != nil {
		return err
	}
	w.largest = entry.Size
	return w.remember(ctx, middle)
}

// newSession makes a session of records in batches.
func (w *world) newSession(ctx context.Context, size int64, record int) (string, error) {
	info, err := w.sessions.New(ctx)
	if err != nil {
		return "", err
	}
	writer, err := w.sessions.Attach(ctx, info.ID)
	if err != nil {
		return "", err
	}
	defer writer.Close()
	for seq, written := 1, int64(0); written < size; {
		var batch [][]byte
		for n := 0; n < batchSize && written < size; seq++ {
			line := message(seq, record)
			batch = append(batch, line)
			n += len(line)
			written += int64(len(line))
		}
		if _, err := writer.Append(ctx, batch, 0); err != nil {
			return "", err
		}
	}
	return info.ID, writer.Close()
}

func (w *world) remember(ctx context.Context, seq int64) error {
	v := source.Validator{Sessions: w.sessions}
	snap, err := v.Snapshot(ctx, nothingForgotten{}, w.session, seq, seq)
	if err != nil {
		return err
	}
	p, err := slug.Find(ctx, slug.Options{Dir: w.root})
	if err != nil {
		return err
	}
	facts := fact.NewStore(fact.Options{Config: w.config, Slug: p.Slug, Validator: v, Now: time.Now, Enabled: true})
	defer facts.Close()
	result, err := facts.Remember(ctx, "Figures are measured, never guessed.", &snap.Ref, fact.RememberOptions{})
	if err != nil {
		return err
	}
	w.fact = result.Fact.ID
	return facts.Close()
}

// logPath finds the session's log in the configuration directory.
func (w *world) logPath() (path string, err error) {
	err = filepath.WalkDir(w.config.Dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasPrefix(d.Name(), w.session) && strings.HasSuffix(name, ".jsonl") {
			path = name
		}
		return err
	})
	if err == nil && path == "" {
		err = fmt.Errorf("no log of session %s in %s", w.session, w.config.Dir)
	}
	return path, err
}

// size is that of the log in bytes.
func (w *world) size() (int64, error) {
	info, err := os.Stat(w.path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// message makes a record of about size bytes, the same for the same n: odd ones are the user's, even ones an answer.
func message(n, size int) []byte {
	random := rand.New(rand.NewPCG(uint64(n), uint64(size)))
	words := strings.Fields("the figure of a \\\"median\\\" is näher at what one record costs, and no more than 1500 bytes\\n are said in it: func main() { }")
	var text bytes.Buffer
	for text.Len() < size-200 {
		text.WriteString(words[random.IntN(len(words))])
		text.WriteByte(' ')
	}
	if n%2 == 1 {
		return fmt.Appendf(nil, `{"content":[{"text":"%s","type":"text"}],"origin":"user","role":"user","type":"message"}`, text.Bytes())
	}
	return fmt.Appendf(nil, `{"content":[{"text":"%s","type":"text"}],"generation":0,"origin":"generated","role":"assistant","type":"message"}`, text.Bytes())
}
