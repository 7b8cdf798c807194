package slug

import (
	"bytes"
	"errors"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"github.com/lecode/lecode/plumbing"
)

// maxConfig is how long a configuration file of Git may be, in bytes.
const maxConfig = 16 << 20

// truth is a boolean of Git's configuration that may be absent.
type truth int

const (
	unset truth = iota
	no
	yes
)

// settings are the keys that move a root.
type settings struct {
	bare        truth   // core.bare
	workTree    *string // core.worktree, as written
	perWorktree bool    // extensions.worktreeConfig
	versioned   bool    // core.repositoryformatversion is there
}

// entry is a key of a configuration file, with section and key in lower case,
// as "core.bare" or "submodule.NAME.path". bare marks a key without "=".
type entry struct {
	key, value string
	bare       bool
}

// settings reads what counts for git dir dir: the common dir's config, and
// over it dir's config.worktree if extensions.worktreeConfig has it so. Files
// that are included do not count, as in Git's own search for a repository.
func (f *finder) settings(common, dir string) (settings, error) {
	s, err := f.settingsOf(filepath.Join(common, "config"))
	if err == nil && !s.versioned {
		return settings{}, nil // Git does not take such a file for a repository's
	}
	if err != nil || !s.perWorktree {
		return s, err
	}
	over, err := f.settingsOf(filepath.Join(dir, "config.worktree"))
	if over.bare != unset {
		s.bare = over.bare
	}
	if over.workTree != nil {
		s.workTree = over.workTree
	}
	return s, err
}

func (f *finder) settingsOf(path string) (settings, error) {
	if s, ok := f.configs[path]; ok {
		return s, nil
	}
	entries, err := f.config(path, "core", "extensions")
	if err != nil {
		return settings{}, err
	}
	var s settings
	for _, e := range entries {
		if err := s.take(e, path); err != nil {
			return settings{}, err
		}
	}
	f.configs[path] = s
	return s, nil
}

// take notes an entry; the last of a key counts.
func (s *settings) take(e entry, path string) error {
	switch e.key {
	case "core.worktree":
		s.workTree = &e.value
	case "core.repositoryformatversion":
		s.versioned = true
	case "core.bare", "extensions.worktreeconfig":
		t, ok := parseTruth(e)
		if !ok {
			return fail(plumbing.ErrCorrupt, "%q: %s is %q, which is neither true nor false", "set it right", path, e.key, e.value)
		}
		if e.key == "core.bare" {
			s.bare = t
		} else {
			s.perWorktree = t == yes
		}
	}
	return nil
}

// parseTruth reads a boolean as Git does: a word, a number with a unit, a key without "=".
func parseTruth(e entry) (truth, bool) {
	switch strings.ToLower(e.value) {
	case "true", "yes", "on":
		return yes, true
	case "false", "no", "off":
		return no, true
	case "":
		if e.bare {
			return yes, true
		}
		return no, true
	}
	digits := strings.TrimRight(strings.ToLower(e.value), "kmg")
	n, err := strconv.ParseInt(digits, 0, 64)
	if err != nil || len(e.value)-len(digits) > 1 {
		return unset, false
	}
	if n == 0 {
		return no, true
	}
	return yes, true
}

// config reads the named sections of a configuration file; a missing file is an empty one.
func (f *finder) config(path string, sections ...string) ([]entry, error) {
	data, err := readFile(path, maxConfig)
	switch {
	case absent(err):
		return nil, nil
	case errors.Is(err, errNoFile):
		return nil, fail(plumbing.ErrCorrupt, "%q is not a configuration file", "repair it", path)
	case err != nil:
		return nil, unreadable(path, err)
	}
	entries, ok := decode(bytes.TrimPrefix(data, []byte("\ufeff")), sections)
	if ok && !doubtful(entries) {
		return entries, nil
	}
	asked, err := f.askGit(path, sections)
	if errors.Is(err, errNoGit) && ok {
		for i := range entries {
			entries[i].bare = entries[i].value == "" // the likelier of the two
		}
		return entries, nil
	}
	return asked, err
}

// decode reads sections with go-git; ok is false where its decoder fails on a file, which Git may yet read.
func decode(data []byte, sections []string) (entries []entry, ok bool) {
	defer func() { // the decoder panics on escapes that its scanner let pass
		if recover() != nil {
			entries, ok = nil, false
		}
	}()
	c := config.New()
	if err := config.NewDecoder(bytes.NewReader(data)).Decode(c); err != nil {
		return nil, false
	}
	for _, s := range c.Sections {
		if !within(s.Name, sections) {
			continue
		}
		name := strings.ToLower(s.Name) + "."
		for _, o := range s.Options {
			entries = append(entries, entry{key: name + strings.ToLower(o.Key), value: o.Value})
		}
		for _, sub := range s.Subsections {
			for _, o := range sub.Options {
				entries = append(entries, entry{key: name + sub.Name + "." + strings.ToLower(o.Key), value: o.Value})
			}
		}
	}
	return entries, true
}

func within(section string, sections []string) bool {
	for _, s := range sections {
		if strings.EqualFold(s, section) {
			return true
		}
	}
	return false
}

// doubtful reports values that go-git's decoder may give differently from Git:
// a key without "=" reads as an empty value, and a continued line keeps its newline.
func doubtful(entries []entry) bool {
	for _, e := range entries {
		switch e.key {
		case "core.worktree", "core.bare", "extensions.worktreeconfig":
		default:
			if !strings.HasPrefix(e.key, "submodule.") || !strings.HasSuffix(e.key, ".path") {
				continue
			}
		}
		if e.value == "" || strings.Contains(e.value, "\n") {
			return true
		}
	}
	return false
}

// names reports whether a .gitmodules file names a submodule at path.
func (f *finder) names(file, path string) bool {
	entries, err := f.config(file, "submodule")
	if err != nil {
		return false
	}
	for _, e := range entries {
		if strings.HasPrefix(e.key, "submodule.") && strings.HasSuffix(e.key, ".path") &&
			strings.TrimRight(e.value, "/") == path {
			return true
		}
	}
	return false
}
