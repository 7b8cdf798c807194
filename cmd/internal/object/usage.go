package object

import "github.com/lecode/lecode/plumbing/usage"

// Totals is what calls took, as far as it is known: sums are known subtotals,
// and calls that they leave out are counted. It stands inside other objects.
type Totals struct {
	CacheReadTokens   int64    `json:"cache_read_tokens"`
	CacheWriteTokens  int64    `json:"cache_write_tokens"`
	Calls             int64    `json:"calls"`
	Cost              *float64 `json:"cost"`
	EstimatedTokens   int64    `json:"estimated_tokens"`
	InputTokens       int64    `json:"input_tokens"`
	OutputTokens      int64    `json:"output_tokens"`
	PricedCalls       int64    `json:"priced_calls"`
	UnknownCostCalls  int64    `json:"unknown_cost_calls"`
	UnknownUsageCalls int64    `json:"unknown_usage_calls"`
}

// TotalsOf is totals as an object.
func TotalsOf(t usage.Totals) Totals {
	return Totals{CacheReadTokens: t.CacheReadTokens, CacheWriteTokens: t.CacheWriteTokens, Calls: t.Calls, Cost: t.Cost,
		EstimatedTokens: t.EstimatedTokens, InputTokens: t.InputTokens, OutputTokens: t.OutputTokens,
		PricedCalls: t.PricedCalls, UnknownCostCalls: t.UnknownCostCalls, UnknownUsageCalls: t.UnknownUsageCalls}
}

// Usage is printed by `usage`, one for each group, or one for all.
type Usage struct {
	Totals `json:",inline"`
	By     *string `json:"by"`
	Key    *string `json:"key"`
	Type   string  `json:"type"`
}

// Model is printed by `models`. Prices are US dollars a million tokens.
type Model struct {
	ContextWindow    int64    `json:"context_window"`
	Current          bool     `json:"current"`
	DefaultMaxTokens *int64   `json:"default_max_tokens"`
	ID               string   `json:"id"`
	Images           *bool    `json:"images"`
	InputPrice       *float64 `json:"input_price"`
	Known            bool     `json:"known"`
	Name             *string  `json:"name"`
	OutputPrice      *float64 `json:"output_price"`
	Provider         string   `json:"provider"`
	Reasons          *bool    `json:"reasons"`
	Type             string   `json:"type"`
}

// Estimate is printed by `estimate`.
type Estimate struct {
	Bytes             int64  `json:"bytes"`
	CalibrationTokens int64  `json:"calibration_tokens"`
	ContextWindow     int64  `json:"context_window"`
	Fits              bool   `json:"fits"`
	FramingTokens     int64  `json:"framing_tokens"`
	MediaTokens       int64  `json:"media_tokens"`
	Model             string `json:"model"`
	Provider          string `json:"provider"`
	ReserveTokens     int64  `json:"reserve_tokens"`
	TextTokens        int64  `json:"text_tokens"`
	Tokens            int64  `json:"tokens"`
	Type              string `json:"type"`
	WindowFrom        string `json:"window_from"`
}

// Status is printed by `status --json`.
type Status struct {
	CacheDir    string         `json:"cache_dir"`
	ConfigDir   string         `json:"config_dir"`
	Facts       StatusFacts    `json:"facts"`
	Generation  int64          `json:"generation"`
	LearningOff *string        `json:"learning_off"`
	Memory      bool           `json:"memory"`
	Model       string         `json:"model"`
	Notes       []StatusNote   `json:"notes"`
	Project     StatusProject  `json:"project"`
	Section     *StatusSection `json:"section"`
	Sessions    StatusSessions `json:"sessions"`
	Type        string         `json:"type"`
	Usage       StatusUsage    `json:"usage"`
}

// StatusProject is the project without its type.
type StatusProject struct {
	Checkout *string `json:"checkout"`
	Kind     string  `json:"kind"`
	Root     string  `json:"root"`
	Slug     string  `json:"slug"`
}

// StatusFacts says of how many of the facts looked at the evidence holds.
type StatusFacts struct {
	Hidden     int64 `json:"hidden"`
	Looked     int64 `json:"looked"`
	Missing    int64 `json:"missing"`
	Stale      int64 `json:"stale"`
	Total      int64 `json:"total"`
	Unverified int64 `json:"unverified"`
	Valid      int64 `json:"valid"`
}

// StatusNote is a Markdown file of the memory.
type StatusNote struct {
	Bytes int64  `json:"bytes"`
	File  string `json:"file"`
}

// StatusSection is how much of the memory section is taken; null where memory is disabled.
type StatusSection struct {
	Bytes    int64 `json:"bytes"`
	Facts    int64 `json:"facts"`
	MaxBytes int64 `json:"max_bytes"`
	Omitted  int64 `json:"omitted"`
}

// StatusSessions counts sessions.
type StatusSessions struct {
	Copies   int64 `json:"copies"`
	Count    int64 `json:"count"`
	Damaged  int64 `json:"damaged"`
	Messages int64 `json:"messages"`
}

// StatusUsage is what calls took: today and in all by the ledger, recorded by the sessions.
type StatusUsage struct {
	All             Totals `json:"all"`
	MaxTokensPerDay *int64 `json:"max_tokens_per_day"`
	Recorded        Totals `json:"recorded"`
	SessionsRead    int64  `json:"sessions_read"`
	SessionsUnread  int64  `json:"sessions_unread"`
	Today           Totals `json:"today"`
	TodayMemory     int64  `json:"today_memory"`
}
