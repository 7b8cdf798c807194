package transcript

import "strings"

// Report counts what a run of Records met, for the "imported" object (design
// section 7). Counts are of records unless their comment says otherwise.
type Report struct {
	Assistant          int64            `json:"assistant"`
	BlankLines         int64            `json:"blank_lines"`         // source lines of white space only, skipped
	External           int64            `json:"external"`            // tool results whose whole output is a file beside the transcript, which is not read
	Foreign            map[string]int64 `json:"foreign"`             // events, by the source's own kind; at most maxKinds kinds
	MadeUpCalls        int64            `json:"made_up_calls"`       // tool calls made for an observation that had none
	Moved              int64            `json:"moved"`               // lines that waited for a parent behind them
	OtherSession       int64            `json:"other_session"`       // lines that name another session than the first that names one
	RepairedBytes      int64            `json:"repaired_bytes"`      // bytes that were no UTF-8
	RepairedLines      int64            `json:"repaired_lines"`      // lines with one or the other
	RepairedSurrogates int64            `json:"repaired_surrogates"` // lone surrogates
	SplitLines         int64            `json:"split_lines"`         // lines that made more than one record
	Synthetic          int64            `json:"synthetic"`
	Tool               int64            `json:"tool"`
	TornBytes          int64            `json:"torn_bytes"`      // bytes of a last line that is not whole, left out
	UnknownBlocks      map[string]int64 `json:"unknown_blocks"`  // blocks kept under "foreign", by kind; at most maxKinds kinds
	UnsplitPrompts     int64            `json:"unsplit_prompts"` // instance templates whose issue text was not found, wholly synthetic
	UnreadLines        int64            `json:"unread_lines"`    // lines kept in base64
	UnsureSources      int64            `json:"unsure_sources"`  // user lines whose promptSource is none that is known, taken as synthetic
	Usage              UsageTotals      `json:"usage"`
	User               int64            `json:"user"`
}

// UsageTotals are known subtotals over the answers of a source, each counted
// once; UnknownUsageCalls answers said nothing and are in none of them. Cost
// is in the source's own money, null where no answer said one.
type UsageTotals struct {
	CacheReadTokens   int64    `json:"cache_read_tokens"`
	CacheWriteTokens  int64    `json:"cache_write_tokens"`
	Calls             int64    `json:"calls"`
	Cost              *float64 `json:"cost"`
	InputTokens       int64    `json:"input_tokens"`
	OutputTokens      int64    `json:"output_tokens"`
	UnknownUsageCalls int64    `json:"unknown_usage_calls"`
}

// maxKinds bounds the maps of a Report: a source must not decide their size.
const maxKinds = 64

func newReport() Report {
	return Report{Foreign: map[string]int64{}, UnknownBlocks: map[string]int64{}}
}

// count adds one under kind, or under "other" where kind is no plain word or one too many.
func count(m map[string]int64, kind string) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/"
	if _, known := m[kind]; kind == "" || len(kind) > 64 || strings.Trim(kind, plain) != "" || !known && len(m) >= maxKinds {
		kind = "other"
	}
	m[kind]++
}
