// Package memory is the memory as a person asks about it: why, and later
// status and the words of /memory (design sections 7, 8 and 15.5).
//
// It knows the stores of package plumbing through a small struct that is
// handed in, and how wide a line may be; not the terminal, the environment,
// the clock, nor models. Whatever text it prints has gone through prompt.Show.
// Start with Why.
package memory
