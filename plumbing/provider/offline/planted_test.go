package offline

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/provider"
)

const (
	rounds    = 6
	partBytes = 100_000 // of a request to compact (design section 13)
)

var planCap int64 = 2048 // tokens of a summary

// TestPlanted measures how many planted statements still stand after six
// compactions, beside a head-and-tail cut of the same size; -v prints the
// table. What it holds is a floor under the figures, not the figures.
func TestPlanted(t *testing.T) {
	talks := corpus(t)
	all := slices.Concat(tuning, heldOut)
	for _, c := range []struct {
		name       string
		statements []statement
		seeds      []uint64
	}{
		{"tuning half, tuning seed", tuning, []uint64{1}},
		{"held-out half, seed 2", heldOut, []uint64{2}},
		{"held-out half, seeds 2..11", heldOut, seedsFrom(2, 10)},
		{"all 60, seed 2", all, []uint64{2}},
		{"all 60, seeds 2..11", all, seedsFrom(2, 10)},
	} {
		table := newSurvival()
		for _, seed := range c.seeds {
			measure(t, talks, c.statements, seed, table)
		}
		t.Logf("%s\n%s", c.name, table)
		if sum, cut := table.share("summary"), table.share("cut"); sum < 5*cut || sum < 0.6 {
			t.Errorf("%s: %.2f of the statements stand in the summary, %.2f in a plain cut", c.name, sum, cut)
		}
	}
}

// TestPlantedHasNoCues holds the statements to their word: no cue word helps to find them.
func TestPlantedHasNoCues(t *testing.T) {
	for _, s := range slices.Concat(tuning, heldOut) {
		for name, cues := range map[string]string{"rule": ruleCues, "once": onceCues, "decision": decisionCues,
			"open": openCues, "done": doneCues, "error": errorCues} {
			if has(s.text, cues) {
				t.Errorf("%q holds a cue of a %s", s.text, name)
			}
		}
		if !strings.Contains(s.text, s.key) {
			t.Errorf("%q does not hold its key %q", s.text, s.key)
		}
	}
}

func seedsFrom(first uint64, n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = first + uint64(i)
	}
	return list
}

// measure plants the statements, compacts six times and notes what stands.
func measure(t *testing.T, talks []talk, statements []statement, seed uint64, into *survival) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	parts := plant(t, talks, statements, rng)
	summary, cut := "", ""
	for _, part := range parts {
		in := Input{Prior: summary, Records: part}
		response, err := New(Options{Tokens: budget.Tokens}).Complete(context.Background(), compactRequest(t, in, planCap), nil)
		if err != nil {
			t.Fatal(err)
		}
		summary = response.Text()
		if n := budget.Tokens(summary); n > planCap {
			t.Fatalf("a summary of %d tokens, cap %d", n, planCap)
		}
		cut = headAndTail(cut, part)
	}
	for _, s := range statements {
		into.note(s, summary, cut)
	}
	into.last = summary
}

// plant joins the talks in an order that the seed gives into six parts of at
// most 100,000 bytes as a request has them, and puts each statement at the
// beginning, the end or the middle of a text that a person or a model wrote.
func plant(t *testing.T, talks []talk, statements []statement, rng *rand.Rand) [][]Record {
	t.Helper()
	session := joined(talks, rng)
	sizes := make([]int, len(session)+1) // of what stands before each record
	for i, r := range session {
		sizes[i+1] = sizes[i] + len(line(t, r)) + 1
	}
	starts := []int{0}
	for k := 1; k < rounds; k++ {
		starts = append(starts, nearest(session, sizes, starts[k-1], k*sizes[len(session)]/rounds))
	}
	const most = partBytes - 2000 // room for what is planted
	var kept []Record
	var bounds []int
	for k, from := range starts {
		to, size := len(session), 0
		if k+1 < rounds {
			to = starts[k+1]
		}
		for i := from; i < to; i++ {
			if n := sizes[i+1] - sizes[i]; size+n <= most {
				size += n
				kept = append(kept, session[i])
			}
		}
		bounds = append(bounds, len(kept))
	}
	spots := textBlocks(kept)
	rng.Shuffle(len(spots), func(i, j int) { spots[i], spots[j] = spots[j], spots[i] })
	for i, s := range statements {
		b := &kept[spots[i][0]].Content[spots[i][1]]
		b.Text = put(b.Text, s.text, rng)
	}
	var parts [][]Record
	from := 0
	for _, to := range bounds {
		parts = append(parts, kept[from:to])
		from = to
	}
	return parts
}

