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
	v := version
	if v == "" {
		v = "devel"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
			v = info.Main.Version
		}
	}
	_, err := fmt.Fprintf(w, "lecode version %s (%s)\n", v, runtime.Version())
	return err
}
