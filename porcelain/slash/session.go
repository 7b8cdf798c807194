package slash

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/porcelain/memory"
)

// undo hides the last exchange, or the one that holds a record.
func undo(ctx context.Context, d Deps, args string) (Answer, error) {
	seq := int64(0)
	if args != "" {
		n, err := strconv.ParseInt(args, 10, 64)
		if err != nil || n < 1 || strconv.FormatInt(n, 10) != args {
			return Answer{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is no record's number", args), "`lecode log` prints them")
		}
		seq = n
	}
	e, err := d.Agent.Undo(ctx, seq)
	if err != nil {
		return Answer{}, err
	}
	a := say("Records %d to %d are hidden; /redo takes it back.", gjson.GetBytes(e.Record, "from").Int(), gjson.GetBytes(e.Record, "to").Int())
	a.Value = e
	return a, nil
}

// redo takes back the latest undo.
func redo(ctx context.Context, d Deps, _ string) (Answer, error) {
	e, err := d.Agent.Redo(ctx)
	if err != nil {
		return Answer{}, err
	}
	a := say("The undo at record %d is taken back.", gjson.GetBytes(e.Record, "undo").Int())
	a.Value = e
	return a, nil
}

// clearContext begins the context anew.
func clearContext(ctx context.Context, d Deps, _ string) (Answer, error) {
	e, err := d.Agent.Clear(ctx)
	if err != nil {
		return Answer{}, err
	}
	a := say("The context begins anew; the records before stay in the log, and facts stand on them still.")
	a.Value = e
	return a, nil
}

// Listed is a session of /sessions.
type Listed struct {
	session.Info
	Current bool
}

// mostNamed is how many sessions without a title are looked into for their first words.
const mostNamed = 100

// sessions lists the project's sessions, the newest first.
func sessions(ctx context.Context, d Deps, _ string) (Answer, error) {
	list, err := newest(ctx, d.Memory.Sessions)
	if err != nil {
		return Answer{}, err
	}
	current := d.Agent.Standing().SessionID
	listed := make([]Listed, len(list))
	for i, s := range list {
		listed[i] = Listed{s, s.ID == current}
	}
	named := slices.Clone(listed) // for people; a title is what somebody gave
	for i := range named[:min(len(named), mostNamed)] {
		if s := &named[i]; s.Title == nil {
			if words := memory.FirstWords(ctx, d.Memory.Sessions, d.Memory.Facts, s.ID); words != "" {
				s.Title = &words
			}
		}
	}
	return Answer{Value: listed, print: func(p *memory.Paper) { printSessions(p, d.Now(), named) }}, nil
}

func printSessions(p *memory.Paper, now time.Time, list []Listed) {
	if len(list) == 0 {
		p.Line("There are no sessions yet.")
		return
	}
	var cells [][]string
	for _, s := range list {
		mark, title := "", ""
		if s.Current {
			mark = "*"
		}
		if s.Title != nil {
			title = *s.Title
		}
		if s.Corrupt != nil {
			title = "[damaged] " + title
		} else if s.Imported != nil {
			title = "[" + s.Imported.Format + "] " + title
		}
		cells = append(cells, []string{mark, s.ID, since(now, s.Updated), fmt.Sprint(s.Messages), title})
	}
	p.Rows([]string{"", "SESSION", "AGE", "MESSAGES>", "TITLE, OR FIRST WORDS"}, cells)
}

// since is the age of a record's time; what is none has no age.
func since(now time.Time, at string) string {
	t, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return ""
	}
	return memory.Age(now, t)
}

// newest lists the sessions of the project by their last record, the latest first.
func newest(ctx context.Context, store *session.Store) ([]session.Info, error) {
	list, err := store.List(ctx)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(i session.Info) bool { return i.Foreign })
	slices.SortStableFunc(list, func(a, b session.Info) int {
		if n := strings.Compare(b.Updated, a.Updated); n != 0 {
			return n
		}
		return strings.Compare(b.ID, a.ID)
	})
	return list, nil
}

