// Package learned is what learning leaves behind, for whoever looks at it:
// the event that it writes into a session, the proposals of the latest one
// that still stand, and verified project facts, held against the words that
// prove them and against the file as it is now (seed, "Optional automatic
// learning"; design sections 11 and 15.8).
//
// It knows session logs, source refs and the files of a checkout, which it
// reads and never writes. It must not know models, SQL, the clock, or how an
// answer of a model is judged: package learn does that and writes the events.
//
// Read Event first, then Latest and Checkout.State.
package learned
