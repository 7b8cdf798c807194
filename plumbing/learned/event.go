package learned

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/source"
)

// The kinds of what is learned (seed, "Evidence contract").
const (
	KindPreference = "explicit_user_preference"
	KindFact       = "verified_project_fact"
)

// The outcomes of an extraction (seed, "Bounds, deduplication, and failure handling").
const (
	NoCandidates = "no_candidates" // the model returned none
	Rejected     = "rejected"      // candidates were returned, none passed
	Learned      = "learned"       // something was remembered, or was known already
	Proposed     = "proposed"      // something was left for explicit review, nothing remembered
	Failed       = "failed"        // the response could not be processed
	Stale        = "stale"         // context or evidence changed before promotion
)

// Why something was proposed and not remembered.
const (
	WhyConflict   = "conflict"   // the model names facts that it contradicts
	WhyUncertain  = "uncertain"  // the model says so
	WhyCorrection = "correction" // the words take something back
	WhyImported   = "imported"   // another agent's transcript says that the user said it
)

// Event is a learning event (design sections 7 and 11), without seq and time.
// It holds no text that was not validated, and of facts none at all.
type Event struct {
	CompactSeq   int64            `json:"compact_seq"`   // the summary whose new positions were looked at
	Considered   []int64          `json:"considered"`    // the seqs that the model was given
	Facts        []Fact           `json:"facts"`         // remembered, or known already
	Generation   int64            `json:"generation"`    // the project's when the request was made
	Model        string           `json:"model"`         //
	Outcome      string           `json:"outcome"`       //
	Proposals    []Proposal       `json:"proposals"`     // validated, and left for the user to decide
	ReasonCounts map[string]int64 `json:"reason_counts"` // rejected candidates by code; nil in old events
	Type         string           `json:"type"`          // "learning"
}

// Fact names a fact that a candidate led to.
type Fact struct {
	Cropped  bool   `json:"cropped"` // the quote begins or ends within a sentence
	ID       string `json:"id"`
	Outcome  string `json:"outcome"` // created, retried or deduplicated
	Revision int64  `json:"revision"`
}

// Proposal is what a candidate would have become.
type Proposal struct {
	Conflicts []Conflict `json:"conflicts"`
	Cropped   bool       `json:"cropped"`
	Kind      string     `json:"kind"`
	Source    source.Ref `json:"source"`
	Text      string     `json:"text"`
	Why       string     `json:"why"`
}

// Conflict is a fact that a proposal contradicts, as the model was shown it.
type Conflict struct {
	ID       string `json:"id"`
	Revision int64  `json:"revision"`
}

// Found is a learning event of a session.
type Found struct {
	Event
	SessionID string
	Seq       int64
	Time      time.Time // zero where the event has none
}

// maxReasons is how many reason codes are read; there are 15.
const maxReasons = 32

// maxListed bounds the facts and proposals that are read; there are at most 4 candidates.
const maxListed = 16

// read reads an event of this program or another: what it does not know, and
// what has not the form that it should have, it leaves out.
func read(id string, seq int64, line []byte) Found {
	root := gjson.ParseBytes(line)
	f := Found{SessionID: id, Seq: seq}
	f.Outcome, f.Model, f.Type = "unknown", root.Get("model").Str, root.Get("type").Str
	f.CompactSeq, f.Generation = root.Get("compact_seq").Int(), root.Get("generation").Int()
	if !root.Get("generation").Exists() {
		f.Generation = -1
	}
	if outcome := root.Get("outcome").Str; isCode(outcome) {
		f.Outcome = outcome
	}
	if at, err := time.Parse(time.RFC3339Nano, root.Get("time").Str); err == nil {
		f.Time = at
	}
	f.Considered = seqs(root.Get("considered"))
	each(root.Get("facts"), func(item gjson.Result) {
		var fact Fact
		if json.Unmarshal([]byte(item.Raw), &fact) != nil {
			fact = Fact{} // counted all the same
		}
		f.Facts = append(f.Facts, fact)
	})
	each(root.Get("proposals"), func(item gjson.Result) {
		var p Proposal
		if json.Unmarshal([]byte(item.Raw), &p) != nil || p.Source.Check() != nil {
			p = Proposal{}
		}
		f.Proposals = append(f.Proposals, p)
	})
	f.reasons(root.Get("reason_counts"))
	return f
}

func (f *Found) reasons(counts gjson.Result) {
	if !counts.IsObject() {
		return
	}
	f.ReasonCounts = map[string]int64{}
	counts.ForEach(func(code, n gjson.Result) bool {
		if isCode(code.Str) && n.Type == gjson.Number && n.Int() >= 0 {
			f.ReasonCounts[code.Str] = n.Int()
		}
		return len(f.ReasonCounts) < maxReasons
	})
}

func each(list gjson.Result, do func(gjson.Result)) {
	if !list.IsArray() {
		return
	}
	for i, item := range list.Array() {
		if i == maxListed {
			return
		}
		do(item)
	}
}

func seqs(list gjson.Result) []int64 {
	found := []int64{}
	if list.IsArray() {
		list.ForEach(func(_, n gjson.Result) bool {
			if n.Type == gjson.Number && n.Int() > 0 {
				found = append(found, n.Int())
			}
			return true
		})
	}
	return found
}

// isCode reports whether s has the form of an outcome or a reason code: no
// event can put words before a reader that way.
func isCode(s string) bool {
	for _, c := range []byte(s) {
		if c != '_' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= 40
}
