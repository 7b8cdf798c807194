package source

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

func TestEvidence(t *testing.T) {
	block := func(role, origin, block string) string {
		g := `,"generation":0`
		if origin == "user" {
			g = ""
		}
		return `{"type":"message","role":"` + role + `","origin":"` + origin + `"` + g + `,"content":[` + block + `]}`
	}
	result := `{"type":"tool_result","id":"c1","name":"read","text":"tabs","is_error":false,"files":[]}`
	file := `{"type":"file","name":"a.png","media_type":"image/png","data":"AAAA"}`
	for _, tt := range []struct {
		name  string
		lines []string
		want  bool
	}{
		{"user text", []string{user("tabs")}, true},
		{"assistant text", []string{user("?"), assistant("tabs")}, true},
		{"only white space", []string{user(" \n")}, false},
		{"synthetic", []string{user(" "), assistant(" "), synthetic("tabs")}, false},
		{"reasoning", []string{block("user", "user", file), block("assistant", "generated", `{"type":"reasoning","text":"tabs"}`)}, false},
		{"tool output", []string{block("user", "user", file), block("assistant", "generated", `{"type":"tool_call","id":"c1","name":"read","arguments":{"text":"tabs"}}`), block("tool", "generated", result)}, false},
		{"text beside other blocks", []string{block("user", "user", file+`,{"type":"text","text":"tabs"}`)}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new(tt.lines...)
			e, err := w.Evidence(context.Background(), w.snapshot(id, 1, int64(len(tt.lines))).Ref)
			if err != nil || e.Text != tt.want {
				t.Errorf("%v, %v, want %v", e.Text, err, tt.want)
			}
		})
	}
}

func TestEvidenceErrors(t *testing.T) {
	w := newWorld(t)
	id := w.dialogue()
	ref := w.snapshot(id, 1, 5).Ref
	past := Ref{ref.Digest, []int64{1, 99}, id}
	_, err := w.Evidence(context.Background(), past)
	wantKind(t, err, plumbing.ErrNotFound)
	w.edit(id, "Noted.", "Doubt.")
	_, err = w.Evidence(context.Background(), ref)
	wantKind(t, err, plumbing.ErrConflict)
	w.edit(id, `"seq":2`, `"seq":7`)
	_, err = w.Evidence(context.Background(), ref)
	wantKind(t, err, plumbing.ErrCorrupt)
}

func TestShown(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"text", `{"content":[{"text":"\"data\":\"AAAA\"","type":"text"}]}`, `{"content":[{"text":"\"data\":\"AAAA\"","type":"text"}]}`},
		{"file", `{"content":[{"data":"QUJD","media_type":"image/png","name":"a","type":"file"}],"seq":1}`,
			`{"content":[{"data":"[omitted: image/png, 3 bytes]","media_type":"image/png","name":"a","type":"file"}],"seq":1}`},
		{"padding", `{"content":[{"data":"QQ==","media_type":"image/png","type":"file"},{"data":"QUI=","media_type":"a","type":"file"},{"data":"","media_type":"b","type":"file"}]}`,
			`{"content":[{"data":"[omitted: image/png, 1 bytes]","media_type":"image/png","type":"file"},{"data":"[omitted: a, 2 bytes]","media_type":"a","type":"file"},{"data":"[omitted: b, 0 bytes]","media_type":"b","type":"file"}]}`},
		{"lines", `{"content":[{"data":"QUJD\r\nQUJD\r\nQQ==\r\n","media_type":"image/png","type":"file"}]}`,
			`{"content":[{"data":"[omitted: image/png, 7 bytes]","media_type":"image/png","type":"file"}]}`},
		{"in a tool result", `{"content":[{"data":"keep","files":[{"data":"QUJD","media_type":"image/\"png"},{"data":"QUJD"}],"type":"tool_result"}]}`,
			`{"content":[{"data":"keep","files":[{"data":"[omitted: image/\"png, 3 bytes]","media_type":"image/\"png"},{"data":"[omitted: unknown type, 3 bytes]"}],"type":"tool_result"}]}`},
		{"arguments", `{"content":[{"arguments":{"data":"QUJD","type":"file"},"type":"tool_call"}],"data":"QUJD"}`,
			`{"content":[{"arguments":{"data":"QUJD","type":"file"},"type":"tool_call"}],"data":"QUJD"}`},
		{"no string", `{"content":[{"data":{"data":"x"},"type":"file"},7,{"files":3,"type":"tool_result"}]}`,
			`{"content":[{"data":{"data":"x"},"type":"file"},7,{"files":3,"type":"tool_result"}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(bytes.Join(slices.Collect(Shown([]byte(tt.in))), nil)); got != tt.want {
				t.Errorf("\n%s, want\n%s", got, tt.want)
			}
		})
	}
}
