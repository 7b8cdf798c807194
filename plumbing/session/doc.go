// Package session is the append-only log of what was said: one canonical JSON
// record a line, its seq counted by line, fsynced before it is acknowledged
// (design section 4).
//
// It owns records, seqs, the lock, the index, undo, redo and clear, and with
// them what of a log is visible. It knows no facts and no SQL: what a project
// has forgotten reaches it through Exclusions. It knows no other agent's
// format: foreign records come in through an iterator.
//
// Read Store.Open and Log first, then Writer.Append and Visibility.
package session
