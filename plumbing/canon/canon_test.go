package canon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// vectors is the written spec of the canonical form (design section 4).
var vectors = []struct{ name, in, want string }{
	{"space", " { \"a\" :\t[ 1 , 2 ]\r\n} \n", `{"a":[1,2]}`},
	{"space in strings stays", `{"a b":" \t"}`, `{"a b":" \t"}`},
	{"literals", `[true,false,null]`, `[true,false,null]`},
	{"empty", `{"a":{},"b":[],"":""}`, `{"":"","a":{},"b":[]}`},
	{"arrays keep their order", `[3,1,2]`, `[3,1,2]`},

	{"int over 2^53", `9007199254740993`, `9007199254740993`},
	{"int over 2^64", `18446744073709551617`, `18446744073709551617`},
	{"1.0 is not 1", `[1.0,1]`, `[1.0,1]`},
	{"exponent", `[1e2,1E2,1e+2,1E-02]`, `[1e2,1E2,1e+2,1E-02]`},
	{"minus zero", `[-0,-0.0,0]`, `[-0,-0.0,0]`},
	{"past float64", `[1e999999,-1e-999999]`, `[1e999999,-1e-999999]`},
	{"digits", `0.1000000000000000055511151231257827`, `0.1000000000000000055511151231257827`},

	{"keys", `{"b":1,"a":2,"B":3,"":4,"aa":5}`, `{"":4,"B":3,"a":2,"aa":5,"b":1}`},
	{"keys nested", `[{"b":{"d":1,"c":2},"a":0}]`, `[{"a":0,"b":{"c":2,"d":1}}]`},
	{"keys by UTF-16, not UTF-8", "{\"\uff61\":1,\"\U00010000\":2}", "{\"\U00010000\":2,\"\uff61\":1}"},
	{"keys by UTF-16, escaped", `{"\uff61":1,"\ud800\udc00":2}`, "{\"\U00010000\":2,\"\uff61\":1}"},
	{"keys sort by what they say", `{"b":1,"\u0061":2}`, `{"a":2,"b":1}`},
	{"keys as in RFC 8785", "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}",
		"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}"},

	{"escapes that JSON needs", `"\u0022\u005c\u0008\u000c\u000a\u000d\u0009"`, `"\"\\\b\f\n\r\t"`},
	{"control characters", `"\u0000\u001F\u001b"`, `"\u0000\u001f\u001b"`},
	{"needless escapes", `"\/\u002f\u003c\u003E\u0026\u00e9\u2028\u2029\u007f"`, "\"//<>&é\u2028\u2029\x7f\""},
	{"surrogate pair", `"\uD83D\uDE00"`, `"😀"`},
	{"no normalisation", "\"e\u0301 \u00e9\"", "\"e\u0301 \u00e9\""},
	{"noncharacters", `"\ufffe\uffff\ufeff\ufffd"`, "\"\ufffe\uffff\ufeff\ufffd\""},
}

func TestCanonicalizeVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			in := []byte(v.in)
			got, err := Canonicalize(in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if string(in) != v.in {
				t.Error("the input was written to")
			}
			again, err := Canonicalize(got)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("not a fixed point: %q, %v", again, err)
			}
		})
	}
}

// refused is what is not one valid value, and what the message says about it.
var refused = []struct{ name, in, says string }{
	{"nothing", "", "unexpected EOF"},
	{"spaces", " \n", "unexpected EOF"},
	{"cut off", `{"a":`, "unexpected EOF"},
	{"duplicate", `{"a":1,"b":2,"a":3}`, "duplicate key"},
	{"duplicate of equal value", `{"a":1,"a":1}`, "duplicate key"},
	{"duplicate by escape", `{"a":1,"\u0061":1}`, "duplicate key"},
	{"duplicate by surrogate pair", "{\"😀\":1,\"\\ud83d\\ude00\":1}", "duplicate key"},
	{"duplicate, nested", `{"x":[{"a":1,"a":1}]}`, "duplicate key"},
	{"lone high surrogate", `"secret \ud800"`, ""},
	{"lone low surrogate", `"secret \udc00"`, ""},
	{"two high surrogates", `"\ud83d\ud83d"`, ""},
	{"high surrogate, letter", `"\ud83dx"`, ""},
	{"lone surrogate in a key", `{"\ud800":1}`, ""},
	{"raw surrogate", "\"\xed\xa0\xbd\"", "invalid UTF-8"},
	{"invalid UTF-8", "\"secret \xff\"", "invalid UTF-8"},
	{"overlong", "\"\xc0\xaf\"", "invalid UTF-8"},
	{"over U+10FFFF", "\"\xf4\x90\x80\x80\"", "invalid UTF-8"},
	{"cut UTF-8", "\"\xe2\x82\"", "invalid UTF-8"},
	{"invalid UTF-8 in a key", "{\"\xff\":1}", "invalid UTF-8"},
	{"two values", `{} {}`, ""},
	{"value and junk", `{}x`, ""},
	{"value and NUL", "{}\x00", ""},
	{"byte order mark", "\ufeff{}", ""},
	{"NaN", `[NaN]`, ""}, {"Infinity", `[-Infinity]`, ""},
	{"leading zero", `01`, ""}, {"plus", `+1`, ""}, {"bare point", `1.`, ""}, {"no digit", `.5`, ""}, {"hex", `0x1`, ""},
	{"trailing comma", `[1,]`, ""}, {"comment", `[1/*secret*/]`, ""}, {"single quotes", `{'a':1}`, ""},
	{"number as key", `{1:2}`, ""},
	{"raw newline", "\"a\nb\"", ""}, {"raw NUL", "\"a\x00b\"", ""},
	{"bad escape", `"\x41"`, ""}, {"short escape", `"\u12"`, ""},
	{"form feed as space", "\f{}", ""}, {"no-break space", "\u00a0{}", ""},
}

