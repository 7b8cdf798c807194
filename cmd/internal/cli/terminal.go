package cli

import (
	"os"
	"strconv"
)

// Columns is how wide a line for people may be: $COLUMNS where it is a number
// from 40 to 1,000, else what the terminal that stdout is has, else 80.
func (e *Env) Columns() int {
	n, err := strconv.Atoi(e.Getenv("COLUMNS"))
	if f, ok := e.Stdout.(*os.File); ok && err != nil {
		n = terminalColumns(f)
	}
	if n >= 40 && n <= 1000 {
		return n
	}
	return 80
}

// Colour reports whether a person looks at stdout and wants colours: a
// terminal that is not dumb, and NO_COLOR not set.
func (e *Env) Colour() bool {
	f, ok := e.Stdout.(*os.File)
	if !ok || e.Getenv("NO_COLOR") != "" || e.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
