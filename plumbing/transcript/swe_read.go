package transcript

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// sweRun is one run over a trajectory: first the history, then what the steps
// say beyond it, then the other members.
type sweRun struct {
	*swe
	e       *emitter
	names   *recent[string] // tool names by call ID
	open    []string        // IDs of the calls that have no result yet
	asked   bool            // the instance template has been met
	answers []int           // where the answers of this run stand in the history
	hashes  [][32]byte      // of the messages of the history, canonical
}

// read hands on the records.
func (s *swe) read(e *emitter) error {
	r := &sweRun{swe: s, e: e, names: newRecent[string]()}
	for i := range s.history {
		p, err := r.message(i)
		if err != nil {
			return err
		}
		if err := e.handOn(p, r.records); err != nil {
			return err
		}
	}
	for i, step := range s.trajectory {
		p, err := e.parse(step, fmt.Sprintf("step %d of the trajectory", i), int64(i))
		if err != nil {
			return err
		}
		if err := e.handOn(p, r.step); err != nil {
			return err
		}
	}
	for i, f := range s.others {
		if err := r.other(f, i); err != nil {
			return err
		}
	}
	return nil
}

// message reads message i of the history and notes its digest.
func (r *sweRun) message(i int) (parsed, error) {
	p, err := r.e.parse(r.history[i], fmt.Sprintf("message %d of the history", i), int64(i))
	if err == nil {
		r.hashes = append(r.hashes, sha256.Sum256(p.canon))
	}
	return p, err
}

// records makes the records of a message by its role.
func (r *sweRun) records(p parsed) error {
	o := p.object
	demo := o.yes("is_demo")
	switch role := o.text("role"); {
	case role == roleUser && demo:
		return r.made(p)
	case demo:
		return r.event(p, "demonstration")
	case role == roleAssistant:
		return r.answer(p)
	case role == roleTool || role == roleUser && len(r.open) > 0:
		return r.observation(p)
	case role == roleUser && !r.asked && len(r.answers) == 0:
		r.asked = true
		return r.template(p)
	case role == roleUser:
		return r.made(p)
	default:
		return r.event(p, role)
	}
}

// event keeps a message that has no place in the log: the system prompt, a
// demonstration's answers. Nobody in this session said them.
func (r *sweRun) event(p parsed, kind string) error {
	return r.e.event(record{Foreign: p.object, Repaired: p.fix, Type: typeForeign}, kind, p.at)
}

// made makes the record of a user message that a program wrote.
func (r *sweRun) made(p parsed) error {
	c := r.content(p.object)
	return r.put(p, c, []part{{roleUser, originSynthetic, c.blocks()}})
}

// template makes the records of the instance template: the issue text is the
// user's, what stands round it the program's.
func (r *sweRun) template(p parsed) error {
	c := r.content(p.object)
	before, issue, after, found := "", "", "", false
	if len(c.texts) == 1 {
		before, issue, after, found = splitIssue(c.texts[0])
	}
	if !found {
		r.e.report.UnsplitPrompts++
		return r.put(p, c, []part{{roleUser, originSynthetic, c.blocks()}})
	}
	rest := append(textBlocks(after), c.fileBlocks()...)
	return r.put(p, c, []part{
		{roleUser, originSynthetic, textBlocks(before)}, {roleUser, originUser, textBlocks(issue)}, {roleUser, originSynthetic, rest}})
}

// put hands on the parts of a message, or an event where all are empty.
func (r *sweRun) put(p parsed, c sweContent, parts []part, taken ...string) error {
	var full []part
	for _, part := range parts {
		if len(part.content) > 0 {
			full = append(full, part)
		}
	}
	if len(full) == 0 {
		return r.event(p, p.object.text("role"))
	}
	for i, part := range full {
		rec := record{Content: part.content, Origin: part.origin, Repaired: p.fix, Role: part.role, Type: typeMessage}
		if i == 0 {
			rec.Foreign = c.remains(p.object).without(taken...)
		}
		if len(full) > 1 {
			rec.Split = &split{i + 1, len(full)}
		}
		if err := r.e.put(rec, p.at); err != nil {
			return err
		}
	}
	if len(full) > 1 {
		r.e.report.SplitLines++
	}
	return nil
}