func TestCanonicalizeRefuses(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			got, err := Canonicalize([]byte(c.in))
			if !errors.Is(err, plumbing.ErrInvalid) {
				t.Fatalf("%q, %v; want ErrInvalid", got, err)
			}
			if got != nil {
				t.Errorf("an error and %q", got)
			}
			if !strings.HasPrefix(err.Error(), "not valid JSON at byte ") || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%q quotes the input", err)
			}
		})
	}
}

// nested is a value of n levels.
func nested(n int) string {
	half := n / 2
	return strings.Repeat(`{"a":`, half) + strings.Repeat("[", n-half) + strings.Repeat("]", n-half) + strings.Repeat("}", half)
}

func TestDepth(t *testing.T) {
	for n, ok := range map[int]bool{1: true, 9_999: true, 10_000: true, 10_001: false, 1_000_000: false} {
		in := nested(n)
		got, err := Canonicalize([]byte(in))
		if ok && (err != nil || string(got) != in) {
			t.Errorf("%d levels: %v", n, err)
		}
		if !ok && (!errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), "exceeded max depth")) {
			t.Errorf("%d levels: %v", n, err)
		}
	}
	if _, err := Canonicalize([]byte(strings.Repeat("[", 1_000_000))); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("a million open brackets: %v", err)
	}
}

func TestManyKeys(t *testing.T) {
	in, want := strings.Builder{}, strings.Builder{}
	in.WriteByte('{')
	want.WriteByte('{')
	for i := range 20_000 {
		n := func(i int) string {
			return string([]byte{'a' + byte(i/1000), 'a' + byte(i/100%10), 'a' + byte(i/10%10), 'a' + byte(i%10)})
		}
		if i > 0 {
			in.WriteByte(',')
			want.WriteByte(',')
		}
		in.WriteString(`"` + n(19_999-i) + `":0`)
		want.WriteString(`"` + n(i) + `":0`)
	}
	in.WriteByte('}')
	want.WriteByte('}')
	got, err := Canonicalize([]byte(in.String()))
	if err != nil || string(got) != want.String() {
		t.Errorf("20,000 keys in reverse order are not sorted: %v", err)
	}
}

func TestObjects(t *testing.T) {
	for in, says := range map[string]string{
		`[]`: "an array", `"x"`: "a string", `true`: "a boolean", `false`: "a boolean", `null`: "null", `-1`: "a number", `0`: "a number",
	} {
		_, err := CanonicalizeObject([]byte(in))
		_, checked := Check([]byte(in), nil)
		for _, err := range []error{err, checked} {
			if !errors.Is(err, plumbing.ErrInvalid) || !strings.HasSuffix(err.Error(), "not "+says) {
				t.Errorf("%s: %v", in, err)
			}
		}
	}
	got, err := CanonicalizeObject([]byte(` {"b":1,"a":2}`))
	if err != nil || string(got) != `{"a":2,"b":1}` {
		t.Errorf("%s, %v", got, err)
	}
}

func TestCheck(t *testing.T) {
	for in, ok := range map[string]bool{
		`{"a":1,"b":1.0}`: true, `{}`: true, "{\"\U00010000\":2,\"\uff61\":1}": true,
		`{"b":1,"a":1}`: false, ` {}`: false, `{} `: false, `{"a":"\/"}`: false, `{"a":"\u00e9"}`: false, `{"a":"\u001F"}`: false,
		`{"a":1,"a":1}`: false, "": false, "{}\x00": false, "{\"\uff61\":1,\"\U00010000\":2}": false,
	} {
		scratch := bytes.Repeat([]byte("x"), 64)
		b := []byte(in)
		scratch, err := Check(b, scratch)
		if (err == nil) != ok || err != nil && !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%q: %v", in, err)
		}
		if string(b) != in {
			t.Errorf("%q was written to", in)
		}
		if _, err := Check([]byte(`{"a":1}`), scratch); err != nil {
			t.Errorf("after %q the scratch spoils the next check: %v", in, err)
		}
	}
}

func TestMarshal(t *testing.T) {
	got, err := Marshal(struct {
		Z string  `json:"z"`
		N *string `json:"n"`
		L []int64 `json:"l"`
		I int64   `json:"i"`
	}{Z: "<é\u2028>", I: 9007199254740993})
	if diff := cmp.Diff("{\"i\":9007199254740993,\"l\":[],\"n\":null,\"z\":\"<é\u2028>\"}", string(got)); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for name, v := range map[string]any{"a channel": make(chan int), "invalid UTF-8": "\xff"} {
		if got, err := Marshal(v); err == nil {
			t.Errorf("%s became %s", name, got)
		}
	}
}

func TestDigest(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string // printed by: printf 'LINE\n' | sha256sum
	}{
		"nothing":    {nil, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		"empty line": {[]string{""}, "01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b"},
		"hello":      {[]string{"hello"}, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"},
		"two":        {[]string{`{"seq":1}`, `{"seq":2}`}, sum("{\"seq\":1}\n{\"seq\":2}\n")},
	} {
		h, lines := NewHasher(), [][]byte{}
		for _, l := range c.lines {
			lines = append(lines, []byte(l))
			h.Add([]byte(l))
		}
		if got := Digest(lines...); got != "sha256:"+c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if h.Digest() != "sha256:"+c.want {
			t.Errorf("%s: the hasher says %s", name, h.Digest())
		}
	}
	if Digest([]byte("ab"), []byte("c")) == Digest([]byte("a"), []byte("bc")) {
		t.Error("where a line ends makes no difference")
	}
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
