package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/porcelain/tui"
)

// past is the end of a session as it is visible now: what people and models said.
func (w *wiring) past(ctx context.Context, id string, most int) (tui.Past, error) {
	var p tui.Past
	log, visible, err := w.visible(ctx, id)
	if err != nil {
		return p, err
	}
	defer log.Close()
	for seq := log.Last(); seq > 0 && ctx.Err() == nil; seq-- {
		e, err := log.Entry(seq)
		if err != nil {
			return p, err
		}
		if !e.Message() || e.Role == provider.RoleTool || !visible.Shows(e, session.Working) {
			continue
		}
		if len(p.Messages) == most {
			p.Earlier++
			continue
		}
		text, err := spoken(log, seq)
		if err != nil {
			return p, err
		}
		if e.Role == provider.RoleUser && !e.Typed() { // such as what a hand-over gives the next session
			p.Messages = append(p.Messages, tui.Spoken{Text: fmt.Sprintf("(a message that a program added, %d bytes)", len(text))})
			continue
		}
		if text != "" {
			p.Messages = append(p.Messages, tui.Spoken{User: e.Role == provider.RoleUser, Text: text})
		}
	}
	slices.Reverse(p.Messages)
	return p, ctx.Err()
}

func (w *wiring) visible(ctx context.Context, id string) (*session.Log, *session.Visibility, error) {
	log, err := w.stores.Sessions.Open(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	v, err := log.Visibility(w.stores.Facts)
	if err != nil {
		log.Close()
	}
	return log, v, err
}

// spoken is the words of a message.
func spoken(log *session.Log, seq int64) (string, error) {
	line, err := log.Record(seq)
	if err != nil {
		return "", err
	}
	var parts []string
	gjson.GetBytes(line, "content").ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == provider.TypeText {
			parts = append(parts, block.Get("text").Str)
		}
		return true
	})
	return strings.Join(parts, "\n\n"), nil
}

const (
	saidSessions = 10  // whose prompts one can go back to
	saidPrompts  = 200 // that are read
)

// said are the prompts of the latest sessions, the oldest first. What was
// forgotten or undone does not come back this way.
func (w *wiring) said(ctx context.Context) []string {
	ids := w.sessionNames()
	var said []string
	for _, id := range ids[:min(len(ids), saidSessions)] {
		said = w.saidIn(ctx, id, said)
	}
	slices.Reverse(said)
	return said
}

// saidIn adds what was typed in a session, the latest first; one that cannot be read has nothing.
func (w *wiring) saidIn(ctx context.Context, id string, said []string) []string {
	log, visible, err := w.visible(ctx, id)
	if err != nil {
		return said
	}
	defer log.Close()
	for seq := log.Last(); seq > 0 && len(said) < saidPrompts && ctx.Err() == nil; seq-- {
		e, err := log.Entry(seq)
		if err != nil {
			return said
		}
		if !e.Typed() || !visible.Shows(e, session.Durable) {
			continue
		}
		if text, err := spoken(log, seq); err == nil && text != "" {
			said = append(said, text)
		}
	}
	return said
}
