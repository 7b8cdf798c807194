package session

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing"
)

// plain is a record as the reference model sees it: parsed anew from the file
// at each question, with no index, no state and nothing shared with the package.
type plain struct {
	Type, Role, Origin    string
	Generation            *int64
	From, To, Undo        int64
	Content               []struct{ Type, ID string }
	seq                   int64
	calls, results        []string
	undone, isUser, isMsg bool
}

// reference is the whole log by the words of design section 4, the slow way.
type reference struct {
	records []plain // by seq; the header is 0
	cleared int64
	undos   []plain // not redone, in order
}

func (w *world) reference(id string) *reference {
	w.t.Helper()
	m := &reference{}
	for seq, line := range strings.Split(strings.TrimSuffix(w.read(id), "\n"), "\n") {
		var p plain
		if err := json.Unmarshal([]byte(line), &p, json.MatchCaseInsensitiveNames(true)); err != nil {
			w.t.Fatal(err)
		}
		p.seq, p.isMsg = int64(seq), p.Type == "message"
		p.isUser = p.isMsg && p.Origin == "user"
		for _, b := range p.Content {
			switch b.Type {
			case "tool_call":
				p.calls = append(p.calls, b.ID)
			case "tool_result":
				p.results = append(p.results, b.ID)
			}
		}
		m.records = append(m.records, p)
		switch p.Type {
		case "clear":
			m.cleared = p.seq
		case "undo":
			m.undos = append(m.undos, p)
		case "redo":
			m.undos = slices.DeleteFunc(m.undos, func(u plain) bool { return u.seq == p.Undo })
		}
	}
	for _, u := range m.undos {
		for seq := u.From; seq <= u.To; seq++ {
			m.records[seq].undone = true
		}
	}
	return m
}

func (m *reference) visible(seq int64, p Purpose, ex forgets) bool {
	r := m.records[seq]
	generation := int64(0)
	if r.Generation != nil {
		generation = *r.Generation
	}
	return r.isMsg && !r.undone && !slices.Contains(ex.seqs, seq) &&
		(r.isUser || generation >= ex.generation) && (p == Durable || seq > m.cleared)
}

// exchanges cuts the messages: at the user's, and at a synthetic one when what came before is complete.
func (m *reference) exchanges() [][]plain {
	var list [][]plain
	for _, r := range m.records {
		if !r.isMsg {
			continue
		}
		last := len(list) - 1
		if last < 0 || r.isUser || r.Origin == "synthetic" && complete(list[last]) {
			list = append(list, []plain{r})
			continue
		}
		list[last] = append(list[last], r)
	}
	return list
}

func complete(x []plain) bool {
	open := map[string]bool{}
	for _, r := range x {
		for _, id := range r.calls {
			open[id] = true
		}
		for _, id := range r.results {
			delete(open, id)
		}
	}
	return x[len(x)-1].Role == "assistant" && len(open) == 0
}

// undo says which range an undo should name, or which kind of error it should be.
func (m *reference) undo(seq int64, ex forgets) (from, to int64, kind error) {
	if seq >= int64(len(m.records)) {
		return 0, 0, plumbing.ErrNotFound
	}
	list := m.exchanges()
	for _, x := range slices.Backward(list) {
		first, last := x[0].seq, x[len(x)-1].seq
		shown := slices.ContainsFunc(x, func(r plain) bool { return m.visible(r.seq, Working, ex) })
		switch {
		case seq == 0 && first > m.cleared && shown:
			return first, last, nil
		case seq > 0 && first <= seq && seq <= last:
			if first < m.cleared || m.records[first].undone {
				return 0, 0, plumbing.ErrNo
			}
			return first, last, nil
		}
	}
	return 0, 0, plumbing.ErrNo
}

func (m *reference) redo() (undo int64, kind error) {
	if len(m.undos) == 0 {
		return 0, plumbing.ErrNo
	}
	latest := m.undos[len(m.undos)-1].seq
	for _, r := range m.records[latest:] {
		if r.isUser {
			return 0, plumbing.ErrNo
		}
	}
	return latest, nil
}

// afterUndo: an undo that is not redone has no message behind it.
func (m *reference) afterUndo() bool {
	for _, u := range m.undos {
		if !slices.ContainsFunc(m.records[u.seq:], func(r plain) bool { return r.isMsg }) {
			return true
		}
	}
	return false
}

// walk is one random life of a session.
type walk struct {
	*world
	rand *rand.Rand
	id   string
	a    *Writer
	done []string // for the message when something differs
}

func (w *walk) line() string {
	g := w.rand.IntN(4)
	call := fmt.Sprintf("c%d", w.rand.IntN(3))
	switch w.rand.IntN(8) {
	case 0, 1:
		return user("u")
	case 2:
		return `{"type":"message","role":"user","origin":"synthetic","generation":` + fmt.Sprint(g) + `,"content":[{"type":"text","text":"s"}]}`
	case 3:
		return fmt.Sprintf(`{"type":"message","role":"assistant","origin":"generated","generation":%d,"content":[{"type":"tool_call","id":%q,"name":"n","arguments":{}}]}`, g, call)
	case 4:
		return fmt.Sprintf(`{"type":"message","role":"tool","origin":"generated","generation":%d,"content":[{"type":"tool_result","id":%q,"name":"n","text":"","is_error":false}]}`, g, call)
	case 5:
		return []string{`{"type":"cancel"}`, `{"type":"title","title":"t"}`}[w.rand.IntN(2)]
	}
	return assistant("a", g)
}

