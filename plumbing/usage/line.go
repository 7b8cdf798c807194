package usage

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// The purposes of calls that lecode makes by itself. Others, such as Answer of
// the agent, are whatever the caller says.
const (
	Compact  = "compact"
	Learning = "learning"
	Answer   = "answer"
)

// TimeLayout is how a line's time is written: RFC 3339 in UTC with three decimals.
const TimeLayout = "2006-01-02T15:04:05.000Z"

// MaxTokens is the largest count that is believed; beyond it a sum could overflow.
const MaxTokens = 1 << 53

// maxLine is the longest line of the ledger, newline excluded.
const maxLine = 64 << 10

// maxWord is the most bytes of a line's call ID, model, provider, purpose and session ID each.
const maxWord = 4096

// Tokens is what one call took, as it was reported; nil where nobody said. The
// three counts of the prompt do not overlap. provider.Usage converts to it.
type Tokens struct {
	CacheReadTokens  *int64   `json:"cache_read_tokens"`
	CacheWriteTokens *int64   `json:"cache_write_tokens"`
	Cost             *float64 `json:"cost"` // US dollars
	InputTokens      *int64   `json:"input_tokens"`
	OutputTokens     *int64   `json:"output_tokens"`
}

// Line is one model call in the ledger.
type Line struct {
	CallID string `json:"call_id"` // counts once, however often it stands there
	// Estimate is what the call was reckoned to take in all, prompt and answer,
	// in tokens: it counts for the day's budget where Usage does not say.
	Estimate int64  `json:"estimate"`
	Model    string `json:"model"`
	// Priced is what the call costs by the catalog's prices, in US dollars, where
	// the provider named no cost; nil where that is not known either.
	Priced    *float64 `json:"priced"`
	Provider  string   `json:"provider"`
	Purpose   string   `json:"purpose"`
	SessionID *string  `json:"session_id"` // nil: the call belonged to none
	Time      string   `json:"time"`       // TimeLayout; Append fills it in where it is empty
	Type      string   `json:"type"`       // "call"; "reserved" while nobody knows what came of it
	Usage     *Tokens  `json:"usage"`      // nil: the provider said nothing
}

// The types of lines. A reader that knows the first only names the others as
// lines that are none, and counts each call once all the same.
const (
	called    = "call"
	reserved  = "reserved"  // the call is about to be made: by its estimate, until its call follows
	cancelled = "cancelled" // what was reserved was never sent
)

// check refuses what Append must not store; the error wraps plumbing.ErrInvalid.
func (l Line) check() error {
	for _, w := range []struct{ key, value string }{
		{"call_id", l.CallID}, {"model", l.Model}, {"provider", l.Provider}, {"purpose", l.Purpose},
	} {
		if w.value == "" || len(w.value) > maxWord {
			return plumbing.Fail(plumbing.ErrInvalid, "the "+w.key+" of a ledger line is empty or too long", "")
		}
	}
	if l.Estimate < 0 || l.Estimate > MaxTokens || l.SessionID != nil && len(*l.SessionID) > maxWord {
		return plumbing.Fail(plumbing.ErrInvalid, "a ledger line's estimate or session_id is out of range", "")
	}
	if _, err := time.Parse(time.RFC3339Nano, l.Time); err != nil {
		return plumbing.Fail(plumbing.ErrInvalid, "a ledger line's time is none", "")
	}
	if !l.Usage.sane() || !saneMoney(l.Priced) {
		return plumbing.Fail(plumbing.ErrInvalid, "a ledger line's usage is out of range", "")
	}
	return nil
}

func (t *Tokens) sane() bool {
	if t == nil {
		return true
	}
	for _, n := range []*int64{t.InputTokens, t.OutputTokens, t.CacheReadTokens, t.CacheWriteTokens} {
		if n != nil && (*n < 0 || *n > MaxTokens) {
			return false
		}
	}
	return saneMoney(t.Cost)
}

func saneMoney(f *float64) bool { return f == nil || *f >= 0 && *f < 1e15 }

// readLine reads a line that some lecode has written; reason is empty where it
// is one. Unknown keys pass. It quotes nothing.
func readLine(b []byte) (l Line, reason string) {
	c, err := canon.CanonicalizeObject(b)
	if err != nil {
		return l, "not a JSON object"
	}
	root := gjson.ParseBytes(c)
	typ := root.Get("type").Str
	switch typ {
	case called:
		typ = called // not a part of the whole line
	case reserved:
		typ = reserved
	case cancelled:
		typ = cancelled
	default:
		return l, "its type is not " + strconv.Quote(called)
	}
	// gjson's strings point into the whole line.
	word := func(key string) string { return strings.Clone(root.Get(key).Str) }
	l = Line{CallID: word("call_id"), Model: word("model"), Provider: word("provider"), Purpose: word("purpose"),
		Time: word("time"), Type: typ, Usage: readTokens(root.Get("usage"))}
	if n := count(root.Get("estimate")); n != nil {
		l.Estimate = *n
	}
	if s := root.Get("session_id"); s.Type == gjson.String {
		id := strings.Clone(s.Str)
		l.SessionID = &id
	}
	l.Priced = money(root.Get("priced"))
	if err := l.check(); err != nil {
		return l, err.Error()
	}
	return l, ""
}

// readTokens reads a record's or a line's usage; nil where it says nothing at all.
func readTokens(v gjson.Result) *Tokens {
	if !v.IsObject() {
		return nil
	}
	t := Tokens{}
	v.ForEach(func(k, n gjson.Result) bool {
		switch k.Str {
		case "input_tokens":
			t.InputTokens = count(n)
		case "output_tokens":
			t.OutputTokens = count(n)
		case "cache_read_tokens":
			t.CacheReadTokens = count(n)
		case "cache_write_tokens":
			t.CacheWriteTokens = count(n)
		case "cost":
			t.Cost = money(n)
		}
		return true
	})
	if t == (Tokens{}) {
		return nil
	}
	return &t
}

// count reads a whole number from 0 to MaxTokens, else nil.
func count(v gjson.Result) *int64 {
	n, err := strconv.ParseInt(v.Raw, 10, 64)
	if v.Type != gjson.Number || err != nil || n < 0 || n > MaxTokens {
		return nil
	}
	return &n
}

// money reads an amount from 0, else nil.
func money(v gjson.Result) *float64 {
	if v.Type != gjson.Number || !(v.Num >= 0 && v.Num < 1e15) {
		return nil
	}
	f := v.Num
	return &f
}

// over is t with the fields of old where t does not say; either may be nil.
func (t *Tokens) over(old *Tokens) *Tokens {
	if t == nil {
		return old
	}
	if old == nil {
		return t
	}
	now := *t
	for _, f := range []struct{ now, before **int64 }{
		{&now.InputTokens, &old.InputTokens}, {&now.OutputTokens, &old.OutputTokens},
		{&now.CacheReadTokens, &old.CacheReadTokens}, {&now.CacheWriteTokens, &old.CacheWriteTokens},
	} {
		if *f.now == nil {
			*f.now = *f.before
		}
	}
	if now.Cost == nil {
		now.Cost = old.Cost
	}
	return &now
}

// known is the sum of the counts that were reported, and whether both the
// prompt and the answer were among them.
func (t *Tokens) known() (sum int64, whole bool) {
	if t == nil {
		return 0, false
	}
	for _, n := range []*int64{t.InputTokens, t.OutputTokens, t.CacheReadTokens, t.CacheWriteTokens} {
		if n != nil {
			sum += *n
		}
	}
	return sum, t.InputTokens != nil && t.OutputTokens != nil
}
