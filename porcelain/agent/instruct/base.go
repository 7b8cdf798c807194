package instruct

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// MaxBase is the most bytes that an override of the base prompt may have.
const MaxBase = 64 << 10

// Absent is the digest, for SaveBase, of an override that must not exist yet.
const Absent = "absent"

//go:embed base.md
var builtInText string

// Base is a base prompt.
type Base struct {
	Text       string
	Overridden bool   // it is the user's own
	Path       string // where an override lies, whether there is one or not
	Digest     string // "sha256:" and the hex digits of its bytes, or Absent, for SaveBase
}

func builtIn() Base { return Base{Text: builtInText, Digest: Absent} }

// BuiltIn is the base prompt that lecode comes with.
func BuiltIn() string { return builtInText }

// withoutMemory is the built-in text for a project whose memory is off: its last part is left out.
func withoutMemory() string {
	before, _, _ := strings.Cut(builtInText, "\n## Memory\n")
	return before
}

// name is where the override lies in <config_dir>.
func (o Options) name() string { return path.Join("memory", o.Slug, "system.md") }

// ReadBase reads the base prompt: the override, and where there is none the
// built-in one. An override that is no plain file of lecode's own is
// plumbing.ErrRefused; one that is too long, not UTF-8 text, or carries what
// CheckBase refuses, is plumbing.ErrInvalid. Neither blocks.
func ReadBase(ctx context.Context, o Options) (Base, error) {
	if err := ctx.Err(); err != nil {
		return Base{}, err
	}
	base := builtIn()
	base.Path = o.config().Path(o.name())
	b, err := o.config().ReadFile(o.name(), MaxBase)
	if errors.Is(err, fs.ErrNotExist) {
		return base, nil
	}
	if err != nil {
		return Base{}, fmt.Errorf("read the override of the base prompt: %w", err)
	}
	if isBlank(string(b)) {
		base.Digest = digest(b)
		return base, nil
	}
	if err := CheckBase(string(b)); err != nil {
		return Base{}, fmt.Errorf("the override %q: %w", base.Path, err)
	}
	return Base{Text: string(b), Overridden: true, Path: base.Path, Digest: digest(b)}, nil
}

// CheckBase lets through what may be an override: UTF-8 text of at most
// MaxBase bytes without any piece of what else a system prompt holds. Such a
// piece would stay when the memory, the instructions or the skills change, and
// a fact in it when it was forgotten. Otherwise plumbing.ErrInvalid.
func CheckBase(text string) error {
	if len(text) > MaxBase {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the base prompt has %d bytes; the most is %d", len(text), MaxBase),
			"put what belongs to the project into its AGENTS.md, and what is for one kind of work into a skill")
	}
	if wrong := fault([]byte(text)); wrong != "" {
		return plumbing.Fail(plumbing.ErrInvalid, "the base prompt is not text: "+wrong, "")
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if what := injected(line); what != "" {
			return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("line %d of the base prompt is %s", number, what),
				"leave out what lecode adds itself, each time anew: the environment, instructions, skills and the memory; saved here it would stay as it is now, even when it is forgotten")
		}
	}
	return nil
}

// injected says what a line is that lecode has put into a system prompt, also
// where it was indented or quoted since.
func injected(line string) string {
	line = strings.TrimLeft(strings.TrimPrefix(line, "\uFEFF"), " \t>*-")
	for _, label := range []string{beginEnvironment, beginInstructions, beginFile, beginSkills, beginMemory} {
		if strings.HasPrefix(line, label) {
			return "a label of what lecode adds to the prompt"
		}
	}
	if strings.HasPrefix(line, `{"id":"f-`) && strings.Contains(line, `"refs":[`) {
		return "a fact of the memory"
	}
	return ""
}

// Saved says what a save did.
type Saved struct {
	Base
	Changed bool
	Backup  string // the file that now holds the override before; "": there was none
}

