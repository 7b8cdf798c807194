package main

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/prompt"
)

// choices are who may answer, in the order in which they are offered.
func choices() []string {
	return []string{"openai", "anthropic", "openrouter", "gemini", "ollama", "address", "program", "offline"}
}

// provider is the first question; its answer is one of the choices.
func (a *asking) provider() (string, error) {
	a.say("1 of 3: who answers?")
	for i, name := range choices() {
		a.say("  %d  %-12s%s", i+1, name, a.about(name))
	}
	chosen := ""
	err := a.ask("number or name", a.current(), func(s string) string {
		if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= len(choices()) {
			s = choices()[n-1]
		}
		if !slices.Contains(choices(), strings.ToLower(s)) {
			return "give a number from 1 to " + strconv.Itoa(len(choices())) + ", or a name"
		}
		chosen = strings.ToLower(s)
		return ""
	})
	return chosen, err
}

func (a *asking) about(name string) string {
	switch name {
	case "ollama":
		return "models on this machine; no key"
	case "address":
		return "any other server that speaks OpenAI's language"
	case "program":
		return "any program: gets the prompt on stdin, prints the answer"
	case "offline":
		return "no model: quotes what the memory holds; no key, no network"
	}
	variable := a.keyOf(name)
	return "key in " + variable + " (" + a.isSet(variable) + ")"
}

func (a *asking) isSet(variable string) string {
	if a.getenv(variable) == "" {
		return "not set"
	}
	return "set"
}

// keyOf is the variable that holds the key of a provider that is well known.
func (a *asking) keyOf(name string) string {
	if p, ok := a.now.Providers[name]; ok && p.APIKeyEnv != "" {
		return p.APIKeyEnv
	}
	p, _ := config.WellKnown(name)
	return p.APIKeyEnv
}

// current is the choice that config.toml has made; where it has made none, the
// first whose key is there.
func (a *asking) current() string {
	if a.now.IsDefault("agent.model") {
		for _, name := range choices() {
			if v := a.keyOf(name); v != "" && a.getenv(v) != "" {
				return name
			}
		}
	}
	name, _, _ := strings.Cut(a.now.Agent.Model, "/")
	p, configured := a.now.Providers[name]
	switch {
	case slices.Contains(choices(), name):
		return name
	case configured && p.Type == "exec":
		return "program"
	case configured && p.Type == "openai" && p.BaseURL != "":
		return "address"
	}
	return "offline"
}

// chosen is who answers from now on.
type chosen struct {
	name   string // of the provider
	id     string // of the model; "" where the provider is one
	fields []config.Edit
}

func (c chosen) edits() []config.Edit {
	model := c.name
	if c.id != "" {
		model += "/" + c.id
	}
	edits := []config.Edit{{Key: "agent.model", Value: model}}
	for _, f := range c.fields {
		edits = append(edits, config.Edit{Key: "providers." + strconv.Quote(c.name) + "." + f.Key, Value: f.Value})
	}
	return edits
}

// model is the second question: what has to be known of the choice.
func (a *asking) model(name string) (chosen, error) {
	switch name {
	case "offline":
		a.say("\n2 of 3: no model, so nothing to ask.")
		return chosen{name: name}, nil
	case "program":
		return a.program()
	case "address":
		return a.address()
	}
	a.say("\n2 of 3: which model of %s?", name)
	c := chosen{name: name}
	var err error
	if c.id, err = a.modelID(name); err != nil {
		return c, err
	}
	if name == "ollama" {
		return c, a.ollama(&c)
	}
	variable, err := a.variable(a.keyOf(name), false)
	if p, _ := config.WellKnown(name); variable != a.keyOf(name) {
		c.fields = []config.Edit{{Key: "type", Value: p.Type}, {Key: "api_key_env", Value: variable}}
	}
	return c, err
}

// modelID asks for a model of a provider.
func (a *asking) modelID(name string) (id string, err error) {
	preset, _ := strings.CutPrefix(a.now.Agent.Model, name+"/")
	if preset == a.now.Agent.Model {
		preset = ""
	}
	err = a.ask("model, as the provider names it (`lecode models --search WORD` lists many)", preset, func(s string) string {
		id = strings.TrimPrefix(s, name+"/")
		return a.fitting(name, id)
	})
	return id, err
}

// fitting says why a model cannot be named so; "" where it can.
func (a *asking) fitting(name, id string) string {
	if id == "" || len(id) > 200 || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return "give the name of a model, without spaces"
	}
	if strings.HasPrefix(id, "sk-") || a.isKey(id) && !strings.ContainsAny(id, "-./:") {
		return "that looks like a key; the question is for the model's name, and keys stay out of config.toml"
	}
	if listed := a.now.Providers[name].Models; len(listed) > 0 && !slices.Contains(listed, id) {
		return "providers." + name + ".models in config.toml lists only " + prompt.Show(strings.Join(listed, ", "))
	}
	for other, p := range a.now.Providers {
		if other != name && slices.Contains(p.Models, name+"/"+id) {
			return "in config.toml that is a model of providers." + other
		}
	}
	return ""
}

