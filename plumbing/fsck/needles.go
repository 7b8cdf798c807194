package fsck

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// MinLine is how many characters a line of a forgotten record has at least to
// be looked for: shorter ones stand in any text.
const MinLine = 12

// needles are lines to look for.
type needles struct {
	lines   map[string]bool
	lengths map[string][]int // of the lines that begin with these MinLine bytes, each once
}

func newNeedles() needles { return needles{map[string]bool{}, map[string][]int{}} }

func (n needles) add(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if utf8.RuneCountInString(line) < MinLine {
			continue
		}
		n.lines[line] = true
		if head := line[:MinLine]; !slices.Contains(n.lengths[head], len(line)) {
			n.lengths[head] = append(n.lengths[head], len(line))
		}
	}
}

// addRecord takes the words of a record: whatever text its blocks carry.
func (n needles) addRecord(record []byte) {
	for text := range texts(record) {
		n.add(text)
	}
}

// texts yields the words of a record's blocks, the arguments of tool calls among them; not data, names and IDs.
func texts(record []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		gjson.GetBytes(record, "content").ForEach(func(_, block gjson.Result) bool {
			if t := block.Get("text"); t.Type == gjson.String && !yield(t.Str) {
				return false
			}
			return eachString(block.Get("arguments"), yield)
		})
	}
}

// eachString yields the strings in a JSON value.
func eachString(v gjson.Result, yield func(string) bool) bool {
	if v.Type == gjson.String {
		return yield(v.Str)
	}
	more := true
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, item gjson.Result) bool {
			more = eachString(item, yield)
			return more
		})
	}
	return more
}

// in reports whether one of the needles stands in a line.
func (n needles) in(line string) bool {
	for i := 0; i+MinLine <= len(line); i++ {
		for _, size := range n.lengths[line[i:i+MinLine]] {
			if i+size <= len(line) && n.lines[line[i:i+size]] {
				return true
			}
		}
	}
	return false
}

// inRecord reports whether one of the needles stands in a record's words.
func (n needles) inRecord(record []byte) bool {
	for text := range texts(record) {
		if slices.ContainsFunc(strings.Split(text, "\n"), n.in) {
			return true
		}
	}
	return false
}

// notes looks through the Markdown of the project and what was kept of it.
func (s *sweep) notes(dir string) error {
	list, err := s.opt.Config.ReadDir(dir)
	if err != nil {
		return s.orFail(inConfig, dir, err, s.found)
	}
	for _, e := range list {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && s.mayHold(inConfig, name):
			err = s.notes(name)
		case e.Type().IsRegular() && managed(e.Name()):
			err = s.outputs(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// managed reports whether a file in the memory folder holds text that lecode keeps.
func managed(base string) bool {
	return !strings.HasPrefix(base, "facts.") && base != "config.toml" && base != "aliases"
}

// outputs names each line of a file in which a forgotten one stands.
func (s *sweep) outputs(name string) error {
	f, err := s.opt.Config.Open(name, os.O_RDONLY)
	if err != nil {
		return s.orFail(inConfig, name, err, s.found)
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for line, at := int64(1), int64(0); ; line++ {
		text, err := r.ReadString('\n')
		if s.words.in(text) {
			if err := s.found(s.finding(StillStands, inConfig, name, "a forgotten line stands here: edit it out").at(line, at)); err != nil {
				return err
			}
		}
		at += int64(len(text))
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %q: %w", s.opt.Config.Path(name), &fs.PathError{Op: "read", Path: name, Err: err})
		}
	}
}
