package permission

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many links one path may lead through.
const maxLinks = 255

// Workspace is where the tools may work without being asked about the place.
//
// Names are compared as bytes. Where the file system does not tell upper from
// lower case, a folder that is spelled another way than Root counts as outside:
// a question too many, never one too few.
type Workspace struct {
	Root string   // absolute
	More []string // further folders, absolute, such as one for temporary files
	Home string   // what "~" and $HOME stand for in a command line; "": not known
	// Never are absolute folders that are never inside, wherever they lie: those of
	// lecode's own configuration and cache, so that memory and settings are changed
	// through its tools alone. For them upper and lower case are the same.
	Never []string
}

// Inside reports whether path, which is absolute, is one of the folders or in
// one, and in none of Never. Links are followed as far as the path exists, and ".." goes up from where
// they lead: a link inside that points outside is outside, also where it points
// at nothing. Links in a circle are outside.
func (w Workspace) Inside(path string) bool { return w.bounds().holds(path) }

// Barring gives a function that says of an absolute path without links whether
// it is in a folder of Never; nil where none of them is in folder, or folder is
// in one itself.
func (w Workspace) Barring(folder string) func(path string) bool {
	b := w.bounds()
	if real, ok := resolve(folder); !ok || b.bars(real) || len(b.below(real)) == 0 {
		return nil
	}
	return b.bars
}

// Abs returns path, which is relative to dir unless it is absolute, with links
// resolved as far as it exists and without "..". Links in a circle are left as
// they are.
func (w Workspace) Abs(dir, path string) string {
	path = joined(dir, path)
	if real, ok := resolve(path); ok {
		return real
	}
	return filepath.Clean(path)
}

// joined does not resolve "..", as filepath.Join does: that has to wait for links.
func joined(dir, path string) string {
	switch {
	case filepath.IsAbs(path):
		return path
	case path != "" && os.IsPathSeparator(path[0]): // on Windows: of the same drive
		return filepath.VolumeName(dir) + path
	}
	return dir + string(filepath.Separator) + path
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// resolve follows the links of an absolute path; what does not exist, or must
// not be looked at, counts as plain names. It is not filepath.EvalSymlinks,
// which gives up where the path ends and so does not see where a new file goes.
func resolve(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		return "", false
	}
	links := 0
	volume := filepath.VolumeName(path)
	root := volume + string(filepath.Separator)
	real, todo := root, parts(path[len(volume):])
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			real = filepath.Dir(real)
			continue
		}
		next := filepath.Join(real, name)
		target, isLink := linkAt(next)
		if !isLink {
			real = next
			continue
		}
		if links++; links > maxLinks {
			return "", false
		}
		if filepath.IsAbs(target) {
			volume = filepath.VolumeName(target)
			real, target = volume+string(filepath.Separator), target[len(volume):]
		}
		todo = append(parts(target), todo...)
	}
	return real, true
}

func linkAt(path string) (target string, isLink bool) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
		return "", false
	}
	target, err = os.Readlink(path)
	return target, err == nil
}

func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}
