package session

// Purpose says what visible means: Working respects /clear, Durable does not
// (seed, "Source-linked recall"). All three leave the log as it is.
type Purpose string

const (
	// Working is what the running context, new extraction and correction may use.
	Working Purpose = "working"
	// Durable is what an existing fact may still stand on: as Working, but a clear does not hide.
	Durable Purpose = "durable"
)

// Exclusions is what a project has forgotten. fact.Store satisfies it outside
// a transaction by reading the database at each call; inside one, fact hands
// over a value that reads on that transaction, so that nobody waits for
// himself (design section 2).
type Exclusions interface {
	// Generation is the number of forgets so far; 0 where nothing was forgotten.
	Generation() (int64, error)
	// Excluded returns the excluded seqs of a session, by Key of its ID, in ascending order.
	Excluded(key string) ([]int64, error)
}
