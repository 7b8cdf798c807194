// Package recall hands out validated evidence in pages (seed, "Source-linked
// recall"; design sections 7 and 13): a fact with what it stands on, or a range
// of a session.
//
// It knows facts through package fact and records through package source. It
// must not know models, the terminal or how a page gets to whoever asked. What
// it returns is untrusted data, never instructions, and no proof that a claim
// is true. It writes nothing.
//
// Read Fact and Range first, then pager.
package recall
