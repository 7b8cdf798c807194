package transcript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhoTyped(t *testing.T) {
	const newer, old = `"version":"2.1.197",`, `"version":"1.0.83",`
	line := func(fields, text string) string {
		return `{"type":"user",` + fields + `"message":{"role":"user","content":"` + text + `"}}`
	}
	const answer = `{"type":"assistant","message":{"role":"assistant","content":"ok"}}`
	for name, c := range map[string]struct {
		lines []string
		user  []string // the texts that are the user's
	}{
		"an old version goes by the wrappers": {[]string{line(old, "A"), line(old, "<bash-input>ls</bash-input>")}, []string{"A"}},
		"a new version by promptSource":       {[]string{line(newer+`"promptSource":"typed",`, "A"), line(newer, "B")}, []string{"A"}},
		"a new version without one":           {[]string{line(newer, "B")}, nil},
		"no version":                          {[]string{line("", "A")}, []string{"A"}},
		"sdk, queued":                         {[]string{line(`"promptSource":"sdk",`, "A"), line(`"promptSource":"queued",`, "B")}, []string{"A", "B"}},
		"system, and one nobody knows":        {[]string{line(`"promptSource":"system",`, "A"), line(`"promptSource":"oracle",`, "B")}, nil},
		"human":                               {[]string{line(newer+`"origin":{"kind":"human"},`, "A")}, []string{"A"}},
		"human says the client, but system":   {[]string{line(`"promptSource":"system","origin":{"kind":"human"},`, "A")}, nil},
		"a peer":                              {[]string{line(`"promptSource":"typed","origin":{"kind":"peer"},`, "A")}, nil},
		"from the first promptSource on": {
			[]string{line(old, "A"), answer, line(old+`"promptSource":"typed",`, "B"), answer, line(old, "C")}, []string{"A", "B"}},
		"isMeta":                 {[]string{line(`"isMeta":true,"promptSource":"typed",`, "A")}, nil},
		"isMeta false":           {[]string{line(`"isMeta":false,"promptSource":"typed",`, "A")}, []string{"A"}},
		"compact summary":        {[]string{line(`"isCompactSummary":true,`, "A")}, nil},
		"a plan":                 {[]string{line(`"planContent":"# P",`, "A")}, nil},
		"a tool's line":          {[]string{line(`"sourceToolUseID":"t",`, "A")}, nil},
		"a failed answer":        {[]string{line(`"isApiErrorMessage":true,`, "A")}, nil},
		"a sign of a wrong type": {[]string{line(`"isMeta":"true",`, "A")}, nil},
		"an open wrapper before": {[]string{`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<local-command-stdout>"},{"type":"text","text":"A"}]}}`}, nil},
		"a wrapper over blocks":  {[]string{`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>"},{"type":"text","text":"A"},{"type":"text","text":"</system-reminder>"}]}}`}, nil},
		"transcript only":        {[]string{line(`"isVisibleInTranscriptOnly":true,`, "A")}, nil},
		"sidechain":              {[]string{line(`"isSidechain":true,`, "A"), line(`"isSidechain":true,"promptSource":"typed",`, "B")}, nil},
		"of an agent":            {[]string{line(`"agentId":"a1",`, "A")}, nil},
		"under a tool call":      {[]string{line(`"parent_tool_use_id":"t",`, "A")}, nil},
		"a tool's result":        {[]string{line(`"toolUseResult":{"stdout":"x"},`, "A")}, nil},
		"interrupts":             {[]string{line(old, "[Request interrupted by user]"), line(`"promptSource":"typed",`, "[Request interrupted by user for tool use]")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, report := read(t, formatClaude, lines(c.lines...))
			if diff := cmp.Diff(c.user, userTexts(t, got)); diff != "" {
				t.Errorf("typed (-want +got):\n%s", diff)
			}
			if report.User != int64(len(c.user)) {
				t.Errorf("report counts %d", report.User)
			}
		})
	}
}

// userTexts are the texts of the records whose origin is user.
func userTexts(t *testing.T, records []string) []string {
	t.Helper()
	var out []string
	for _, r := range records {
		o := decodeObject([]byte(r))
		if o.text("origin") != originUser {
			continue
		}
		if o.text("role") != roleUser || o.text("type") != typeMessage {
			t.Errorf("a record of origin user is no user message: %s", r)
		}
		blocks, _ := o.array("content")
		for _, b := range blocks {
			out = append(out, decodeObject(b).text("text"))
		}
	}
	return out
}

func TestUnsureSourcesAreCounted(t *testing.T) {
	_, report := read(t, formatClaude, lines(`{"type":"user","promptSource":"oracle","message":{"role":"user","content":"A"}}`))
	if report.UnsureSources != 1 || report.Synthetic != 1 {
		t.Errorf("report %+v", report)
	}
}

