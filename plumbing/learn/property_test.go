package learn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/learned"
)

// dice makes talks of which it is known what may be learned.
type dice struct{ *rand.Rand }

func (d dice) of(list ...string) string { return list[d.IntN(len(list))] }

// rule is a lasting preference, with nothing in it that a guard stops.
func (d dice) rule() string {
	return d.of("Use ", "Always prefer ", "Never commit without ", "Wir nehmen immer ", "このプロジェクトでは", "我们一直用 ", "Nous préférons ") +
		d.of("tabs", "make lint", "русские слова", "タブ", "“smart quotes”", `C:\new\table`, "👩‍👩‍👧", "e\u0301 as two", "a\tb") +
		d.of("", fmt.Sprintf(" in v%d", d.IntN(1000)), " unless CI is red", "，除非另有说明") + d.of(".", "!", "。", "")
}

func (d dice) task() string {
	return d.of("Fix the build.", "Today deploy to staging.", "What is this?", "```\ncode only\n```", "\n\n", "Correction of typos is welcome") + d.of(" ", "\n")
}

// round is one generated case: what the model was given, what it answers, and what has to come of it.
type round struct {
	evidence Evidence
	offer    offer
	want     string // a decision, or the reason of a refusal
}

// talk is an exchange: a user's message with the rule in it, a reading of a file, an answer.
func (d dice) talk(first int64, rule, path, line string) []string {
	fillers := []string{d.task(), d.task()}
	lines := []string{user(fillers[0] + "\n" + rule + "\n" + fillers[1])}
	if path != "" {
		o := learned.Observation{Path: path, Line: line}
		lines = append(lines, call(fmt.Sprint("c", first), "read", path),
			result(fmt.Sprint("c", first), "read", "1\tother\n7\t"+line+d.of("", "\r")+"\n8\t"), assistant(o.Text()))
	}
	return append(lines, assistant("I will: "+rule))
}

func evidenceOf(exchanges [][]string) Evidence {
	e := Evidence{Known: map[string]Known{"f-known": {1, 1}, "f-moved": {1, 2}}}
	seq := int64(0)
	for _, lines := range exchanges {
		var x Exchange
		for _, l := range lines {
			raw, err := canon.Canonicalize([]byte(l))
			if err != nil {
				panic(err)
			}
			seq++
			x.Records = append(x.Records, Record{Seq: seq, Raw: raw, Typed: strings.Contains(l, `"origin":"user"`)})
		}
		e.Exchanges = append(e.Exchanges, x)
	}
	return e
}

func (d dice) round() round {
	rules := []string{d.rule() + " #a", d.rule() + " #b"}
	path, line := d.of("go.mod", "a/ü.md", "src/x contains y.go"), d.of("go 1.26", `"quoted" \ line`, "  indented", "タブ", "x contains \"")
	at := d.IntN(2)
	var talks [][]string
	for i, rule := range rules {
		p := ""
		if i == at {
			p = path
		}
		talks = append(talks, d.talk(int64(i), rule, p, line))
	}
	r := round{evidence: evidenceOf(talks)}
	x := r.evidence.Exchanges[at]
	if d.IntN(4) == 0 {
		o := learned.Observation{Path: path, Line: line}
		r.offer = offer{Kind: learned.KindFact, Text: o.Text(), Quote: o.Quote(7), Conflicts: []string{}}
		for _, rec := range x.Records {
			r.offer.Seqs = append(r.offer.Seqs, rec.Seq)
		}
		r.want = "accepted"
		d.spoilFact(&r)
		return r
	}
	r.offer = preferred(rules[at], x.Records[0].Seq)
	r.offer.Conflicts = []string{}
	r.want = "accepted"
	d.spoilPreference(&r, x)
	return r
}

