package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/anthropic"
	"github.com/lecode/lecode/plumbing/provider/exec"
	"github.com/lecode/lecode/plumbing/provider/network"
	"github.com/lecode/lecode/plumbing/provider/offline"
	"github.com/lecode/lecode/plumbing/provider/openai"
	"github.com/lecode/lecode/plumbing/provider/script"
	"github.com/lecode/lecode/porcelain/call"
)

// modelOf is the model that answers: flag where it is not empty, else
// agent.model, else the built-in one, which a note then says. A name that
// means no model, and a missing key, wrap plumbing.ErrInvalid.
func modelOf(e *cli.Env, flag string) (call.Model, error) {
	m, err := namedModel(e, flag)
	if err != nil {
		return m, err
	}
	settings, err := e.Settings()
	if err != nil {
		return m, err
	}
	if flag == "" && isDefault(settings, "agent.model") {
		e.Note("the offline model answers: no key, no network, only what the memory holds; `lecode config --setup` adds a model")
	}
	m.Model, err = build(e, modelName{m.Provider, m.ID}, settings)
	return m, err
}

// namedModel is what is known of a model without its key: enough to plan for
// it, since any program may complete a plan.
func namedModel(e *cli.Env, flag string) (call.Model, error) {
	settings, err := e.Settings()
	if err != nil {
		return call.Model{}, err
	}
	if flag == "" {
		flag = settings.Agent.Model
	}
	name, err := findModel(settings.Providers, flag)
	if err != nil {
		return call.Model{}, err
	}
	limits, _, err := limitsOf(e, name)
	return call.Model{Provider: name.Provider, ID: name.ID, Limits: limits}, err
}

func isDefault(settings *config.Config, key string) bool {
	for _, s := range settings.Settings() {
		if s.Key == key {
			return s.Origin == config.FromDefault
		}
	}
	return true
}

// build makes the model from what is configured for its provider.
func build(e *cli.Env, name modelName, settings *config.Config) (provider.Model, error) {
	p, known := providerOf(settings.Providers, name.Provider)
	if !known {
		return nil, fmt.Errorf("find provider %q", name.Provider)
	}
	spec := provider.Spec{Type: p.Type, Name: name.Provider, Model: name.ID, BaseURL: p.BaseURL,
		KeyEnv: p.APIKeyEnv, Command: p.Command, Thinking: settings.Agent.Thinking}
	if spec.KeyEnv != "" {
		spec.Key = e.Getenv(spec.KeyEnv)
	}
	lent := network.Options{Now: e.Now(), Transport: http.DefaultTransport}
	switch p.Type {
	case "offline":
		return offline.New(offline.Options{Tokens: budget.Tokens}), nil
	case "script":
		spec.File = strings.Join(p.Command, "")
		return script.New(spec)
	case "exec":
		return exec.New(spec)
	case "openai":
		return openai.New(spec, lent)
	case "anthropic":
		return anthropic.New(spec, lent)
	}
	return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("provider %q has a type that lecode does not know", name.Provider),
		"set its type to openai, anthropic, exec, script or offline")
}
