package main

import (
	"context"
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
)

// modelOf is the model that answers: flag where it is not empty, else
// agent.model, else the built-in one, which a note then says. A name that
// means no model, and a missing key, wrap plumbing.ErrInvalid. Each response
// has a call ID that no other has.
func modelOf(e *cli.Env, flag string) (provider.Model, modelName, error) {
	settings, err := e.Settings()
	if err != nil {
		return nil, modelName{}, err
	}
	wanted := settings.Agent.Model
	if flag != "" {
		wanted = flag
	}
	name, err := findModel(settings.Providers, wanted)
	if err != nil {
		return nil, modelName{}, err
	}
	if flag == "" && isDefault(settings, "agent.model") {
		e.Note("no model is configured, so the built-in offline model answers: it quotes and shortens, and needs no network; agent.model names another")
	}
	m, err := build(e, name, settings)
	if err != nil {
		return nil, name, err
	}
	return identified{m, e.NewID}, name, nil
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

// identified gives each response that has none a call ID of its own.
type identified struct {
	provider.Model
	newID func() (string, error)
}

func (m identified) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	response, err := m.Model.Complete(ctx, r, on)
	if response.CallID != "" {
		return response, err
	}
	id, idErr := m.newID()
	if err == nil {
		err = idErr
	}
	response.CallID = id
	return response, err
}
