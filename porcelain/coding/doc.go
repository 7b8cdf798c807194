// Package coding is the agent's own tools (design sections 2 and 12): those
// that look at files, those that change them, a list of what is to be done, and
// the shell.
//
// All of them are methods of one Toolbox, which knows what they have to know of
// each other: the working directory, and the digest of each file as the model
// last saw it, so that a file that somebody has changed since is not
// overwritten. An agent and its children share it.
//
// It knows files, and of permissions what a call is about to do: Needs says it
// before anything is done, and Run does nothing that Needs has not said. It must
// not know models, sessions, memory, the environment, the clock, or what becomes
// of a question. A schema and its description are a JSON file beside the code
// of the tool, in the small part of JSON Schema that plumbing/tool keeps to.
// Results are text for a model: each is capped, and says so where it was cut.
//
// Start with New and Toolbox.Tools; each tool has a file of its own.
package coding
