package transcript

import (
	"bytes"
	"errors"
	"io"
)

// formatClaude is Claude Code's JSONL (~/.claude/projects/…/<session>.jsonl and
// subagents/agent-<id>.jsonl): a tree of lines by uuid and parentUuid, a line
// for each block of an answer, and lines about the session in between.
const formatClaude = "claude-code"

// detectClaude goes by what only Claude Code writes: message.content under a
// line type of its own (Qwen Code has message.parts), or a line about the
// session together with one of the names that it is tied to the tree by.
func detectClaude(h *head) bool {
	for _, o := range h.values {
		_, session := o["sessionId"]
		_, leaf := o["leafUuid"]
		_, message := o["messageId"]
		switch o["type"].text {
		case "user", "assistant":
			_, content := o["message.content"]
			_, uuid := o["uuid"]
			_, parent := o["parentUuid"] // a long first line may be cut off behind it
			return content && (session || uuid || parent)
		case "summary", "file-history-snapshot", "last-prompt", "mode", "permission-mode", "ai-title",
			"custom-title", "queue-operation", "attachment":
			if session || leaf || message {
				return true
			}
		}
	}
	return false
}

// claude is what the first scan of a file finds.
type claude struct {
	src        source
	first      []byte          // its first line
	session    string          // the first sessionId
	agent      string          // the agentId beside it, where the line is a sidechain's
	firstAsked int64           // the first line with a promptSource; 0: none
	late       map[uint64]bool // uuids that stand behind a line that names them as parent
}

func openClaude(src source) (*Transcript, error) {
	c := &claude{src: src}
	if err := c.scan(); err != nil {
		return nil, err
	}
	if c.first == nil {
		return nil, wrong(src.name, "there is no whole line in it")
	}
	t := &Transcript{Format: src.format, name: src.name, read: c.read}
	t.ID, t.SourceID = c.id()
	return t, nil
}

// id is the session ID that an import gives the source, and what it calls itself.
func (c *claude) id() (id, sourceID string) {
	sourceID = c.session
	if c.agent != "" {
		sourceID = "agent-" + c.agent
	}
	id = sourceID
	if !fitsID(id) {
		id = hashID(c.src.format, c.first)
	}
	if sourceID == "" {
		sourceID = id
	}
	return id, sourceID
}

// scan reads the file once for what has to be known before its first record.
func (c *claude) scan() error {
	seen, missing := map[uint64]bool{}, map[uint64]bool{}
	c.late = map[uint64]bool{}
	lr := newLineReader(c.src)
	for {
		l, err := lr.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if torn(l) {
			continue
		}
		k := readLinks(l.bytes)
		c.note(l, k)
		if k.parent != 0 && !seen[k.parent] && k.parent != k.uuid {
			missing[k.parent] = true
		}
		if k.uuid != 0 {
			seen[k.uuid] = true
			if missing[k.uuid] {
				c.late[k.uuid] = true
			}
		}
	}
}

// note keeps what is asked of the file as a whole.
func (c *claude) note(l line, k links) {
	if c.first == nil {
		c.first = bytes.Clone(l.bytes)
	}
	if c.session == "" && k.session != "" {
		c.session = k.session
		if k.sidechain {
			c.agent = k.agent
		}
	}
	if c.firstAsked == 0 && k.prompted {
		c.firstAsked = l.number
	}
}

// torn reports whether l is a last line that its writer has not finished: no
// newline, and no JSON object as it stands.
func torn(l line) bool {
	if l.ended {
		return false
	}
	fixed, _ := repair(l.bytes)
	return !isObject(fixed)
}

// read is the second scan: it hands on the records.
func (c *claude) read(e *emitter) error {
	r := &claudeRun{claude: c, e: e, names: newRecent[string]()}
	o := newOrder(c.src, c.late, r.line)
	lr := newLineReader(c.src)
	for {
		l, err := lr.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if torn(l) {
			e.report.TornBytes += int64(len(l.bytes))
			continue
		}
		if err := o.take(l); err != nil {
			return err
		}
	}
	e.report.BlankLines = lr.blank
	err := o.rest()
	e.report.Moved = o.moved
	return err
}
