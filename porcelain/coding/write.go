package coding

import (
	"context"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
)

// writeJob is write: {content,path}.
type writeJob struct{ content, path string }

func takeWrite(a tool.Arguments) job {
	return writeJob{content: a.Text("content"), path: a.Text("path")}
}

func (j writeJob) where() (string, bool) { return j.path, true }

// need shows what would change. Outside the workspace nothing is read before it is allowed.
func (j writeJob) need(_ context.Context, t *Toolbox, p place) (string, string, error) {
	summary := fmt.Sprintf("write %s (%d bytes)", p.named(t), len(j.content))
	if p.outside && !p.led {
		return summary, diff(j.path, false, "", j.content), nil
	}
	o, c, err := j.prepare(t, p)
	if err != nil {
		return summary, "", err
	}
	defer o.r.Close()
	if o.info == nil {
		summary = fmt.Sprintf("write %s (a new file, %d bytes)", p.named(t), len(j.content))
	}
	return summary, diff(j.path, o.info == nil, c.before, c.after), nil
}

// change is what a file holds and is to hold, as texts and as bytes.
type change struct {
	before, after string
	bytes         []byte
	form          form
}

// prepare checks that the file may be written, and makes what it is to hold.
func (j writeJob) prepare(t *Toolbox, p place) (_ *target, c change, err error) {
	if len(j.content) > maxWhole {
		return nil, c, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the content has more than %d bytes", maxWhole), "write it with a program")
	}
	o, err := p.aim()
	if err != nil {
		return nil, c, err
	}
	defer func() {
		if err != nil {
			o.r.Close()
		}
	}()
	if o.info == nil {
		return o, change{after: j.content, bytes: []byte(j.content)}, nil
	}
	if binaryBytes(o.bytes) {
		return nil, c, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is there and is not text", j.path), "remove it first, or choose another name")
	}
	if err := t.current(p, o.bytes); err != nil {
		return nil, c, err
	}
	if c, err = kept(j.path, o.bytes, j.content); err != nil {
		return nil, c, err
	}
	if string(c.bytes) == string(o.bytes) {
		return nil, c, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q holds exactly that already", j.path), "nothing is to be done")
	}
	return o, c, nil
}

// kept is new content in the form that the old one has: its encoding, its byte
// order mark, and CR LF where every line ended so and the content has none.
func kept(path string, old []byte, content string) (change, error) {
	text, f, err := decode(path, old)
	if err != nil {
		return change{}, err
	}
	if f.mark {
		content = strings.TrimPrefix(content, utf8Mark)
	}
	if strings.Contains(content, "\r\n") {
		f.crlf = false // the content says how its lines end
	} else if f.crlf {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	return change{before: text, after: content, bytes: f.encode(content), form: f}, nil
}

func (j writeJob) run(ctx context.Context, t *Toolbox, p place) (agent.Result, error) {
	t.changing.Lock()
	defer t.changing.Unlock()
	o, c, err := j.prepare(t, p)
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
	text := fmt.Sprintf("Wrote %s: %d bytes, %s", shown(j.path), len(c.bytes), counted(lines(c.after), "line"))
	if o.info == nil {
		text += ", a new file"
	}
	if s := c.form.String(); s != "" {
		text += "; kept: " + s
	}
	return agent.Result{Text: text + ".\n", Detail: diff(j.path, o.info == nil, c.before, c.after)}, nil
}

// lines counts the lines of a text, also a last one without its newline.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
