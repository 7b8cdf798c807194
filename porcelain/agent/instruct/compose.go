package instruct

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/porcelain/permission"
)

// Options is what a system prompt is made from.
type Options struct {
	Checkout  string // root of the active checkout; "": there is none
	Dir       string // the active working directory, absolute, links resolved
	ConfigDir string // <config_dir>
	Slug      string // the project's
	Now       func() time.Time
	OS, Shell string // as the model is told them; "" is left out
	Model     string // likewise
	Mode      permission.Mode
	NoMemory  bool // the memory is off, and there are no tools for it: the built-in base prompt does not speak of it

	// What saving needs besides.
	ReadOnly bool          // nothing may be saved (LECODE_READONLY)
	Holder   string        // what a writer that finds the lock taken is told
	LockWait time.Duration // how long a save waits for another writer
	// Prepare runs before the project's memory folder is made, as
	// note.Options.Prepare; may be nil.
	Prepare func(ctx context.Context) error
}

// System is a system prompt without its memory section.
type System struct {
	Text       string // all of it; whole lines
	Base       string // the base prompt in it
	Overridden bool   // that is the user's own
	Files      []File // the instructions in it, the root's first
	Skills     []Skill
	Warnings   []string // what was left out or cut, and why; one line each, made visible
}

// File is a file of instructions.
type File struct {
	Path  string
	Bytes int64 // of the file
	Cut   bool  // it is not shown whole
}

// Compose makes the system prompt but for the memory section. Whatever is
// wrong with a file is a warning, and the file is left out; an override that
// cannot be used gives way to the built-in base prompt. The error is that of ctx.
// The same files give the same bytes all day, which providers' caches go by.
func Compose(ctx context.Context, o Options) (System, error) {
	var s System
	base, err := ReadBase(ctx, o)
	if err != nil {
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		s.warn("lecode's own base prompt is used: %v", err)
		base = builtIn()
	}
	if o.NoMemory && !base.Overridden {
		base.Text = withoutMemory()
	}
	s.Base, s.Overridden = base.Text, base.Overridden
	parts := []string{whole(base.Text), o.environment()}
	instructions, err := s.instructions(ctx, o)
	if err != nil {
		return System{}, err
	}
	skills, warnings, err := Skills(ctx, o)
	if err != nil {
		return System{}, err
	}
	s.Skills = skills
	s.Warnings = append(s.Warnings, warnings...)
	parts = append(parts, instructions, s.listed())
	var text strings.Builder
	for _, part := range parts {
		if part == "" {
			continue
		}
		if text.Len() > 0 {
			text.WriteString("\n")
		}
		text.WriteString(part)
	}
	s.Text = text.String()
	return s, nil
}

func (s *System) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, warning(format, args...))
}

// warning is one line that a person can read.
func warning(format string, args ...any) string {
	return visible(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
}

// config is <config_dir>, under the rules for lecode's own files.
func (o Options) config() file.Tree { return file.Tree{Dir: filepath.Clean(o.ConfigDir)} }
