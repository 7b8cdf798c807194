// Package hook runs the user's own programs at the events of an agent (design
// section 12): each gets the event as one JSON object on stdin; exit code 2
// blocks, and its stderr is the reason.
//
// A hook is a program with arguments, started without a shell at the root of
// the project, in the order of the file. On stdin it gets one canonical JSON
// object, a newline, and the end; it need not read it. stdout is nobody's. Of
// stderr the first MaxStderr bytes count, made visible. How it ends decides:
//
//	             exit 2                        no answer   anything else but 0
//	session_start  blocks the start            warning     warning
//	prompt         blocks the prompt           blocks      warning
//	before_tool    blocks the call             blocks      warning
//	after_tool     a note beside the result    warning     warning
//	before_compact blocks the compaction       blocks      warning
//	after_compact  a note for the person       warning     warning
//	stop           a note for the person       warning     warning
//
// Exit 0 passes. "No answer" is a hook that cannot be started, or that is over
// its time limit, when it is killed with all of its process group: a guard that
// did not answer has not said yes. The first that blocks is the last that is
// asked; where there is nothing to block every hook is asked. What a hook
// leaves running when it ends by itself is the user's own, and not waited for.
//
// Every object has the keys event, session_id (null: the session has no record
// yet), project_root, mode and model, and beside them, every key always there:
//
//	session_start  new
//	prompt         prompt
//	before_tool    tool, call_id, class, arguments, commands (null: no command line), child (null: the session's own turn)
//	after_tool     tool, call_id, is_error, result, result_cut, child
//	before_compact reason
//	after_compact  seq, covered_through, outcome
//	stop           reason, answer
//
// The methods of About make them. result is masked by the caller and at most
// MaxResult bytes. Keys may be added.
//
// It knows processes and the [[hooks]] of config.toml, no tool, model or store.
// Start with Runner.Run.
package hook

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/config"
)

// The events (design section 12).
const (
	SessionStart  = "session_start"
	Prompt        = "prompt"
	BeforeTool    = "before_tool"
	AfterTool     = "after_tool"
	BeforeCompact = "before_compact"
	AfterCompact  = "after_compact"
	Stop          = "stop"
)

// Runner runs the hooks of one project.
type Runner struct {
	Hooks []config.Hook
	Dir   string   // where they run
	Env   []string // all of it; the guard LECODE_READONLY is not in it

	second time.Duration // what a second of a time limit takes; 0: a second
}

// Outcome is what the hooks of one event said.
type Outcome struct {
	Blocked bool
	Reason  string // why, in the words of the hook that blocked
	// Notes are what hooks said with exit code 2 where nothing can be blocked:
	// at AfterTool for the model, beside the result; at AfterCompact and Stop
	// for the person.
	Notes []string
	// Warnings name hooks that failed without blocking, and why.
	Warnings []string
}

// powers is what a hook can do at an event.
type powers struct {
	blocks bool // exit code 2 blocks
	guards bool // so does a hook that gives no answer
}

func powersAt(event string) (p powers, known bool) {
	switch event {
	case Prompt, BeforeTool, BeforeCompact:
		return powers{blocks: true, guards: true}, true
	case SessionStart:
		return powers{blocks: true}, true
	case AfterTool, AfterCompact, Stop:
		return powers{}, true
	}
	return powers{}, false
}

// Run runs the hooks of an event one after the other, in the order of the
// file; the first that blocks ends it. object is one that About made; the
// event's name goes in as "event". Whatever is wrong with a hook is in the
// Outcome. An error is that of ctx, which kills what runs, or wraps
// plumbing.ErrInvalid where the object is none of this event or cannot be
// encoded; then no hook has said yes.
func (r Runner) Run(ctx context.Context, event string, object map[string]any) (Outcome, error) {
	var out Outcome
	can, known := powersAt(event)
	if !known {
		return out, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("there is no event %q for hooks", event), "")
	}
	var line []byte
	for i, h := range r.Hooks {
		if h.Event != event {
			continue
		}
		if line == nil {
			var err error
			if line, err = encode(event, object); err != nil {
				return out, err
			}
		}
		end := r.run(ctx, h, line)
		if err := ctx.Err(); err != nil {
			return out, fmt.Errorf("run the hooks of %s: %w", event, err)
		}
		if out.take(can, name(i, h), end); out.Blocked {
			break
		}
	}
	return out, nil
}

// encode is the line that a hook gets on stdin.
func encode(event string, object map[string]any) ([]byte, error) {
	whole := maps.Clone(object)
	if whole == nil {
		whole = map[string]any{}
	}
	if told, there := whole["event"]; there && told != event {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the object for the hooks of %s is of another event", event), "")
	}
	whole["event"] = event
	line, err := canon.Marshal(whole)
	if err != nil {
		return nil, &plumbing.Error{Kind: plumbing.ErrInvalid, Message: "the object for the hooks of " + event + " cannot be encoded", Cause: err}
	}
	return append(line, '\n'), nil
}

// take adds what one hook came to.
func (o *Outcome) take(can powers, name string, e end) {
	switch {
	case e.fault != "" && can.guards:
		o.Blocked, o.Reason = true, fmt.Sprintf("%s %s, and a hook that gives no answer does not let it pass", name, e.fault)
	case e.fault != "":
		o.Warnings = append(o.Warnings, name+" "+e.fault)
	case e.code == blockCode && can.blocks:
		o.Blocked, o.Reason = true, e.words(name, "blocked it")
	case e.code == blockCode:
		o.Notes = append(o.Notes, e.words(name, "objects"))
	case e.code != 0:
		o.Warnings = append(o.Warnings, e.warning(name))
	}
}
