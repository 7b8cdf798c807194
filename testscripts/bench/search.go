package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// noteFiles files of noteSize bytes each are what `note search` is measured on.
const (
	noteFiles = 5
	noteSize  = 10 << 20
)

// searchNotes compares `lecode note search` over 50 MB of Markdown with grep
// -rnE on the same files: a literal, an alternation, and a pattern without any literal.
func (b *bench) searchNotes() error {
	if _, err := exec.LookPath("grep"); err != nil {
		b.table.missing("lecode note search, 50 MB", err)
		return nil
	}
	w, err := b.newWorld(b.small.root, "notes")
	if err != nil {
		return err
	}
	// The first write makes the project's folder, wherever that is.
	if err := w.try("", b.lecode, "note", "write", "MEMORY.md", "--text", "# Memory"); err != nil {
		return err
	}
	list, err := filepath.Glob(filepath.Join(w.config.Dir, "memory", "*", "MEMORY.md"))
	if err != nil || len(list) != 1 {
		return fmt.Errorf("find the notes: %d folders: %w", len(list), err)
	}
	memory := filepath.Dir(list[0])
	for i := range noteFiles {
		if err := writeNote(filepath.Join(memory, "notes", fmt.Sprintf("n%d.md", i))); err != nil {
			return err
		}
	}
	for _, s := range []struct{ kind, pattern string }{
		{"a literal", "needle in a haystack"},
		{"an alternation", "needle|haystack|pelican"},
		{"no literal", "[0-9]{4}-[0-9]{2}-[0-9]{2}T"},
	} {
		grep := []string{"-rnE", s.pattern, memory}
		if err := w.try("", b.lecode, "note", "search", s.pattern); err != nil {
			return err
		}
		if err := w.try("", "grep", grep...); err != nil {
			return err
		}
		m, err := inTurn(max(b.rounds/3, 3), w.wall(nil, b.lecode, "note", "search", s.pattern), w.wall(nil, "grep", grep...))
		if err != nil {
			return err
		}
		b.table.times("lecode note search, 50 MB, "+s.kind, m[0], m[1], "grep -rnE", 3)
	}
	return nil
}

// writeNote writes a note whose last line is the one that is looked for.
func writeNote(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	for i, n := 0, 0; n < noteSize; i++ {
		text := fmt.Sprintf("- line %d: run `make test` before the pull request, see docs/build-%d.md and ask ada@example.com\n", i, i%97)
		if i%7 == 0 {
			text = fmt.Sprintf("\n## Heading %d, with ünïcode, 漢字 and 2026-12-0%d\n\n", i, i%9+1)
		}
		n += len(text)
		out.WriteString(text)
	}
	out.WriteString("a needle in a haystack, 2026-12-02T07:00\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write %q: %w", name, err)
	}
	return nil
}
