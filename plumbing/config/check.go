package config

import (
	"maps"
	"slices"
)

// checkWhole judges what only the merged files show: entries that lack a part.
func (c *Config) checkWhole() error {
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		p, path := c.Providers[name], join("providers", name)
		if must := p.wants(); must != "" {
			return c.lacks(path, must)
		}
	}
	for i, h := range c.Hooks {
		if h.Event == "" || len(h.Command) == 0 {
			return c.lacks(element("hooks", i), "must have an event and a command")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Chains)) {
		if err := c.checkChain(join("chains", name), c.Chains[name]); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.MCP)) {
		if s := c.MCP[name]; (len(s.Command) > 0) == (s.URL != "") {
			return c.lacks(join("mcp", name), "must have a command or a url, and not both")
		}
	}
	return nil
}

func (p Provider) wants() string {
	switch {
	case p.Type == "":
		return "must have a type"
	case p.Type == "exec" && len(p.Command) == 0:
		return "is of type exec and must have a command"
	case p.Type == "script" && len(p.Command) != 1:
		return "is of type script and must have a command of one word: the file with the responses"
	case p.Type != "exec" && p.Type != "script" && len(p.Command) > 0:
		return "must not have a command: that is for the types exec and script"
	}
	return ""
}

func (c *Config) checkChain(path string, chain Chain) error {
	if len(chain.Phases) == 0 {
		return c.lacks(path, "must have phases: [["+path+".phases]]")
	}
	for i, p := range chain.Phases {
		if p.Prompt == "" {
			return c.lacks(element(join(path, "phases"), i), "must have a prompt")
		}
	}
	return nil
}

func (c *Config) lacks(path, must string) error {
	return invalid(c.origins[path], path+" "+must, "correct it, or take it out")
}