// SaveBase makes text the base prompt of the project; blank text takes the
// override away, and the built-in one is in force again. expected is the
// digest that a Base had (Absent: there was no override); if there is another
// one now, nothing is written and the error is plumbing.ErrConflict. The empty
// one asks for nothing. It returns once that is durable; what stood there
// before is kept in system.md.bak.
//
// plumbing.ErrInvalid: see CheckBase. plumbing.ErrRefused: nothing may be saved
// (Options.ReadOnly), something else is in the file's place, no permission.
// plumbing.ErrBusy: another process writes.
func SaveBase(ctx context.Context, o Options, text, expected string) (Saved, error) {
	blank := isBlank(text)
	if o.ReadOnly {
		return Saved{}, plumbing.Fail(plumbing.ErrRefused, "the base prompt cannot be saved: this lecode may only read", "start lecode without LECODE_READONLY")
	}
	if err := CheckBase(text); err != nil {
		return Saved{}, err
	}
	if _, err := o.config().Lstat(o.name()); blank && errors.Is(err, fs.ErrNotExist) { // nothing is made for nothing
		if err := conflict(Absent, expected); err != nil {
			return Saved{}, err
		}
		base, err := ReadBase(ctx, o)
		return Saved{Base: base}, err
	}
	unlock, err := o.lock(ctx)
	if err != nil {
		return Saved{}, err
	}
	defer unlock()
	return o.put(ctx, text, blank, expected)
}

// lock takes the lock of the project's Markdown, which the override lies beside.
func (o Options) lock(ctx context.Context) (unlock func(), err error) {
	if o.Prepare != nil {
		if _, err := o.config().Lstat(path.Join("memory", o.Slug)); errors.Is(err, fs.ErrNotExist) {
			if err := o.Prepare(ctx); err != nil {
				return nil, err
			}
		}
	}
	waiting, stop := context.WithTimeout(ctx, o.LockWait)
	defer stop()
	l, err := o.config().Lock(waiting, path.Join("memory", o.Slug, "notes.lock"), o.Holder)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
}

// put writes or removes the override; the caller holds the lock.
func (o Options) put(ctx context.Context, text string, blank bool, expected string) (Saved, error) {
	was, backup, err := o.backUp(text, blank, expected)
	if err != nil {
		return Saved{}, err
	}
	saved := Saved{Backup: backup}
	switch {
	case blank && was != Absent:
		saved.Changed = true
		err = o.config().Remove(o.name())
	case !blank && was != digest([]byte(text)):
		saved.Changed = true
		err = o.config().WriteFile(o.name(), func(to io.Writer) error {
			_, err := io.WriteString(to, text)
			return err
		})
	}
	if err != nil {
		return Saved{}, fmt.Errorf("save the base prompt: %w", err)
	}
	saved.Base, err = ReadBase(ctx, o)
	return saved, err
}

// backUp compares the override with what the caller saw, and copies it to its
// backup where it is about to change. It is the digest of what stands there.
func (o Options) backUp(text string, blank bool, expected string) (was, backup string, err error) {
	from, err := o.config().Open(o.name(), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return Absent, "", conflict(Absent, expected)
	}
	if err != nil {
		return "", "", err
	}
	defer from.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, from); err != nil {
		return "", "", fmt.Errorf("read %q: %w", from.Name(), err)
	}
	was = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	if err := conflict(was, expected); err != nil {
		return "", "", err
	}
	if !blank && was == digest([]byte(text)) {
		return was, "", nil
	}
	info, err := from.Stat()
	if err == nil {
		_, err = from.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = o.config().WriteWithin(o.name()+".bak", info.Mode().Perm(), func(to io.Writer) error {
			_, err := io.Copy(to, from)
			return err
		})
	}
	if err != nil {
		return "", "", fmt.Errorf("back up the base prompt: %w", err)
	}
	return was, o.config().Path(o.name() + ".bak"), nil
}

func conflict(is, expected string) error {
	if expected == "" || is == expected {
		return nil
	}
	return plumbing.Fail(plumbing.ErrConflict, "the base prompt is not what was read: someone else has saved it", "read it again and do the change anew")
}

// digest names the bytes of a file, as sha256sum does.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
