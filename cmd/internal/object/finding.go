package object

// Finding is printed by `fsck`: one thing that is not as it should be.
type Finding struct {
	Code   string `json:"code"`
	File   string `json:"file"`
	Help   string `json:"help"`
	Line   *int64 `json:"line"`
	Offset *int64 `json:"offset"`
	Type   string `json:"type"`
}
