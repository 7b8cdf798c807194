package transcript

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// dataFile is a file of the shared test data.
type dataFile struct {
	path string // below the data folder, with slashes
	data []byte
}

// dataFiles returns the real files under LECODE_TEST_DATA that match keep, and the sample of `make demo`.
func dataFiles(t *testing.T, keep func(path string) bool) []dataFile {
	t.Helper()
	root := os.Getenv("LECODE_TEST_DATA")
	if root == "" {
		t.Skip("LECODE_TEST_DATA is not set: the real transcripts are not there")
	}
	var out []dataFile
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if rel = filepath.ToSlash(rel); !keep(rel) {
			return nil
		}
		data, err := os.ReadFile(path)
		out = append(out, dataFile{rel, data})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatalf("no file under %s fits", root)
	}
	return out
}

func claudeFiles(t *testing.T) []dataFile {
	t.Helper()
	return dataFiles(t, func(p string) bool {
		return strings.HasSuffix(p, ".jsonl") && (strings.HasPrefix(p, "clients/claude-code/") || strings.HasPrefix(p, "claude-code/"))
	})
}

func sweFiles(t *testing.T) []dataFile {
	t.Helper()
	return dataFiles(t, func(p string) bool { return strings.HasSuffix(p, ".traj") })
}

func demoFile(t *testing.T) dataFile {
	t.Helper()
	const path = "../../testscripts/testdata/demo/session.jsonl"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return dataFile{path, data}
}

// The words that the user typed, by the letters of the README of clients/.
func typedTexts() map[string]string {
	return map[string]string{
		"A": "Hi! One thing that always holds here: we use tabs for indentation in this repo, never spaces. The total in src/cart.js is off by a cent for Jürgen Weiß's order (3 × 0,10 € gives 0,30000000000000004 €). Please find the cause, fix it and run the tests.",
		"B": "Correction: cart.js must not round by itself. Rounding lives only in src/money.js, and that holds for every later change too. Please move it there and run the tests again.",
		"C": "Another rule for good: always run `npm test` before you say that something is done. And now, just this once: print the March report with scripts/report.js and tell me the first and the last item (naïve question, I know – 東京 is in there). Look at src/discount.js and the README first. Don't change any file for it.",
		"D": "Please put this into the memory server, it holds for all my projects: Node stays pinned at version 20, and we write commit messages in the imperative.",
		"G": "Please let a helper agent count the source files, then tell me the number.",
		"T": "Thanks! Now fix the last thing that is off by a cent.",
	}
}

// TestDataTyped: exactly the typed texts that the README lists are the user's.
func TestDataTyped(t *testing.T) {
	want := map[string]string{
		"7717c012": "AB", "e17acb71": "C", "e1775ea1": "D", "3c11fa55": "G", "72cf588a": "AB", "1641f4a9": "ABT", "47bbc67e": "AB",
		"agent-a6": "",
	}
	met := 0
	for _, f := range claudeFiles(t) {
		letters, known := want[filepath.Base(f.path)[:8]]
		if !known {
			continue
		}
		met++
		var texts []string
		for _, l := range letters {
			texts = append(texts, typedTexts()[string(l)])
		}
		records, _ := read(t, formatClaude, string(f.data))
		if diff := cmp.Diff(texts, userTexts(t, records)); diff != "" {
			t.Errorf("%s: typed (-want +got):\n%s", f.path, diff)
		}
	}
	if met != len(want) {
		t.Errorf("%d of %d sessions met", met, len(want))
	}
}

