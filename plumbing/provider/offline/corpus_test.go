package offline

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/transcript"
)

// talk is a real transcript, read as an import reads it.
type talk struct {
	name    string
	records []Record
}

// corpus reads the real transcripts under LECODE_TEST_DATA, in the order of their paths.
func corpus(t testing.TB) []talk {
	t.Helper()
	root := os.Getenv("LECODE_TEST_DATA")
	if root == "" {
		t.Skip("LECODE_TEST_DATA is not set: the real transcripts are not there")
	}
	var talks []talk
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		format := ""
		switch {
		case strings.HasSuffix(path, ".traj"):
			format = "swe-agent"
		case strings.HasSuffix(path, ".jsonl") && strings.Contains(filepath.ToSlash(path), "/claude-code/"):
			format = "claude-code"
		default:
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		talks = append(talks, talk{rel, readTalk(t, format, rel, data)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return talks
}

func readTalk(t testing.TB, format, name string, data []byte) []Record {
	t.Helper()
	tr, err := transcript.Open(format, bytes.NewReader(data), int64(len(data)), name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var list []Record
	seq := int64(0)
	for raw, err := range tr.Records() {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		seq++
		v := gjson.ParseBytes(raw)
		if v.Get("type").Str != "message" {
			continue
		}
		r := Record{Role: v.Get("role").Str, Seq: seq, Synthetic: v.Get("origin").Str == "synthetic"}
		if err := json.Unmarshal([]byte(v.Get("content").Raw), &r.Content); err != nil {
			t.Fatalf("%s: record %d: %v", name, seq, err)
		}
		list = append(list, r)
	}
	return list
}

// frame is the text of a request to compact, as plumbing/compact makes it.
func frame(t testing.TB, in Input) string {
	t.Helper()
	prior, err := canon.Marshal(in.Prior)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(openMark + blockPrior + "\n")
	if in.Prior != "" {
		b.Write(prior)
		b.WriteByte('\n')
	}
	b.WriteString(closeMark + blockPrior + "\n" + openMark + blockTranscript + "\n")
	for _, r := range in.Records {
		b.WriteString(line(t, r) + "\n")
	}
	b.WriteString(closeMark + blockTranscript + "\n")
	return b.String()
}

// line is a record as the request has it.
func line(t testing.TB, r Record) string {
	t.Helper()
	b, err := canon.Marshal(struct {
		Content   []provider.Block `json:"content"`
		Role      string           `json:"role"`
		Seq       int64            `json:"seq"`
		Synthetic bool             `json:"synthetic,omitzero"`
	}{r.Content, r.Role, r.Seq, r.Synthetic})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// compactRequest is the whole request.
func compactRequest(t testing.TB, in Input, limit int64) provider.Request {
	t.Helper()
	return provider.Request{
		MaxOutputTokens: limit,
		System:          compactLine + "\nSummarise.",
		Messages:        []provider.Message{{Role: provider.RoleUser, Content: []provider.Block{provider.Text(frame(t, in))}}},
	}
}
