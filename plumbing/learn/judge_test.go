package learn

import (
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/secret"
)

// scene is evidence as Apply makes it: 1 and 2 are one exchange, 3 to 6 another.
func scene() Evidence {
	x := func(first int64, lines ...string) Exchange {
		var e Exchange
		for i, l := range lines {
			raw, err := canon.Canonicalize([]byte(l))
			if err != nil {
				panic(err)
			}
			e.Records = append(e.Records, Record{Seq: first + int64(i), Raw: raw,
				Typed: strings.Contains(l, `"origin":"user"`)})
		}
		return e
	}
	return Evidence{
		Exchanges: []Exchange{
			x(1, user("Look at the parser today. For this project, always run make lint before a commit.\nActually, name branches after tickets. このプロジェクトではタブを使います。"),
				assistant("For this project, always run make lint before a commit.")),
			x(3, user("What does go.mod say?"), call("c1", "read", "go.mod"),
				result("c1", "read", "1\tmodule kettle\r\n2\t\n3\tgo 1.26\n4\tlong line"+CutMarkForTest),
				assistant(`go.mod contains "go 1.26"`)),
		},
		Known: map[string]Known{"f-a": {1, 1}, "f-b": {1, 2}, "f-c": {1, 0}},
	}
}

// CutMarkForTest is the end of a cut line.
const CutMarkForTest = learned.CutMark + "12 more bytes]"

const lint = "For this project, always run make lint before a commit."

func prefer(text string, seqs ...int64) Candidate {
	return Candidate{Kind: learned.KindPreference, Text: text, Quote: text, Seqs: seqs}
}

func holds(text, quote string, seqs ...int64) Candidate {
	return Candidate{Kind: learned.KindFact, Text: text, Quote: quote, Seqs: seqs}
}

