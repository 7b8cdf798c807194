package secret

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Keys are put together here, so that no scanner takes this file for a leak.
var (
	ghp  = "gh" + "p_" + strings.Repeat("a1B2", 9)
	akia = "AK" + "IA" + "IOSFODNN7EXAMPLE"
	jwt  = "ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
)

// TestMarks: a token of each mark is found whole, whatever stands around it.
func TestMarks(t *testing.T) {
	for _, m := range marks() {
		if len(m.prefix) < 3 || m.min < 10 || m.kind == "" {
			t.Errorf("%q is too short to be a detector", m.prefix)
		}
		token := sample(m)
		for _, around := range [][2]string{{"", ""}, {"key=", "\n"}, {`{"key":"`, `"}`}, {"\x1b[32m", "\x1b[0m"},
			{`a\n`, `\nb`}, {`\u001b[1;31m`, `\u001b[0m`}, {"?k%3D", "&x"}, {"密", "钥"}, {"1\t", "\r\n2\t"}} {
			text := around[0] + token + around[1]
			masked, kinds := Mask(text)
			want := around[0] + "[masked: " + m.kind + "]" + around[1]
			if diff := cmp.Diff(want, masked); diff != "" || len(kinds) != 1 || Kind(text) != m.kind {
				t.Errorf("%s %q: %v %s", m.kind, m.prefix, kinds, diff)
			}
		}
		if kind := Kind("X" + token); kind != "" && !strings.Contains(m.prefix, ".xox") {
			t.Errorf("within a word: %q is a %s", m.prefix, kind)
		}
		if kind := Kind(token[:len(m.prefix)+m.min/4]); kind != "" {
			t.Errorf("the bare beginning %q is a %s", m.prefix, kind)
		}
	}
}

// sample is a token that m has to find.
func sample(m mark) string {
	switch {
	case m.kind == "JSON web token":
		return jwt
	case m.set&hexLower == 0:
		return m.prefix + strings.Repeat("A7", m.min)[:m.min]
	}
	return m.prefix + strings.Repeat("a1b2", m.min)[:m.min]
}

// TestNoMarkHidesAnother: the first that matches names the kind.
func TestNoMarkHidesAnother(t *testing.T) {
	for _, c := range [][2]string{{"sk-" + "ant-api03-" + strings.Repeat("x", 30), "Anthropic key"}, {"sk-" + "or-v1-" + strings.Repeat("0f", 32), "OpenRouter key"},
		{"sk-" + strings.Repeat("a1", 24), "secret key"}, {"AGE-SECRET-KEY-" + "PQ-1" + strings.Repeat("Q7", 30), "age key"}} {
		if got := Kind(c[0]); got != c[1] {
			t.Errorf("%q, not %q", got, c[1])
		}
	}
}

func TestMask(t *testing.T) {
	masked, kinds := Mask("a " + ghp + " b " + akia + " c " + ghp + ghp[:3])
	if masked != "a [masked: GitHub token] b [masked: AWS access key] c [masked: GitHub token]" {
		t.Error(masked)
	}
	if diff := cmp.Diff([]string{"GitHub token", "AWS access key"}, kinds); diff != "" {
		t.Error(diff)
	}
	again, kinds := Mask(masked)
	if again != masked || kinds != nil {
		t.Errorf("masked again: %q, %v", again, kinds)
	}
}

// TestClean: what people work with stays as it is.
func TestClean(t *testing.T) {
	for _, text := range []string{
		"", "sk", "sk-", "sk-learn is used", "Keys begin with AKIA.", "ghp_short", "xoxb-your-bot-token", "sk-ant-...", "SG.",
		"task-0123456789012345678901234567890123456789", "M" + akia, akia + "X", strings.ToLower(akia),
		"0d5f1c6a9e8b7a6d5c4b3a2918070605", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
		"github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBzuuK1s=\n",
		`"integrity": "sha512-9NykojV5Uih4lgo5So5dtw+f0JgJX30KCNI8gwhz2J9A15wD0Ml6tjHKwf6fTSa6fAdVBdZeNOs9eJ71qCk8vA==",`,
		"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
		"//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEuanMiXSwibmFtZXMiOltdfQ==",
		"!function(e,t){var n=e.sk_test_mode,r=t.hf_model;return n?r:eyJ}(window.a,window.b);",
		"func ghs_this_is_a_name_of_a_function_in_a_program() {}", "class=\"sk-fading-circle sk-cube-grid-0123456789abcdef0123456789\"",
		"-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUZ\n-----END CERTIFICATE-----\n", "-----BEGIN PUBLIC KEY-----\nMIIBszCCAVmgAwIBAgIUZ\n",
		"Never commit a private key.", "PRIVATE KEY", "the PuTTY-User-Key-File-2: header", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ a@b",
		`if strings.Contains(s, "-----BEGIN RSA PRIVATE KEY-----") {` + "\n\treturn true\n}\n",
		"\tconst head = \"-----BEGIN PRIVATE KEY-----\"\n\treturn\n}\n", `x := "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n"`,
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY----",
	} {
		if masked, kinds := Mask(text); masked != text || kinds != nil {
			t.Errorf("%q became %q", text, masked)
		}
	}
}