// Writer is the header's "writer" of the agent's own sessions (design section 4).
const Writer = "agent"

// Latest is the ID of the session of the agent's own whose last record is the
// latest: not imported, no copy, not damaged, and not the one that is named.
// None is plumbing.ErrNotFound.
func Latest(ctx context.Context, store *session.Store, but string) (string, error) {
	list, err := newest(ctx, store)
	if err != nil {
		return "", err
	}
	for _, i := range list {
		if i.ID == but || i.Copy || i.Imported != nil || i.Corrupt != nil {
			continue
		}
		own, err := isOwn(ctx, store, i.ID)
		if err != nil {
			return "", err
		}
		if own {
			return i.ID, nil
		}
	}
	if but != "" {
		return "", plumbing.Fail(plumbing.ErrNotFound, "the agent has no other session in this project", "`/sessions` lists all there are")
	}
	return "", plumbing.Fail(plumbing.ErrNotFound, "the agent has no session in this project yet", "give a prompt to begin one")
}

// isOwn asks the header; a session that went away meanwhile is nobody's.
func isOwn(ctx context.Context, store *session.Store, id string) (bool, error) {
	l, err := store.Open(ctx, id)
	if errors.Is(err, plumbing.ErrNotFound) || errors.Is(err, plumbing.ErrRefused) || errors.Is(err, plumbing.ErrCorrupt) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer l.Close()
	return l.Header().Writer == Writer, nil
}

// resume goes on with another session.
func resume(ctx context.Context, d Deps, args string) (Answer, error) {
	id, rest := word(args)
	if id == "" || rest != "" {
		c, _ := Find("resume")
		return Answer{}, c.wrong()
	}
	current := d.Agent.Standing().SessionID
	if id == "-" {
		latest, err := Latest(ctx, d.Memory.Sessions, current)
		if err != nil {
			return Answer{}, err
		}
		id = latest
	}
	id, err := meant(d.Memory.Sessions, id)
	if err != nil {
		return Answer{}, err
	}
	if id == current {
		return say("This is session %s already.", id), nil
	}
	if err := d.Agent.Switch(ctx, id); err != nil {
		return Answer{}, err
	}
	return say("This is session %s now.", id), nil
}

// leastMeant is the least of an ID that names a session, in bytes.
const leastMeant = 4

// meant is the session whose ID, or the beginning or end of it, is given: the
// screen shows the end. More than one is plumbing.ErrInvalid.
func meant(sessions *session.Store, given string) (string, error) {
	given = strings.TrimPrefix(given, "…")
	ids, err := sessions.IDs()
	if err != nil || slices.Contains(ids, given) || len(given) < leastMeant {
		return given, errors.Join(err, session.CheckID(given))
	}
	var found []string
	for _, id := range ids {
		if strings.HasPrefix(id, given) || strings.HasSuffix(id, given) {
			found = append(found, id)
		}
	}
	switch len(found) {
	case 0:
		return given, session.CheckID(given)
	case 1:
		return found[0], nil
	}
	return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%d sessions have an ID that begins or ends with %q", len(found), given), "give more of it; `/sessions` lists them")
}

// begin lets the session go; the next prompt begins a new one.
func begin(ctx context.Context, d Deps, _ string) (Answer, error) {
	if err := d.Agent.Switch(ctx, ""); err != nil {
		return Answer{}, err
	}
	return say("The next prompt begins a new session."), nil
}

// handoff begins a new session that knows what this one is about.
func handoff(ctx context.Context, d Deps, args string) (Answer, error) {
	before := d.Agent.Standing().SessionID
	id, o, err := d.Agent.Handoff(ctx, args)
	if id == "" {
		return Answer{}, err
	}
	a := say("This is session %s now; it begins with what session %s came to.", id, before)
	if args != "" {
		a.Outcome = &o
	}
	return a, err
}
