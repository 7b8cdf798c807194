// Package note is the project's Markdown memory: MEMORY.md, scratchpad.md, the
// daily logs and the named notes under <config_dir>/memory/<slug>/ (seed,
// "Layout"; design section 3).
//
// Every entry point takes a file by the one grammar of CheckFile and checks it
// before anything is opened. Every write holds the project's lock
// memory/<slug>/notes.lock, reads what stands there under it, copies that to
// <file>.bak and then puts the new text in place, each as a temporary file,
// fsync, rename and fsync of the folder: two writers lose nothing, and a crash
// leaves the old text or the new one. Readers take no lock.
//
// It knows files by their names, and text. It must not know facts, sessions,
// models, or what a prompt does with a note; nor the environment, the clock
// (Options.Now) or the terminal. It is no version control: .bak holds one
// text, the one before the last write. Read Store first; Head is the reader
// that prompts use.
package note