// TestDataCounts holds the counts of the README against ours.
func TestDataCounts(t *testing.T) {
	var sum Report
	for _, f := range claudeFiles(t) {
		name := filepath.Base(f.path)
		if strings.HasPrefix(name, "sample") || strings.HasPrefix(name, "47bbc67e") || strings.HasPrefix(name, "agent") {
			continue
		}
		_, r := read(t, formatClaude, string(f.data))
		sum.User += r.User
		sum.Synthetic += r.Synthetic
		sum.Tool += r.Tool
		sum.Assistant += r.Assistant
		sum.External += r.External
		sum.Moved += r.Moved
		if len(r.UnknownBlocks) > 0 || r.UnreadLines+r.RepairedLines+r.TornBytes+r.OtherSession+r.UnsureSources+r.SplitLines > 0 {
			t.Errorf("%s: %+v", f.path, r)
		}
	}
	// 10 typed; 2 isMeta, 1 summary, 2 of a command; 46 results; 28 texts, 15 thoughts, 46 calls.
	want := Report{User: 10, Synthetic: 5, Tool: 46, Assistant: 28 + 15 + 46, External: 1}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDataUsageOnce: each answer of the real files has its usage on exactly one record.
func TestDataUsageOnce(t *testing.T) {
	for _, f := range append(claudeFiles(t), demoFile(t)) {
		records, report := read(t, formatClaude, string(f.data))
		carried := map[string]int{}
		calls := map[string]bool{}
		for _, r := range records {
			o := decodeObject([]byte(r))
			if id, ok := o.str("call_id"); ok {
				calls[id] = true
				if o["usage"].Kind() == '{' {
					carried[id]++
				}
			}
		}
		for id := range calls {
			if carried[id] != 1 {
				t.Errorf("%s: the usage of %s stands on %d records", f.path, id, carried[id])
			}
		}
		if n := int64(len(calls)); n > 0 && report.Usage.Calls != n {
			t.Errorf("%s: %d calls counted, %d seen", f.path, report.Usage.Calls, n)
		}
	}
}

// TestDataGrowth imports every part of every real file, cut at a line end:
// its records are the first of the whole, but where a line waits for a parent
// that the part does not have. Those cuts are computed from the file.
func TestDataGrowth(t *testing.T) {
	for _, f := range append(claudeFiles(t), demoFile(t)) {
		var want []int
		all := strings.SplitAfter(string(f.data), "\n")
		for cut := 1; cut < len(all); cut++ {
			if waits(all, cut) {
				want = append(want, cut)
			}
		}
		got := prefixes(t, string(f.data))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: cuts whose records are not the first of the whole (-want +got):\n%s", f.path, diff)
		}
		if name := filepath.Base(f.path); strings.HasPrefix(name, "47bbc67e") != (len(got) > 0) {
			t.Errorf("%s: cuts %v", f.path, got)
		}
	}
}

// waits reports whether one of the first cut lines has its parent behind them.
func waits(all []string, cut int) bool {
	for _, l := range all[:cut] {
		parent := readLinks([]byte(l)).parent
		if parent != 0 && slices.ContainsFunc(all[cut:], func(l string) bool { return readLinks([]byte(l)).uuid == parent }) {
			return true
		}
	}
	return false
}

// TestDataOrder: in every real file each line comes out behind its parent.
func TestDataOrder(t *testing.T) {
	for _, f := range claudeFiles(t) {
		records, _ := read(t, formatClaude, string(f.data))
		in := map[string]bool{}
		for _, r := range records {
			in[decodeObject([]byte(r)).object("foreign").text("uuid")] = true
		}
		out := map[string]bool{}
		for _, r := range records {
			o := decodeObject([]byte(r)).object("foreign")
			if p := o.text("parentUuid"); p != "" && in[p] && !out[p] {
				t.Errorf("%s: %s comes before its parent", f.path, o.text("uuid"))
			}
			out[o.text("uuid")] = true
		}
	}
}

// TestDataNothingVanishes: every leaf of every line is in the records that the
// line alone becomes: at its place under "foreign", or among what moved.
func TestDataNothingVanishes(t *testing.T) {
	for _, f := range append(claudeFiles(t), demoFile(t)) {
		for n, l := range bytes.Split(bytes.TrimSpace(f.data), []byte("\n")) {
			records, _ := read(t, formatClaude, string(l)+"\n")
			checkKept(t, f.path, n+1, decodeObject(l), records)
		}
	}
}

func checkKept(t *testing.T, path string, n int, source object, records []string) {
	t.Helper()
	at := map[string]string{} // leaves under foreign, by place
	var moved []string        // texts and other leaves outside of it
	for _, r := range records {
		o := decodeObject([]byte(r))
		walk("", o["foreign"], func(place, leaf string) { at[place] = leaf })
		walk("", raw(o.without("foreign")), func(_, leaf string) { moved = append(moved, leaf) })
	}
	all := strings.Join(moved, "\x00") + "\x00" + strings.Join(whole(records), "")
	walk("", raw(source), func(place, leaf string) {
		discriminator := strings.HasPrefix(place, "/message/content/") && strings.HasSuffix(place, "/type")
		if kept, ok := at[place]; ok && kept == leaf || discriminator || strings.Contains(all, leaf) {
			return
		}
		t.Errorf("%s: line %d: %s is nowhere", path, n, place)
	})
}