// nearest is the user message behind after that begins nearest to a size.
func nearest(session []Record, sizes []int, after, size int) int {
	best := after + 1
	for i := after + 1; i < len(session); i++ {
		if session[i].Role == provider.RoleUser && (session[best].Role != provider.RoleUser || abs(sizes[i]-size) < abs(sizes[best]-size)) {
			best = i
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// joined is one long session, with seqs that go on.
func joined(talks []talk, rng *rand.Rand) []Record {
	order := rng.Perm(len(talks))
	var session []Record
	seq := int64(0)
	for _, i := range order {
		base := seq
		for _, r := range talks[i].records {
			r.Seq += base
			r.Content = slices.Clone(r.Content)
			session = append(session, r)
			seq = r.Seq
		}
	}
	return session
}

// textBlocks are the places of texts written by a person or a model.
func textBlocks(session []Record) [][2]int {
	var spots [][2]int
	for i, r := range session {
		if r.Synthetic {
			continue
		}
		for j, b := range r.Content {
			if b.Type == provider.TypeText && strings.TrimSpace(b.Text) != "" {
				spots = append(spots, [2]int{i, j})
			}
		}
	}
	return spots
}

// put adds a sentence to a text: before it, behind it, or between two of its lines of words.
func put(text, s string, rng *rand.Rand) string {
	switch rng.IntN(3) {
	case 0:
		return s + " " + text
	case 1:
		if at := strings.Index(text, "\n\n"); at > 0 && strings.Count(text[:at], "```") == 0 {
			return text[:at] + " " + s + text[at:]
		}
	}
	text = strings.TrimRight(text, " \n")
	if strings.HasSuffix(text, "```") || strings.HasSuffix(text, ">") { // behind code, not in it
		return text + "\n\n" + s
	}
	return text + " " + s
}

// headAndTail is the plain cut that the summary is held against: what was kept
// and the new text, its first and its last half of the same number of bytes.
func headAndTail(before string, part []Record) string {
	var b strings.Builder
	b.WriteString(before)
	for _, r := range part {
		for _, c := range r.Content {
			b.WriteString(c.Text + string(c.Arguments) + "\n")
		}
	}
	text := b.String()
	half := int(planCap) * 3 / 2
	if len(text) <= 2*half {
		return text
	}
	head, tail := half, len(text)-half
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + text[tail:]
}

// survival counts by kind.
type survival struct {
	order []string
	of    map[string]map[string]int // kind: column: count
	last  string
}

func newSurvival() *survival {
	return &survival{order: []string{"path", "identifier", "number", "decision", "error", "command"}, of: map[string]map[string]int{}}
}

func (s *survival) note(st statement, summary, cut string) {
	row := s.of[st.kind]
	if row == nil {
		row = map[string]int{}
		s.of[st.kind] = row
	}
	row["planted"]++
	whole := strings.TrimRight(st.text, ".")
	for column, holds := range map[string]bool{
		"summary": strings.Contains(summary, st.key), "whole": strings.Contains(summary, whole), "cut": strings.Contains(cut, st.key),
	} {
		if holds {
			row[column]++
		}
	}
}

func (s *survival) share(column string) float64 {
	n, of := 0, 0
	for _, row := range s.of {
		n += row[column]
		of += row["planted"]
	}
	return float64(n) / float64(max(of, 1))
}

// String is the table: of each kind how many were planted, the share whose key
// stands in the summary, the share that stands whole, and the share whose key
// stands in the plain cut.
func (s *survival) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-12s %8s %8s %8s %13s\n", "kind", "planted", "summary", "whole", "head and tail")
	for _, k := range s.order {
		row := s.of[k]
		n := float64(max(row["planted"], 1))
		fmt.Fprintf(&b, "%-12s %8d %8.2f %8.2f %13.2f\n", k, row["planted"], float64(row["summary"])/n, float64(row["whole"])/n, float64(row["cut"])/n)
	}
	fmt.Fprintf(&b, "%-12s %8s %8.2f %8.2f %13.2f\n", "all", "", s.share("summary"), s.share("whole"), s.share("cut"))
	return b.String()
}
