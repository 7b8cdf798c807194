package budget

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// texts are further files to measure: go test -run EstimateError -v ./plumbing/budget -texts DIR
var texts = flag.String("texts", "", "a folder of further texts for TestEstimateError; each file is a kind")

// kind is texts of one sort, cut into samples.
type kind struct {
	name    string
	samples []string
	// loose kinds are shown, and may come out too low: nobody writes so.
	loose bool
}

const (
	sampleSize  = 2000 // bytes
	sampleCount = 16
)

// cut takes samples all over a text.
func cut(text string) []string {
	var all []string
	for len(text) > sampleSize {
		n := sampleSize
		for n > sampleSize-4 && text[n]&0xc0 == 0x80 {
			n--
		}
		all, text = append(all, text[:n]), text[n:]
	}
	if len(all) == 0 {
		return []string{text}
	}
	var some []string
	for i := range min(len(all), sampleCount) {
		some = append(some, all[i*len(all)/min(len(all), sampleCount)])
	}
	return some
}

// files puts files together, up to half a megabyte; "" where there are none.
func files(patterns ...string) string {
	var b strings.Builder
	for _, pattern := range patterns {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			if data, err := os.ReadFile(name); err == nil && b.Len() < 500_000 {
				b.Write(data[:min(len(data), 200_000)])
			}
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}

func kinds(t testing.TB) []kind {
	var list []kind
	add := func(name, text string) {
		if text != "" {
			list = append(list, kind{name: name, samples: cut(text)})
		}
	}
	add("Markdown, English", files("../../README.md", "../../porcelain/help/*.md"))
	add("Go, this repository", files("*.go", "../session/*.go"))
	add("go.sum", files("../../go.sum"))
	src := filepath.Join(build.Default.GOROOT, "src")
	add("Go, net/http", files(src+"/net/http/server.go", src+"/net/http/transport.go"))
	add("Go, tables", files(src+"/unicode/tables.go"))
	if data := os.Getenv("LECODE_TEST_DATA"); data != "" {
		add("chat, English", files(data+"/locomo/*", data+"/prefeval/*"))
		add("agent logs, JSON", files(data+"/swe-agent/*", data+"/mini-swe-agent/*"))
		add("client logs, JSON", files(data+"/clients/claude-code/projects/*/*.jsonl"))
	} else {
		t.Log("LECODE_TEST_DATA is not set: no real transcripts are measured")
	}
	for _, name := range sortedKeys(languages) {
		add(name, languages[name])
	}
	list = append(list, generated()...)
	if *texts != "" {
		names, _ := filepath.Glob(filepath.Join(*texts, "*"))
		for _, name := range names {
			list = append(list, kind{filepath.Base(name), cut(files(name)), true})
		}
	}
	return list
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// generated are the kinds that a seed makes.
func generated() []kind {
	r := rand.New(rand.NewPCG(1, 2))
	bytes := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	of := func(n int, piece func() string) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(piece())
		}
		return b.String()
	}
	from := func(alphabet string) func() string {
		runes := []rune(alphabet)
		return func() string { return string(runes[r.IntN(len(runes))]) }
	}
	between := func(low, high rune) func() string {
		return func() string { return string(low + rune(r.IntN(int(high-low+1)))) }
	}
	const n = 40_000
	list := []kind{}
	add := func(name, text string) { list = append(list, kind{name: name, samples: cut(text)}) }
	add("base64", base64.StdEncoding.EncodeToString(bytes(n)))
	add("base64, for URLs", base64.RawURLEncoding.EncodeToString(bytes(n)))
	add("hex", hex.EncodeToString(bytes(n)))
	add("hex, capitals", strings.ToUpper(hex.EncodeToString(bytes(n))))
	add("hex dump", hex.Dump(bytes(n/4)))
	add("UUIDs", of(n, func() string {
		b := bytes(16)
		return fmt.Sprintf("%x-%x-%x-%x-%x\n", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}))
	add("lock file, npm", of(n, func() string {
		return `      "integrity": "sha512-` + base64.StdEncoding.EncodeToString(bytes(64)) + "\",\n"
	}))
	add("digits", of(n, from("0123456789")))
	add("numbers", of(n, func() string { return fmt.Sprint(r.IntN(1<<(1+r.IntN(40))), " ") }))
	add("CSV", of(n, func() string { return fmt.Sprintf("%d,%.4f,%d\n", r.IntN(100000), r.Float64()*1000, r.IntN(9)) }))
	add("JSON, compact", objects(r, ""))
	add("JSON, indented", objects(r, "    "))
	add("JSON in JSON", escaped(objects(r, "  ")))
	add("JavaScript, minified", of(n, func() string { return minified(r) }))
	add("emoji", of(n, between(0x1f600, 0x1f64f)))
	add("emoji, joined", strings.Repeat("👩‍💻 👍🏽 🇩🇪 ❤️ 🏳️‍🌈 👨‍👩‍👧‍👦 ", 300))
	add("English with emoji", of(n, func() string {
		return []string{"ship it ", "done 🎉 ", "build fails ❌ ", "works again ✅ "}[r.IntN(4)]
	}))
	add("frames", strings.Repeat("┌────────┬───────┐\n│ name   │ value │\n├────────┼───────┤\n│ tabs   │ 1     │\n└────────┴───────┘\n", 150))
	add("printable ASCII at random", of(n, between(' ', '~')))
	add("punctuation at random", of(n, from(punctuation)))
	add("letters at random, small", of(n, from("abcdefghijklmnopqrstuvwxyz")))
	add("letters at random, mixed", of(n, from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")))
	add("DNA", of(n, from("ACGT")))
	add("white space at random", of(n, from(" \t\n\r")))
	add("CR LF", of(n, func() string { return "\r\n" }))
	add("bytes at random", string(bytes(n)))
	add("control characters", of(n, between(0, 31)))
	for _, c := range " \t\n\r\x00aexA0é界" + punctuation {
		add(fmt.Sprintf("a run of %q", c), strings.Repeat(string(c), 1500))
	}
	for name, ends := range map[string][2]rune{"Han": {0x4e00, 0x9fa5}, "Hangul": {0xac00, 0xd7a3}, "Cyrillic": {0x410, 0x44f}} {
		list = append(list, kind{name + " at random", cut(of(n, between(ends[0], ends[1]))), true})
	}
	return list
}

const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

func objects(r *rand.Rand, indent string) string {
	type item struct {
		ID     int      `json:"id"`
		Name   string   `json:"name"`
		Path   string   `json:"path"`
		OK     bool     `json:"ok"`
		Tags   []string `json:"tags"`
		Score  float64  `json:"score"`
		Parent *int     `json:"parent"`
	}
	list := make([]item, 400)
	for i := range list {
		list[i] = item{ID: i, Name: []string{"kettle", "ada", "build"}[r.IntN(3)], Path: fmt.Sprintf("plumbing/session/part_%d.go", i),
			OK: r.IntN(2) == 0, Tags: []string{"red", "slow"}, Score: r.Float64()}
	}
	b, _ := json.MarshalIndent(list, "", indent)
	if indent == "" {
		b, _ = json.Marshal(list)
	}
	return string(b)
}

func escaped(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// minified is a statement as minifiers leave it.
func minified(r *rand.Rand) string {
	v := func() string { return string(rune('a' + r.IntN(26))) }
	switch r.IntN(5) {
	case 0:
		return fmt.Sprintf("function %s%s(%s,%s){return %s&&%s.%s(%s)||void 0}", v(), v(), v(), v(), v(), v(), v(), v())
	case 1:
		return fmt.Sprintf("var %s=%s[%d],%s=!0;", v(), v(), r.IntN(99), v())
	case 2:
		return fmt.Sprintf("for(let %s=0;%s<%s.length;%s++)%s.push(%s[%s]);", v(), v(), v(), v(), v(), v(), v())
	case 3:
		return fmt.Sprintf("if(%s===%s)throw new Error(\"%s%d\");", v(), v(), v(), r.IntN(999))
	}
	return fmt.Sprintf("%s=>(%s.%s??={},%s?.%s(`${%s}`)),", v(), v(), v(), v(), v(), v())
}
