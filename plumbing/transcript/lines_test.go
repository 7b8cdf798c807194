package transcript

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/canon"
)

const mode = `{"type":"mode"}`

func TestLineEnds(t *testing.T) {
	want := `{"foreign":{"type":"mode"},"type":"foreign"}`
	for name, c := range map[string]struct {
		text  string
		n     int
		blank int64
		torn  int64
	}{
		"LF":                     {mode + "\n" + mode + "\n", 2, 0, 0},
		"CRLF":                   {mode + "\r\n" + mode + "\r\n", 2, 0, 0},
		"BOM":                    {"\uFEFF" + mode + "\n", 1, 0, 0},
		"blank lines":            {"\n" + mode + "\n \t\r\n" + mode + "\n\n", 2, 3, 0},
		"no newline at the end":  {mode + "\n" + mode, 2, 0, 0},
		"torn":                   {mode + "\n" + `{"type":"mo`, 1, 0, 11},
		"torn in a character":    {mode + "\n" + "{\"type\":\"\xc3", 1, 0, 10},
		"torn into a value":      {mode + "\n" + `12`, 1, 0, 2},
		"white space at the end": {mode + "\n  ", 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, report := read(t, formatClaude, c.text)
			if len(got) != c.n || report.BlankLines != c.blank || report.TornBytes != c.torn {
				t.Errorf("%d records, %d blank, %d torn", len(got), report.BlankLines, report.TornBytes)
			}
			for _, r := range got {
				if r != want {
					t.Errorf("record %s", r)
				}
			}
		})
	}
}

func TestBadLines(t *testing.T) {
	deep := strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)
	for name, c := range map[string]struct{ line, want string }{
		"text":                                {"hello", "sample: line 2: not valid JSON at byte 0"},
		"array":                               {"[1]", "sample: line 2: a JSON object is due, not an array"},
		"number":                              {"7", "line 2: a JSON object is due, not a number"},
		"NaN":                                 {`{"a":NaN}`, "line 2: not valid JSON at byte 5"},
		"cut":                                 {`{"a":`, "line 2: not valid JSON"},
		"two objects":                         {`{} {}`, "line 2: not valid JSON"},
		"NUL bytes":                           {"\x00\x00\x00", "line 2: not valid JSON at byte 0"},
		"10,001 levels":                       {`{"a":` + deep + `}`, "line 2: not valid JSON at byte"},
		"a duplicate key in what is no JSON":  {`{"a":1,"a":2,}`, "line 2: not valid JSON"},
		"a lone surrogate in what is no JSON": {`{"a":"\ud83d"`, "line 2: not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := collect(t, open(t, formatClaude, lines(mode, c.line, mode)))
			invalid(t, err, c.want)
			if len(got) != 1 {
				t.Errorf("%d records before the bad line", len(got))
			}
		})
	}
}

func TestBadTextIsNotInTheError(t *testing.T) {
	_, err := collect(t, open(t, formatClaude, lines(`{"secret":"hunter2" "x"}`)))
	invalid(t, err, "line 1")
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error quotes the line: %v", err)
	}
}

func TestLongLines(t *testing.T) {
	const frame = `{"type":"mode","x":""}`
	most := `{"type":"mode","x":"` + strings.Repeat("x", canon.MaxRecord-len(frame)) + `"}`
	_, err := collect(t, open(t, formatClaude, lines(mode, most)))
	invalid(t, err, "sample: line 2 makes a record of 16777245 bytes, the most is 16777152")
	fits := `{"type":"mode","x":"` + strings.Repeat("x", canon.MaxRecord-len(frame)-100) + `"}`
	if got := drain(t, formatClaude, lines(fits, mode)); len(got) != 2 {
		t.Errorf("%d records of a long line and a short one", len(got))
	}
	long := mode + "\n" + most + "x\n" + mode
	_, err = Open(formatClaude, strings.NewReader(long), int64(len(long)), "sample")
	invalid(t, err, "sample: line 2 is 16777217 bytes long, the most is 16777216")
}

