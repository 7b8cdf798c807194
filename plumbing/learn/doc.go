// Package learn turns what was newly covered by a summary into facts, with
// exact quotes or not at all (seed, "Optional automatic learning"; design
// section 11): it plans one bounded request, reads the answer strictly, judges
// each candidate against the records that it cites, and promotes what holds.
//
// It knows session logs, facts and the shape of requests and responses. It
// must not pick a model, call one, count money, or know the clock: whoever
// makes the call writes the ledger and asks the day's budget first. No lock is
// held across a model call; Apply plans anew from the log instead. What it
// leaves in a log is package learned's to read. Only lecode-agent links it.
//
// Read Judge first, which is the contract as a pure function, then ReadAnswer,
// Make and Apply.
package learn
