package learn

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark is how a secret of one kind begins, and what has to follow.
type mark struct {
	kind   string
	prefix string
	tail   int    // characters that follow at least
	extra  string // characters besides letters and digits that they may be
}

// marks are those of well-known keys that have a fixed beginning. They are few
// on purpose: a text that merely looks random is no secret, and whoever masks
// what tools print (design section 15.7) has detectors of its own.
func marks() []mark {
	return []mark{
		{"AWS access key", "AKIA", 16, ""},
		{"AWS access key", "ASIA", 16, ""},
		{"GitHub token", "ghp_", 30, ""},
		{"GitHub token", "gho_", 30, ""},
		{"GitHub token", "ghu_", 30, ""},
		{"GitHub token", "ghs_", 30, ""},
		{"GitHub token", "ghr_", 30, ""},
		{"GitHub token", "github_pat_", 22, "_"},
		{"GitLab token", "glpat-", 20, "_-"},
		{"Slack token", "xoxa-", 10, "-"},
		{"Slack token", "xoxb-", 10, "-"},
		{"Slack token", "xoxe-", 10, "-"},
		{"Slack token", "xoxp-", 10, "-"},
		{"Slack token", "xoxr-", 10, "-"},
		{"Slack token", "xoxs-", 10, "-"},
		{"Slack token", "xapp-", 10, "-"},
		{"Anthropic key", "sk-ant-", 20, "_-"},
		{"OpenAI key", "sk-proj-", 20, "_-"},
		{"OpenAI key", "sk-svcacct-", 20, "_-"},
		{"OpenRouter key", "sk-or-", 20, "_-"},
		{"secret key", "sk-", 32, ""},
		{"Stripe key", "sk_live_", 16, ""},
		{"Stripe key", "rk_live_", 16, ""},
		{"Stripe key", "sk_test_", 16, ""},
		{"Stripe key", "whsec_", 24, "+/="},
		{"Google key", "AIza", 35, "_-"},
		{"Google token", "ya29.", 20, "_-"},
		{"Google secret", "GOCSPX-", 20, "_-"},
		{"npm token", "npm_", 36, ""},
		{"PyPI token", "pypi-AgEIcHlwaS5vcmc", 20, "_-"},
		{"Hugging Face token", "hf_", 30, ""},
		{"SendGrid key", "SG.", 40, "._-"},
		{"DigitalOcean token", "dop_v1_", 40, ""},
		{"Shopify token", "shpat_", 32, ""},
		{"Databricks token", "dapi", 32, ""},
		{"Vault token", "hvs.", 20, "_-"},
		{"Docker token", "dckr_pat_", 20, "_-"},
		{"age key", "AGE-SECRET-KEY-1", 20, ""},
		{"JSON web token", "eyJhbGciOi", 20, "._-"},
	}
}

// Secret names the kind of key that a text holds, by a fixed beginning or a
// key block; "" where it holds none. The key itself is told to nobody.
func Secret(text string) string {
	if strings.Contains(text, "-----BEGIN ") && strings.Contains(text, "PRIVATE KEY") ||
		strings.Contains(text, "PuTTY-User-Key-File-") {
		return "private key"
	}
	for _, m := range marks() {
		for at := 0; ; {
			next := strings.Index(text[at:], m.prefix)
			if next < 0 {
				break
			}
			at += next
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			at += len(m.prefix)
			if !unicode.IsLetter(before) && !unicode.IsDigit(before) && m.follows(text[at:]) {
				return m.kind
			}
		}
	}
	return ""
}

// follows reports whether enough characters of a key come next.
func (m mark) follows(rest string) bool {
	n := 0
	for _, r := range rest {
		if !(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune(m.extra, r)) {
			break
		}
		n++
	}
	return n >= m.tail
}