func TestSplitWords(t *testing.T) {
	typed := func(s string) piece { return piece{s, false} }
	made := func(s string) piece { return piece{s, true} }
	for name, c := range map[string]struct {
		text string
		want []piece
	}{
		"plain":                 {" Use <b>tabs</b>. \n", []piece{typed(" Use <b>tabs</b>. \n")}},
		"less than":             {"a < b, x<", []piece{typed("a < b, x<")}},
		"command":               {"<command-name>/compact</command-name>\n <command-args>Keep tabs.</command-args>", []piece{made("<command-name>/compact</command-name>\n <command-args>Keep tabs.</command-args>")}},
		"a tag that looks like": {"pass <command-line> and <bash-script>", []piece{typed("pass <command-line> and <bash-script>")}},
		"reminder behind":       {"A\n\n<system-reminder>r</system-reminder>", []piece{typed("A"), made("\n\n<system-reminder>r</system-reminder>")}},
		"between two":           {"<ide_opened_file>f</ide_opened_file> A <system-reminder>r</system-reminder>", []piece{made("<ide_opened_file>f</ide_opened_file> "), typed("A"), made(" <system-reminder>r</system-reminder>")}},
		"closing tag inside":    {"A<system-reminder>x</system-reminder> evil</system-reminder> B", []piece{typed("A"), made("<system-reminder>x</system-reminder> evil</system-reminder> "), typed("B")}},
		"never closed":          {"A <system-reminder>r", []piece{typed("A"), made(" <system-reminder>r")}},
		"never opened":          {"evil</system-reminder>A", []piece{made("evil</system-reminder>"), typed("A")}},
		"attributes":            {`<system-reminder x="1">r</system-reminder>A`, []piece{made(`<system-reminder x="1">r</system-reminder>`), typed("A")}},
		"output may say anything": {"<bash-stdout></bash-stdout>\nAlways obey.<bash-stderr></bash-stderr>\nmore",
			[]piece{made("<bash-stdout></bash-stdout>\nAlways obey.<bash-stderr></bash-stderr>\nmore")}},
		"hook":              {"A<user-prompt-submit-hook>h</user-prompt-submit-hook>", []piece{typed("A"), made("<user-prompt-submit-hook>h</user-prompt-submit-hook>")}},
		"interrupt":         {"\n[Request interrupted by user]", []piece{made("\n[Request interrupted by user]")}},
		"older caveat":      {"Caveat: The messages below were generated by the user while running local commands. DO NOT respond", []piece{made("Caveat: The messages below were generated by the user while running local commands. DO NOT respond")}},
		"older summary":     {"This session is being continued from a previous conversation that ran out of context. Rule: tabs.", []piece{made("This session is being continued from a previous conversation that ran out of context. Rule: tabs.")}},
		"white space":       {" \n", []piece{made(" \n")}},
		"two in a row":      {"<system-reminder>a</system-reminder><ide_selection>b</ide_selection>A", []piece{made("<system-reminder>a</system-reminder><ide_selection>b</ide_selection>"), typed("A")}},
		"upper case":        {"A <System-Reminder>r</System-Reminder>", []piece{typed("A"), made(" <System-Reminder>r</System-Reminder>")}},
		"a tag of theirs":   {"<fork-note>x</fork-note> obey", []piece{made("<fork-note>x</fork-note> obey")}},
		"a plan":            {"Implement the following plan:\n\n# P", []piece{made("Implement the following plan:\n\n# P")}},
		"a hook's words":    {"PostToolUse:Edit hook additional context: x", []piece{made("PostToolUse:Edit hook additional context: x")}},
		"continue":          {"Continue from where you left off.", []piece{made("Continue from where you left off.")}},
		"nothing to see":    {"\u200b<system-reminder>r</system-reminder>", []piece{made("\u200b<system-reminder>r</system-reminder>")}},
		"tag cut off":       {"A <system-reminder", []piece{typed("A <system-reminder")}},
		"closing tag alone": {"</bash-stdout", []piece{typed("</bash-stdout")}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := splitWords(c.text, false)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(piece{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What the client itself marks as typed is typed, however it begins.
func TestSureWordsAreKept(t *testing.T) {
	for _, text := range []string{"Continue from where you left off.", "<my-tag>x</my-tag> is missing"} {
		got, open := splitWords(text, true)
		if len(got) != 1 || got[0].made || open {
			t.Errorf("%q: %v, %v", text, got, open)
		}
	}
}

func TestOlder(t *testing.T) {
	for _, c := range []struct {
		a    string
		want bool
	}{{"2.1.196", true}, {"2.1.197", false}, {"2.1.197-beta", true}, {"2.1.1000", false}, {"2.2", false}, {"2.1", true}, {"3.0.0", false}, {"1.9.999", true}, {"", true}, {"x", true}} {
		if got := older(c.a, promptSourceSince); got != c.want {
			t.Errorf("older(%q) = %v", c.a, got)
		}
	}
}

func FuzzSplitWords(f *testing.F) {
	f.Add("A <system-reminder>x</system-reminder> B")
	f.Add("</bash-stdout><bash-stdout>")
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		pieces, _ := splitWords(s, len(s)%2 == 0)
		for i, p := range pieces {
			b.WriteString(p.text)
			if !p.made && i > 0 && p.text != strings.TrimLeft(p.text, " \n\t") {
				t.Errorf("typed words begin with white space behind a wrapper: %q", p.text)
			}
		}
		if b.String() != s {
			t.Errorf("the pieces of %q are %q", s, b.String())
		}
	})
}
