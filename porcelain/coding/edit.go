package coding

import (
	"context"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
)

// What an edit prints at most, and how many there may be in one call.
const (
	maxEdits   = 100
	maxSnippet = 8 << 10 // bytes
	around     = 3       // lines before and after a place
)

// editJob is edit: {edits:[{all?,new,old}],path}.
type editJob struct {
	path  string
	edits []replacement
}

// replacement is one edit of a call.
type replacement struct {
	old, to string
	all     bool
}

func takeEdit(a tool.Arguments) job {
	j := editJob{}
	a.Objects("edits", func(a tool.Arguments) {
		j.edits = append(j.edits, replacement{all: a.Yes("all"), to: a.Text("new"), old: a.Text("old")})
	})
	j.path = a.Text("path")
	return j
}

func (j editJob) where() (string, bool) { return j.path, true }

// need shows what would change. Outside the workspace nothing is read before it is allowed.
func (j editJob) need(ctx context.Context, t *Toolbox, p place) (string, string, error) {
	summary := fmt.Sprintf("edit %s (%s)", p.named(t), counted(len(j.edits), "edit"))
	if err := j.check(); err != nil {
		return summary, "", err
	}
	if p.outside && !p.led {
		return summary, j.words(), nil
	}
	o, c, _, err := j.prepare(ctx, t, p)
	if err != nil {
		return summary, "", err
	}
	o.r.Close()
	return summary, diff(j.path, false, c.before, c.after), nil
}

// words shows edits of a file that must not be looked at yet.
func (j editJob) words() string {
	var b strings.Builder
	for _, e := range j.edits {
		b.WriteString(diff(j.path, false, e.old, e.to))
	}
	return b.String()
}

func (j editJob) check() error {
	fail := func(i int, what, hint string) error {
		return plumbing.Fail(plumbing.ErrInvalid, j.numbered(i)+what, hint)
	}
	if len(j.edits) == 0 || len(j.edits) > maxEdits {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("there are %d edits", len(j.edits)), fmt.Sprintf("give 1 to %d", maxEdits))
	}
	for i, e := range j.edits {
		switch {
		case e.old == "":
			return fail(i, "old is empty", "to put text in, repeat what stands there in old and in new; write makes a file")
		case unix(e.old) == unix(e.to):
			return fail(i, "changes nothing: old and new are the same", "edit keeps line ends as they are; leave the edit out")
		}
	}
	return nil
}

// numbered says which edit an error is about, where there are several.
func (j editJob) numbered(i int) string {
	if len(j.edits) == 1 {
		return "the edit: "
	}
	return fmt.Sprintf("edit %d of %d: ", i+1, len(j.edits))
}

// prepare checks that the file may be changed, and makes what it is to hold.
// No error quotes the file: the question is asked before permission is given.
func (j editJob) prepare(ctx context.Context, t *Toolbox, p place) (_ *target, c change, all []span, err error) {
	if err := j.check(); err != nil {
		return nil, c, nil, err
	}
	o, err := p.aim()
	if err != nil {
		return nil, c, nil, err
	}
	defer func() {
		if err != nil {
			o.r.Close()
		}
	}()
	if o.info == nil {
		return nil, c, nil, t.alike(ctx, p, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("%q does not exist", j.path), "write makes a file"))
	}
	if c.before, c.form, err = decode(j.path, o.bytes); err != nil {
		return nil, c, nil, err
	}
	if err := t.current(p, o.bytes); err != nil {
		return nil, c, nil, err
	}
	if c.after, all, err = j.apply(c.before); err != nil {
		return nil, c, nil, err
	}
	if c.after == c.before {
		return nil, c, nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the edits of %q take each other back: nothing would change", j.path), "leave them out")
	}
	c.bytes = c.form.encode(c.after)
	if len(c.bytes) > maxWhole {
		return nil, c, nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q would have more than %d bytes", j.path, maxWhole), "change it with a program")
	}
	return o, c, all, nil
}

// apply does the edits in order, and says where in the outcome the new texts stand.
func (j editJob) apply(text string) (string, []span, error) {
	original := text
	var all []span
	for i, e := range j.edits {
		after, places, err := e.apply(text)
		if err != nil {
			return "", nil, j.explain(i, err, original)
		}
		all = append(moved(all, places), ends(places)...)
		if text = after; len(text) > maxWhole {
			return "", nil, plumbing.Fail(plumbing.ErrInvalid, j.numbered(i)+fmt.Sprintf("the file would have more than %d bytes", maxWhole), "change it with a program")
		}
	}
	return text, all, nil
}

func (j editJob) run(ctx context.Context, t *Toolbox, p place) (agent.Result, error) {
	t.changing.Lock()
	defer t.changing.Unlock()
	o, c, all, err := j.prepare(ctx, t, p)
	if err != nil {
		return agent.Result{}, err
	}
	defer o.r.Close()
	if err := ctx.Err(); err != nil {
		return agent.Result{}, err
	}
	if err := o.replace(c.bytes); err != nil {
		return agent.Result{}, err
	}
	t.changed(p, digestOf(c.bytes))
	text := fmt.Sprintf("Edited %s: %s, %d bytes.\n", shown(j.path), counted(len(all), "place"), len(c.bytes))
	return agent.Result{Text: text + snippet(c.after, all), Detail: diff(j.path, false, c.before, c.after)}, nil
}

// snippet prints the lines round what was put in, numbered as read does.
func snippet(text string, all []span) string {
	var b strings.Builder
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	want := wanted(text, all, len(lines))
	last := -1
	for i, line := range lines {
		if !want[i] {
			continue
		}
		if last >= 0 && last != i-1 {
			b.WriteString("…\n")
		}
		last = i
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		printed := fmt.Sprintf("%d\t%s\n", i+1, short([]byte(line), maxHit))
		if b.Len()+len(printed) > maxSnippet {
			b.WriteString("[the rest is not shown]\n")
			break
		}
		b.WriteString(printed)
	}
	return b.String()
}

// wanted are the lines near a place, by index.
func wanted(text string, all []span, lines int) []bool {
	want := make([]bool, lines)
	for _, s := range all {
		first := strings.Count(text[:s.start], "\n")
		last := first + strings.Count(text[s.start:s.end], "\n")
		for i := max(0, first-around); i <= min(lines-1, last+around); i++ {
			want[i] = true
		}
	}
	return want
}
