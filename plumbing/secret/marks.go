package secret

import "strings"

// mark is how a token of one kind begins, and what follows.
type mark struct {
	kind   string
	prefix string // at least three characters
	set    class  // of the characters that follow
	min    int    // how many follow at least
	max    int    // and at most; 0: any number
	ok     func(tail string) bool
}

// marks are those of keys and tokens that have a fixed beginning, the longer of
// two that begin alike first.
func marks() []mark {
	return append(append(append(codeMarks(), modelMarks()...), cloudMarks()...), serviceMarks()...)
}

// hasDigit tells a token from a name in a program: ghs_, xoxb-your-token.
func hasDigit(tail string) bool { return strings.ContainsAny(tail, "0123456789") }

// isJWT wants a second part that begins as JSON does too.
func isJWT(tail string) bool {
	at := strings.Index(tail, ".eyJ")
	return at >= 10 && len(tail)-at >= 14
}

func codeMarks() []mark {
	list := []mark{
		{"GitHub token", "github_pat_", ident, 22, 0, hasDigit},
		{"GitLab token", "GR1348941", word, 20, 0, nil},
		{"npm token", "npm_", alnum, 36, 36, nil},
		{"PyPI token", "pypi-AgEIcHlwaS5vcmc", word, 20, 0, nil},
		{"PyPI token", "pypi-AgENdGVzdC5weXBpLm9yZ", word, 20, 0, nil},
		{"RubyGems token", "rubygems_", hex, 48, 48, nil},
		{"Clojars token", "CLOJARS_", alnum, 60, 60, nil},
		{"Docker token", "dckr_pat_", word, 20, 0, hasDigit},
		{"Docker token", "dckr_oat_", word, 20, 0, hasDigit},
		{"CircleCI token", "CCIPAT_", ident, 40, 0, hasDigit},
		{"Buildkite token", "bkua_", hex, 40, 40, nil},
		{"Sourcegraph token", "sgp_", alnum | underscore, 40, 0, hasDigit},
		{"Atlassian token", "ATATT3xFfGF0", word | base64Sign, 60, 0, nil},
		{"Atlassian token", "ATCTT3xFfGN0", word | base64Sign, 60, 0, nil},
		{"JSON web token", "eyJ", word | dot, 28, 0, isJWT},
		{"age key", "AGE-SECRET-KEY-1", capit, 50, 0, nil},
		{"age key", "AGE-SECRET-KEY-PQ-1", capit, 50, 0, nil},
	}
	for _, p := range []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"} {
		list = append(list, mark{"GitHub token", p, ident, 30, 0, hasDigit})
	}
	for _, p := range []string{"pat", "dt", "rt", "cbt", "ptt", "ft", "imt", "agent", "oas", "soat", "ffct"} {
		list = append(list, mark{"GitLab token", "gl" + p + "-", word | dot, 20, 0, hasDigit})
	}
	return list
}

func modelMarks() []mark {
	return []mark{
		{"Anthropic key", "sk-ant-", word, 20, 0, nil},
		{"OpenAI key", "sk-proj-", word, 20, 0, nil},
		{"OpenAI key", "sk-svcacct-", word, 20, 0, nil},
		{"OpenAI key", "sk-admin-", word, 20, 0, hasDigit},
		{"OpenRouter key", "sk-or-", word, 20, 0, nil},
		{"secret key", "sk-", alnum, 32, 64, hasDigit},
		{"Groq key", "gsk_", alnum, 40, 0, hasDigit},
		{"xAI key", "xai-", alnum, 60, 0, hasDigit},
		{"Perplexity key", "pplx-", alnum, 40, 0, hasDigit},
		{"NVIDIA key", "nvapi-", word, 50, 0, nil},
		{"Replicate token", "r8_", alnum, 37, 37, hasDigit},
		{"Tavily key", "tvly-", word, 30, 0, hasDigit},
		{"LangSmith key", "lsv2_", hex | restLower | underscore, 40, 0, hasDigit},
		{"Hugging Face token", "hf_", alnum, 30, 40, nil},
		{"Hugging Face token", "api_org_", alnum, 34, 34, nil},
	}
}

