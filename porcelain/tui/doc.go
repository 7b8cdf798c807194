// Package tui is the screen of the agent on a terminal: a conversation whose
// finished parts go to the terminal's own scrollback, and below it a live part
// with the answer that streams in, running calls, questions, the input and a
// status line (issue 8).
//
// It knows the agent's events and what the slash commands answer, through the
// small interfaces in session.go. It must not know stores, settings, the
// environment or the working directory; whoever starts it hands in functions
// for what it needs of them.
//
// Text of models, tools, files and people reaches the terminal through
// typeset.Clean only, which makes visible what a reader would not see. Bubble Tea draws; Markdown is
// laid out here, since a renderer that resolves "&#27;" for itself would write
// an escape that a model chose.
//
// Start with Run, then Screen.Update, which says what becomes of each message,
// and Screen.View. Full-screen views are pages (page.go).
package tui
