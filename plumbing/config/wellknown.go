package config

// WellKnown are the providers that need no table of their own, by NAME.
func WellKnown(name string) (Provider, bool) {
	switch name {
	case "offline":
		return Provider{Type: "offline"}, true
	case "openai":
		return Provider{Type: "openai", BaseURL: "https://api.openai.com/v1", APIKeyEnv: "OPENAI_API_KEY"}, true
	case "anthropic":
		return Provider{Type: "anthropic", BaseURL: "https://api.anthropic.com", APIKeyEnv: "ANTHROPIC_API_KEY"}, true
	case "openrouter":
		return Provider{Type: "openai", BaseURL: "https://openrouter.ai/api/v1", APIKeyEnv: "OPENROUTER_API_KEY"}, true
	case "gemini":
		return Provider{Type: "openai", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai", APIKeyEnv: "GEMINI_API_KEY"}, true
	case "ollama":
		return Provider{Type: "openai", BaseURL: "http://127.0.0.1:11434/v1"}, true
	}
	return Provider{}, false
}

// IsVariable reports whether a string can be the name of an environment variable.
func IsVariable(s string) bool { return isVariable(s) }

// IsURL reports whether a string is an http or https URL without a password in it.
func IsURL(s string) bool { return isURL(s) }