func (w *walk) step() {
	m := w.reference(w.id)
	ex := w.forgets(len(m.records))
	switch w.rand.IntN(12) {
	case 0, 1, 2:
		seq := int64(0)
		if w.rand.IntN(2) == 0 {
			seq = 1 + w.rand.Int64N(int64(len(m.records))+1)
		}
		from, to, kind := m.undo(seq, ex)
		e, err := w.a.Undo(context.Background(), ex, seq)
		w.same(fmt.Sprintf("undo %d", seq), e, err, kind, `"from":%d,"seq":%d,`, from, e.Seq)
		w.same(fmt.Sprintf("undo %d", seq), e, err, kind, `"to":%d,"type":"undo"}`, to)
	case 3, 4:
		undo, kind := m.redo()
		e, err := w.a.Redo(context.Background())
		w.same("redo", e, err, kind, `"type":"redo","undo":%d}`, undo)
	case 5:
		e, err := w.a.Clear(context.Background())
		w.same("clear", e, err, nil, `"type":"clear"}`)
	case 6:
		w.attachAnew(w.rand.IntN(2) == 0)
	default:
		w.appendSome(m)
	}
}

// appendSome appends up to three lines at once.
func (w *walk) appendSome(m *reference) {
	blocked := m.afterUndo()
	var lines [][]byte
	wanted := 0
	stopped := false
	for range 1 + w.rand.IntN(3) {
		line := w.line()
		lines = append(lines, []byte(line))
		message, byUser := strings.Contains(line, `"message"`), strings.Contains(line, `"origin":"user"`)
		stopped = stopped || blocked && message && !byUser
		if !stopped {
			wanted++
			blocked = blocked && !message
		}
	}
	seqs, err := w.a.Append(context.Background(), lines, 3)
	w.done = append(w.done, fmt.Sprintf("append %s: %v", lines, err))
	if len(seqs) != wanted || stopped != (err != nil) || err != nil && !errors.Is(err, plumbing.ErrConflict) {
		w.t.Fatalf("%s\nappend stored %d lines, want %d: %v", strings.Join(w.done, "\n"), len(seqs), wanted, err)
	}
}

// same holds what an event command did against what the reference said.
func (w *walk) same(what string, e Event, err, kind error, format string, a ...any) {
	w.t.Helper()
	w.done = append(w.done, fmt.Sprintf("%s: %s %v", what, e.Record, err))
	if kind != nil {
		if !errors.Is(err, kind) {
			w.t.Fatalf("%s\n%s: %v, want kind %v", strings.Join(w.done, "\n"), what, err, kind)
		}
		return
	}
	if want := fmt.Sprintf(format, a...); err != nil || !strings.Contains(string(e.Record), want) {
		w.t.Fatalf("%s\n%s: %v, want %s", strings.Join(w.done, "\n"), what, err, want)
	}
}

func (w *walk) attachAnew(withoutIndex bool) {
	if w.a != nil {
		if err := w.a.Close(); err != nil {
			w.t.Fatal(err)
		}
	}
	if withoutIndex {
		if err := os.RemoveAll(w.opt.Cache.Dir); err != nil {
			w.t.Fatal(err)
		}
	}
	var err error
	if w.a, err = w.Attach(context.Background(), w.id); err != nil {
		w.t.Fatal(err)
	}
}

// forgets is a random state of what the project has forgotten.
func (w *walk) forgets(records int) forgets {
	ex := forgets{generation: w.rand.Int64N(5)}
	for seq := range int64(records) {
		if w.rand.IntN(8) == 0 {
			ex.seqs = append(ex.seqs, seq)
		}
	}
	return ex
}

// check compares what l shows with the reference, for both purposes.
func (w *walk) check(how string, l *Log) {
	w.t.Helper()
	m := w.reference(w.id)
	ex := w.forgets(len(m.records))
	v, err := l.Visibility(ex)
	if err != nil {
		w.t.Fatalf("%s: %v", how, err)
	}
	if l.Last() != int64(len(m.records))-1 {
		w.t.Fatalf("%s: ends at %d of %d", how, l.Last(), len(m.records)-1)
	}
	for seq := range int64(len(m.records)) {
		for _, p := range []Purpose{Working, Durable} {
			got, err := v.Visible(seq, p)
			if want := m.visible(seq, p, ex); err != nil || got != want {
				w.t.Fatalf("%s\n%s, forgotten %+v: %d for %s is %v, %v; want %v", strings.Join(w.done, "\n"), how, ex, seq, p, got, err, want)
			}
		}
	}
}

// TestRandomLives: whatever the order of events, the index and the rules of
// undo and redo say what a naive reading of the whole log says.
func TestRandomLives(t *testing.T) {
	lives, steps := 24, 40
	if os.Getenv("LECODE_TORTURE") != "" {
		lives, steps = 400, 120
	}
	for seed := range lives {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := &walk{world: newWorld(t), rand: rand.New(rand.NewPCG(uint64(seed), 7))}
			w.id = w.new()
			w.attachAnew(false)
			for range steps {
				w.step()
				w.check("the writer's own view", w.a.Log())
				w.check("a reader", w.open(w.id))
			}
			if err := w.a.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(w.opt.Cache.Dir); err != nil {
				t.Fatal(err)
			}
			w.check("a reader without an index", w.open(w.id))
		})
	}
}
