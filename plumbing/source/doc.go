// Package source is the SourceRef: which exact records of a session something
// stands on, and whether they still are what they were (design section 5).
//
// It knows session logs and digests. It must not know facts, SQL, the clock or
// what a message means beyond whether it holds somebody's words; what was
// forgotten reaches it as session.Exclusions. Nothing here writes.
//
// Read Ref first, then Validator: Snapshot makes a Ref, Validate judges one,
// Walk reads one. Trust is never stored, it is derived anew at each call.
package source
