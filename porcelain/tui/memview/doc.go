// Package memview is the memory as a person looks at it on a screen (issue 8,
// point 3): facts with what they stand on, notes, proposals, what a request
// carries of it, and what the summaries of a session lost; and the two things
// that a person does to it, correct and forget.
//
// It knows what package memory and the stores answer, through the functions of
// Deps, and how that is laid out in a terminal. It must not judge evidence, write
// a store by itself, read the environment or the clock, nor know the screen that
// it is part of. Stores makes Deps from the stores; tests make their own.
//
// Every text that is not its own reaches the screen through typeset.Clean.
// Nothing that may wait runs in Update: see job.go.
//
// Read View first, then Deps, then one of the tabs, such as facts.go.
package memview
