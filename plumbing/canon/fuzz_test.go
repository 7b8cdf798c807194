package canon

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// model is a second canonicaliser, over encoding/json's tokens: slow, short, and
// sharing no code with jsontext. It does not refuse what encoding/json repairs.
func model(in []byte) (string, error) {
	d := stdjson.NewDecoder(bytes.NewReader(in))
	d.UseNumber()
	var b strings.Builder
	if err := modelValue(d, &b); err != nil {
		return "", err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("more than one value")
	}
	return b.String(), nil
}

func modelValue(d *stdjson.Decoder, b *strings.Builder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case stdjson.Delim:
		if v == '[' {
			return modelArray(d, b)
		}
		return modelObject(d, b)
	case stdjson.Number:
		b.WriteString(v.String())
	case string:
		modelString(v, b)
	case nil:
		b.WriteString("null")
	default:
		fmt.Fprint(b, v)
	}
	return nil
}

func modelArray(d *stdjson.Decoder, b *strings.Builder) error {
	b.WriteByte('[')
	for i := 0; d.More(); i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := modelValue(d, b); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	_, err := d.Token()
	return err
}

func modelObject(d *stdjson.Decoder, b *strings.Builder) error {
	members, keys := map[string]string{}, []string{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var v strings.Builder
		if err := modelValue(d, &v); err != nil {
			return err
		}
		k := key.(string)
		if _, twice := members[k]; twice {
			return errors.New("duplicate")
		}
		members[k] = v.String()
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y string) int {
		return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y)))
	})
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		modelString(k, b)
		b.WriteString(":" + members[k])
	}
	b.WriteByte('}')
	_, err := d.Token()
	return err
}

func modelString(s string, b *strings.Builder) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strings.ContainsRune("\b\f\n\r\t", r):
			b.WriteByte('\\')
			b.WriteByte("btn fr"[r-'\b'])
		case r < ' ':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// random writes a valid value in one of its many spellings.
func random(r *rand.Rand, b *strings.Builder, depth int) {
	space := func() { b.WriteString([]string{"", "", "", " ", "\n", "\t\r "}[r.IntN(6)]) }
	space()
	defer space()
	kind := r.IntN(6)
	if depth == 0 {
		kind = r.IntN(4)
	}
	switch kind {
	case 0:
		b.WriteString([]string{"true", "false", "null"}[r.IntN(3)])
	case 1:
		b.WriteString([]string{"-0", "0", "1.0", "1e2", "1E+02", "9007199254740993", "-0.10e-7", "18446744073709551616", "1e999"}[r.IntN(9)])
	case 2, 3:
		randomString(r, b)
	case 4:
		b.WriteByte('[')
		for i := range r.IntN(5) {
			if i > 0 {
				b.WriteByte(',')
			}
			random(r, b, depth-1)
		}
		b.WriteByte(']')
	case 5:
		b.WriteByte('{')
		for i := range r.IntN(7) {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			randomString(r, b)
			space()
			b.WriteByte(':')
			random(r, b, depth-1)
		}
		b.WriteByte('}')
	}
}

func randomString(r *rand.Rand, b *strings.Builder) {
	runes := []rune{'a', 'b', 'A', '"', '\\', '/', '<', '&', 0, 7, 8, 9, 10, 11, 12, 13, 31, 127, 'é', 0x2028, 0xd7ff, 0xe000, 0xfeff, 0xff61, 0xfffd, 0x10000, 0x1f600, 0x10ffff}
	b.WriteByte('"')
	for range r.IntN(4) {
		c := runes[r.IntN(len(runes))]
		must := c < ' ' || c == '"' || c == '\\'
		switch {
		case !must && r.IntN(2) == 0:
			b.WriteRune(c)
		case c > 0xffff:
			hi, lo := utf16.EncodeRune(c)
			fmt.Fprintf(b, `\u%04x\u%04X`, hi, lo)
		default:
			fmt.Fprintf(b, []string{`\u%04x`, `\u%04X`}[r.IntN(2)], c)
		}
	}
	b.WriteByte('"')
}

func TestAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	agreed, duplicates := 0, 0
	for range 20_000 {
		var b strings.Builder
		random(r, &b, 4)
		want, refused := model([]byte(b.String()))
		got, err := Canonicalize([]byte(b.String()))
		if (err == nil) != (refused == nil) {
			t.Fatalf("%q: %v, the model says %v", b.String(), err, refused)
		}
		if err != nil {
			duplicates++
			continue
		}
		agreed++
		if string(got) != want {
			t.Fatalf("%q: %s", b.String(), cmp.Diff(want, string(got)))
		}
	}
	if agreed < 10_000 || duplicates < 100 {
		t.Errorf("only %d values agreed and %d had duplicate keys", agreed, duplicates)
	}
}

// python canonicalises a value a line; numbers keep their spelling by a subclass of float.
const python = `
import json, sys
class Number(float):
    def __new__(cls, s):
        n = float.__new__(cls, 0); n.s = s; return n
    def __repr__(self): return self.s
def utf16(k): return k.encode("utf-16-be")
def write(v):
    if isinstance(v, Number): return v.s
    if isinstance(v, dict): return "{" + ",".join(write(k) + ":" + write(v[k]) for k in sorted(v, key=utf16)) + "}"
    if isinstance(v, list): return "[" + ",".join(map(write, v)) + "]"
    return json.dumps(v, ensure_ascii=False)
for line in sys.stdin.buffer:
    v = json.loads(line, parse_float=Number, parse_int=Number)
    sys.stdout.buffer.write(write(v).encode() + b"\n")
`

// TestAgainstPython compares with a program that shares not even the language.
func TestAgainstPython(t *testing.T) {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here to compare with")
	}
	r := rand.New(rand.NewPCG(3, 4))
	var in, want strings.Builder
	n := 0
	for n < 2_000 {
		var b strings.Builder
		random(r, &b, 4)
		line := strings.NewReplacer("\n", " ", "\r", " ").Replace(b.String())
		got, err := Canonicalize([]byte(line))
		if err != nil {
			continue // duplicate keys, which python takes
		}
		in.WriteString(line + "\n")
		want.Write(append(got, '\n'))
		n++
	}
	cmd := exec.Command(path, "-c", python)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(out), "\n"), strings.Split(want.String(), "\n")); diff != "" {
		t.Errorf("python (-) and canon (+): %s", diff)
	}
}

func FuzzCanonicalize(f *testing.F) {
	for _, v := range vectors {
		f.Add([]byte(v.in))
	}
	for _, c := range refused {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		kept := bytes.Clone(in)
		got, err := Canonicalize(in)
		if !bytes.Equal(in, kept) {
			t.Fatal("the input was written to")
		}
		if err != nil {
			if !errors.Is(err, plumbing.ErrInvalid) || got != nil {
				t.Fatalf("%q and %v", got, err)
			}
			return
		}
		if bytes.ContainsAny(got, "\n\r") || !utf8.Valid(got) {
			t.Fatalf("%q is not one line of UTF-8", got)
		}
		if again, err := Canonicalize(got); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%q is not a fixed point: %q, %v", got, again, err)
		}
		if want, err := model(in); err != nil || want != string(got) {
			t.Fatalf("%q became %q; the model says %q, %v", in, got, want, err)
		}
		if _, err := Check(in, nil); (err == nil) != (bytes.Equal(in, got) && in[0] == '{') {
			t.Fatalf("Check of %q says %v", in, err)
		}
	})
}
