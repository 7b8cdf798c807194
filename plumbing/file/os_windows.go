package file

import (
	"io/fs"
	"os"
)

// openFlags: os.Root refuses links that leave the tree; Windows has no further flag for it.
const openFlags = 0

// links: the count needs an open handle on Windows; links are caught by Lstat there.
func links(fs.FileInfo) uint64 { return 1 }

func isReadOnly(error) bool { return false }

// syncFolder: Windows has no fsync of a folder; its file system journals the entries.
func syncFolder(*os.File) error { return nil }
