// Package offline is the built-in model, which needs no key and no network
// (design section 9). It makes nothing up: all that it says it quotes.
//
//   - A request to compact (plumbing/compact; frame.go says how one is told)
//     gets an extractive summary: lines of the transcript and of the prior
//     summary, each with the seqs it came from, in sections that a person
//     reads. See Summary in summary.go.
//   - A request to learn (plumbing/learn) gets strict JSON: at most four
//     sentences that a person typed and meant to last, each an exact quote. See
//     Extract in extract.go.
//   - Any other request gets what the memory section of its system prompt
//     holds on the words of its last user message, with the sources, and how a
//     model is configured. See answer.go.
//
// An answer is a function of the request: no clock, no state, no randomness.
//
// How a summary is chosen (score.go, fit.go). What weighs is what would be lost
// for good: a sentence scores by its words that stand nowhere else, neither in
// other sentences nor in what the tools saw, where they can be looked up again;
// paths, identifiers, numbers, commands and quoted words weigh more, the user's
// sentences more than the model's, sentences that only announce the next step
// less. Cue words (cues.go) decide under which heading a sentence stands and
// help little otherwise.
//
// How a sentence is taken for lasting (extract_*.go). A message is cut into the
// sentences that are its writer's own (extract_blocks.go, extract_mail.go,
// extract_spans.go); each is scored by cue words of its language, and ruled out
// by words that tie it to one time, one thing, a hypothesis, a defect or
// somebody else. testdata/extraction says how well that does.
//
// It knows provider's types and text. It must not know a session, a store or
// how tokens are counted: the estimate is handed in (Options). Read New, then
// Summary and Extract.
package offline