// variable asks for the name of the variable that holds a key.
func (a *asking) variable(preset string, mayLack bool) (name string, err error) {
	question := "the NAME of the environment variable that holds the key, never the key itself"
	if mayLack {
		question += " (- for none)"
	}
	err = a.ask(question, preset, func(s string) string {
		name = s
		switch {
		case mayLack && (s == "-" || s == ""):
			name = ""
		case a.isKey(s):
			return "that looks like a key, not like the name of a variable; export it in your shell's profile and give the name"
		case len(s) < 3 && a.getenv(s) == "": // a yes or a no
			return "give the name of the variable, such as ANTHROPIC_API_KEY"
		case !config.IsVariable(s):
			return "a variable's name has letters, digits and _ only"
		}
		return ""
	})
	if err == nil && name != "" {
		a.say("  %s is %s now%s", name, a.isSet(name), a.toExport(name))
	}
	return name, err
}

func (a *asking) toExport(name string) string {
	if a.getenv(name) != "" {
		return ""
	}
	return ": put `export " + name + "=…` into your shell's profile"
}

// isKey: long, with small letters and digits, and no variable of that name.
func (a *asking) isKey(s string) bool {
	return len(s) >= 20 && strings.ContainsAny(s, "0123456789") && strings.ToUpper(s) != s && a.getenv(s) == ""
}

// ollama asks where it listens.
func (a *asking) ollama(c *chosen) error {
	usual, _ := config.WellKnown("ollama")
	preset := usual.BaseURL
	if p := a.now.Providers["ollama"]; p.BaseURL != "" {
		preset = p.BaseURL
	}
	address, err := a.url(preset)
	if address != preset {
		c.fields = []config.Edit{{Key: "type", Value: "openai"}, {Key: "base_url", Value: address}}
	}
	return err
}

func (a *asking) url(preset string) (address string, err error) {
	err = a.ask("its address", preset, func(s string) string {
		address = strings.TrimRight(s, "/")
		if !config.IsURL(address) {
			return "give an address such as http://127.0.0.1:8080/v1, without a password in it"
		}
		return ""
	})
	return address, err
}

// address asks for a server that is not known by name.
func (a *asking) address() (chosen, error) {
	a.say("\n2 of 3: which server, and which model?")
	name, _, _ := strings.Cut(a.now.Agent.Model, "/")
	was := a.now.Providers[name]
	if _, known := config.WellKnown(name); known || was.Type != "openai" {
		name, was = "", config.Provider{}
	}
	base, err := a.url(was.BaseURL)
	if err != nil {
		return chosen{}, err
	}
	if base != was.BaseURL {
		name, was = a.freeName(hostName(base)), config.Provider{}
	}
	c := chosen{name: name}
	if c.id, err = a.modelID(name); err != nil {
		return c, err
	}
	variable, err := a.variable(was.APIKeyEnv, true)
	if variable == "" && was.APIKeyEnv != "" {
		c.name = a.freeName(name) // Set takes nothing out
	}
	c.fields = []config.Edit{{Key: "type", Value: "openai"}, {Key: "base_url", Value: base}}
	if variable != "" {
		c.fields = append(c.fields, config.Edit{Key: "api_key_env", Value: variable})
	}
	return c, err
}

// hostName makes a NAME of an address: of api.example.com "example", of this machine "local".
func hostName(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return "server"
	}
	host := strings.ToLower(u.Hostname())
	if ip := net.ParseIP(host); ip != nil && !ip.IsLoopback() {
		return "server"
	} else if ip != nil || host == "localhost" {
		return "local"
	}
	parts := strings.Split(strings.Trim(host, "."), ".")
	name := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, parts[max(0, len(parts)-2)])
	if name = strings.Trim(name, "-"); name == "" {
		return "server"
	}
	return name[:min(len(name), 40)]
}

// freeName is a NAME that no provider has yet.
func (a *asking) freeName(name string) string {
	for i := 1; ; i++ {
		free := name
		if i > 1 {
			free = fmt.Sprintf("%s-%d", name, i)
		}
		_, known := config.WellKnown(free)
		if _, taken := a.now.Providers[free]; !taken && !known {
			return free
		}
	}
}

// program asks for a command that answers.
func (a *asking) program() (chosen, error) {
	a.say("\n2 of 3: which program? It is run without a shell; what has a space in it goes in quotes.")
	c := chosen{name: a.now.Agent.Model}
	was := a.now.Providers[c.name]
	if was.Type != "exec" || len(was.Models) > 0 {
		c.name, was = a.freeName("program"), config.Provider{}
	}
	err := a.ask("program and arguments", joinWords(was.Command), func(s string) string {
		words, ok := splitWords(s)
		if !ok || len(words) == 0 || words[0] == "" {
			return "give a program and its arguments; a quote that opens also closes"
		}
		c.fields = []config.Edit{{Key: "type", Value: "exec"}, {Key: "command", Value: words}}
		return ""
	})
	return c, err
}

// learning is the third question.
func (a *asking) learning() (bool, error) {
	a.say("\n3 of 3: may lecode learn by itself? After each summary of a long session one more call\n" +
		"looks for what you said is to last (\"always use tabs\"), and keeps it word for word,\n" +
		"with its source. `lecode facts` shows what it kept; `lecode forget` takes it out.")
	return a.yes("learn automatically?", a.now.Memory.AutoLearn)
}