// other keeps a member of the document that is neither history nor
// trajectory; info carries the usage of the whole run.
func (r *sweRun) other(f field, i int) error {
	p := parsed{bytes: f.value, member: f.name, at: fmt.Sprintf("member %d beside history and trajectory", i+1)}
	c, err := p.canonical()
	if err != nil {
		return wrong(r.name, "%s: %s", p.at, reason(err))
	}
	return r.e.handOn(p, func(p parsed) error {
		rec := record{Foreign: object{f.name: c}, Repaired: p.fix, Type: typeForeign}
		if u, calls := sweUsage(decodeObject(c).object("model_stats")); f.name == "info" && u.known() {
			r.e.answers.whole(u, calls)
			return r.e.event(run{rec, &u}, f.name, p.at)
		}
		return r.e.event(rec, f.name, p.at)
	})
}

// sweUsage reads the statistics of a run. All zero is what a run without a
// model writes (replayed, or typed by a person): nothing is known then.
func sweUsage(stats object) (u usage, calls int64) {
	sent, received := tokens(stats["tokens_sent"]), tokens(stats["tokens_received"])
	if sent == nil || received == nil || *sent == 0 && *received == 0 {
		return usage{}, 0
	}
	if n := tokens(stats["api_calls"]); n != nil {
		calls = *n
	}
	return usage{InputTokens: sent, OutputTokens: received, Cost: money(stats["instance_cost"])}, calls
}

// splitIssue finds the issue text in an instance template. White space round it goes with the template.
func splitIssue(text string) (before, issue, after string, found bool) {
	from, to := issueBounds(text)
	if from < 0 || to < from {
		return "", "", "", false
	}
	issue = strings.TrimSpace(text[from:to])
	if issue == "" {
		return "", "", "", false
	}
	from += strings.Index(text[from:to], issue)
	to = from + len(issue)
	return text[:from], issue, text[to:], true
}

// issueBounds knows the templates of SWE-agent: "ISSUE:" to "INSTRUCTIONS:",
// each alone on its line, and <pr_description>. An issue that holds the end
// mark itself is cut at the first one, so that no template text is ever taken
// for the user's; -1 where no template is known.
func issueBounds(text string) (from, to int) {
	for _, mark := range [][2]string{{"\nISSUE:\n", "\nINSTRUCTIONS:\n"}, {"<pr_description>\n", "\n</pr_description>"}} {
		at := strings.Index("\n"+text, mark[0])
		if at < 0 {
			continue
		}
		from = min(at+len(mark[0])-1, len(text))
		if end := strings.Index(text[from:], mark[1]); end >= 0 {
			return from, from + end
		}
	}
	return -1, -1
}

// step keeps what a step of the trajectory says beyond the history.
func (r *sweRun) step(p parsed) error {
	left := p.object
	if n := int(p.number); n < len(r.answers) {
		left = r.beyond(left, r.answers[n])
	}
	if items, ok := left.array("messages"); ok {
		left = left.with("messages", r.unlike(items))
	}
	if len(left) == 0 {
		return nil
	}
	rec := record{Foreign: object{"trajectory": raw(left)}, Repaired: p.fix, Type: typeForeign}
	return r.e.event(rec, "trajectory", p.at)
}

// beyond is step less what the answer at of the history and the message behind it say in the same words.
func (r *sweRun) beyond(step object, at int) object {
	a := r.again(at)
	for own, theirs := range map[string]string{"action": "action", "thought": "thought", "response": "content"} {
		if s, ok := step.str(own); ok && a != nil {
			if t, ok := a.str(theirs); ok && s == t {
				step = step.without(own)
			}
		}
	}
	if seen, ok := step.str("observation"); ok && at+1 < len(r.history) {
		next := r.again(at + 1)
		if c := contentOf(next); next.text("role") != roleAssistant && strings.Contains(strings.Join(c.texts, "\n"), seen) {
			step = step.without("observation")
		}
	}
	return step
}

// again reads a message of the history a second time.
func (r *sweRun) again(at int) object {
	p := parsed{bytes: r.history[at]}
	c, _ := p.canonical()
	return decodeObject(c)
}

// unlike is what of the messages that a step was sent differs from the
// history: null stands for a message that is the same at the same place. nil
// where all are.
func (r *sweRun) unlike(messages []jsontext.Value) any {
	out := make([]any, len(messages))
	differs := false
	for i, m := range messages {
		if i < len(r.hashes) && sha256.Sum256(m) == r.hashes[i] {
			continue
		}
		out[i] = m
		differs = true
	}
	if !differs {
		return nil
	}
	return out
}
