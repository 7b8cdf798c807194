package coding

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
)

// What read prints at most.
const (
	maxLines = 2000    // where limit does not say
	maxText  = 1 << 16 // bytes of the lines
	maxLine  = 2000    // bytes of one line
	maxImage = 5 << 20 // bytes of an image
)

// readJob is read: {limit?,offset?,path}.
type readJob struct {
	path          string
	offset, limit int64
}

func takeRead(a tool.Arguments) job {
	j := readJob{offset: 1, limit: maxLines}
	takeFrom(a, "limit", &j.limit, 1)
	takeFrom(a, "offset", &j.offset, 1)
	j.path = a.Text("path")
	return j
}

// takeFrom takes a whole number that may be left out, and is least at least.
func takeFrom(a tool.Arguments, name string, n *int64, least int64) {
	v := a.NumberIf(name)
	if v == nil {
		return
	}
	if *n = *v; *n < least {
		a.Fault(name, fmt.Sprintf("is below %d", least))
	}
}

func (j readJob) where() (string, bool) { return j.path, true }

func (j readJob) need(_ context.Context, t *Toolbox, p place) (string, string, error) {
	return "read " + p.named(t), "", nil
}

func (j readJob) run(ctx context.Context, t *Toolbox, p place) (agent.Result, error) {
	saw := t.look(p)
	f, info, err := p.open()
	if err != nil {
		return agent.Result{}, t.alike(ctx, p, err)
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })()
	head := make([]byte, sniffed)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return agent.Result{}, p.explain(err)
	}
	head = head[:n]
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return agent.Result{}, p.explain(err)
	}
	if kind := http.DetectContentType(head); isImage(kind) {
		return j.image(p, f, kind, saw)
	}
	if binaryBytes(head) {
		return agent.Result{}, notText(p.given, head, info.Size())
	}
	return j.text(ctx, t, p, f, head, saw)
}

func isImage(kind string) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, kind)
}

// image gives the whole image to the model.
func (j readJob) image(p place, f *os.File, kind string, saw func(digest)) (agent.Result, error) {
	b, err := io.ReadAll(io.LimitReader(f, maxImage+1))
	if err != nil {
		return agent.Result{}, p.explain(err)
	}
	if len(b) > maxImage {
		return agent.Result{}, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q, %s, is larger than %d bytes", p.given, kind, maxImage),
			"make a smaller copy of it with a program")
	}
	saw(digestOf(b))
	block := provider.Block{Type: provider.TypeFile, Name: filepath.Base(p.real), MediaType: kind, Data: base64.StdEncoding.EncodeToString(b)}
	return agent.Result{Text: fmt.Sprintf("[%s, %d bytes]\n", kind, len(b)), Files: []provider.Block{block}}, nil
}

// text prints lines. All of the file is read, for the digest that tells later
// whether it has changed; of one over maxWhole bytes only what is asked for.
func (j readJob) text(ctx context.Context, t *Toolbox, p place, f io.Reader, head []byte, saw func(digest)) (agent.Result, error) {
	form, length := markOf(head)
	sum := sha256.New()
	in := io.TeeReader(f, sum)
	if form.order != nil {
		b, err := io.ReadAll(io.LimitReader(in, maxWhole+1))
		if err == nil && len(b) > maxWhole {
			err = notText(p.given, head, int64(len(b)))
		}
		if err != nil {
			return agent.Result{}, p.explain(err)
		}
		in = strings.NewReader(narrow(b[length:], form.order))
	} else if _, err := io.CopyN(io.Discard, in, int64(length)); err != nil {
		return agent.Result{}, p.explain(err)
	}
	g := pager{first: j.offset, last: j.offset + min(j.limit, 1<<40) - 1, exact: form.order == nil && t.provable(p)}
	if err := g.read(ctx, in); err != nil {
		return agent.Result{}, p.explain(err)
	}
	if g.ended {
		saw(digest(sum.Sum(nil)))
	}
	form.crlf = g.lines > 0 && g.crlf == g.lines
	return g.result(p, form)
}

// provable reports whether a line that is read there would prove a fact about
// the file that the path means from the checkout's root, where facts are held
// against files (design section 15.8): not so once the shell has gone elsewhere.
func (t *Toolbox) provable(p place) bool {
	w := t.o.Workspace
	return filepath.IsAbs(p.given) || w.Abs(w.Abs(w.Root, w.Root), t.expand(p.given)) == p.real
}
