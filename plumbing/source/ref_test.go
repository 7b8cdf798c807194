package source

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

var digest = "sha256:" + strings.Repeat("0a", 32)

func TestDecode(t *testing.T) {
	ref := Ref{digest, []int64{1, 2, 5}, "s"}
	bare := `"digest":"` + digest + `","seqs":[1,2,5],"session_id":"s"`
	for _, tt := range []struct {
		name, in string
		ok       bool
	}{
		{"a ref", `{` + bare + `}`, true},
		{"with a type and more", `{` + bare + `,"type":"source_ref","new":1}`, true},
		{"carried", `{"source":{` + bare + `},"type":"fact","session_id":7}`, true},
		{"carried null", `{"source":null,` + bare + `}`, false},
		{"neither", `{"session_id":"s"}`, false},
		{"duplicate key", `{` + bare + `,"seqs":[1]}`, false},
		{"wrong type", `{"digest":"` + digest + `","seqs":"1","session_id":"s"}`, false},
		{"a fraction", `{"digest":"` + digest + `","seqs":[1.5],"session_id":"s"}`, false},
		{"no session", `{"digest":"` + digest + `","seqs":[1]}`, false},
		{"seq 0", `{"digest":"` + digest + `","seqs":[0],"session_id":"s"}`, false},
		{"descending", `{"digest":"` + digest + `","seqs":[2,1],"session_id":"s"}`, false},
		{"repeated", `{"digest":"` + digest + `","seqs":[2,2],"session_id":"s"}`, false},
		{"none", `{"digest":"` + digest + `","seqs":[],"session_id":"s"}`, false},
		{"too many", `{"digest":"` + digest + `","seqs":[1` + strings.Repeat(",2", 200) + `],"session_id":"s"}`, false},
		{"upper case", `{"digest":"` + strings.ToUpper(digest) + `","seqs":[1],"session_id":"s"}`, false},
		{"an array", `[]`, false},
		{"nothing", ``, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.in))
			if !tt.ok {
				wantKind(t, err, plumbing.ErrInvalid)
				return
			}
			if d := cmp.Diff(ref, got); d != "" || err != nil {
				t.Error(d, err)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"digest":"` + digest + `","seqs":[1,2,5],"session_id":"s"}`))
	f.Add([]byte(`{"source":{"digest":"` + digest + `","seqs":[1],"session_id":"s"},"type":"fact"}`))
	f.Add([]byte(`{"source":null}`))
	f.Add([]byte(`{"digest":null,"seqs":[1e3],"session_id":"\ud800"}`))
	f.Fuzz(func(t *testing.T, object []byte) {
		ref, err := Decode(object)
		if err != nil {
			if !errors.Is(err, plumbing.ErrInvalid) {
				t.Fatalf("error %v is of no kind", err)
			}
			return
		}
		if err := ref.Check(); err != nil {
			t.Fatal(err)
		}
		line, err := canon.Marshal(ref)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(line)
		if err != nil || !ref.Equal(again) {
			t.Fatalf("%v comes back as %v, %v", ref, again, err)
		}
	})
}
