package slash

import (
	"errors"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
)

// TestMeant: the beginning or the end of an ID names a session where it is one's only.
func TestMeant(t *testing.T) {
	ids := []string{"alpha-one", "alpha-two", "beta-7777"}
	n := 0
	dir := t.TempDir()
	sessions := session.NewStore(session.Options{Config: file.Tree{Dir: dir + "/config"}, Cache: file.Tree{Dir: dir + "/cache"},
		Project: session.Project{Root: "/kettle", Slug: "kettle-1"}, Now: func() time.Time { return time.Unix(1_700_000_000, 0) },
		NewID: func() (string, error) { n++; return ids[n-1], nil }, Holder: "the test"})
	for range ids {
		if _, err := sessions.New(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		given, want string
		kind        error
	}{
		{"alpha-one", "alpha-one", nil},
		{"beta", "beta-7777", nil},
		{"…a-7777", "beta-7777", nil},
		{"-two", "alpha-two", nil},
		{"alpha", "", plumbing.ErrInvalid},
		{"77", "77", nil}, // too short to be meant; it is looked for as it is
		{"gone-gone", "gone-gone", nil},
		{"a/b/c", "a/b/c", plumbing.ErrInvalid},
	} {
		got, err := meant(sessions, c.given)
		if got != c.want || !errors.Is(err, c.kind) {
			t.Errorf("%q: %q, %v", c.given, got, err)
		}
	}
}
