package object

// Note is printed by `note read`, `write`, `edit`, `list` and `log`.
type Note struct {
	Backup      *string  `json:"backup"`
	Bytes       int64    `json:"bytes"`
	BytesBefore *int64   `json:"bytes_before"`
	Created     *bool    `json:"created"`
	Digest      *string  `json:"digest"`
	File        string   `json:"file"`
	Lines       *[]int64 `json:"lines"`
	Modified    *string  `json:"modified"`
	Replaced    *int64   `json:"replaced"`
	Text        *string  `json:"text"`
	Type        string   `json:"type"`
}

// Match is printed by `note search`, one for each line that matches.
type Match struct {
	After         []string `json:"after"`
	Before        []string `json:"before"`
	Column        int64    `json:"column"`
	File          string   `json:"file"`
	Line          int64    `json:"line"`
	More          bool     `json:"more"`
	Text          string   `json:"text"`
	TextTruncated bool     `json:"text_truncated"`
	Type          string   `json:"type"`
}
