// Package note is the project's Markdown memory: MEMORY.md, scratchpad.md, the
// daily logs and the named notes under <config_dir>/memory/<slug>/ (seed,
// "Layout"; design section 3).
//
// It knows files by their names, and text. It must not know facts, sessions,
// models, or what a prompt does with a note. Read Head first.
package note
