package transcript

// FormatLecode is lecode's own export. Detect recognises it so that a caller
// knows to read it as a log (package session); Open does not read it.
const FormatLecode = "lecode"

// format is one row of the table: how a format is called, recognised and read.
type format struct {
	name   string
	detect func(*head) bool
	open   func(source) (*Transcript, error) // nil: recognised, not read here
}

// formats is the table. The first row that recognises a head has it.
func formats() []format {
	return []format{
		{FormatLecode, detectLecode, nil},
		{formatClaude, detectClaude, openClaude},
		{formatSWE, detectSWE, openSWE},
	}
}

// Formats returns the names that Open takes, in the order of the table.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		if f.open != nil {
			names = append(names, f.name)
		}
	}
	return names
}
