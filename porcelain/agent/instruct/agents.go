package instruct

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The caps on instructions, in bytes as they are sent.
const (
	MaxFile         = 32 << 10 // of one AGENTS.md, its label included
	MaxInstructions = 64 << 10 // of all, the section's label included
)

const agentsFile = "AGENTS.md"

// instructions is the section with the AGENTS.md of every folder from the
// checkout's root to the working directory. Room is given to the nearest
// first, which counts most; a file that is met twice through a link stands
// there once.
func (s *System) instructions(ctx context.Context, o Options) (string, error) {
	top, folders := o.folders()
	at := place{top: top, bound: true}
	room := MaxInstructions - len(labelInstructions) - 1
	var blocks []string
	var seen []fs.FileInfo
	for _, folder := range slices.Backward(folders) {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		rel := filepath.Join(folder, agentsFile)
		b, info, size, err := at.head(rel, MaxFile)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			s.warn("%s is left out: %v", filepath.Join(top, rel), err)
			continue
		case isBlank(string(b)) && size <= MaxFile,
			slices.ContainsFunc(seen, func(i fs.FileInfo) bool { return os.SameFile(i, info) }):
			continue
		}
		seen = append(seen, info)
		if block := s.block(top, rel, string(b), size, room); block != "" {
			room -= len(block)
			blocks = append(blocks, block)
		}
	}
	if len(blocks) == 0 {
		return "", nil
	}
	slices.Reverse(blocks)
	slices.Reverse(s.Files)
	return labelInstructions + "\n" + strings.Join(blocks, ""), nil
}

// block is one file of instructions behind its label, in at most room bytes
// and MaxFile; nothing where there is no room for any of it.
func (s *System) block(top, rel, text string, size int64, room int) string {
	path := filepath.Join(top, rel)
	label := labelFile + inJSON(filepath.ToSlash(rel)) + labelFileEnd + "\n"
	shown, cut := framed("> ", text, size, min(room, MaxFile)-len(label))
	if shown == "" {
		s.warn("%s is left out: instructions nearer to the working directory leave no room for it", path)
		return ""
	}
	if cut {
		s.warn("%s is not shown whole: it has %d bytes, and one file gets at most %d, all together %d", path, size, MaxFile, MaxInstructions)
	}
	s.Files = append(s.Files, File{Path: path, Bytes: size, Cut: cut})
	return label + shown
}

// isBlank reports whether a text says nothing.
func isBlank(text string) bool { return strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF")) == "" }

// folders lists the folders whose instructions count, the root first, as paths
// below top. Outside a checkout it is the working directory alone.
func (o Options) folders() (top string, folders []string) {
	if o.Checkout == "" {
		return o.Dir, []string{"."}
	}
	rel, err := filepath.Rel(o.Checkout, o.Dir)
	if err != nil || !filepath.IsLocal(rel) {
		return o.Dir, []string{"."}
	}
	folders = []string{"."}
	if rel == "." {
		return o.Checkout, folders
	}
	folder := ""
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		folder = filepath.Join(folder, part)
		folders = append(folders, folder)
	}
	return o.Checkout, folders
}
