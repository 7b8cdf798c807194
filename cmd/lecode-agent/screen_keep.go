package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/porcelain/permission"
)

// keep writes what a person always allows into the project's config.toml. A
// link there is refused, as is a file in which the line has no plain place; what
// is set there otherwise is not overruled by an answer.
func (w *wiring) keep(ctx context.Context, n permission.Need) (where string, err error) {
	key, value, ok := permission.Keep(n)
	if !ok {
		return "", plumbing.Fail(plumbing.ErrNo, "no line of config.toml says just this", "")
	}
	if w.e.ReadOnly() {
		return "", plumbing.Fail(plumbing.ErrRefused, "LECODE_READONLY is set", "nothing is written")
	}
	settings, err := w.settings()
	if err != nil {
		return "", err
	}
	if was, set := settings.Permissions[key]; set && was != value {
		return "", plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("permissions.%q is set to %q", key, was), "`lecode config` says where; change it there")
	}
	path, err := config.WriteProjectKey(ctx, config.Writer{Tree: w.stores.Config, Slug: w.stores.Project.Slug,
		Holder: "lecode agent", Prepare: w.stores.Notes.Prepare}, "permissions."+strconv.Quote(key), value)
	return whereKept(path, fmt.Sprintf("%q = %q", key, value)), err
}
