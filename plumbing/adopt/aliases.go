package adopt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/file"
)

// maxAliases is the most bytes that the file of aliases may have.
const maxAliases = 1 << 20

// alias is a line of the file.
type alias struct {
	Root string `json:"root"`
	Time string `json:"time"` // when it was adopted
}

func aliasesName(slug string) string { return path.Join("memory", slug, "aliases") }

// Aliases returns the old roots that count as the project slug, in the order
// in which they were adopted; none where there is no file. A line that is not
// what Adopt wrote is plumbing.ErrCorrupt: whose sessions are shown must not
// hang on a guess.
func Aliases(config file.Tree, slug string) ([]string, error) {
	list, err := readAliases(config, slug)
	roots := make([]string, len(list))
	for i, a := range list {
		roots[i] = a.Root
	}
	return roots, err
}

func readAliases(config file.Tree, slug string) ([]alias, error) {
	name := aliasesName(slug)
	b, err := config.ReadFile(name, maxAliases)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the aliases of the project: %w", err)
	}
	var list []alias
	n := 0
	for line := range bytes.Lines(b) {
		n++
		var a alias
		object, err := canon.CanonicalizeObject(bytes.TrimSpace(line))
		if err == nil {
			err = json.Unmarshal(object, &a)
		}
		if err != nil || a.Root == "" {
			return nil, &plumbing.Error{Kind: plumbing.ErrCorrupt, Cause: err,
				Message: fmt.Sprintf("line %d of %q is not an alias", n, config.Path(name)),
				Hint:    "take the line out, or adopt the old root again"}
		}
		list = append(list, a)
	}
	return list, nil
}

// note writes the aliases of from, of to and the old root into the folder of from or to.
func note(config file.Tree, in string, list []alias) error {
	err := config.WriteFile(aliasesName(in), func(w io.Writer) error {
		for _, a := range list {
			b, err := canon.Marshal(a)
			if err != nil {
				return err
			}
			if _, err := w.Write(append(b, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note the old root: %w", err)
	}
	return nil
}

// with adds a root that is not there yet.
func with(list []alias, root string, now time.Time) []alias {
	if slices.ContainsFunc(list, func(a alias) bool { return a.Root == root }) {
		return list
	}
	return append(list, alias{Root: root, Time: now.UTC().Format("2006-01-02T15:04:05.000Z")})
}
