package transcript

import "github.com/lecode/lecode/plumbing/canon"

// detectLecode knows the header of lecode's own log: a canonical object of
// type "session" with seq 0 and a version. (pi writes a header of the same
// type, not canonical and without seq.)
func detectLecode(h *head) bool {
	if len(h.values) == 0 {
		return false
	}
	o := h.values[0]
	if o["type"].text != "session" || !o.is("version", '0') || !o.is("seq", '0') {
		return false
	}
	_, err := canon.Check(h.first, nil)
	return err == nil
}
