// Package slash is the commands of the agent that begin with a slash. One table
// drives what they do, /help, and the completion of a line.
//
// It knows the agent through a small interface, the memory's words, and the
// stores and settings that are handed in. It must not know the terminal, the
// environment, or how a page is shown: an Answer can be printed or be looked at.
//
// Start with Prompt, which tells a command from words for the model, then Run
// and Complete; table.go is the table.
package slash
