package offline

import (
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/provider"
)

func says(seq int64, role, text string) Record {
	return Record{Role: role, Seq: seq, Content: []provider.Block{provider.Text(text)}}
}

func calls(seq int64, id, name, arguments string) Record {
	return Record{Role: provider.RoleAssistant, Seq: seq, Content: []provider.Block{
		{Type: provider.TypeToolCall, ID: id, Name: name, Arguments: jsontext.Value(arguments)}}}
}

func gives(seq int64, id, text string, isError bool) Record {
	return Record{Role: provider.RoleTool, Seq: seq, Content: []provider.Block{
		{Type: provider.TypeToolResult, ID: id, Text: text, IsError: isError, Files: []provider.Block{}}}}
}

const (
	user      = provider.RoleUser
	agentRole = provider.RoleAssistant
)

// small is a session with something for every heading.
func small() Input {
	return Input{Records: []Record{
		says(1, user, "Hi! We always use tabs here. The kettle total in src/kettle.go is off by 0.07 litres. Please find out why."),
		calls(2, "c1", "bash", `{"command":"go test ./..."}`),
		gives(3, "c1", "Exit code 1\n--- FAIL: TestBoil (0.00s)\n    kettle_test.go:9: got 0.93, want 1\nFAIL", true),
		says(4, agentRole, "The spout loses 0.07 litres at 96 degrees."),
		calls(5, "c2", "edit", `{"file_path":"src/kettle.go","new_string":"x","old_string":"y"}`),
		gives(6, "c2", "ok", false),
		calls(7, "c3", "bash", `{"command":"go test ./..."}`),
		gives(8, "c3", "ok  \texample.com/kettle\t0.2s", false),
		calls(9, "c4", "bash", `{"command":"make lint"}`),
		gives(10, "c4", "kettle.go:3: error: Spout is unused\nexit status 2", false),
		says(11, agentRole, "Fixed. Instead of litres the spout now counts millilitres. The docs are not yet updated."),
		says(12, user, "Good. Who sells the Zanzibar model?"),
		says(13, agentRole, "Only Brewster & Sons, order number BX-2207."),
	}}
}

