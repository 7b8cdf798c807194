package transcript

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDemoSample holds the sample of `make demo` to what the demo shows with it.
func TestDemoSample(t *testing.T) {
	text := string(demoFile(t).data)
	if format, _ := Detect([]byte(text)); format != formatClaude {
		t.Errorf("format %q", format)
	}
	records, report := read(t, formatClaude, text)
	want := []string{
		"Please give `kettle status` a -json flag, so that I can pipe it into jq. We use tabs for indentation in this repo, never spaces.",
		"Correction: run go vet as well as go test before you say you are done.",
	}
	if diff := cmp.Diff(want, userTexts(t, records)); diff != "" {
		t.Errorf("typed (-want +got):\n%s", diff)
	}
	if differ := prefixes(t, text); differ != nil {
		t.Errorf("cuts whose records are not the first of the whole: %v", differ)
	}
	total := UsageTotals{Calls: 6, InputTokens: 28095, OutputTokens: 502, CacheReadTokens: 26985}
	if diff := cmp.Diff(total, report.Usage); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	checkCalls(t, "the sample", records)
}
