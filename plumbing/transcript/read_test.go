package transcript

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// open opens a source that has to be readable as format.
func open(t *testing.T, format, text string) *Transcript {
	t.Helper()
	tr, err := Open(format, strings.NewReader(text), int64(len(text)), "sample")
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// collect runs over the records; what was yielded before an error is returned with it.
func collect(t *testing.T, tr *Transcript) ([]string, error) {
	t.Helper()
	var out []string
	var scratch []byte
	for b, err := range tr.Records() {
		if err != nil {
			return out, err
		}
		if scratch, err = canon.Check(b, scratch); err != nil {
			t.Fatalf("record %d is not canonical: %v", len(out), err)
		}
		out = append(out, string(b))
	}
	return out, nil
}

// drain is collect without a look at the form of the records, for tests that read much.
func drain(t *testing.T, format, text string) []string {
	t.Helper()
	var out []string
	for b, err := range open(t, format, text).Records() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}

// read is open and collect for a source without a fault.
func read(t *testing.T, format, text string) ([]string, Report) {
	t.Helper()
	tr := open(t, format, text)
	records, err := collect(t, tr)
	if err != nil {
		t.Fatal(err)
	}
	return records, tr.Report()
}

// same fails where the records are not exactly want.
func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

// invalid fails unless err wraps ErrInvalid and its text holds part.
func invalid(t *testing.T, err error, part string) {
	t.Helper()
	if !errors.Is(err, plumbing.ErrInvalid) {
		t.Fatalf("error %v, want one that wraps ErrInvalid", err)
	}
	if !strings.Contains(err.Error(), part) {
		t.Errorf("error %q does not say %q", err, part)
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct{ format, text, want string }{
		"unknown format":     {"cobol", "{}", `"cobol" is no transcript format`},
		"lecode's own":       {FormatLecode, "{}", "is no transcript format"},
		"empty":              {formatClaude, "", "no whole line"},
		"spaces":             {formatClaude, " \n\t\n  ", "no whole line"},
		"only a torn line":   {formatClaude, `{"type":"user","mess`, "no whole line"},
		"empty document":     {formatSWE, "", "no JSON object"},
		"document of spaces": {formatSWE, "  \n ", "no JSON object"},
		"array":              {formatSWE, "[]", "no JSON object"},
		"torn document":      {formatSWE, `{"history":[{"role":`, "not valid JSON"},
		"another document":   {formatSWE, `{"messages":[],"history":7}`, "neither a history nor a trajectory"},
		"two documents":      {formatSWE, `{"history":[]}{}`, "something behind the document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(c.format, strings.NewReader(c.text), int64(len(c.text)), "sample")
			invalid(t, err, c.want)
		})
	}
}

func TestOpenHint(t *testing.T) {
	_, err := Open("cobol", strings.NewReader(""), 0, "sample")
	var e *plumbing.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "claude-code, swe-agent") {
		t.Errorf("error %#v does not name the formats", err)
	}
}

func TestDocumentTooLong(t *testing.T) {
	_, err := Open(formatSWE, bytes.NewReader(nil), MaxDocument+1, "sample")
	invalid(t, err, "it is 268435457 bytes long, the most for this format is 268435456")
}

type brokenReader struct{ after int64 }

var errDisk = errors.New("the disk is gone")

func (r brokenReader) ReadAt(p []byte, off int64) (int, error) {
	if off >= r.after {
		return 0, errDisk
	}
	return copy(p, strings.Repeat("\n", len(p))), nil
}

func TestReadFailureIsNotTheSourcesFault(t *testing.T) {
	for _, format := range Formats() {
		_, err := Open(format, brokenReader{0}, 1<<20, "sample")
		if !errors.Is(err, errDisk) || errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%s: error %v, want the reader's", format, err)
		}
	}
	_, err := Open(formatClaude, brokenReader{1 << 18}, 1<<20, "sample")
	if !errors.Is(err, errDisk) {
		t.Errorf("error %v, want the reader's", err)
	}
}

func TestStopAndRangeAgain(t *testing.T) {
	tr := open(t, formatClaude, `{"type":"mode","sessionId":"s"}`+"\n"+`{"type":"mode","sessionId":"s"}`+"\n")
	for range tr.Records() {
		break
	}
	for range 2 {
		records, err := collect(t, tr)
		if err != nil || len(records) != 2 || tr.Report().Foreign["mode"] != 2 {
			t.Fatalf("got %d records, %v, %v", len(records), tr.Report().Foreign, err)
		}
	}
}

func TestIDs(t *testing.T) {
	line := func(id string) string { return `{"type":"mode","sessionId":` + id + "}\n" }
	for name, c := range map[string]struct{ format, text, id, source string }{
		"its own":     {formatClaude, line(`"5d2c-9a54"`), "5d2c-9a54", "5d2c-9a54"},
		"the first":   {formatClaude, `{"type":"summary"}` + "\n" + line(`"one"`) + line(`"two"`), "one", "one"},
		"of an agent": {formatClaude, `{"isSidechain":true,"agentId":"a67","sessionId":"one"}` + "\n", "agent-a67", "agent-a67"},
		"main file":   {formatClaude, line(`"one"`) + `{"isSidechain":true,"agentId":"a67","sessionId":"one"}` + "\n", "one", "one"},
		"unfit":       {formatClaude, line(`"../x"`), hashID(formatClaude, []byte(`{"type":"mode","sessionId":"../x"}`)), "../x"},
		"too long":    {formatClaude, line(`"` + strings.Repeat("a", 129) + `"`), hashID(formatClaude, []byte(`{"type":"mode","sessionId":"`+strings.Repeat("a", 129)+`"}`)), strings.Repeat("a", 129)},
		"none":        {formatClaude, "\uFEFF" + `{"type":"mode"}` + "\r\n", "i-cfa2a62919fe518525e1fc7a", "i-cfa2a62919fe518525e1fc7a"},
		"document":    {formatSWE, `{"history":[]}`, hashID(formatSWE, []byte(`{"history":[]}`)), hashID(formatSWE, []byte(`{"history":[]}`))},
	} {
		t.Run(name, func(t *testing.T) {
			tr := open(t, c.format, c.text)
			if tr.ID != c.id || tr.SourceID != c.source || tr.Format != c.format {
				t.Errorf("got %q from %q, want %q from %q", tr.ID, tr.SourceID, c.id, c.source)
			}
		})
	}
}
