// Package prompt makes the memory section of a system prompt: the facts whose
// evidence holds, MEMORY.md and the scratchpad, under their caps (seed, "What
// the agent sees"; design section 13).
//
// The section is lines of five kinds, told apart by their first byte, and
// whoever writes a fact or a note decides the rest of a line only:
//
//	#  one of the three labels below
//	{  a fact: canonical JSON with the keys id, refs, revision, text
//	>  a line of a note, behind "> " (an empty line is ">" alone)
//	[  the marker of a note that was cut: [truncated: N of M bytes; read the rest with memory_read]
//
// Nothing in a fact can close its JSON, and no line of a note can begin as a
// label, a marker or a heading: so no end labels are needed and none can be
// forged. What an editor or a model may take for a line end (a bare CR,
// U+2028, U+0085) is shown as an escape; CR LF is one line end. N and M count
// bytes of the file, N of them are shown.
//
// It knows facts as values with a question (does the evidence hold?), and notes
// as texts. It must not know models, SQL, session files, the environment or
// the clock. Read Build first, which is a function of values; Gather asks the
// stores.
package prompt
