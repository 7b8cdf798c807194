package object

// Adopted is printed by `slug --adopt`.
type Adopted struct {
	Changed  bool   `json:"changed"`
	Memory   bool   `json:"memory"`
	OldRoot  string `json:"old_root"`
	Root     string `json:"root"`
	Sessions int64  `json:"sessions"`
	Slug     string `json:"slug"`
	Type     string `json:"type"`
	Usage    bool   `json:"usage"`
}
