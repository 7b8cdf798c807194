package session

import (
	"iter"

	"github.com/tidwall/gjson"
)

// Exchange is a user's request and what came of it, as written, before any
// visibility (design section 4): it begins at a message of origin user, or at a
// synthetic one when the exchange before is complete.
type Exchange struct {
	First, Last int64 // seqs of its first and last message
	Complete    bool  // ends in an assistant message, and every tool call has its result
	Cancelled   bool  // holds a cancel
}

// Exchanges yields the exchanges of the log from its first message on.
func (l *Log) Exchanges() iter.Seq2[Exchange, error] { return l.ExchangesFrom(1) }

// ExchangesFrom is Exchanges from a record on, for a caller who knows that what
// lies before it is whole exchanges.
func (l *Log) ExchangesFrom(seq int64) iter.Seq2[Exchange, error] {
	return func(yield func(Exchange, error) bool) {
		x := exchanges{imported: l.head.Imported != nil}
		for e, err := range l.Records(max(seq, 1), l.Last()) {
			if err != nil {
				yield(Exchange{}, err)
				return
			}
			if done, ended := x.take(e); ended && !yield(done, nil) {
				return
			}
		}
		if x.current.First > 0 {
			yield(x.close(false), nil)
		}
	}
}

// exchanges is the state of a walk over records.
type exchanges struct {
	imported bool
	current  Exchange
	open     map[string]bool // tool calls without a result
	role     string          // of the last message
}

// take adds a record; ended says that done is an exchange which the record is no part of.
func (x *exchanges) take(e Entry) (done Exchange, ended bool) {
	if e.Type == TypeCancel {
		x.current.Cancelled = true
		return done, false
	}
	if !e.Message() {
		return done, false
	}
	begins := e.Origin == OriginUser || e.Origin == OriginSynthetic && x.complete()
	if x.current.First > 0 && begins {
		done, ended = x.close(e.Origin == OriginUser), true
	}
	if x.current.First == 0 {
		x.current = Exchange{First: e.Seq}
		x.open = map[string]bool{}
	}
	x.current.Last = e.Seq
	x.role = e.Role
	x.calls(e)
	return done, ended
}

// calls notes the tool calls that a message makes and answers.
func (x *exchanges) calls(e Entry) {
	if e.Role == "user" {
		return
	}
	gjson.GetBytes(e.Raw, "content").ForEach(func(_, b gjson.Result) bool {
		switch b.Get("type").Str {
		case "tool_call":
			x.open[b.Get("id").Str] = true
		case "tool_result":
			delete(x.open, b.Get("id").Str)
		}
		return true
	})
}

func (x *exchanges) complete() bool { return x.role == "assistant" && len(x.open) == 0 }

// close ends the current exchange; in an imported session a later user message completes one whose calls all have results.
func (x *exchanges) close(userFollows bool) Exchange {
	done := x.current
	done.Complete = x.complete() || x.imported && userFollows && len(x.open) == 0
	x.current, x.role, x.open = Exchange{}, "", nil
	return done
}
