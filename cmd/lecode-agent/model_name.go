package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
)

// modelName is a provider's NAME and the ID of a model there.
type modelName struct{ Provider, ID string }

// String is the name as agent.model has it.
func (n modelName) String() string {
	if n.Provider == n.ID {
		return n.ID
	}
	return n.Provider + "/" + n.ID
}

// providerOf is what is known of a provider. A key that is meant for a
// well-known address never goes to another: whoever sets base_url names the
// key's variable too.
func providerOf(configured map[string]config.Provider, name string) (config.Provider, bool) {
	known, isKnown := config.WellKnown(name)
	p, ok := configured[name]
	switch {
	case !ok:
		return known, isKnown
	case !isKnown:
		known, _ = config.WellKnown(p.Type) // openai and anthropic stand for themselves
	case p.Type != known.Type:
		return p, true
	}
	if p.BaseURL == "" {
		p.BaseURL = known.BaseURL
		if p.APIKeyEnv == "" {
			p.APIKeyEnv = known.APIKeyEnv
		}
	}
	return p, true
}

// findModel resolves a name: PROVIDER/ID, or the ID alone where one provider
// lists it in its models, or the NAME alone of a provider that has just one.
func findModel(configured map[string]config.Provider, wanted string) (modelName, error) {
	if listed := listing(configured, wanted); len(listed) == 1 {
		return modelName{listed[0], wanted}, nil
	} else if len(listed) > 1 {
		return modelName{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("several providers list model %q", wanted),
			"name one: "+listed[0]+"/"+wanted)
	}
	name, id, hasID := strings.Cut(wanted, "/")
	p, ok := providerOf(configured, name)
	switch {
	case !ok:
		return modelName{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("there is no model %q", wanted), "there are "+choices(configured))
	case hasID && id != "" && p.Type != "offline":
		if len(p.Models) > 0 && !slices.Contains(p.Models, id) {
			return modelName{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("providers.%s.models does not list %q", name, id),
				"it lists "+strings.Join(p.Models, ", "))
		}
		return modelName{name, id}, nil
	case !hasID && len(p.Models) == 1:
		return modelName{name, p.Models[0]}, nil
	case !hasID && len(p.Models) == 0 && (p.Type == "offline" || p.Type == "script" || p.Type == "exec"):
		return modelName{name, name}, nil
	}
	return modelName{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q does not say which model of provider %q", wanted, name),
		"name it as "+name+"/MODEL")
}

// listing are the providers whose models hold an ID.
func listing(configured map[string]config.Provider, id string) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		if slices.Contains(configured[name].Models, id) {
			list = append(list, name)
		}
	}
	return list
}

// choices says which models can be named.
func choices(configured map[string]config.Provider) string {
	list := []string{"offline"}
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		p := configured[name]
		switch {
		case len(p.Models) > 0:
			for _, id := range p.Models {
				list = append(list, name+"/"+id)
			}
		case p.Type == "exec" || p.Type == "script" || p.Type == "offline":
			list = append(list, name)
		default:
			list = append(list, name+"/MODEL")
		}
	}
	return strings.Join(list, ", ") + "; and openai, anthropic, openrouter, gemini and ollama, each with /MODEL"
}
