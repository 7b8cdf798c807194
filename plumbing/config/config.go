// Package config says where lecode's directories lie (design section 3) and
// what config.toml sets (design section 14).
//
// It knows the settings, their defaults and bounds, the two files that may
// hold them, and the order in which a value is looked for: flag, environment,
// the project's file, the user's file, default. Everything comes in as an
// argument: it must not read the environment itself, nor anything of the
// repository, which must not choose where keys go or what runs. Load writes
// nothing; Set changes one value in a file's bytes, and Writer puts such a
// change in place.
//
// Start with Load; ConfigDir says where it looks.
package config

import (
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// Config is what is set, after all files, variables and flags.
type Config struct {
	Agent       Agent
	Memory      Memory
	Compaction  Compaction
	Privacy     Privacy
	Permissions map[string]string   // tool, group of tools or "bash:WORDS": "allow", "ask" or "deny"
	Providers   map[string]Provider // by NAME
	Hooks       []Hook
	Chains      map[string]Chain  // by NAME
	MCP         map[string]Server // by NAME

	origins map[string]origin // of every key that is not a default
}

// Agent is [agent].
type Agent struct {
	Model         string // "offline" or a model's name
	Thinking      string // "off", "low", "medium" or "high"
	ContextWindow int64  // tokens, for a model that the catalog does not know
	MaxTurns      int64  // requests that one prompt may lead to
}

// Memory is [memory].
type Memory struct {
	Enabled         bool
	MaxBytes        int64  // cap of the whole memory section, in bytes
	FactsMaxBytes   int64  // cap of the facts in it, in bytes
	AutoLearn       bool   // learn after a compaction
	MaxTokensPerDay *int64 // of compaction and learning together; nil: no limit
}

// Compaction is [compaction].
type Compaction struct {
	BufferTokens     int64    // kept free for the answer
	MidTurnThreshold *float64 // share of the window, 0 to 1, at which a turn compacts; nil: only when it must
}

// Privacy is [privacy].
type Privacy struct {
	MaskSecrets bool
}

// Provider is [providers.NAME].
type Provider struct {
	Type      string   // "offline", "script", "exec", "openai" or "anthropic"
	BaseURL   string   // http or https; empty: the type's own
	APIKeyEnv string   // the variable that holds the key
	Command   []string // type exec: program and arguments; type script: the file with the responses
	Models    []string
}

// Hook is one of [[hooks]].
type Hook struct {
	Event          string   // as in design section 12
	Command        []string // program and arguments; no shell
	TimeoutSeconds int64
}

// Chain is [chains.NAME].
type Chain struct {
	Phases []Phase
}

// Phase is one of [[chains.NAME.phases]].
type Phase struct {
	Prompt string
	Mode   string // "default", "readonly" or "auto"
}

// Server is [mcp.NAME]: a program, or a URL.
type Server struct {
	Command        []string
	Env            map[string]string // for the program, besides its own
	URL            string
	TimeoutSeconds int64
	Class          string   // of its tools: "read", "write", "execute" or "network"
	Tools          []string // those that are offered, by the server's names; nil: all; empty: none
	Enabled        bool
}

// The origins of a value, weakest first.
const (
	FromDefault     = "default"
	FromUser        = "user"        // <config_dir>/config.toml
	FromProject     = "project"     // <config_dir>/memory/<slug>/config.toml
	FromEnvironment = "environment" // LECODE_<SECTION>_<KEY>
	FromFlag        = "flag"
)

// Options is where Load looks.
type Options struct {
	ConfigDir string // absolute; empty: no files
	Slug      string // the project's; empty: no project file
	// Env gives the variables LECODE_<SECTION>_<KEY>, such as
	// LECODE_MEMORY_ENABLED, of the sections agent, memory, compaction and
	// privacy. An empty value counts as not set, and no other variable is
	// asked for. May be nil.
	Env func(string) string
	// Flags are values by key, such as "memory.enabled": "false".
	Flags map[string]string
}

// Load reads the configuration. A file that is missing sets nothing; a linked
// one is read; tables are merged key by key, and any other value, a list too,
// replaces the weaker one whole. An unknown key, a duplicate one or a value
// that is not allowed wraps plumbing.ErrInvalid with file and line; what is
// not a regular file, or may not be read, wraps ErrRefused; a link to nothing
// wraps ErrNotFound.
func Load(opts Options) (*Config, error) {
	c := &Config{origins: map[string]origin{}}
	c.setDefaults()
	if opts.ConfigDir != "" {
		if err := c.readFiles(opts.ConfigDir, opts.Slug); err != nil {
			return nil, err
		}
	}
	if opts.Env != nil {
		if err := c.readEnvironment(opts.Env); err != nil {
			return nil, err
		}
	}
	if err := c.readFlags(opts.Flags); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Config) readFiles(dir, slug string) error {
	if slug != "" && (slug == "." || slug == ".." || strings.ContainsAny(slug, "/\\\x00")) {
		return plumbing.Fail(plumbing.ErrInvalid, quote(slug)+" is not a project's slug", "see `lecode slug`")
	}
	if err := c.readFile(filepath.Join(dir, "config.toml"), FromUser); err != nil {
		return err
	}
	if slug != "" {
		if err := c.readFile(filepath.Join(dir, "memory", slug, "config.toml"), FromProject); err != nil {
			return err
		}
	}
	return c.checkWhole()
}

// readFile applies one file; a missing one changes nothing.
func (c *Config) readFile(path, from string) error {
	data, found, err := readFile(path)
	if err != nil || !found {
		return err
	}
	tree, lines, err := parse(data, path)
	if err != nil {
		return err
	}
	return (&layer{c: c, from: from, file: path, lines: lines}).root(tree)
}
