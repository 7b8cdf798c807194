// Package memory is the memory as a person asks about it: why, status, and the
// words of /memory, which are those of `lecode memory` (seed, "/memory"; design
// sections 7, 8 and 15.5).
//
// It knows the stores of package plumbing through small structs that are
// handed in, and how wide a line may be; not the terminal, the environment,
// the clock, the editor, nor models. Whatever text it prints has gone through
// prompt.Show. Start with Run, which takes a word to its Answer, Why, and Look.
package memory
