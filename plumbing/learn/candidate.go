package learn

// Candidate is what a model proposes to remember. Whatever in it has the wrong
// type in the answer has a value here that no evidence fits, so that Judge
// gives it the code of its own check.
type Candidate struct {
	Malformed bool // its fields, its kind or its proposal flag are not those of a candidate
	Kind      string
	Text      string
	Quote     string
	Seqs      []int64  // the evidence, as the model names it
	Conflicts []string // IDs of facts that it contradicts
	Proposal  bool     // the model is not sure
}

// Reason is why a candidate or a whole answer was not taken (seed, "Bounds,
// deduplication, and failure handling").
type Reason string

// Of the answer as a whole.
const (
	ResponseSchema      Reason = "response_schema"       // not the envelope, or too many candidates
	InvalidJSON         Reason = "invalid_json"          // not one strict JSON value
	OutputTooLarge      Reason = "output_too_large"      // more bytes than the tokens allow
	UnexpectedToolCalls Reason = "unexpected_tool_calls" // it calls a tool
	IncompleteResponse  Reason = "incomplete_response"   // it did not end by itself
	StaleContext        Reason = "stale_context"         // context or evidence changed
	ExtractionError     Reason = "extraction_error"      // the call failed
)

// Of a candidate, in the order in which they are checked.
const (
	CandidateSchema           Reason = "candidate_schema"
	InvalidText               Reason = "invalid_text"
	InvalidSource             Reason = "invalid_source"
	InvalidPreferenceSource   Reason = "invalid_preference_source"
	TemporaryPreference       Reason = "temporary_preference"
	ExactTextMismatch         Reason = "exact_text_mismatch"
	UnverifiedProjectEvidence Reason = "unverified_project_evidence"
	SecretLike                Reason = "secret_like"
	InvalidConflicts          Reason = "invalid_conflicts"
	// invalid_preference is an old diagnostic: read, never written.
)

// MaxCandidates, MaxText and MaxQuote bound an answer (design section 13); texts in bytes.
const (
	MaxCandidates = 4
	MaxText       = 512
	MaxQuote      = 512
)
