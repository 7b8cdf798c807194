package transcript

import (
	"container/heap"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Lines that form a tree by parentUuid are put in order with two scans. The
// first finds the parents that stand behind a child of theirs; in the second,
// a line whose parent is one of those and has not come yet waits as a place in
// the file, not as bytes. A parent that is nowhere in the file is waited for by
// nobody; what waits for itself in a ring is handed on at the end, in file order.

// links is what the order of lines goes by, and what is asked of a whole file at once.
type links struct {
	uuid, parent uint64 // 0: none
	session      string
	agent        string
	sidechain    bool
	prompted     bool // it has a promptSource
}

// place is where a waiting line lies.
type place struct {
	number, offset int64
	size           int
}

// order lets lines out parents first.
type order struct {
	src     source
	late    map[uint64]bool    // parents behind a child, not yet let out
	waiting map[uint64][]place // by the parent waited for
	out     func(line) error
	moved   int64
}

func newOrder(src source, late map[uint64]bool, out func(line) error) *order {
	o := &order{src: src, late: map[uint64]bool{}, waiting: map[uint64][]place{}, out: out}
	for u := range late {
		o.late[u] = true
	}
	return o
}

// take lets l out, and after it what has waited for it; or lets it wait.
func (o *order) take(l line) error {
	if len(o.late) == 0 {
		return o.out(l)
	}
	k := readLinks(l.bytes)
	if k.parent != 0 && k.parent != k.uuid && o.late[k.parent] {
		o.waiting[k.parent] = append(o.waiting[k.parent], place{l.number, l.offset, len(l.bytes)})
		o.late[k.uuid] = k.uuid != 0 // its children wait too
		o.moved++
		return nil
	}
	if err := o.out(l); err != nil {
		return err
	}
	return o.release(k.uuid)
}

// release lets out what waited for uuid and for what it lets out, in file order among the ready.
func (o *order) release(uuid uint64) error {
	ready := o.arrived(uuid, nil)
	for len(ready) > 0 {
		l, err := o.again(heap.Pop(&ready).(place))
		if err != nil {
			return err
		}
		if err := o.out(l); err != nil {
			return err
		}
		ready = o.arrived(readLinks(l.bytes).uuid, ready)
	}
	return nil
}

// arrived notes that a parent is out and adds what waited for it to ready.
func (o *order) arrived(uuid uint64, ready places) places {
	for _, p := range o.waiting[uuid] {
		heap.Push(&ready, p)
	}
	delete(o.waiting, uuid)
	delete(o.late, uuid)
	return ready
}

// rest lets out what is still waiting, in file order.
func (o *order) rest() error {
	var ready places
	for uuid := range o.waiting {
		for _, p := range o.waiting[uuid] {
			heap.Push(&ready, p)
		}
	}
	o.waiting = map[uint64][]place{}
	for len(ready) > 0 {
		l, err := o.again(heap.Pop(&ready).(place))
		if err != nil {
			return err
		}
		if err := o.out(l); err != nil {
			return err
		}
	}
	return nil
}

// again reads the bytes of a line that waited.
func (o *order) again(p place) (line, error) {
	b := make([]byte, p.size)
	if _, err := o.src.r.ReadAt(b, p.offset); err != nil && err != io.EOF {
		return line{}, fmt.Errorf("read %s again: %w", o.src.name, err)
	}
	return line{bytes: b, number: p.number, offset: p.offset, ended: true}, nil
}

// places is a heap by line number.
type places []place

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i].number < p[j].number }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(x any)        { *p = append(*p, x.(place)) }
func (p *places) Pop() any {
	old := *p
	last := old[len(old)-1]
	*p = old[:len(old)-1]
	return last
}

// readLinks reads the links of a line as far as it is JSON; of a repeated key the first counts.
func readLinks(b []byte) links {
	var k links
	d := lenient(b)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return k
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil || !k.member(d, name.String()) {
			return k
		}
	}
	return k
}

// member takes the value of one member; false where it cannot be read.
func (k *links) member(d *jsontext.Decoder, name string) bool {
	switch name {
	case "uuid", "parentUuid", "sessionId", "agentId", "promptSource", "isSidechain":
	default:
		return d.SkipValue() == nil
	}
	kind := d.PeekKind()
	if kind != '"' {
		k.sidechain = k.sidechain || name == "isSidechain" && kind == 't'
		return d.SkipValue() == nil
	}
	t, err := d.ReadToken()
	if err != nil {
		return false
	}
	k.set(name, t.String())
	return true
}

func (k *links) set(name, s string) {
	switch {
	case name == "uuid" && k.uuid == 0:
		k.uuid = key(s)
	case name == "parentUuid" && k.parent == 0:
		k.parent = key(s)
	case name == "sessionId" && k.session == "":
		k.session = s
	case name == "agentId" && k.agent == "":
		k.agent = s
	case name == "promptSource":
		k.prompted = true
	}
}

// key is a short name for a uuid, never 0.
func key(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64() | 1
}
