package compact

import (
	"context"
	"fmt"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
)

// Call is what one call to a model took, as a session keeps it.
type Call struct {
	CallID  string          `json:"call_id"`
	Model   string          `json:"model"`
	Purpose string          `json:"purpose"`
	Type    string          `json:"type"`
	Usage   *provider.Usage `json:"usage"` // nil: the provider said nothing
}

// call is the plan's; one that nobody gave an ID is known by its bytes.
func (p Planned) call() Call {
	purpose := p.Purpose
	if purpose == PurposeLearn {
		purpose = "learning" // as the seed and the ledger name it
	}
	c := Call{CallID: p.Response.CallID, Model: p.Response.Model, Purpose: purpose,
		Type: session.TypeUsage, Usage: p.Response.Usage}
	if c.Model == "" {
		c.Model = p.Model
	}
	if c.CallID == "" {
		line, _ := canon.Marshal(p.Response)
		c.CallID = "call-" + canon.Digest(line)[len("sha256:"):][:24]
	}
	return c
}

// accountTime is how long an account may wait for a session that is held.
const accountTime = 5 * time.Second

// Account keeps the usage of a call whose plan will not be applied, because the
// model failed or the user stopped it. It does so also where ctx has ended.
// Whatever the session holds of that call already is enough.
func Account(ctx context.Context, d Deps, p Planned, r provider.Response) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), accountTime)
	defer stop()
	w, err := d.Sessions.Attach(ctx, p.SessionID)
	if err != nil {
		return fmt.Errorf("keep the usage of a call: %w", err)
	}
	defer w.Close()
	p.Response = &r
	return AccountTo(w, p.call())
}

// AccountTo appends a memory_usage event, unless the log holds that call: a
// response that is applied twice was paid once.
func AccountTo(w *session.Writer, c Call) error {
	known, err := accounted(w.Log(), c.CallID)
	if err != nil || known {
		return err
	}
	line, err := canon.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := w.AppendEvent(context.Background(), line); err != nil {
		return fmt.Errorf("keep the usage of a call: %w", err)
	}
	return nil
}

// accounted looks for a call among the events that carry usage.
func accounted(log *session.Log, callID string) (bool, error) {
	for seq := log.Last(); seq > 0; seq-- {
		e, err := log.Entry(seq)
		if err != nil {
			return false, err
		}
		switch e.Type {
		case session.TypeUsage, session.TypeCompact, session.TypeLearning:
		default:
			continue
		}
		line, err := log.Record(seq)
		if err != nil {
			return false, err
		}
		if gjson.GetBytes(line, "call_id").Str == callID {
			return true, nil
		}
	}
	return false, nil
}
