package object

import "github.com/lecode/lecode/plumbing/source"

// Why is printed by `why --json`.
type Why struct {
	Created   string        `json:"created"`
	File      *string       `json:"file"`
	ID        string        `json:"id"`
	Revisions []WhyRevision `json:"revisions"`
	Status    string        `json:"status"`
	Type      string        `json:"type"`
}

// WhyRevision is a revision and what it stands on.
type WhyRevision struct {
	Cleared  bool         `json:"cleared"`
	Created  string       `json:"created"`
	Messages []WhyMessage `json:"messages"`
	Revision int64        `json:"revision"`
	Session  *WhySession  `json:"session"`
	Source   *source.Ref  `json:"source"`
	Status   string       `json:"status"`
	Text     *string      `json:"text"`
	Why      *WhyCause    `json:"why"`
}

// WhySession is where evidence comes from.
type WhySession struct {
	ID       string  `json:"id"`
	Imported *Origin `json:"imported"`
	Started  string  `json:"started"`
	Title    *string `json:"title"`
}

// WhyMessage is a record that is evidence, or stands beside it.
type WhyMessage struct {
	Evidence bool    `json:"evidence"`
	Origin   string  `json:"origin"`
	Role     string  `json:"role"`
	Seq      int64   `json:"seq"`
	Text     *string `json:"text"`
	Time     *string `json:"time"`
}

// WhyCause is why evidence does not hold.
type WhyCause struct {
	Code string `json:"code"`
	Seq  *int64 `json:"seq"`
}
