package session

import (
	"maps"
	"slices"
	"sync"

	"github.com/lecode/lecode/plumbing/file"
)

// chains is what a process remembers of the chains that it has checked (design
// section 10); none of it is stored. A chain may be taken over only while the
// log's stamp, the generation, the exclusions and the undone and cleared parts
// are equal, or where only this process's own appends moved the stamp.
type chains struct {
	mu   sync.Mutex
	kept map[string]*keptChain // by session ID
}

type keptChain struct {
	stamp   file.Stamp
	visible Visibility // without its log
	links   map[int64]link
}

// maxChains bounds the sessions whose chains are remembered.
const maxChains = 32

// recall returns the links that still count, in a map of the caller's own.
func (k *chains) recall(id string, stamp file.Stamp, v *Visibility) map[int64]link {
	k.mu.Lock()
	defer k.mu.Unlock()
	held := k.kept[id]
	if held == nil || held.stamp != stamp || !held.visible.same(v) {
		return map[int64]link{}
	}
	return maps.Clone(held.links)
}

// keep remembers what a chain has found, unless the log changed under it.
func (k *chains) keep(c *Chain) {
	if c.log.x.stamp != c.stamp {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= maxChains && k.kept[c.log.id] == nil {
		k.kept = map[string]*keptChain{}
	}
	v := *c.visible
	v.log = nil
	k.kept[c.log.id] = &keptChain{c.stamp, v, maps.Clone(c.links)}
}

// moved carries a chain over an append of this process, which took the log from one stamp to another.
func (k *chains) moved(id string, from, to file.Stamp) {
	k.mu.Lock()
	defer k.mu.Unlock()
	held := k.kept[id]
	switch {
	case held == nil:
	case held.stamp == from:
		held.stamp = to
	default:
		delete(k.kept, id)
	}
}

// same reports whether two visibilities of one log hide the same.
func (v *Visibility) same(o *Visibility) bool {
	return v.generation == o.generation && v.cleared == o.cleared &&
		slices.Equal(v.excluded, o.excluded) && slices.Equal(v.undone, o.undone)
}
