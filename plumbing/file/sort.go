package file

import (
	"cmp"
	"io/fs"
	"slices"
)

func sortEntries(list []fs.DirEntry) {
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
}
