// Package plumbing is the map of lecode's plumbing packages and the home of
// the few error kinds that all of them share.
//
// Data goes one way: the bytes of a record are given a seq by session, hashed
// by source, stored beside a text by fact, and validated again by source each
// time that recall or prompt uses them.
//
//	canon       canonical JSON and digests
//	file        the files lecode owns: opened without links, locked, replaced whole
//	config      config.toml and where the directories lie
//	session     the append-only log: records, seqs, lock, index, undo, redo, clear
//	source      SourceRef: snapshot, digest, validate
//	fact        the SQLite fact store
//	note        the Markdown store: read, write, edit, search, list
//	transcript  other agents' transcripts, read into records
//	recall      pages of validated evidence
//	prompt      the memory section of a system prompt
//	budget      estimate of tokens, calibration, model limits; budget/catalog
//	usage       the ledger of model calls, its totals, the day's budget
//	provider    what models are asked and answer; below it one package a kind of model
//	compact     plan and apply of the working summary, and the context to send
//	learned     what learning leaves behind: its events, proposals, project facts
//	learn       plan, judgement and apply of extraction
//	secret      keys and tokens in text, found and masked; imports nothing
//	adopt       the memory of a root that is gone, taken over
//	tool        the eight memory tools: schemas and handlers
//	fsck        checks of everything above; imported by nothing that writes
//
// Imports point to the left only:
//
//	canon <- session <- source <- {fact, compact, learned} <- {recall, prompt, learn} <- {fsck, tool} <- porcelain <- cmd
//
// with config, note, transcript, provider, budget, usage and adopt importing
// at most canon, and file and this package below all of them. testscripts/imports_test.go holds the table.
//
// No package below this one knows the terminal, the environment, the wall
// clock or an exit code: those come in as arguments from cmd. An error wraps
// one of the kinds in errors.go, and only cmd turns a kind into an exit code.
package plumbing
