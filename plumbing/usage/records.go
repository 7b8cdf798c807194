package usage

import (
	"iter"
	"strings"

	"github.com/tidwall/gjson"
)

// OfRecords sums up what a session's records say that calls took: assistant
// messages, and the compact and memory_usage events (design section 4). The
// lines of one answer share a call_id: it counts once, with the last known
// value of each count. A message without a call_id is an answer of its own.
// The records are canonical objects, and are held for one step only. What was
// undone or forgotten was spent too.
func OfRecords(records iter.Seq2[[]byte, error]) (Totals, error) {
	at := map[string]int{} // by call ID: where in shared
	var shared []*Tokens
	var t Totals
	for line, err := range records {
		if err != nil {
			return t, err
		}
		id, u, counts := ofRecord(line)
		switch {
		case !counts:
		case id == "":
			t.Add(u, 0, nil)
		default:
			i, known := at[id]
			if !known {
				i = len(shared)
				at[strings.Clone(id)] = i
				shared = append(shared, nil)
			}
			shared[i] = u.over(shared[i])
		}
	}
	for _, u := range shared {
		t.Add(u, 0, nil)
	}
	return t, nil
}

// Carries reports whether a record of this type and role can carry usage, so
// that others need not be read.
func Carries(typ, role string) bool {
	switch typ {
	case "message":
		return role == "assistant"
	case "compact", "memory_usage":
		return true
	}
	return false
}

// ofRecord reads a record's call ID and usage; counts is false where it stands for no call.
func ofRecord(line []byte) (id string, u *Tokens, counts bool) {
	got := gjson.GetManyBytes(line, "type", "role", "call_id", "usage")
	if !Carries(got[0].Str, got[1].Str) {
		return "", nil, false
	}
	if got[2].Type == gjson.String {
		id = got[2].Str
	}
	return id, readTokens(got[3]), true
}
