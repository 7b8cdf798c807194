package transcript

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// node is a line of the tree with a name to know it by.
func node(uuid, parent string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":"system","uuid":%q,"parentUuid":%s}`, uuid, p)
}

func uuids(records []string) string {
	var out []string
	for _, r := range records {
		out = append(out, decodeObject([]byte(r)).object("foreign").text("uuid"))
	}
	return strings.Join(out, " ")
}

func TestOrder(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
		moved int64
	}{
		"in order":                  {[]string{node("a", ""), node("b", "a"), node("c", "b")}, "a b c", 0},
		"an answer before its line": {[]string{node("c", "b"), node("d", "c"), `{"type":"mode","uuid":"m"}`, node("a", ""), node("b", "a"), node("e", "d")}, "m a b c d e", 2},
		"backwards":                 {[]string{node("d", "c"), node("c", "b"), node("b", "a"), node("a", "")}, "a b c d", 3},
		"a fork":                    {[]string{node("a", ""), node("b", "a"), node("c", "a")}, "a b c", 0},
		"two wait for one":          {[]string{node("c", "a"), node("b", "a"), node("x", "c"), node("a", ""), node("z", "")}, "a c b x z", 3},
		"a parent that is nowhere":  {[]string{node("b", "gone"), node("c", "b")}, "b c", 0},
		"its own parent":            {[]string{node("a", "a"), node("b", "a")}, "a b", 0},
		"a ring":                    {[]string{node("x", ""), node("a", "b"), node("b", "a"), node("c", "b"), node("y", "x")}, "x y a b c", 3},
		"the same uuid twice":       {[]string{node("a", ""), node("b", "a"), node("a", "b")}, "a b a", 0},
		"no links":                  {[]string{`{"type":"mode","uuid":"m"}`, `{"type":"mode","uuid":"n","parentUuid":7}`}, "m n", 0},
		"compacted":                 {[]string{node("a", ""), `{"type":"system","subtype":"compact_boundary","uuid":"k","parentUuid":null,"logicalParentUuid":"z"}`, node("z", "k")}, "a k z", 0},
	} {
		t.Run(name, func(t *testing.T) {
			records, report := read(t, formatClaude, lines(c.lines...))
			if got := uuids(records); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if report.Moved != c.moved {
				t.Errorf("moved %d, want %d", report.Moved, c.moved)
			}
		})
	}
}

// TestOrderLosesNothing shuffles a forest: every line comes out once, each
// behind its parent.
func TestOrderLosesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		parent := map[string]string{}
		var all []string
		for i := range 40 {
			p := ""
			if i > 0 && rnd.IntN(8) > 0 {
				p = fmt.Sprint("u", rnd.IntN(i))
			}
			parent[fmt.Sprint("u", i)] = p
			all = append(all, node(fmt.Sprint("u", i), p))
		}
		rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		records, _ := read(t, formatClaude, lines(all...))
		got := strings.Fields(uuids(records))
		if len(got) != len(all) {
			t.Fatalf("%d lines came out, %d went in", len(got), len(all))
		}
		for i, u := range got {
			if p := parent[u]; p != "" && !slices.Contains(got[:i], p) {
				t.Fatalf("%s came before its parent %s in %v", u, p, got)
			}
		}
	}
}

// prefixes checks that the records of every part, cut at a line end, are the
// first of the whole, and returns the cuts for which they are not.
func prefixes(t *testing.T, text string) (differ []int) {
	t.Helper()
	whole := drain(t, formatClaude, text)
	all := strings.SplitAfter(text, "\n")
	for cut := 1; cut < len(all); cut++ {
		part := strings.Join(all[:cut], "")
		if strings.TrimSpace(part) == "" {
			continue
		}
		records := drain(t, formatClaude, part)
		if len(records) > len(whole) || !slices.Equal(records, whole[:len(records)]) {
			differ = append(differ, cut)
		}
	}
	return differ
}

func TestGrowth(t *testing.T) {
	answer := func(id, usage string) string {
		return `{"type":"assistant","message":{"role":"assistant","id":"` + id + `","content":"x","usage":{` + usage + `}}}`
	}
	for name, c := range map[string]struct {
		text   string
		differ []int
	}{
		"usage known late": {lines(answer("m", ""), answer("m", `"input_tokens":3,"output_tokens":1`), answer("m", `"input_tokens":3,"output_tokens":350`), answer("n", `"output_tokens":2`), answer("m", `"output_tokens":350`)), nil},
		"a promptSource later": {lines(
			`{"type":"user","message":{"role":"user","content":"A"}}`, `{"type":"user","message":{"role":"user","content":"B"}}`,
			`{"type":"user","promptSource":"typed","message":{"role":"user","content":"C"}}`, `{"type":"user","message":{"role":"user","content":"D"}}`), nil},
		"blank lines and a name for itself late": {"\n\n" + lines(`{"type":"summary"}`, "", `{"type":"mode","sessionId":"s"}`), nil},
		"a line before its parent":               {lines(node("a", ""), node("c", "b"), node("x", "a"), node("b", "a"), node("y", "x")), []int{2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.differ, prefixes(t, c.text)); diff != "" {
				t.Errorf("cuts whose records are not the first of the whole (-want +got):\n%s", diff)
			}
		})
	}
}

// TestGrowthOfRandomFiles puts lines of every kind together by chance, parents first.
func TestGrowthOfRandomFiles(t *testing.T) {
	pool := []string{
		`{"type":"user","version":"1.0.2",%s,"message":{"role":"user","content":"A <system-reminder>r</system-reminder>"}}`,
		`{"type":"user","promptSource":"typed",%s,"message":{"role":"user","content":"B"}}`,
		`{"type":"user","isMeta":true,%s,"message":{"role":"user","content":"C"}}`,
		`{"type":"assistant",%s,"message":{"role":"assistant","id":"m1","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}],"usage":{"output_tokens":1}}}`,
		`{"type":"assistant",%s,"message":{"role":"assistant","id":"m1","content":"x","usage":{"output_tokens":5}}}`,
		`{"type":"assistant",%s,"message":{"role":"assistant","id":"m2","content":[],"usage":{"input_tokens":5}}}`,
		`{"type":"user",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"out"},{"type":"text","text":"D"}]}}`,
		`{"type":"mode",%s}`, `{"type":"mode","type":"mode",%s}`, `{"type":"x","x":"\ud83d",%s}`, "",
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		all := []string{mode}
		for i := range 25 {
			links := fmt.Sprintf(`"uuid":"u%d","parentUuid":"u%d"`, i, rnd.IntN(i+1)-1)
			if line := pool[rnd.IntN(len(pool))]; line != "" {
				all = append(all, fmt.Sprintf(line, links))
			} else {
				all = append(all, line)
			}
		}
		if differ := prefixes(t, lines(all...)); differ != nil {
			t.Fatalf("cuts %v of\n%s", differ, lines(all...))
		}
	}
}