// walk visits the leaves of a value; a string without its quotes and escapes.
// The arguments of a call are a leaf as well, since SWE-agent writes them as a string of JSON.
func walk(place string, v jsontext.Value, visit func(place, leaf string)) {
	switch v.Kind() {
	case '{':
		for k, m := range decodeObject(v) {
			if k == "arguments" && m.Kind() == '{' {
				visit(place+"/"+k, string(m))
			}
			walk(place+"/"+k, m, visit)
		}
	case '[':
		items, _ := object{"": v}.array("")
		for i, m := range items {
			walk(place+"/"+strconv.Itoa(i), m, visit)
		}
	case '"':
		s, _ := object{"": v}.str("")
		visit(place, s)
	case 0:
	default:
		visit(place, string(v))
	}
}

// TestDataSWENothingVanishes: every leaf of a trajectory is a leaf of some
// record, or a part of a text in one.
func TestDataSWENothingVanishes(t *testing.T) {
	for _, f := range sweFiles(t) {
		records, _ := read(t, formatSWE, string(f.data))
		leaves := map[string]bool{}
		var texts []string
		for _, r := range records {
			walk("", jsontext.Value(r), func(_, leaf string) {
				leaves[leaf] = true
				texts = append(texts, leaf)
			})
		}
		text := strings.Join(whole(records), "") + "\x00" + strings.Join(texts, "\x00")
		walk("", raw(decodeObject(f.data)), func(place, leaf string) {
			if !leaves[leaf] && !strings.Contains(text, leaf) {
				t.Errorf("%s: %s is nowhere", f.path, place)
			}
		})
	}
}

// whole joins the texts of the user records: the parts of the instance template are one text again.
func whole(records []string) (out []string) {
	for _, r := range records {
		if o := decodeObject([]byte(r)); o.text("role") == roleUser {
			blocks, _ := o.array("content")
			for _, b := range blocks {
				out = append(out, decodeObject(b).text("text"))
			}
		}
	}
	return out
}

// TestDataSWE: the issue text, and it alone, is the user's; a challenge's
// template is wholly the program's; each observation answers a call.
func TestDataSWE(t *testing.T) {
	for _, f := range sweFiles(t) {
		records, report := read(t, formatSWE, string(f.data))
		texts := userTexts(t, records)
		if challenge := bytes.Contains(f.data, []byte("solving the following CTF challenge")); challenge {
			if len(texts) != 0 || report.UnsplitPrompts != 1 {
				t.Errorf("%s: a challenge: %d user texts, %+v", f.path, len(texts), report)
			}
		} else if len(texts) != 1 || report.UnsplitPrompts != 0 {
			t.Errorf("%s: %d user texts, %+v", f.path, len(texts), report)
		} else if s := texts[0]; s != strings.TrimSpace(s) || strings.Contains(s, "INSTRUCTIONS:") || strings.Contains(s, "ISSUE:") ||
			!slices.ContainsFunc([]string{"SyntaxError: ", "Pixel Representation ", "TimeDelta serialization ", "I have a function "}, func(p string) bool { return strings.HasPrefix(s, p) }) {
			t.Errorf("%s: the user's text is %.40q … %d bytes", f.path, s, len(s))
		}
		checkCalls(t, f.path, records)
	}
}

// checkCalls checks that calls and results come in pairs, each result right behind its call.
func checkCalls(t *testing.T, path string, records []string) {
	t.Helper()
	var open []string
	for _, r := range records {
		blocks, _ := decodeObject([]byte(r)).array("content")
		for _, b := range blocks {
			o := decodeObject(b)
			switch o.text("type") {
			case blockCall:
				open = append(open, o.text("id"))
			case blockResult:
				if len(open) == 0 || open[0] != o.text("id") || o.text("name") == "" {
					t.Errorf("%s: a result for %q while %v are open", path, o.text("id"), open)
					return
				}
				open = open[1:]
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: calls without a result: %v", path, open)
	}
}

// TestDataDetect: each real file is known for what it is, and those of other clients are not taken for ours.
func TestDataDetect(t *testing.T) {
	for _, f := range dataFiles(t, func(p string) bool { return !strings.HasPrefix(p, "locomo/") && !strings.HasPrefix(p, "prefeval/") }) {
		want := ""
		switch {
		case strings.HasSuffix(f.path, ".traj"):
			want = formatSWE
		case strings.Contains(f.path, "claude-code/") && strings.HasSuffix(f.path, ".jsonl"):
			want = formatClaude
		}
		if got, _ := Detect(f.data[:min(len(f.data), HeadSize)]); got != want {
			t.Errorf("%s: %q, want %q", f.path, got, want)
		}
	}
}
