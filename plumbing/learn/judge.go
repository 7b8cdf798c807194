package learn

import (
	"slices"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/secret"
	"github.com/lecode/lecode/plumbing/source"
)

// Evidence is what a candidate is judged against: what the model was given, as
// it is in the log now.
type Evidence struct {
	Imported  bool // the session holds another agent's transcript, whoever follows it
	Exchanges []Exchange
	Known     map[string]Known // the facts that the model was shown, by ID
}

// Exchange is the records of one exchange that the model was given, ascending.
type Exchange struct{ Records []Record }

// Record is a message as it is stored.
type Record struct {
	Seq   int64
	Typed bool   // a person typed it
	Raw   []byte // the stored bytes
}

// Known is a fact that the model was shown.
type Known struct {
	Shown int64 // the revision that it was shown
	Now   int64 // the current one; 0 where the fact is no longer there
}

// Decision is what becomes of a candidate.
type Decision string

// The decisions.
const (
	Accepted Decision = "accepted"
	Proposed Decision = "proposed"
	Refused  Decision = "rejected"
)

// Verdict is a decision with its ground.
type Verdict struct {
	Decision Decision
	Reason   Reason   // why it was refused: the first check that failed
	Why      string   // why it was only proposed: one of learned.Why…
	Records  []Record // the evidence of what was not refused
	Cropped  bool     // the quote begins or ends within a sentence
}

// Judge judges one candidate (seed, "Evidence contract"). It is a pure
// function: the same candidate and evidence give the same verdict, nothing is
// asked of anybody, and neither a candidate nor its records are changed.
//
// An accepted preference is, letter by letter, something that one message typed
// by a person says; an accepted project fact is a line that the read tool
// printed, confirmed by a message of the same exchange. Whether the words are
// meant to last is the model's claim: no check here can prove it.
func Judge(c Candidate, e Evidence) Verdict {
	if c.Malformed || c.Kind != learned.KindPreference && c.Kind != learned.KindFact {
		return refused(CandidateSchema)
	}
	if !textFits(c.Text, MaxText) || !textFits(c.Quote, MaxQuote) {
		return refused(InvalidText)
	}
	records := e.captured(c.Seqs)
	if records == nil {
		return refused(InvalidSource)
	}
	v := Verdict{Decision: Accepted, Records: records}
	var reason Reason
	if c.Kind == learned.KindPreference {
		v.Cropped, v.Why, reason = preference(c, records)
	} else {
		reason = projectFact(c, e, records)
	}
	switch {
	case reason != "":
		return refused(reason)
	case secret.Kind(c.Text) != "" || secret.Kind(c.Quote) != "":
		return refused(SecretLike)
	case !e.conflicting(c.Conflicts):
		return refused(InvalidConflicts)
	}
	switch {
	case len(c.Conflicts) > 0:
		v.Why = learned.WhyConflict
	case c.Proposal:
		v.Why = learned.WhyUncertain
	case v.Why == "" && e.Imported:
		v.Why = learned.WhyImported
	}
	if v.Why != "" {
		v.Decision = Proposed
	}
	return v
}

func refused(r Reason) Verdict { return Verdict{Decision: Refused, Reason: r} }

func textFits(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && fact.CheckText(text) == nil
}

// captured is the records that seqs name, if they are exactly one of those that
// the model was given, or all of one exchange; else nil.
func (e Evidence) captured(seqs []int64) []Record {
	if len(seqs) == 0 || len(seqs) > source.MaxPositions {
		return nil
	}
	for _, x := range e.Exchanges {
		if len(seqs) == 1 {
			at := slices.IndexFunc(x.Records, func(r Record) bool { return r.Seq == seqs[0] })
			if at >= 0 {
				return x.Records[at : at+1]
			}
			continue
		}
		if slices.EqualFunc(x.Records, seqs, func(r Record, seq int64) bool { return r.Seq == seq }) {
			return x.Records
		}
	}
	return nil
}

// preference checks that one typed message says the text, and nothing but it.
func preference(c Candidate, records []Record) (cropped bool, why string, reason Reason) {
	if len(records) != 1 || !records[0].Typed {
		return false, "", InvalidPreferenceSource
	}
	if Temporary(c.Quote) {
		return false, "", TemporaryPreference
	}
	before, after, said := learned.Around(records[0].Raw, c.Quote)
	if c.Text != c.Quote || !said {
		return false, "", ExactTextMismatch
	}
	if Corrects(lead(before) + c.Quote) {
		why = learned.WhyCorrection
	}
	return Cropped(before, c.Quote, after), why, ""
}

// projectFact checks that the read tool printed the quote in that exchange, and that a message says the text.
func projectFact(c Candidate, e Evidence, records []Record) Reason {
	if e.Imported {
		return UnverifiedProjectEvidence
	}
	raw := make([][]byte, len(records))
	for i, r := range records {
		raw[i] = r.Raw
	}
	o, ok := learned.Observed(c.Text, raw)
	if !ok || !slices.ContainsFunc(o.Numbers, func(n int64) bool { return o.Quote(n) == c.Quote }) {
		return UnverifiedProjectEvidence
	}
	return ""
}

// conflicting reports whether each ID is one that the model was shown, once, at the revision that the fact still has.
func (e Evidence) conflicting(ids []string) bool {
	for i, id := range ids {
		known, ok := e.Known[id]
		if !ok || known.Shown != known.Now || slices.Contains(ids[:i], id) {
			return false
		}
	}
	return true
}
