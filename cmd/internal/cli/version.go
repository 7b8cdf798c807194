package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// version is set by the Makefile from the repository's tags and commit.
var version = ""

func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "lecode version %s (%s)\n", Version(), runtime.Version())
	return err
}

// Version names this build.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
