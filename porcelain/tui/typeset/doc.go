// Package typeset lays out text in rows for a terminal: what may be shown at
// all, how many columns it takes, where it breaks, and how it is coloured.
//
// It knows characters as a reader counts them and the sixteen colours of the
// person's own theme. It must not know what is shown, nor the size of any
// screen but as an argument. Text becomes visible in one place, Clean, and an
// escape sequence is written in one place, Row.Write.
package typeset
