package adopt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// stock is what is there to adopt, and what stands in its way.
type stock struct {
	memory   bool     // the old project has a memory folder
	files    []string // in the old project's folder of sessions, without locks
	usage    bool
	aliases  []alias // of the old project
	known    []alias // of the new one
	inTheWay bool    // the new project has a memory folder, with nothing but locks and aliases in it
}

func (s stock) nothing() bool { return !s.memory && len(s.files) == 0 && !s.usage }

// look reads what both projects have.
func look(o Options) (s stock, err error) {
	if s.memory, err = isThere(o.Config, path.Join("memory", o.Old.Slug)); err != nil {
		return s, err
	}
	if s.usage, err = isThere(o.Config, path.Join("usage", o.Old.Slug+".jsonl")); err != nil {
		return s, err
	}
	list, err := o.Config.ReadDir(path.Join("sessions", o.Old.Slug))
	if err != nil {
		return s, err
	}
	for _, e := range list {
		if e.IsDir() {
			return s, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is a directory", o.Config.Path(path.Join("sessions", o.Old.Slug, e.Name()))),
				"there are only files among sessions; move it away")
		}
		if !isLock(e.Name()) { // made anew where they are needed
			s.files = append(s.files, e.Name())
		}
	}
	if s.aliases, err = readAliases(o.Config, o.Old.Slug); err != nil {
		return s, err
	}
	s.known, err = readAliases(o.Config, o.New.Slug)
	return s, err
}

func isThere(config file.Tree, name string) (bool, error) {
	_, err := config.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// check refuses what would have to be merged, before anything is moved.
func (s *stock) check(o Options) error {
	if err := s.checkMemory(o); err != nil {
		return err
	}
	for _, name := range s.files {
		taken, err := isThere(o.Config, path.Join("sessions", o.New.Slug, name))
		if err != nil {
			return err
		}
		if taken {
			return conflict(o, fmt.Sprintf("both have a file %q among their sessions", name))
		}
	}
	return nil
}

// checkMemory lets a memory folder that holds nothing but locks and aliases be replaced.
func (s *stock) checkMemory(o Options) error {
	there, err := isThere(o.Config, path.Join("memory", o.New.Slug))
	if err != nil || !there || !s.memory {
		return err
	}
	list, err := o.Config.ReadDir(path.Join("memory", o.New.Slug))
	if err != nil {
		return err
	}
	s.inTheWay = true
	for _, e := range list {
		if !replaceable(e.Name()) {
			return conflict(o, fmt.Sprintf("this project has memory of its own already, %q", o.Config.Path(path.Join("memory", o.New.Slug, e.Name()))))
		}
	}
	return nil
}

func conflict(o Options, why string) error {
	return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("cannot adopt %q: %s", o.Old.Root, why),
		"nothing is ever merged: move one of the two away, or carry sessions over with `lecode export` and `lecode import`")
}

// hold takes every lock of both projects, so that nobody writes while files
// move. Where an open file cannot be moved they are only looked at.
func (s stock) hold(o Options) (release func(), err error) {
	var held []*file.Lock
	release = func() {
		for _, l := range slices.Backward(held) {
			l.Unlock()
		}
		held = nil
	}
	for _, name := range s.locks(o) {
		l, err := o.Config.TryLock(name, "lecode slug --adopt")
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, l)
	}
	if runtime.GOOS == "windows" {
		release()
	}
	return release, nil
}

func (s stock) locks(o Options) []string {
	var names []string
	for _, slug := range []string{o.Old.Slug, o.New.Slug} {
		if slug == o.New.Slug && !s.inTheWay || slug == o.Old.Slug && !s.memory {
			continue
		}
		names = append(names, path.Join("memory", slug, "facts.lock"), path.Join("memory", slug, "notes.lock"))
	}
	for _, name := range s.files {
		if id, isLog := strings.CutSuffix(name, ".jsonl"); isLog {
			names = append(names, path.Join("sessions", o.Old.Slug, id+".lock"))
		}
	}
	return names
}

// joinUsage appends the old ledger to the new one.
func (o Options) joinUsage(from, to string) error {
	lock, err := o.Config.TryLock(strings.TrimSuffix(to, ".jsonl")+".lock", "lecode slug --adopt")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	old, err := o.Config.Open(from, os.O_RDONLY)
	if err != nil {
		return fmt.Errorf("open the old ledger: %w", err)
	}
	defer old.Close()
	now, err := o.Config.Open(to, os.O_RDONLY)
	if err != nil {
		return fmt.Errorf("open the ledger: %w", err)
	}
	defer now.Close()
	err = o.Config.WriteFile(to, func(w io.Writer) error {
		last := &lastByte{w: w, b: '\n'}
		if _, err := io.Copy(last, now); err != nil {
			return err
		}
		if last.b != '\n' { // a torn line stays one, and takes none of the old with it
			if _, err := w.Write([]byte{'\n'}); err != nil {
				return err
			}
		}
		_, err := io.Copy(w, old)
		return err
	})
	if err != nil {
		return err
	}
	return o.Config.Remove(from)
}

// lastByte remembers the last byte that went through.
type lastByte struct {
	w io.Writer
	b byte
}

func (l *lastByte) Write(p []byte) (int, error) {
	if len(p) > 0 {
		l.b = p[len(p)-1]
	}
	return l.w.Write(p)
}
