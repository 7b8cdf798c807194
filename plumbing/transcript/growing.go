package transcript

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// holdBack is how many lines a parent, or a name for the session, may be late:
// lines that wait for it are not handed on before that many have followed. A
// TUI is some six lines late.
const holdBack = 64

// ErrReordered says that a line came whose children were handed on before it:
// read the source anew from its beginning.
var ErrReordered = errors.New("a parent came too late")

// Growing reads a transcript while its agent goes on writing it, each time
// only what is new. It hands on the records that Records of the whole would,
// in the same order: a last line without its newline waits for it, and a line
// whose parent has not come waits for that, up to holdBack lines. It remembers
// a number a line, and what a run remembers of recent answers and tools.
//
// Whoever uses it has to see that the bytes already read stay as they are.
// After an error it is of no use any more. It is for one goroutine.
type Growing struct {
	c    *claude
	run  *claudeRun
	e    *emitter
	seen map[uint64]bool // uuids of the lines handed on
	lost map[uint64]bool // parents that were waited for long enough

	offset, number int64 // behind what was handed on
	ready          []link
	late           map[uint64]bool // in ready: parents behind a child of theirs
}

// link ties a line to the line before it.
type link struct{ uuid, parent uint64 }

// Grow begins to read a source called name in messages. A format that is not
// one of lines which are only ever added is plumbing.ErrInvalid.
func Grow(format, name string) (*Growing, error) {
	if format != formatClaude {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("transcripts of format %q cannot be followed", format),
			"formats that can be: "+strings.Join(Growable(), ", "))
	}
	c := &claude{src: source{name: name, format: format}, late: map[uint64]bool{}}
	e := &emitter{name: name, report: newReport(), answers: newAnswers()}
	return &Growing{c: c, e: e, run: &claudeRun{claude: c, e: e, names: newRecent[string]()},
		seen: map[uint64]bool{}, lost: map[uint64]bool{}}, nil
}

// Growable returns the names of the formats that Grow takes.
func Growable() []string { return []string{formatClaude} }

// Look reads what came after the last Look in the first size bytes of r and
// reports whether Records has something to hand on. A line over
// canon.MaxRecord is plumbing.ErrInvalid.
func (g *Growing) Look(r io.ReaderAt, size int64) (bool, error) {
	g.c.src.r, g.c.src.size = r, size
	all, err := g.scan()
	if err != nil {
		return false, err
	}
	g.ready = all[:g.whole(all)]
	for _, n := range g.ready {
		if g.lost[n.uuid] && n.uuid != 0 {
			return false, ErrReordered
		}
	}
	return len(g.ready) > 0, nil
}

// scan reads the links of the lines that have not been handed on.
func (g *Growing) scan() ([]link, error) {
	var all []link
	lr := g.lines()
	for {
		l, err := lr.next()
		if errors.Is(err, io.EOF) || err == nil && !l.ended {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		k := readLinks(l.bytes)
		g.c.note(l, k)
		all = append(all, link{k.uuid, k.parent})
	}
}

// lines reads on behind what was handed on.
func (g *Growing) lines() *lineReader {
	lr := newLineReader(g.c.src)
	lr.r.Reset(io.NewSectionReader(g.c.src.r, g.offset, g.c.src.size-g.offset))
	lr.offset, lr.number = g.offset, g.number
	return lr
}

// whole is how many of the lines can be handed on: none of them waits for a
// line that comes behind, or may still come.
func (g *Growing) whole(all []link) int {
	if g.c.session == "" && len(all) < holdBack && g.number == 0 {
		return 0
	}
	at := map[uint64]int{}
	for i, n := range all {
		if _, met := at[n.uuid]; !met {
			at[n.uuid] = i
		}
	}
	cut := len(all)
	for i := 0; i < cut; i++ {
		p := all[i].parent
		if p == 0 || p == all[i].uuid || g.seen[p] {
			continue
		}
		if j, there := at[p]; there && j >= cut || !there && len(all)-i <= holdBack {
			cut, i = i, -1 // what stood before it may wait for what is now behind
		}
	}
	return cut
}

// settle takes over what is about to be handed on, and finds the parents that
// stand behind a child.
func (g *Growing) settle() {
	g.late = map[uint64]bool{}
	missing := map[uint64]bool{}
	for _, n := range g.ready {
		if n.parent != 0 && n.parent != n.uuid && !g.seen[n.parent] {
			missing[n.parent] = true
		}
		if n.uuid == 0 {
			continue
		}
		g.seen[n.uuid] = true
		if missing[n.uuid] {
			g.late[n.uuid] = true
			delete(missing, n.uuid)
		}
	}
	for p := range missing {
		g.lost[p] = true
	}
}

// Records yields the records of what the last Look found, as Transcript.Records
// does. It has to be ranged to its end before the next Look.
func (g *Growing) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		g.e.yield = yield
		g.settle()
		if err := g.handOn(); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

func (g *Growing) handOn() error {
	o := newOrder(g.c.src, g.late, g.run.line)
	lr := g.lines()
	for range g.ready {
		l, err := lr.next()
		if err != nil {
			return fmt.Errorf("read %s again: %w", g.c.src.name, err)
		}
		if err := o.take(l); err != nil {
			return err
		}
	}
	g.offset, g.number, g.ready = lr.offset, lr.number, nil
	g.e.report.Moved += o.moved
	return o.rest()
}

// ID is the session ID that an import gives the source, and SourceID what it
// calls itself, as of Transcript. They hold once Look has found something.
func (g *Growing) ID() (id, sourceID string) { return g.c.id() }

// Offset is how many bytes have been handed on.
func (g *Growing) Offset() int64 { return g.offset }
