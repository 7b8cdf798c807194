package tool

import (
	"errors"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// Whatever the arguments, they are taken or refused as invalid with a line
// that a model can be shown; what is taken is one object without a key twice;
// and a reader that gets them ends with a whole answer or with a kind of failure.
func FuzzArguments(f *testing.F) {
	tools := Tools()
	for i, tool := range tools {
		for j, args := range cases(tool.Name) {
			if j < 8 || j%24 == 0 { // some: a fuzzer finds the others
				f.Add(i, []byte(args))
			}
		}
		f.Add(i, []byte(`{"file":"a","file":"b"}`))
	}
	w := newWorld(f)
	w.write("MEMORY.md", "kept\n")
	f.Fuzz(func(t *testing.T, i int, args []byte) {
		tool := tools[uint(i)%uint(len(tools))]
		err := Check(tool.Name, args)
		if err != nil && !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%s %q: %v", tool.Name, args, err)
		}
		if err == nil && len(args) > 0 {
			if _, err := canon.CanonicalizeObject(args); err != nil {
				t.Errorf("%s %q is taken: %v", tool.Name, args, err)
			}
		}
		if line := Failure(errors.Join(err, errors.New("x"))); strings.Count(line, "\n") != 1 || len(line) > maxFailure+10 {
			t.Errorf("%s %q: %q", tool.Name, args, line)
		}
		if tool.Class == Write {
			return
		}
		r, err := w.call(tool.Name, string(args))
		if err != nil && !isKind(err) {
			t.Errorf("%s %q: %v", tool.Name, args, err)
		}
		if err == nil && (len(r.Text) > MaxText || !strings.HasSuffix(r.Text, "\n")) {
			t.Errorf("%s %q: %d bytes", tool.Name, args, len(r.Text))
		}
	})
}

func isKind(err error) bool {
	for _, k := range []error{plumbing.ErrInvalid, plumbing.ErrNotFound, plumbing.ErrConflict, plumbing.ErrRefused, plumbing.ErrCorrupt} {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}
