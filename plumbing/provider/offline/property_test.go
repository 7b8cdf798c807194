package offline

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/provider"
)

// checkSummary holds what every summary promises: the same again for the same
// input, within the cap, valid, never empty for an input that is not, and
// nothing in it that does not stand in the input.
func checkSummary(t *testing.T, in Input, room int64) string {
	t.Helper()
	got := Summary(in, room, threeBytes)
	if again := Summary(in, room, threeBytes); again != got {
		t.Fatalf("cap %d: two answers to one request", room)
	}
	if n := threeBytes(got); n > room {
		t.Fatalf("cap %d: %d tokens", room, n)
	}
	if !utf8.ValidString(got) {
		t.Fatalf("cap %d: not valid UTF-8", room)
	}
	if got == "" && (len(in.Records) > 0 || strings.TrimSpace(clean(in.Prior)) != "") {
		t.Fatalf("cap %d: an empty summary of something", room)
	}
	checkQuotes(t, in, got)
	return got
}

// checkQuotes looks for every entry of a summary in the input.
func checkQuotes(t *testing.T, in Input, summary string) {
	t.Helper()
	if !strings.HasPrefix(summary, preface) && !strings.HasPrefix(summary, "## ") {
		return // the last resort: a beginning of a sentence, or how many messages there were
	}
	hay := everything(in)
	for _, it := range priorItems(summary) {
		for _, quote := range []string{it.text, it.tail} {
			quote = strings.TrimSpace(strings.TrimSuffix(quote, "…"))
			if quote != "" && quote != removedTail && !strings.Contains(hay, quote) {
				t.Fatalf("%q (%s) does not stand in the input", quote, it.kind.heading())
			}
		}
	}
}

func everything(in Input) string {
	var b strings.Builder
	b.WriteString(clean(in.Prior) + "\n")
	for _, r := range in.Records {
		for _, c := range r.Content {
			b.WriteString(clean(c.Text) + "\n")
			args := gjson.ParseBytes(c.Arguments)
			args.ForEach(func(_, v gjson.Result) bool {
				b.WriteString(clean(v.String()) + "\n")
				return true
			})
			b.WriteString((&call{args: args}).commandLine() + "\n")
		}
	}
	return b.String()
}

// TestProperties runs the real transcripts through six rounds at random caps.
func TestProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, k := range corpus(t) {
		in := Input{}
		for from := 0; from < len(k.records); {
			to := min(len(k.records), from+1+rng.IntN(20))
			in.Records = k.records[from:to]
			in.Prior = checkSummary(t, in, 64+rng.Int64N(2500))
			from = to
		}
	}
}

// TestPropertiesOfRandomTexts does the same with sessions made up of odd pieces.
func TestPropertiesOfRandomTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	for range 3000 {
		in := Input{}
		for range rng.IntN(4) {
			in.Records = nil
			for seq := range int64(rng.IntN(12)) {
				in.Records = append(in.Records, randomRecord(rng, seq+1))
			}
			in.Prior = checkSummary(t, in, 64+rng.Int64N(600))
		}
	}
}

var pieces = []string{"We ", "always ", "don't ", "kettle.go ", "src/a/b.go", " — ", "…", "\n", "\n- ", "\n## Open points\n", "[3] ", "[3 user] ", "; ", " → ok [4]", " → failed [9], ok before [2]: x",
	"`", "\"", "```\n", "TODO ", "37 shards", "0x1f", "naïve 東京 ", "\x1b[31mred\x1b[0m", "\r\n", "\u2028", "\t", "\xff", "Error: no\n", "Exit code 3\n", "make ship A=b ", "*** Update File: q.txt\n", ". So", ". ", "? ", "removed", "# ", "> ", "1. ", "<b> ", " ", "Instead of x use y. ", "\x00", "\u200b"}

func randomText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(30) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

func randomRecord(rng *rand.Rand, seq int64) Record {
	switch rng.IntN(4) {
	case 0:
		return Record{Role: user, Seq: seq, Synthetic: rng.IntN(3) == 0, Content: []provider.Block{provider.Text(randomText(rng))}}
	case 1:
		return says(seq, agentRole, randomText(rng))
	case 2:
		text, _ := json.Marshal(strings.ToValidUTF8(randomText(rng), "?"))
		key := []string{"command", "path", "input", "file_path"}[rng.IntN(4)]
		return calls(seq, "c", []string{"bash", "edit", "apply_patch", "x"}[rng.IntN(4)], `{"`+key+`":`+string(text)+`}`)
	}
	return gives(seq, "c", randomText(rng), rng.IntN(2) == 0)
}

// FuzzComplete: whatever stands in a request, the answer is within its cap.
func FuzzComplete(f *testing.F) {
	f.Add(compactLine, openMark+blockTranscript+"\n"+`{"content":[{"text":"We always use tabs.","type":"text"}],"role":"user","seq":1}`+"\n"+closeMark+blockTranscript+"\n", int64(64))
	f.Add(compactLine, openMark+blockPrior+"\n\"## Open points\\n- [3] x → failed [4]: y\"\n"+closeMark+blockPrior+"\n", int64(300))
	f.Add(memorySection, "tabs?", int64(200))
	f.Add("", "", int64(1))
	f.Fuzz(func(t *testing.T, system, text string, room int64) {
		room = 64 + room&0xfff
		r := provider.Request{MaxOutputTokens: room, System: system,
			Messages: []provider.Message{{Role: provider.RoleUser, Content: []provider.Block{provider.Text(text)}}}}
		response, err := New(Options{}).Complete(context.Background(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := threeBytes(response.Text()); n > room || !utf8.ValidString(response.Text()) {
			t.Fatalf("%d tokens of %d: %q", n, room, response.Text())
		}
		if in, ok := readFrame(r); ok {
			checkSummary(t, in, room)
		}
	})
}
