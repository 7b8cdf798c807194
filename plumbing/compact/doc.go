// Package compact keeps the working summary of a session (design section 10;
// seed, "Incremental working memory"): it plans what to summarise next and the
// request for it, judges what a model answered, applies it as one event, and
// replays a session as summary and raw rest.
//
// It knows session logs, source refs and the shape of requests and responses.
// It must not pick a model, call one, count money, know facts, SQL or the
// clock: whoever makes the call writes the ledger. Whether a summary holds is
// session.Chain's to say, nobody's here. No lock is held across a model call;
// Apply plans anew from the log instead.
//
// Read Make first, then Apply and Replay; Report says what a summary lost.
package compact
