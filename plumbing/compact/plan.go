package compact

import (
	"bytes"
	"fmt"
	"maps"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// The purposes of a plan.
const (
	PurposeCompact = "compact"
	PurposeLearn   = "learn"
)

// TypePlan is the "type" of a plan.
const TypePlan = "plan"

// Caps of a request and of a summary (design section 13).
const (
	MaxRequestBytes = 100_000
	MaxSummary      = 2_048 // tokens
)

// Limits is what a request has to fit. It stands in the plan, so that Apply
// plans with the same numbers in whatever process it runs.
type Limits struct {
	ContextWindow   int64 `json:"context_window"`    // of the model, in tokens
	MaxOutputTokens int64 `json:"max_output_tokens"` // cap of the answer, at most MaxSummary
	RequestBytes    int64 `json:"request_bytes"`     // cap of the request as canonical JSON, at most MaxRequestBytes
	RequestTokens   int64 `json:"request_tokens"`    // cap of the request by Deps.Tokens
}

// Check reports limits that no request can be made with as plumbing.ErrInvalid.
func (l Limits) Check() error {
	for _, f := range []struct {
		name      string
		n, lo, hi int64
	}{
		{"context_window", l.ContextWindow, 1, provider.MaxTokens},
		{"max_output_tokens", l.MaxOutputTokens, 1, MaxSummary},
		{"request_bytes", l.RequestBytes, 1, MaxRequestBytes},
		{"request_tokens", l.RequestTokens, 1, provider.MaxTokens},
	} {
		if f.n < f.lo || f.n > f.hi {
			return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the limit %s is %d; it may be %d to %d", f.name, f.n, f.lo, f.hi),
				"take the plan as it was printed")
		}
	}
	return nil
}

// Plan is a derivation that is prepared (design section 10): what it covers,
// and the request for it. A plan to learn has the same keys.
type Plan struct {
	Covers     []source.Ref     `json:"covers"`
	Generation int64            `json:"generation"`
	Limits     Limits           `json:"limits"`
	Model      string           `json:"model"`
	Prior      *session.Prior   `json:"prior"`
	Purpose    string           `json:"purpose"`
	Request    provider.Request `json:"request"`
	SessionID  string           `json:"session_id"`
	Type       string           `json:"type"`
}

// Planned is a plan as it was read, with the bytes that it is held against later.
type Planned struct {
	Plan
	// Response is nil where the plan carries none.
	Response *provider.Response

	fields map[string]jsontext.Value // canonical, without "response"
}

// Planned is p as if it had been read.
func (p Plan) Planned() (Planned, error) {
	b, err := canon.Marshal(p)
	if err != nil {
		return Planned{}, err
	}
	return ReadPlan(b)
}

// ReadPlan reads a plan strictly: what is no plan, a field that lacks or has
// the wrong type, a duplicate key and limits out of range wrap
// plumbing.ErrInvalid. Fields that no plan has are kept, and make Apply refuse it.
func ReadPlan(data []byte) (Planned, error) {
	object, err := canon.CanonicalizeObject(data)
	if err != nil {
		return Planned{}, err
	}
	p := Planned{}
	if err := json.Unmarshal(object, &p.fields); err != nil {
		return Planned{}, invalid("it is not an object of fields", err)
	}
	for _, key := range []string{"covers", "generation", "limits", "model", "prior", "purpose", "request", "session_id", "type"} {
		if _, ok := p.fields[key]; !ok {
			return Planned{}, invalid(fmt.Sprintf("%q is missing", key), nil)
		}
	}
	if err := p.read(); err != nil {
		return Planned{}, err
	}
	if raw, ok := p.fields["response"]; ok && raw.Kind() != 'n' {
		r, err := provider.ReadResponse(raw)
		if err != nil {
			return Planned{}, err
		}
		p.Response = &r
	}
	delete(p.fields, "response")
	return p, nil
}

// read fills the plan from its fields.
func (p *Planned) read() error {
	for key, to := range map[string]any{
		"covers": &p.Covers, "generation": &p.Generation, "limits": &p.Limits, "model": &p.Model,
		"prior": &p.Prior, "purpose": &p.Purpose, "session_id": &p.SessionID, "type": &p.Type,
	} {
		if err := json.Unmarshal(p.fields[key], to); err != nil {
			return invalid(fmt.Sprintf("%q has the wrong type", key), err)
		}
	}
	if p.Type != TypePlan {
		return invalid("its type is not plan", nil)
	}
	var err error
	if p.Request, err = provider.ReadRequest(p.fields["request"]); err != nil {
		return err
	}
	for _, r := range p.Covers {
		if err := r.Check(); err != nil {
			return err
		}
	}
	return p.Limits.Check()
}

// With is the plan with the response in it, as it is piped on; what p was read
// from is kept field by field.
func (p Planned) With(r provider.Response) ([]byte, error) {
	raw, err := canon.Marshal(r)
	if err != nil {
		return nil, err
	}
	fields := maps.Clone(p.fields)
	fields["response"] = raw
	return canon.Marshal(fields)
}

// equals reports whether p is, byte for byte, the plan q.
func (p Planned) equals(q Plan) (bool, error) {
	mine, err := canon.Marshal(p.fields)
	if err != nil {
		return false, err
	}
	other, err := canon.Marshal(q)
	return bytes.Equal(mine, other), err
}

func invalid(what string, cause error) error {
	return &plumbing.Error{Kind: plumbing.ErrInvalid, Cause: cause,
		Message: "not a plan: " + what, Hint: "take it from `lecode compact --plan` unchanged"}
}
