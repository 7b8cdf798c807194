package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalColumns is the width of the console that f is, 0 where it is none or does not say.
func terminalColumns(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}

// isTerminal: only a console has a mode.
func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