func TestLinesOfEveryLength(t *testing.T) {
	for _, n := range []int{0, 1, 65_535, 65_536, 65_537, 1 << 20} {
		text := strings.Repeat("x", n) + "\n" + mode
		lr := newLineReader(source{r: strings.NewReader(text), size: int64(len(text)), name: "sample"})
		if n > 0 {
			if l, err := lr.next(); err != nil || len(l.bytes) != n || l.number != 1 || !l.ended {
				t.Fatalf("%d: %d bytes, %v", n, len(l.bytes), err)
			}
		}
		if l, err := lr.next(); err != nil || string(l.bytes) != mode || l.number != 2 || l.offset != int64(n+1) || l.ended {
			t.Fatalf("%d: %+v, %v", n, l, err)
		}
		if _, err := lr.next(); err != io.EOF {
			t.Fatalf("%d: %v at the end", n, err)
		}
	}
}

func TestRepair(t *testing.T) {
	for name, c := range map[string]struct {
		in, want              string
		surrogates, wrongUTF8 int64
	}{
		"plain":           {`{"a":"é\u00e9\n"}`, `{"a":"é\u00e9\n"}`, 0, 0},
		"a pair":          {`"\ud83d\ude00 \uD83D\uDE00"`, `"\ud83d\ude00 \uD83D\uDE00"`, 0, 0},
		"a high one":      {`"x\ud83d"`, `"x\ufffd"`, 1, 0},
		"a low one":       {`"\uDE00x"`, `"\ufffdx"`, 1, 0},
		"two high":        {`"\ud83d\ud83d\ude00"`, `"\ufffd\ud83d\ude00"`, 1, 0},
		"turned round":    {`"\ude00\ud83d"`, `"\ufffd\ufffd"`, 2, 0},
		"a high and text": {`"\ud83dx\u0041"`, `"\ufffdx\u0041"`, 1, 0},
		"not an escape":   {`"\\ud83d \\\ud83d"`, `"\\ud83d \\\ufffd"`, 1, 0},
		"bad UTF-8":       {"\"\xff\xc3\"", `"` + "\uFFFD\uFFFD" + `"`, 0, 2},
		"CESU":            {"\"\xed\xa0\xbd\"", `"` + "\uFFFD\uFFFD\uFFFD" + `"`, 0, 3},
		"U+FFFD itself":   {"\"\uFFFD\\ud800\"", "\"\uFFFD\\ufffd\"", 1, 0},
		"cut off":         {`"\ud8`, `"\ud8`, 0, 0},
		"a backslash":     {`\`, `\`, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, fix := repair([]byte(c.in))
			if string(got) != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.surrogates+c.wrongUTF8 == 0 {
				if fix != nil {
					t.Errorf("repaired %+v", fix)
				}
				return
			}
			sum := sha256.Sum256([]byte(c.in))
			if fix == nil || fix.Surrogates != c.surrogates || fix.Bytes != c.wrongUTF8 || fix.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("repaired %+v", fix)
			}
		})
	}
}

func TestRepairedRecord(t *testing.T) {
	line := `{"type":"user","message":{"role":"user","content":"x\ud83d` + "\xff" + `"}}`
	sum := sha256.Sum256([]byte(line))
	got, report := read(t, formatClaude, lines(line))
	same(t, got, `{"content":[{"text":"x`+"\uFFFD\uFFFD"+`","type":"text"}],"foreign":{"message":{"role":"user"},"type":"user"},"origin":"user","repaired":{"bytes":1,"sha256":"`+
		hex.EncodeToString(sum[:])+`","surrogates":1},"role":"user","type":"message"}`)
	if report.RepairedLines != 1 || report.RepairedSurrogates != 1 || report.RepairedBytes != 1 {
		t.Errorf("report %+v", report)
	}
}

func TestUnreadLines(t *testing.T) {
	deep := strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999)
	for name, c := range map[string]struct{ line, why string }{
		"duplicate keys":         {`{"type":"user","message":{"role":"user","content":"A","content":"B"}}`, "duplicate keys"},
		"duplicate by escape":    {`{"a":1,"\u0061":2}`, "duplicate keys"},
		"one level too many":     {`{"a":` + deep + `}`, "nested too deep"},
		"both, with a surrogate": {`{"a":1,"a":"\ud83d"}`, "duplicate keys"},
	} {
		t.Run(name, func(t *testing.T) {
			got, report := read(t, formatClaude, lines(c.line, mode))
			same(t, got,
				`{"foreign":{"base64":"`+base64.StdEncoding.EncodeToString([]byte(c.line))+`","why":"`+c.why+`"},"type":"foreign"}`,
				`{"foreign":{"type":"mode"},"type":"foreign"}`)
			if report.UnreadLines != 1 || report.Foreign["unread"] != 1 || report.User != 0 {
				t.Errorf("report %+v", report)
			}
		})
	}
}
