// Package usage is what model calls took: the ledger of a project, one line a
// call (design section 3), its totals, the day's budget of memory calls
// (design section 15.6), and the totals of a session log (seed, "Incremental
// working memory": usage contributes once, missing usage is unknown and not 0).
//
// Whoever makes a model call writes its line, also when the answer was
// rejected or the call cancelled; a call ID counts once, however often its line
// was written. One that is held to the day's budget is reserved before it is made
// and settled afterwards, so that calls made at once do not pass the budget
// together, and a process that is killed leaves what its call may have taken.
// Sums are known subtotals: what nobody reported is counted in
// calls, never as 0.
//
// It knows the ledger file and the few keys of a session record that carry
// usage. It must not know session files, models, prices or the clock. Read
// Ledger.Reserve and Append first, then Totals and Check.
package usage