// TestKeyBlocks: a private key goes from BEGIN to END, however it is printed.
func TestKeyBlocks(t *testing.T) {
	line := strings.Repeat("MIIEpAIBAAKCAQEA", 4)
	begin, end := "-----BEGIN RSA "+"PRIVATE KEY-----", "-----END RSA "+"PRIVATE KEY-----"
	pem := []string{begin, line, line, "AbCd+/==", end}
	join := func(sep string) string { return strings.Join(pem, sep) }
	numbered, grep, quoted := "", "", ""
	for i, s := range pem {
		numbered += fmt.Sprintf("%d\t%s\n", i+9, s)
		grep += fmt.Sprintf("etc/key.pem:%d:%s\n", i+9, s)
		quoted += fmt.Sprintf("\t\"%s\\n\" +\n", s)
	}
	openpgp := "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\nVersion: 1\n\n" + line + "\n=AbCd\n-----END PGP " + "PRIVATE KEY BLOCK-----"
	putty := "PuTTY-User-Key-" + "File-3: ssh-rsa\nEncryption: none\nComment: a\nPublic-Lines: 1\n" + line + "\nPrivate-Lines: 1\n" + line + "\nPrivate-MAC: 0123abcd"
	const mask = "[masked: private key]"
	for name, c := range map[string][2]string{
		"plain":             {"a\n" + join("\n") + "\nb", "a\n" + mask + "\nb"},
		"CRLF":              {"a\r\n" + join("\r\n") + "\r\nb", "a\r\n" + mask + "\r\nb"},
		"numbered":          {"8\ta\n" + numbered + "14\tb\n", "8\ta\n9\t" + mask + "\n14\tb\n"},
		"searched":          {grep + "b:1:x\n", "etc/key.pem:9:" + mask + "\nb:1:x\n"},
		"JSON":              {`{"key":"` + join(`\n`) + `\n","b":1}`, `{"key":"` + mask + `\n","b":1}`},
		"JSON in JSON":      {`{\"key\":\"` + join(`\\n`) + `\\n\"}`, `{\"key\":\"` + mask + `\\n\"}`},
		"JSON with CRLF":    {`"` + join(`\r\n`) + `"`, `"` + mask + `"`},
		"a program":         {"x =\n" + quoted + "y", "x =\n\t\"" + mask + "\\n\" +\ny"},
		"YAML":              {"key: |\n  " + join("\n  ") + "\nb: 1", "key: |\n  " + mask + "\nb: 1"},
		"added lines":       {"+" + join("\n+") + "\n b", "+" + mask + "\n b"},
		"removed lines":     {"-" + join("\n-") + "\n b", "-" + mask + "\n b"},
		"spaces":            {"KEY=" + join(" ") + " b", "KEY=" + mask + " b"},
		"one line":          {join("") + "\nb", mask + "\nb"},
		"encrypted":         {begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\n" + line + "\n" + end, mask},
		"OpenPGP":           {openpgp + "\nb", mask + "\nb"},
		"PuTTY":             {putty + "\nb", mask + "\nb"},
		"PuTTY, cut":        {putty[:len(putty)-40] + "\n[truncated: 9 bytes]", mask + "\n[truncated: 9 bytes]"},
		"cut":               {begin + "\n" + line + "\n" + line[:9], mask},
		"cut, with a word":  {begin + "\n" + line + "\n" + line[:9] + "\n[truncated: 9 bytes]\nb", mask + "\n[truncated: 9 bytes]\nb"},
		"cut, more follows": {begin + "\n" + line + "\n" + line[:9] + "\ndone\n", mask + "\ndone\n"},
		"cut, numbered":     {"1\t" + begin + "\n2\t" + line + "\n3\t" + line + "\nmore: 9 lines", "1\t" + mask + "\nmore: 9 lines"},
		"cut in JSON":       {`{"key":"` + begin + `\n` + line + `","b":1}`, `{"key":"` + mask + `","b":1}`},
		"two, and a token":  {join("\n") + "\n" + ghp + "\n" + join("\n"), mask + "\n[masked: GitHub token]\n" + mask},
		"cut, in the line":  {begin + "\n" + line + "\n" + line[:20] + "... (cut)\n", mask + "... (cut)\n"},
		"a short one":       {"x\n" + begin + "\nabc", "x\n" + mask},
	} {
		masked, _ := Mask(c[0])
		if diff := cmp.Diff(c[1], masked); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if again, _ := Mask(masked); again != masked {
			t.Errorf("%s: masked again it is %q", name, again)
		}
	}
}

// TestLongBlock: what never ends is cut at the cap, and not searched for ever.
func TestLongBlock(t *testing.T) {
	text := "-----BEGIN " + "PRIVATE KEY-----\n" + strings.Repeat(strings.Repeat("A", 64)+"\n", 4096)
	masked, _ := Mask(text)
	if len(masked) > len(text)-maxBlock+100 || !strings.HasPrefix(masked, "[masked: private key]") {
		t.Errorf("%d of %d bytes are left", len(masked), len(text))
	}
}
