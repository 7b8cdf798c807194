package transcript

// maxRecent is how many answers, and how many tool calls, a run remembers.
// Lines that belong together stand close together; what is older is forgotten,
// so that memory does not grow with the source.
const maxRecent = 4096

// recent is a map that remembers the last maxRecent keys that were new.
type recent[V any] struct {
	values map[string]V
	order  []string
	next   int
}

func newRecent[V any]() *recent[V] { return &recent[V]{values: map[string]V{}} }

func (r *recent[V]) get(key string) (V, bool) {
	v, ok := r.values[key]
	return v, ok
}

func (r *recent[V]) set(key string, v V) {
	if _, ok := r.values[key]; !ok {
		if len(r.order) < maxRecent {
			r.order = append(r.order, key)
		} else {
			delete(r.values, r.order[r.next])
			r.order[r.next] = key
			r.next = (r.next + 1) % maxRecent
		}
	}
	r.values[key] = v
}