// TestJudge has a row for every code of the seed that a candidate can get, and
// the boundaries of what passes.
func TestJudge(t *testing.T) {
	goMod := `go.mod contains "go 1.26"`
	but := func(c Candidate, change func(*Candidate)) Candidate { change(&c); return c }
	for _, c := range []struct {
		name string
		c    Candidate
		with func(*Evidence)
		want string // decision or reason, and why it is only proposed
	}{
		{"a preference within a longer message", prefer(lint, 1), nil, "accepted"},
		{"a cropped one", prefer("always run make lint", 1), nil, "accepted"},
		{"in another language", prefer("このプロジェクトではタブを使います。", 1), nil, "accepted"},
		{"a project fact", holds(goMod, "3\tgo 1.26", 3, 4, 5, 6), nil, "accepted"},

		{"malformed", Candidate{Malformed: true}, nil, "candidate_schema"},
		{"no kind", but(prefer(lint, 1), func(c *Candidate) { c.Kind = "" }), nil, "candidate_schema"},
		{"another kind", but(prefer(lint, 1), func(c *Candidate) { c.Kind = "Explicit_user_preference" }), nil, "candidate_schema"},

		{"no text", but(prefer(lint, 1), func(c *Candidate) { c.Text = "" }), nil, "invalid_text"},
		{"no quote", but(prefer(lint, 1), func(c *Candidate) { c.Quote = "" }), nil, "invalid_text"},
		{"blank", prefer(" \n", 1), nil, "invalid_text"},
		{"513 bytes", prefer(strings.Repeat("x", 513), 1), nil, "invalid_text"},
		{"half a rune", prefer("\xe3\x81", 1), nil, "invalid_text"},
		{"a terminal escape", prefer("\x1b[2J", 1), nil, "invalid_text"},

		{"no source", prefer(lint), nil, "invalid_source"},
		{"a record that was not supplied", prefer(lint, 7), nil, "invalid_source"},
		{"twice the same", prefer(lint, 1, 1), nil, "invalid_source"},
		{"a part of an exchange", holds(goMod, "3\tgo 1.26", 4, 5, 6), nil, "invalid_source"},
		{"two exchanges", holds(goMod, "3\tgo 1.26", 1, 2, 3, 4, 5, 6), nil, "invalid_source"},
		{"descending", holds(goMod, "3\tgo 1.26", 6, 5, 4, 3), nil, "invalid_source"},

		{"the assistant repeats it", prefer(lint, 2), nil, "invalid_preference_source"},
		{"a tool says it", prefer("module kettle", 5), nil, "invalid_preference_source"},
		{"a whole exchange", prefer(lint, 1, 2), nil, "invalid_preference_source"},

		{"temporary", prefer("Look at the parser today.", 1), nil, "temporary_preference"},
		{"temporary and not there", prefer("only now", 1), nil, "temporary_preference"},

		{"another text", but(prefer(lint, 1), func(c *Candidate) { c.Text = "Always run make lint." }), nil, "exact_text_mismatch"},
		{"not what was said", prefer("always run make test", 1), nil, "exact_text_mismatch"},
		{"another case", prefer("for this project, always run make lint before a commit.", 1), nil, "exact_text_mismatch"},
		{"translated", prefer("We use tabs in this project.", 1), nil, "exact_text_mismatch"},
		{"another normal form", prefer("このフ\u309aロジェクトではタフ\u3099を使います。", 1), nil, "exact_text_mismatch"},
		{"over a gap", prefer("For this project, always run make lint.", 1), nil, "exact_text_mismatch"},

		{"a singleton", holds(goMod, "3\tgo 1.26", 5), nil, "unverified_project_evidence"},
		{"no such line", holds(`go.mod contains "go 1.25"`, "3\tgo 1.25", 3, 4, 5, 6), nil, "unverified_project_evidence"},
		{"another number", holds(goMod, "2\tgo 1.26", 3, 4, 5, 6), nil, "unverified_project_evidence"},
		{"no number", holds(goMod, "go 1.26", 3, 4, 5, 6), nil, "unverified_project_evidence"},
		{"not confirmed", holds(`go.mod contains "module kettle"`, "1\tmodule kettle", 3, 4, 5, 6), nil, "unverified_project_evidence"},
		{"another path", holds(`x/go.mod contains "go 1.26"`, "3\tgo 1.26", 3, 4, 5, 6), nil, "unverified_project_evidence"},
		{"an imported session", holds(goMod, "3\tgo 1.26", 3, 4, 5, 6), func(e *Evidence) { e.Imported = true }, "unverified_project_evidence"},

		{"a key in it", prefer("Use ghp_0123456789abcdefghijklmnopqrstuvwxyz always.", 1), func(e *Evidence) {
			e.Exchanges[0].Records[0].Raw = []byte(user("Use ghp_0123456789abcdefghijklmnopqrstuvwxyz always."))
		}, "secret_like"},

		{"a fact that was not shown", but(prefer(lint, 1), func(c *Candidate) { c.Conflicts = []string{"f-z"} }), nil, "invalid_conflicts"},
		{"a fact that was corrected since", but(prefer(lint, 1), func(c *Candidate) { c.Conflicts = []string{"f-b"} }), nil, "invalid_conflicts"},
		{"a fact that is gone", but(prefer(lint, 1), func(c *Candidate) { c.Conflicts = []string{"f-c"} }), nil, "invalid_conflicts"},
		{"the same twice", but(prefer(lint, 1), func(c *Candidate) { c.Conflicts = []string{"f-a", "f-a"} }), nil, "invalid_conflicts"},
		{"not even an ID", but(prefer(lint, 1), func(c *Candidate) { c.Conflicts = []string{""} }), nil, "invalid_conflicts"},

		{"a conflict", but(prefer(lint, 1), func(c *Candidate) { c.Conflicts = []string{"f-a"} }), nil, "proposed conflict"},
		{"not sure", but(prefer(lint, 1), func(c *Candidate) { c.Proposal = true }), nil, "proposed uncertain"},
		{"a correction", prefer("Actually, name branches after tickets.", 1), nil, "proposed correction"},
		{"a correction, cropped", prefer("name branches after tickets.", 1), nil, "proposed correction"},
		{"an imported session", prefer(lint, 1), func(e *Evidence) { e.Imported = true }, "proposed imported"},
		{"a fact, not sure", but(holds(goMod, "3\tgo 1.26", 3, 4, 5, 6), func(c *Candidate) { c.Proposal = true }), nil, "proposed uncertain"},
	} {
		e := scene()
		if c.with != nil {
			c.with(&e)
		}
		v := Judge(c.c, e)
		got := string(v.Decision)
		switch v.Decision {
		case Refused:
			got = string(v.Reason)
		case Proposed:
			got += " " + v.Why
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if (len(v.Records) > 0) != (v.Decision != Refused) {
			t.Errorf("%s: %d records of evidence", c.name, len(v.Records))
		}
	}
}

// TestJudgeProjectFact: what is no reading of the file by the local tool proves nothing.
func TestJudgeProjectFact(t *testing.T) {
	text, quote := `a/b.go contains "x := \"1\""`, "7\tx := \"1\""
	for _, c := range []struct {
		name  string
		lines []string
		want  bool
	}{
		{"as it should be", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", "6\ty\n"+quote+"\n8\t"), assistant(text)}, true},
		{"with a CR", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", quote+"\r\n"), assistant(text)}, true},
		{"confirmed by the user first", []string{user(text), call("c", "read", "a/b.go"), result("c", "read", quote), assistant("yes")}, true},
		{"no confirmation", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", quote), assistant("It " + text)}, false},
		{"confirmed with a line end more", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", quote), assistant(text + "\n")}, false},
		{"confirmed by nobody", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", quote), synthetic(text), assistant("yes")}, false},
		{"another tool", []string{user("?"), call("c", "bash", "a/b.go"), result("c", "bash", quote), assistant(text)}, false},
		{"a tool of MCP", []string{user("?"), call("c", "mcp__fs__read", "a/b.go"), result("c", "mcp__fs__read", quote), assistant(text)}, false},
		{"another tool's result", []string{user("?"), call("c", "read", "a/b.go"), result("c", "web", quote), assistant(text)}, false},
		{"another path", []string{user("?"), call("c", "read", "a/c.go"), result("c", "read", quote), assistant(text)}, false},
		{"an absolute path", []string{user("?"), call("c", "read", "/a/b.go"), result("c", "read", quote), assistant(`/` + text)}, false},
		{"a path that leaves", []string{user("?"), call("c", "read", "../a/b.go"), result("c", "read", quote), assistant(`../` + text)}, false},
		{"another call's result", []string{user("?"), call("c", "read", "a/b.go"), call("d", "read", "x"), result("d", "read", quote), assistant(text)}, false},
		{"a result before its call", []string{user("?"), result("c", "read", quote), call("c", "read", "a/b.go"), assistant(text)}, false},
		{"an ID used twice", []string{user("?"), call("c", "read", "a/b.go"), call("c", "read", "a/b.go"), result("c", "read", quote), assistant(text)}, false},
		{"an error", []string{user("?"), call("c", "read", "a/b.go"), strings.Replace(result("c", "read", quote), `"is_error":false`, `"is_error":true`, 1), assistant(text)}, false},
		{"a cut line", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", quote+CutMarkForTest), assistant(`a/b.go contains "x := \"1\"` + CutMarkForTest + `"`)}, false},
		{"a line within a line", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", "1\t"+quote), assistant(text)}, false},
		{"JSON that is not canonical", []string{user("?"), call("c", "read", "a/b.go"), result("c", "read", "7\té"), assistant(`a/b.go contains "\u00e9"`)}, false},
	} {
		e := Evidence{Exchanges: []Exchange{{}}}
		x := &e.Exchanges[0]
		claim := holds(text, quote)
		for i, l := range c.lines {
			raw, err := canon.Canonicalize([]byte(l))
			if err != nil {
				t.Fatal(err)
			}
			x.Records = append(x.Records, Record{Seq: int64(i + 1), Raw: raw, Typed: strings.Contains(l, `"origin":"user"`)})
			claim.Seqs = append(claim.Seqs, int64(i+1))
		}
		switch c.name {
		case "an absolute path":
			claim.Text = "/" + text
		case "a path that leaves":
			claim.Text = "../" + text
		case "a cut line":
			claim.Text, claim.Quote = `a/b.go contains "x := \"1\"`+CutMarkForTest+`"`, quote+CutMarkForTest
		case "JSON that is not canonical":
			claim.Text, claim.Quote = `a/b.go contains "\u00e9"`, "7\té"
		}
		if v := Judge(claim, e); (v.Decision == Accepted) != c.want {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, words := range []string{"For this task only, use npm.", "TODAY deploy to staging", "today's branch", "for  \n now, spaces", "(currently)", "use it at the\tmoment"} {
		if !Temporary(words) {
			t.Errorf("%q is not temporary", words)
		}
	}
	for _, words := range []string{"Use the commonly known name.", "read-write", "todays", "this weekly report", "for nowhere", "contemporary style", "これは今日だけ", ""} {
		if Temporary(words) {
			t.Errorf("%q is temporary", words)
		}
	}
	for _, words := range []string{"Correction: use spaces.", "No longer use npm.", "I WAS WRONG, use pnpm", "please correct that: tabs", "actually spaces"} {
		if !Corrects(words) {
			t.Errorf("%q takes nothing back", words)
		}
	}
	for _, words := range []string{"correctional: x", "factually right", "Make corrections politely."} {
		if Corrects(words) {
			t.Errorf("%q takes something back", words)
		}
	}
}

func TestCropped(t *testing.T) {
	for _, c := range []struct {
		before, quote, after string
		want                 bool
	}{
		{"", "Use tabs.", "", false},
		{"Hello. ", "Use tabs.", " Bye.", false},
		{"Rules:\n- ", "use tabs", "\n- run lint", false},
		{"", "Never commit to main", " unless CI is red, for now.", true},
		{"Never ", "commit to main", " unless CI is red, for now.", true},
		{"you should not ", "use tabs.", "", true},
		{"好。", "使用制表符。", "谢谢", false},
		{"She said \"", "use tabs.", "\" and left", true},
	} {
		if got := Cropped(c.before, c.quote, c.after); got != c.want {
			t.Errorf("%q in %q…%q: cropped %v", c.quote, c.before, c.after, got)
		}
	}
}

func TestSecret(t *testing.T) {
	join := strings.Join // so that no scanner takes this file for a leak
	for _, text := range []string{
		join([]string{"my key is AKIA", "IOSFODNN7EXAMPLE"}, ""), join([]string{"ghp_", strings.Repeat("a1", 18)}, ""),
		"x\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc", join([]string{"(xoxb-", "1234567890-abc)"}, ""),
		join([]string{"sk-ant-", strings.Repeat("x", 30)}, ""), join([]string{"key=AIza", strings.Repeat("B", 35)}, ""),
	} {
		if secret.Kind(text) == "" {
			t.Errorf("%q holds none", text)
		}
	}
	for _, text := range []string{"Keys begin with AKIA.", "ghp_short", "sk-learn is used", "task-0123456789012345678901234567890123456789",
		"Never commit a private key.", "-----BEGIN CERTIFICATE-----", "MAKIAIOSFODNN7EXAMPLE", "0d5f1c6a9e8b7a6d5c4b3a2918070605"} {
		if kind := secret.Kind(text); kind != "" {
			t.Errorf("%q holds a %s", text, kind)
		}
	}
}
