package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func TestSnapshot(t *testing.T) {
	w := newWorld(t)
	id := w.dialogue()
	cleared := w.dialogue()
	w.clear(cleared)
	undone := w.dialogue()
	w.undo(undone, 1)
	for _, tt := range []struct {
		name       string
		id         string
		ex         forgets
		start, end int64
		seqs       []int64
		generated  bool
		kind       error
	}{
		{name: "all, without the event", id: id, start: 1, end: 5, seqs: []int64{1, 2, 4, 5}, generated: true},
		{name: "typed only", id: id, start: 4, end: 4, seqs: []int64{4}},
		{name: "excluded left out", id: id, ex: forgets{seqs: []int64{4}}, start: 1, end: 5, seqs: []int64{1, 2, 5}, generated: true},
		{name: "older generation left out", id: id, ex: forgets{generation: 1}, start: 1, end: 5, seqs: []int64{1, 4}},
		{name: "undone left out", id: undone, start: 1, end: 5, seqs: []int64{4, 5}, generated: true},
		{name: "an event alone", id: id, start: 3, end: 3, kind: plumbing.ErrNo},
		{name: "cleared", id: cleared, start: 1, end: 6, kind: plumbing.ErrNo},
		{name: "start 0", id: id, start: 0, end: 2, kind: plumbing.ErrInvalid},
		{name: "start after end", id: id, start: 2, end: 1, kind: plumbing.ErrInvalid},
		{name: "200 positions past the end", id: id, start: 1, end: 200, kind: plumbing.ErrNotFound},
		{name: "201 positions", id: id, start: 1, end: 201, kind: plumbing.ErrInvalid},
		{name: "every position", id: id, start: 1, end: 1<<63 - 1, kind: plumbing.ErrInvalid},
		{name: "end past the end", id: id, start: 5, end: 6, kind: plumbing.ErrNotFound},
		{name: "no session", id: "nope", start: 1, end: 1, kind: plumbing.ErrNotFound},
		{name: "a path", id: "../s1", start: 1, end: 1, kind: plumbing.ErrInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := w.Snapshot(context.Background(), tt.ex, tt.id, tt.start, tt.end)
			if tt.kind != nil {
				wantKind(t, err, tt.kind)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := Snapshot{Ref{Digest: w.sum(tt.id, tt.seqs), Seqs: tt.seqs, SessionID: tt.id}, tt.generated}
			if d := cmp.Diff(want, s); d != "" {
				t.Error(d)
			}
		})
	}
}

// sum is what sha256sum says of the log's own lines (design section 5).
func (w *world) sum(id string, seqs []int64) string {
	lines := bytes.SplitAfter(w.read(id), []byte("\n"))
	h := sha256.New()
	for _, seq := range seqs {
		h.Write(lines[seq])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func TestSnapshotRefusesDamage(t *testing.T) {
	w := newWorld(t)
	id := w.dialogue()
	w.edit(id, `"seq":4`, `"seq":9`)
	_, err := w.Snapshot(context.Background(), forgets{}, id, 1, 2)
	wantKind(t, err, plumbing.ErrCorrupt)
	offset := bytes.Index(w.read(id), []byte(`"seq":9`))
	offset = bytes.LastIndexByte(w.read(id)[:offset], '\n') + 1
	if want := fmt.Sprintf("line 5, byte %d", offset); !strings.Contains(err.Error(), want) {
		t.Errorf("error %q does not name %s", err, want)
	}
}

func TestSnapshotLeavesTornTailOut(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("We use tabs."))
	f, err := os.OpenFile(w.path(id), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(strings.Replace(user("torn"), "{", `{"seq":2,`, 1)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	w.snapshot(id, 1, 1)
	_, err = w.Snapshot(context.Background(), forgets{}, id, 1, 2)
	wantKind(t, err, plumbing.ErrNotFound)
}

func TestSnapshotRefusesForeign(t *testing.T) {
	w := newWorld(t)
	id := w.dialogue()
	other := Validator{Sessions: w.store("/other")}
	_, err := other.Snapshot(context.Background(), forgets{}, id, 1, 1)
	wantKind(t, err, plumbing.ErrRefused)
}