func TestSummary(t *testing.T) {
	got := Summary(small(), 2048, threeBytes)
	want := `Quoted from the log; [n] is the seq of the record.

## Requests
- [1] The kettle total in src/kettle.go is off by 0.07 litres. Please find out why.
- [12] Who sells the Zanzibar model?

## Rules and preferences
- [1] We always use tabs here.

## Decisions
- [11] Instead of litres the spout now counts millilitres.

## Results
- [13] Only Brewster & Sons, order number BX-2207.

## Files changed
- src/kettle.go [5]

## Commands
- go test ./... → ok [8], failed before [3]: ok  	example.com/kettle	0.2s

## Errors
- [3] --- FAIL: TestBoil (0.00s)
- [10] kettle.go:3: error: Spout is unused

## Facts
- [4] The spout loses 0.07 litres at 96 degrees.

## Open points
- make lint → failed [10]: kettle.go:3: error: Spout is unused
- [11] The docs are not yet updated.
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestMergeIsStable: a summary of a prior summary and nothing new is that summary.
func TestMergeIsStable(t *testing.T) {
	first := Summary(small(), 2048, threeBytes)
	again := Summary(Input{Prior: first}, 2048, threeBytes)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("(-first +again)\n%s", diff)
	}
}

// TestMergeSettles: what the new transcript settles is an open point no more.
func TestMergeSettles(t *testing.T) {
	prior := Summary(small(), 2048, threeBytes)
	got := Summary(Input{Prior: prior, Records: []Record{
		says(20, user, "And the rest?"),
		calls(21, "d1", "bash", `{"command":"make lint"}`),
		gives(22, "d1", "0 issues", false),
		says(23, agentRole, "I updated the docs; that is done."),
		calls(24, "d2", "bash", `{"command":"rm src/kettle.go"}`),
		gives(25, "d2", "", false),
		says(26, agentRole, "The old file is gone."),
	}}, 2048, threeBytes)
	for _, want := range []string{
		"- make lint → ok [22], failed before [10]: 0 issues\n",
		"- src/kettle.go [5,24] removed\n",
		"- [20] And the rest?\n",
		"- [1] We always use tabs here.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "## Open points") {
		t.Errorf("open points are left in\n%s", got)
	}
}

// TestQuestions: the agent's last question is open until the user has said something.
func TestQuestions(t *testing.T) {
	in := Input{Records: []Record{
		says(1, user, "Paint the kettle red, please."),
		says(2, agentRole, "The kettle is red now. Shall I paint the lid as well?"),
	}}
	first := Summary(in, 2048, threeBytes)
	if !strings.HasSuffix(first, "## Open points\n- [2] Shall I paint the lid as well?\n") {
		t.Errorf("the question is not open:\n%s", first)
	}
	then := Summary(Input{Prior: first, Records: []Record{says(3, user, "Leave it black."), says(4, agentRole, "The lid stays black.")}}, 2048, threeBytes)
	if strings.Contains(then, "Open points") || !strings.Contains(then, "Leave it black.") {
		t.Errorf("the question is still open:\n%s", then)
	}
}

// TestUnanswered: a message that nothing was said to is a request and an open point, until something is.
func TestUnanswered(t *testing.T) {
	in := Input{Records: []Record{says(1, user, "Paint the kettle red, please.")}}
	first := Summary(in, 2048, threeBytes)
	if !strings.HasSuffix(first, "## Open points\n- [1 user] Paint the kettle red, please.\n") {
		t.Errorf("the request is not open:\n%s", first)
	}
	then := Summary(Input{Prior: first, Records: []Record{says(2, agentRole, "It is red.")}}, 2048, threeBytes)
	if strings.Contains(then, "Open points") {
		t.Errorf("the request is still open:\n%s", then)
	}
}

// TestManyRounds: fifty rounds with a rule, an open point and a number each keep
// to the cap, and of what had to go the oldest open points went.
func TestManyRounds(t *testing.T) {
	prior := ""
	for round := range int64(50) {
		n := strconv.FormatInt(round, 10)
		prior = checkSummary(t, Input{Prior: prior, Records: []Record{
			says(10*round+1, user, "Boil kettle number "+n+" for the quay. From now on kettle k"+n+" never boils dry."),
			says(10*round+2, agentRole, "Kettle k"+n+" holds "+n+"07 litres. The lid of k"+n+" is not yet polished."),
		}}, 1000)
	}
	for _, want := range []string{"- [491] Boil kettle number 49 for the quay.", "- [1] Boil kettle number 0 for the quay.",
		"- [491] From now on kettle k49 never boils dry.", "- [492] The lid of k49 is not yet polished."} {
		if !strings.Contains(prior, want) {
			t.Errorf("no %q in\n%s", want, prior)
		}
	}
}

// TestOpenPointsGoLast: with less and less room, open points, rules and decisions are there longest.
func TestOpenPointsGoLast(t *testing.T) {
	prior := Summary(small(), 2048, threeBytes)
	lost := map[string]int64{}
	for room := int64(600); room > 0; room-- {
		s := Summary(Input{Prior: prior}, room, threeBytes)
		for _, h := range []string{"Open points", "Rules and preferences", "Decisions", "Requests", "Facts", "Commands"} {
			if lost[h] == 0 && !strings.Contains(s, "## "+h) {
				lost[h] = room
			}
		}
	}
	order := []string{"Open points", "Rules and preferences", "Decisions", "Requests", "Commands", "Facts"}
	for i := 1; i < len(order); i++ {
		if lost[order[i-1]] > lost[order[i]] {
			t.Errorf("%s is lost at %d tokens, before %s at %d", order[i-1], lost[order[i-1]], order[i], lost[order[i]])
		}
	}
}

// TestForeignPrior: the summary of another model is kept by its headings and lines.
func TestForeignPrior(t *testing.T) {
	prior := "# Summary\n\nThe user builds a kettle.\n\n## Next steps\n1. Renew certificate CX-9.\n* Ask Ada.\n\n### User preferences\n- Answers in French\n\n## Key decisions:\n- Postgres, not Redis\n"
	got := Summary(Input{Prior: prior, Records: []Record{says(9, user, "Go on then."), says(10, agentRole, "Gladly, certificate first.")}}, 2048, threeBytes)
	want := `Quoted from the log; [n] is the seq of the record.

## Requests
- [9] Go on then.

## Rules and preferences
- Answers in French

## Decisions
- Postgres, not Redis

## Results
- [10] Gladly, certificate first.

## Facts
- The user builds a kettle.

## Open points
- Renew certificate CX-9.
- Ask Ada.
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLeast(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Input
		room int64
		want string
	}{
		{"nothing", Input{}, 100, ""},
		{"an empty message", Input{Records: []Record{{Role: user, Seq: 1}}}, 100, "1 messages without a word to quote."},
		{"one word", Input{Records: []Record{says(1, agentRole, "ok")}}, 100, "ok"},
		{"no room for a line", small(), 5, "Only Brewster &"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Summary(c.in, c.room, threeBytes)
			if c.name == "no room for a line" {
				if threeBytes(got) > c.room || got == "" {
					t.Errorf("got %q", got)
				}
				return
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
