package memory

import (
	"fmt"
	"strings"
	"time"
)

// Ranges writes ascending seqs as 3-5,9.
func Ranges(seqs []int64) string {
	var parts []string
	for i := 0; i < len(seqs); {
		j := i
		for j+1 < len(seqs) && seqs[j+1] == seqs[j]+1 {
			j++
		}
		part := fmt.Sprint(seqs[i])
		if j > i {
			part += fmt.Sprintf("-%d", seqs[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// Records names records by their seqs, which ascend: record 3, records 3-5,9.
func Records(seqs []int64) string {
	if len(seqs) == 1 {
		return "record " + Ranges(seqs)
	}
	return "records " + Ranges(seqs)
}

// Speaker says who a message is of, as people read it.
func (m Message) Speaker() string {
	switch {
	case m.Origin == "user":
		return "the user"
	case m.Origin == "synthetic":
		return "nobody (added by a program)"
	case m.Role == "assistant":
		return "the assistant"
	case m.Role == "tool":
		return "a tool"
	}
	return "an event"
}

// When is a record's time as people read it, UTC; what is no time is shown as it is.
func When(t *string) string {
	if t == nil || *t == "" {
		return "at an unknown time"
	}
	if at, err := time.Parse(time.RFC3339Nano, *t); err == nil {
		return at.UTC().Format(time.DateTime + " UTC")
	}
	return oneLine(*t)
}

// Size is a number of bytes as people read it.
func Size(n int64) string {
	for _, unit := range []string{"B", "KiB", "MiB"} {
		if n < 10_000 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n = (n + 512) / 1024
	}
	return fmt.Sprintf("%d GiB", n)
}
