package object

// Setting is printed by `config --json`, one for each setting.
type Setting struct {
	File   *string `json:"file"`
	Key    string  `json:"key"`
	Line   *int64  `json:"line"`
	Origin string  `json:"origin"`
	Type   string  `json:"type"`
	Value  string  `json:"value"`
}
