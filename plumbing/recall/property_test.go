package recall

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// alphabets of what records may hold: everything that JSON escapes or UTF-8 makes long.
var alphabets = []string{
	"abc de", `"\/`, "\b\t\n\f\r", "\x00\x01\x1f\x7f", "日本語漢字", "🫖👩‍👩‍👧🇩🇪", "é\u0301\u200d\u2028\u2029\ufeff\u202e", "<>&",
	"\ufffd\U0010ffff\ue000",
}

func random(r *rand.Rand, most int) string {
	var b strings.Builder
	for n := r.IntN(most); n > 0; n-- {
		set := []rune(alphabets[r.IntN(len(alphabets))])
		for range 1 + r.IntN(min(n, 40)) {
			b.WriteRune(set[r.IntN(len(set))])
		}
	}
	return b.String()
}

// randomMessage returns a line to append and the same with the data of files as it should be shown.
func randomMessage(r *rand.Rand, i int) (line, shown string) {
	file := func(data string) string {
		return `{"type":"file","name":` + quote(random(r, 5)) + `,"media_type":"image/png","data":` + quote(data) + `}`
	}
	data := make([]byte, r.IntN(5000))
	encoded, marker := base64.StdEncoding.EncodeToString(data), fmt.Sprintf("[omitted: image/png, %d bytes]", len(data))
	with := file(encoded)
	without := strings.Replace(with, `"`+encoded+`"`, `"`+marker+`"`, 1)
	words := text(random(r, 300))
	if i == 0 || r.IntN(3) > 0 {
		return message("user", "user", words+","+with), message("user", "user", words+","+without)
	}
	result := `{"type":"tool_result","id":"c","name":"read","is_error":false,"text":` + quote(random(r, 300)) + `,"files":[%s]}`
	return message("tool", "generated", fmt.Sprintf(strings.ReplaceAll(result, "%s", "%[1]s"), with)),
		message("tool", "generated", fmt.Sprintf(strings.ReplaceAll(result, "%s", "%[1]s"), without))
}

func TestPagesConcatenate(t *testing.T) {
	for seed := range uint64(25) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			w := newWorld(t)
			var lines, shown []string
			for i := range 1 + r.IntN(12) {
				line, s := randomMessage(r, i)
				lines, shown = append(lines, line), append(shown, s)
			}
			id := w.new(lines...)
			ref := w.ref(id, 1, int64(len(lines)))
			word := []string{"x", "🫖", "漢", `"`, "\\", "\n"}[r.IntN(6)]
			f := w.remember("a"+strings.Repeat(word, r.IntN(900))+"z", ref)
			limit := func() int64 {
				return []int64{1 + r.Int64N(60), 1 + r.Int64N(5000), 4096, 8192, 1 << 40}[min(r.IntN(6), 4)]
			}
			fixed := max(limit(), 200)
			got := w.all(func(offset int64) (Page, error) {
				return Fact(context.Background(), w.Deps, f, offset, fixed)
			})
			again := w.all(func(offset int64) (Page, error) {
				return Range(context.Background(), w.Deps, id, 1, int64(len(lines)), offset, max(limit(), 150))
			})
			if got != again {
				t.Error("the fact's pages are not the range's")
			}
			compare(t, got, shown)
		})
	}
}

// compare holds the array against what was appended, apart from seq and time.
func compare(t *testing.T, array string, shown []string) {
	t.Helper()
	var records []map[string]any
	if err := json.Unmarshal([]byte(array), &records); err != nil {
		t.Fatal(err)
	}
	if len(records) != len(shown) {
		t.Fatalf("%d records, want %d", len(records), len(shown))
	}
	for i, record := range records {
		if record["seq"] != float64(i+1) {
			t.Errorf("record %d has seq %v", i, record["seq"])
		}
		delete(record, "seq")
		delete(record, "time")
		var want map[string]any
		if err := json.Unmarshal([]byte(shown[i]), &want); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(record)
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			t.Errorf("record %d is not what was appended, or more than data is replaced", i+1)
		}
	}
}

// TestOneCharacterPages splits at every place that there is.
func TestOneCharacterPages(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("é\"\\\n\x01🫖👩‍👧"))
	got := w.all(func(offset int64) (Page, error) { return Range(context.Background(), w.Deps, id, 1, 1, offset, 1) })
	if want := "[" + strings.Split(w.read(id), "\n")[1] + "]"; got != want {
		t.Errorf("%s, want the stored bytes %s", got, want)
	}
}

// TestFullPages: what escapes most and what is longest fill a page to its cap, and not beyond.
func TestFullPages(t *testing.T) {
	for _, word := range []string{"a", `"`, `\`, "\x01", "🫖", "漢"} {
		t.Run(quote(word), func(t *testing.T) {
			w := newWorld(t)
			id := w.new(user(strings.Repeat(word, 20000)))
			f := w.remember("a"+strings.Repeat("🫖", 900)+"z", w.ref(id, 1, 1))
			p := w.fact(f, 300, 1<<62)
			line := len(canonical(t, p)) + 1
			if chars := len([]rune(*p.SourceText)); line < MaxBytes-16 && chars < MaxLimit {
				t.Errorf("%d bytes and %d characters, and there is more", line, chars)
			}
		})
	}
}
