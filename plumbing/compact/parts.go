package compact

import (
	"bytes"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// The parts that a plan to learn shares with a plan to compact.

// Line is a message as a transcript shows it: one canonical JSON object with
// content, role, seq and, where nobody typed it, synthetic. Data of files is
// marked as left out; reasoning and providers' signatures are not there.
func Line(e session.Entry) []byte { return recordLine(e) }

// EscapedSize is how many bytes a line and its line end take in the JSON of a request.
func EscapedSize(line []byte) int64 { return escapedSize(line) }

// Block is a labelled block of lines, each of which has to be JSON, so that
// none can begin with a marker.
func Block(name string, lines ...[]byte) string {
	var b bytes.Buffer
	b.WriteString(openMark + name + "\n")
	for _, line := range lines {
		b.Write(line)
		b.WriteByte('\n')
	}
	b.WriteString(closeMark + name + "\n")
	return b.String()
}

// Cites collects records of one session as refs, in chunks that a snapshot
// could name too: at most source.MaxPositions positions from the first to the last.
type Cites struct {
	SessionID string
	Refs      []source.Ref
	sum       *canon.Hasher // of the last ref
}

// Add takes the next record.
func (c *Cites) Add(e session.Entry) {
	if len(c.Refs) == 0 || e.Seq-c.Refs[len(c.Refs)-1].Seqs[0] >= source.MaxPositions {
		c.Refs = append(c.Refs, source.Ref{SessionID: c.SessionID})
		c.sum = canon.NewHasher()
	}
	last := &c.Refs[len(c.Refs)-1]
	c.sum.Add(e.Raw)
	last.Seqs, last.Digest = append(last.Seqs, e.Seq), c.sum.Digest()
}

// Equals reports whether p is, byte for byte, the plan q.
func (p Planned) Equals(q Plan) (bool, error) { return p.equals(q) }

// Call is what the call behind the plan's response took, as a session keeps it.
func (p Planned) Call() Call { return p.call() }