func cloudMarks() []mark {
	list := []mark{
		{"AWS key", "ABSK", b64, 100, 0, nil},
		{"AWS key", "bedrock-api-key-", b64, 28, 0, nil},
		{"Google key", "AIza", word, 35, 35, nil},
		{"Google token", "ya29.", word, 20, 0, nil},
		{"Google token", "1//0", word, 40, 0, hasDigit},
		{"Google secret", "GOCSPX-", word, 20, 0, nil},
		{"Azure key", "AccountKey=", b64, 80, 0, nil},
		{"Azure key", "SharedAccessKey=", b64, 40, 0, nil},
		{"Alibaba key", "LTAI", alnum, 20, 20, hasDigit},
		{"Cloudflare key", "v1.0-", hex | dash, 171, 171, nil},
		{"Databricks token", "dapi", hex, 32, 32, nil},
		{"Vault token", "hvs.", word, 20, 0, hasDigit},
		{"Vault token", "hvb.", word, 100, 0, nil},
		{"Heroku key", "HRKU-AA", word, 50, 0, nil},
		{"Pulumi token", "pul-", hex, 40, 40, nil},
		{"Supabase token", "sbp_", hex, 40, 40, nil},
		{"Fly token", "fo1_", word, 40, 0, hasDigit},
		{"Fly token", "fm1a_", b64, 100, 0, nil},
		{"Fly token", "fm1r_", b64, 100, 0, nil},
		{"Fly token", "fm2_", b64, 100, 0, nil},
		{"Tailscale key", "tskey-", word, 20, 0, hasDigit},
		{"Grafana token", "glc_", b64, 32, 0, hasDigit},
		{"Grafana token", "glsa_", ident, 40, 0, hasDigit},
		{"Doppler token", "dp.pt.", alnum, 40, 0, hasDigit},
		{"1Password token", "ops_eyJ", b64, 200, 0, nil},
		{"PlanetScale token", "pscale_", word | dot, 35, 0, hasDigit},
		{"Dynatrace token", "dt0c01.", alnum | dot, 80, 0, hasDigit},
	}
	for _, p := range []string{"AKIA", "ASIA", "ABIA", "ACCA"} {
		list = append(list, mark{"AWS access key", p, capit, 16, 16, nil})
	}
	for _, p := range []string{"dop_v1_", "doo_v1_", "dor_v1_"} {
		list = append(list, mark{"DigitalOcean token", p, hex, 40, 0, nil})
	}
	return list
}

func serviceMarks() []mark {
	list := []mark{
		{"Slack webhook", "hooks.slack.com/services/", b64, 40, 0, hasDigit},
		{"Discord webhook", "discord.com/api/webhooks/", word | base64Sign, 60, 0, hasDigit},
		{"Stripe key", "whsec_", b64, 24, 0, hasDigit},
		{"SendGrid key", "SG.", word | dot, 40, 0, hasDigit},
		{"Postman key", "PMAK-", hex | dash, 59, 59, nil},
		{"New Relic key", "NRAK-", capit, 27, 27, nil},
		{"Sentry token", "sntrys_", b64 | underscore, 60, 0, hasDigit},
		{"Sentry token", "sntryu_", hex, 64, 64, nil},
		{"Linear key", "lin_api_", alnum, 40, 0, hasDigit},
		{"Notion token", "ntn_", alnum, 40, 0, hasDigit},
		{"Figma token", "figd_", word, 40, 0, hasDigit},
		{"Brevo key", "xkeysib-", alnum | dash, 80, 0, nil},
		{"Square token", "sq0atp-", word, 22, 0, hasDigit},
		{"Square secret", "sq0csp-", word, 40, 0, hasDigit},
		{"Shippo token", "shippo_live_", hex, 40, 40, nil},
		{"ReadMe key", "rdme_", alnum, 70, 0, hasDigit},
		{"Prefect key", "pnu_", alnum, 36, 36, hasDigit},
	}
	for _, p := range []string{"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xoxb-", "xoxe.xoxp-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"} {
		list = append(list, mark{"Slack token", p, alnum | dash, 10, 0, hasDigit})
	}
	for _, p := range []string{"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"} {
		list = append(list, mark{"Stripe key", p, alnum, 16, 0, nil})
	}
	for _, p := range []string{"shpat_", "shpca_", "shppa_", "shpss_"} {
		list = append(list, mark{"Shopify token", p, alnum, 32, 0, nil})
	}
	return list
}
