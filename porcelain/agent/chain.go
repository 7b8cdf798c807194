package agent

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/porcelain/permission"
)

// Chain runs the phases of a chain of config.toml one after the other (design
// section 12). What the person typed, words and all, is stored as theirs before
// the first phase; the phases' prompts are synthetic and keep the generation
// that the chain began in. A phase that pauses, fails, or is overtaken by a
// forget stops the chain. An unknown name is plumbing.ErrNotFound.
func (a *Agent) Chain(ctx context.Context, name, words string) (Outcome, error) {
	done, err := a.begin("chain " + name)
	if err != nil {
		return Outcome{}, err
	}
	defer done()
	settings, err := a.d.Settings()
	if err != nil {
		return Outcome{}, err
	}
	chain, known := settings.Chains[name]
	if !known {
		return Outcome{}, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("there is no chain %q", name), chains(settings))
	}
	generation, err := a.d.Facts.Generation()
	if err != nil {
		return Outcome{}, err
	}
	typed := strings.TrimSpace("/chain " + name + " " + words)
	sum := Outcome{}
	for i, p := range chain.Phases {
		a.emit(Phase{Chain: name, Number: int64(i) + 1, Of: int64(len(chain.Phases)), Prompt: p.Prompt, Mode: a.phaseMode(p)})
		out, err := a.phase(ctx, p, generation, typed)
		sum.add(out)
		if err != nil {
			return sum, fmt.Errorf("phase %d of %d of chain %q: %w", i+1, len(chain.Phases), name, err)
		}
		if out.Stopped != "" {
			a.notice("chain %q stops after phase %d of %d: %s", name, i+1, len(chain.Phases), out.Stopped)
			return sum, nil
		}
		typed = ""
	}
	return sum, nil
}

func chains(settings *config.Config) string {
	if len(settings.Chains) == 0 {
		return "none is configured: [[chains.NAME.phases]] in config.toml"
	}
	return "there are " + strings.Join(slices.Sorted(maps.Keys(settings.Chains)), ", ")
}

// phaseMode is a phase's mode; a read-only agent stays read-only.
func (a *Agent) phaseMode(p config.Phase) permission.Mode {
	if _, mode := a.now(); mode == permission.ReadOnly {
		return mode
	}
	return permission.Mode(p.Mode)
}

// phase is one turn of a chain; typed is what the person typed, before the first.
func (a *Agent) phase(ctx context.Context, p config.Phase, generation int64, typed string) (Outcome, error) {
	t := &turn{a: a, mode: a.phaseMode(p), generation: generation, begun: true, again: true}
	return a.held(ctx, t, p.Prompt, func(ctx context.Context, t *turn) error {
		if moved, err := t.moved(); err != nil || moved {
			return joined(err, t.over(nil))
		}
		if typed != "" {
			if _, err := a.append(ctx, userMessage(Input{Text: typed})); err != nil {
				return err
			}
		}
		_, err := a.append(ctx, syntheticMessage(p.Prompt, generation))
		return err
	})
}

// joined is the first error that there is.
func joined(err, next error) error {
	if err != nil {
		return err
	}
	return next
}

// add adds what another turn led to.
func (o *Outcome) add(next Outcome) {
	o.Text, o.Finish, o.Stopped = next.Text, next.Finish, next.Stopped
	o.Requests += next.Requests
	o.Calls += next.Calls
	o.Denied += next.Denied
	o.Usage = o.Usage.Plus(next.Usage)
}