// spoilPreference makes, mostly, something of it that is not allowed.
func (d dice) spoilPreference(r *round, x Exchange) {
	o := &r.offer
	switch d.IntN(16) {
	case 0:
		r.want, o.Seqs = "invalid_preference_source", []int64{x.Records[len(x.Records)-1].Seq}
	case 1:
		r.want, o.Seqs = "invalid_source", []int64{99}
	case 2:
		r.want, o.Text = "exact_text_mismatch", o.Text+" "
	case 3:
		o.Text = strings.ToUpper(o.Text)
		o.Quote = o.Text
		r.want = "exact_text_mismatch"
	case 4:
		o.Quote = o.Quote + d.of(" for now", " only", ", this task", " (today)")
		o.Text = o.Quote
		r.want = "temporary_preference"
	case 5:
		r.want, o.Kind = "candidate_schema", d.of("preference", "", "explicit_user_preference ")
	case 6:
		r.want, o.Text = "invalid_text", d.of("", " \n", strings.Repeat("é", 257), "a\x00b")
	case 7:
		r.want, o.Conflicts = "invalid_conflicts", []string{d.of("f-moved", "f-unknown", "")}
	case 8:
		r.want, o.Conflicts = "proposed", []string{"f-known"}
	case 9:
		r.want, o.Proposal = "proposed", true
	case 10:
		for _, rec := range x.Records {
			o.Seqs = append(o.Seqs, rec.Seq)
		}
		o.Seqs = o.Seqs[1:]
		r.want = "invalid_preference_source"
	case 11: // a part of the rule is allowed too: the seed takes any exact substring
		runes := []rune(o.Quote)
		o.Quote = string(runes[:max(1, len(runes)-1-d.IntN(3))])
		o.Text = o.Quote
	case 12:
		r.want, r.evidence.Imported = "proposed", true
	}
}

func (d dice) spoilFact(r *round) {
	o := &r.offer
	switch d.IntN(8) {
	case 0:
		r.want, o.Quote = "unverified_project_evidence", "8"+o.Quote[1:]
	case 1:
		r.want, o.Seqs = "invalid_source", o.Seqs[1:]
	case 2:
		r.want, o.Text = "unverified_project_evidence", "x/"+o.Text
	case 3:
		r.want, r.evidence.Imported = "unverified_project_evidence", true
	case 4:
		r.want, o.Proposal = "proposed", true
	case 5:
		r.want, o.Text = "unverified_project_evidence", o.Quote
	}
}

// TestContract lets a perfect extractor and every kind of liar speak, 6,000
// times: nothing that the contract allows is lost, nothing that it forbids
// passes, and each refusal has the code of the check that it fails.
func TestContract(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(6, 2026))}
	count := map[string]int{}
	for i := range 6000 {
		r := d.round()
		candidates, reason := ReadAnswer(*said(answer(r.offer)), 2048)
		if reason != "" || len(candidates) != 1 {
			t.Fatalf("case %d: %s", i, reason)
		}
		v := Judge(candidates[0], r.evidence)
		got := string(v.Decision)
		if v.Decision == Refused {
			got = string(v.Reason)
		}
		count[got]++
		if got != r.want {
			t.Fatalf("case %d: %s, want %s: %+v", i, got, r.want, r.offer)
		}
	}
	for _, want := range []string{"accepted", "proposed", "candidate_schema", "invalid_text", "invalid_source", "invalid_preference_source",
		"temporary_preference", "exact_text_mismatch", "unverified_project_evidence", "invalid_conflicts"} {
		if count[want] < 50 {
			t.Errorf("%s came up %d times only", want, count[want])
		}
	}
	t.Logf("6000 cases: %v", count)
}

// TestContractOnDisk does the same through plan, answer and database: the facts are those that the contract allows, no more, no less.
func TestContractOnDisk(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(7, 2026))}
	w := newWorld(t)
	want := []string{}
	for i := range 12 {
		var lines []string
		var offers []offer
		for j := range 4 {
			rule := d.rule() + fmt.Sprintf(" #%d-%d", i, j)
			first := int64(len(lines) + 1)
			lines = append(lines, user(d.task()+"\n"+rule+"\n"+d.task()), assistant("I will: "+rule))
			o := preferred(rule, first)
			switch d.IntN(3) {
			case 0:
				o.Seqs = []int64{first + 1}
			case 1:
				o.Text += "!"
				o.Quote = o.Text
			default:
				want = append(want, "valid "+rule)
			}
			offers = append(offers, o)
		}
		w.apply(w.plan(w.talk(lines...)), answer(offers...))
	}
	got := w.texts()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d facts, want %d", len(got), len(want))
	}
}
