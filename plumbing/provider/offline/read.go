package offline

import (
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/provider"
)

// speaker is who wrote a sentence.
type speaker uint8

const (
	nobody speaker = iota // a user-role message that nobody typed
	agent
	person
)

// sentence is one of the transcript.
type sentence struct {
	text  string
	line  string // that it stands in
	seq   int64
	who   speaker
	final bool // of the agent's last words in an exchange
	once  bool // a sentence before it in the message, or it, is about this one time
}

// call is a tool call with its result.
type call struct {
	name   string
	args   gjson.Result
	seq    int64 // of the call
	done   bool  // the result is there
	failed bool  // the tool said so
	result string
	end    int64 // seq of the result
}

// messageText is what one person typed at once.
type messageText struct {
	seq       int64
	sentences []int // into reading.sentences
	answered  bool
}

// reading is the transcript, taken apart.
type reading struct {
	sentences []sentence
	calls     []*call
	typed     []messageText
	counts    counts
}

// read takes the records apart in one pass.
func read(in Input) *reading {
	r := &reading{counts: counts{}}
	r.counts.add(clean(in.Prior), true)
	waiting := map[string]*call{}
	var lastWords []int // sentences of the agent since the last call or typed message
	finish := func() {
		for _, i := range lastWords {
			r.sentences[i].final = true
		}
		lastWords = nil
	}
	for _, rec := range in.Records {
		typed := rec.Role == provider.RoleUser && !rec.Synthetic
		if typed {
			finish()
			r.typed = append(r.typed, messageText{seq: rec.Seq})
		}
		for _, b := range rec.Content {
			switch b.Type {
			case provider.TypeText:
				from := len(r.sentences)
				r.say(rec, clean(b.Text), whoIs(rec, typed))
				for i := from; i < len(r.sentences); i++ {
					r.place(i, typed, rec.Role, &lastWords)
				}
			case provider.TypeToolCall:
				lastWords = nil
				r.call(rec.Seq, b, waiting)
			case provider.TypeToolResult:
				r.result(rec.Seq, b, waiting)
			}
		}
	}
	finish()
	return r
}

func whoIs(rec Record, typed bool) speaker {
	switch {
	case typed:
		return person
	case rec.Role == provider.RoleAssistant:
		return agent
	}
	return nobody
}

// place notes where a sentence belongs.
func (r *reading) place(i int, typed bool, role string, lastWords *[]int) {
	switch {
	case typed:
		m := &r.typed[len(r.typed)-1]
		m.sentences = append(m.sentences, i)
	case role == provider.RoleAssistant:
		*lastWords = append(*lastWords, i)
		if n := len(r.typed); n > 0 {
			r.typed[n-1].answered = true
		}
	}
}

// say takes a text of a message apart into sentences.
func (r *reading) say(rec Record, text string, who speaker) {
	r.counts.add(text, true)
	once := false
	prose(text, func(line string) {
		sentences(line, func(s string) {
			once = once || who == person && has(s, onceCues)
			r.sentences = append(r.sentences, sentence{text: s, line: line, seq: rec.Seq, who: who, once: once})
		})
	})
}

func (r *reading) call(seq int64, b provider.Block, waiting map[string]*call) {
	c := &call{name: b.Name, args: gjson.ParseBytes(b.Arguments), seq: seq, end: seq}
	r.calls = append(r.calls, c)
	waiting[b.ID] = c
	c.args.ForEach(func(_, v gjson.Result) bool {
		r.counts.add(v.String(), false)
		return true
	})
}

func (r *reading) result(seq int64, b provider.Block, waiting map[string]*call) {
	text := clean(b.Text)
	r.counts.add(text, false)
	c := waiting[b.ID]
	if c == nil {
		return
	}
	delete(waiting, b.ID)
	c.done, c.failed, c.result, c.end = true, b.IsError, text, seq
	if c.end == 0 {
		c.end = c.seq
	}
}
