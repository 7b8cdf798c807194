package session

import (
	"github.com/tidwall/gjson"
)

// The types of records (design section 4). A type that is not listed is an event without effect.
const (
	TypeSession   = "session"
	TypeMessage   = "message"
	TypeUndo      = "undo"
	TypeRedo      = "redo"
	TypeClear     = "clear"
	TypeCancel    = "cancel"
	TypeCompact   = "compact"
	TypeUsage     = "memory_usage"
	TypeLearning  = "learning"
	TypeTitle     = "title"
	TypeRecovered = "recovered"
	TypeOmitted   = "omitted"
	TypeForeign   = "foreign"
)

// Origins of messages.
const (
	OriginUser      = "user"
	OriginGenerated = "generated"
	OriginSynthetic = "synthetic"
)

// Entry is what the index knows of one record.
type Entry struct {
	Seq        int64
	Offset     int64 // of the line in the log
	Size       int64 // bytes without the newline
	Type       string
	Role       string // of messages
	Origin     string // of messages
	Generation int64  // -1 where the record has none
	LastEvent  int64  // seq of the latest event with an effect at or before this record; 0: none
	Raw        []byte // the stored bytes without the newline, from Records only, until its next step
}

// Message reports whether the record is a message; all else is an event.
func (e Entry) Message() bool { return e.Type == TypeMessage }

// Typed reports whether a person typed the message. Another role that claims
// the user's origin is believed as little as any generated record.
func (e Entry) Typed() bool { return e.Role == "user" && e.Origin == OriginUser }

// older reports whether a forget at generation came after the record; the
// user's own words age with no forget.
func (e Entry) older(generation int64) bool {
	return !e.Typed() && max(e.Generation, 0) < generation
}

// The orders in these lists are the codes in the index file: append only.
var (
	typeCodes   = []string{"", TypeSession, TypeMessage, TypeUndo, TypeRedo, TypeClear, TypeCancel, TypeCompact, TypeUsage, TypeLearning, TypeTitle, TypeRecovered, TypeOmitted, TypeForeign}
	roleCodes   = []string{"", "user", "assistant", "tool"}
	originCodes = []string{"", OriginUser, OriginGenerated, OriginSynthetic}
)

func code(list []string, s string) byte {
	for i, v := range list {
		if v == s {
			return byte(i)
		}
	}
	return 0
}

func decode(list []string, c byte) string {
	if int(c) < len(list) {
		return list[c]
	}
	return ""
}

// effect reports whether an event changes what is visible, covered or learned.
func effect(typ string) bool {
	switch typ {
	case TypeUndo, TypeRedo, TypeClear, TypeCancel, TypeCompact, TypeLearning:
		return true
	}
	return false
}

// noGeneration stands for a "generation" that is none; nothing of lecode's writes such.
const noGeneration = -2

// fields reads the indexed fields of a canonical line in one pass.
func fields(line []byte) (e Entry, seq int64, ok bool) {
	e.Generation, seq = -1, -1
	gjson.ParseBytes(line).ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "seq":
			if n, good := integer(v); good {
				seq = n
			}
		case "type":
			e.Type = v.Str
		case "role":
			e.Role = v.Str
		case "origin":
			e.Origin = v.Str
		case "generation":
			n, good := integer(v)
			if e.Generation = n; !good {
				e.Generation = noGeneration
			}
		}
		return true
	})
	return e, seq, seq >= 0 && e.Type != "" && e.Generation != noGeneration
}

// integer is a JSON number that is written as a whole number from 0 and fits int64.
func integer(v gjson.Result) (int64, bool) {
	if v.Type != gjson.Number || len(v.Raw) == 0 || len(v.Raw) > 18 {
		return 0, false
	}
	n := int64(0)
	for i := range len(v.Raw) {
		c := v.Raw[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
