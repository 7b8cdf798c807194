package memory

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Message is a record of a session as why shows it.
type Message struct {
	Seq      int64
	Time     *string // nil where the record has none
	Role     string
	Origin   string
	Evidence bool // the fact stands on it; else it only surrounds the evidence
	// Text is the words of its text blocks; nil where they are not told: it was
	// forgotten, undone, or is older than the last forget.
	Text *string
}

// scene is an opened session, for the evidence in it.
type scene struct {
	l        *session.Log
	vis      *session.Visibility
	excluded []int64
}

// cause finds out which record is at fault, and how; told.Status is what the validator said.
func (w scene) cause(told *Revision) (*Cause, error) {
	seqs := told.Source.Seqs
	if w.l.Corruption() != nil {
		return &Cause{Code: CorruptLog, Seq: w.l.Last() + 1}, nil
	}
	if last := seqs[len(seqs)-1]; last > w.l.Last() {
		return &Cause{Code: NoRecord, Seq: last}, nil
	}
	var hidden *Cause
	for _, seq := range seqs {
		e, err := w.l.Entry(seq)
		if err != nil {
			return nil, err
		}
		if !e.Message() {
			return &Cause{Code: NoMessage, Seq: seq}, nil
		}
		if c := w.hidden(e); c != "" && (hidden == nil || rank(c) < rank(hidden.Code)) {
			hidden = &Cause{Code: c, Seq: seq}
		}
	}
	if told.Status == source.Hidden && hidden != nil {
		return hidden, nil
	}
	return &Cause{Code: Changed}, nil
}

// hidden says why a message is not visible for durable use; "" where it is.
func (w scene) hidden(e session.Entry) CauseCode {
	switch {
	case w.isExcluded(e.Seq):
		return Forgotten
	case w.vis.Shows(e, session.Durable):
		return ""
	case !e.Typed() && max(e.Generation, 0) < w.vis.Generation():
		return Older
	}
	return Undone
}

func rank(c CauseCode) int { return slices.Index([]CauseCode{Forgotten, Older, Undone}, c) }

func (w scene) isExcluded(seq int64) bool {
	_, is := slices.BinarySearch(w.excluded, seq)
	return is
}

// cleared reports whether valid evidence lies before a clear.
func (w scene) cleared(told *Revision) (bool, error) {
	if told.Status != source.Valid {
		return false, nil
	}
	for _, seq := range told.Source.Seqs {
		if ok, err := w.vis.Visible(seq, session.Working); err != nil || !ok {
			return err == nil, err
		}
	}
	return false, nil
}

// messages returns the evidence that is there, with the visible message before
// each stretch of it and the one after.
func (w scene) messages(ref source.Ref) ([]Message, error) {
	show := map[int64]bool{} // seq: is it evidence
	for _, seq := range ref.Seqs {
		if seq <= w.l.Last() {
			show[seq] = true
		}
	}
	for _, seq := range ref.Seqs {
		for _, step := range []int64{-1, 1} {
			if n := w.beside(seq, step, show); n > 0 {
				show[n] = slices.Contains(ref.Seqs, n)
			}
		}
	}
	seqs := make([]int64, 0, len(show))
	for seq := range show {
		seqs = append(seqs, seq)
	}
	slices.Sort(seqs)
	list := make([]Message, 0, len(seqs))
	for _, seq := range seqs {
		m, err := w.message(seq, show[seq])
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// beside looks for the next visible message in one direction, past events; 0
// where evidence comes first or nothing does.
func (w scene) beside(seq, step int64, evidence map[int64]bool) int64 {
	for n := seq + step; n > 0 && n <= w.l.Last() && n > seq-reach && n < seq+reach; n += step {
		if evidence[n] {
			return 0
		}
		if e, err := w.l.Entry(n); err == nil && w.vis.Shows(e, session.Durable) {
			return n
		}
	}
	return 0
}

// reach is how many records beside (and behind events) a neighbour is looked for.
const reach = 32

func (w scene) message(seq int64, evidence bool) (Message, error) {
	e, err := w.l.Entry(seq)
	if err != nil {
		return Message{}, err
	}
	line, err := w.l.Record(seq)
	if err != nil {
		return Message{}, err
	}
	m := Message{Seq: seq, Role: e.Role, Origin: e.Origin, Evidence: evidence}
	if t := gjson.GetBytes(line, "time"); t.Type == gjson.String {
		m.Time = &t.Str
	}
	if e.Message() && w.hidden(e) == "" {
		text := words(line)
		m.Text = &text
	}
	return m, nil
}

// words is the text blocks of a record; of a tool's answer what it printed.
func words(line []byte) string {
	var parts []string
	gjson.GetBytes(line, "content").ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").Str {
		case "text", "tool_result":
			parts = append(parts, block.Get("text").Str)
		}
		return true
	})
	return strings.Join(parts, "\n")
}
