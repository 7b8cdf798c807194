// Package fsck checks what lies on the disk for one project: every log, index,
// lock and left-over file, the fact database, every ref of every fact, and
// after a forget what of the forgotten words still stands where lecode writes
// (design sections 8 and 15.4).
//
// It knows the layout of design section 3 and the packages that own each kind
// of file. It trusts nothing: logs are scanned whole and never through their
// index, digests are made anew, permissions and links are looked at. It never
// writes; only repair.go does, and only when it is asked to. No finding
// carries words of a transcript, a note or a fact.
//
// It must not know the terminal, the environment, the wall clock or exit
// codes, and nothing that writes imports it. Start with Checker.Check;
// finding.go lists the codes.
package fsck
