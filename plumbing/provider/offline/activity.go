package offline

import (
	"strings"
)

const maxCommand = 120 // bytes of a command line as it is shown

// activity are the items of what tools did: files changed, commands with how
// they ended, errors, and open points for commands whose last run failed.
func (r *reading) activity() []item {
	b := activityBuilder{}
	for _, c := range r.calls {
		b.add(c)
	}
	return append(append(b.files, b.commands...), b.errors...)
}

// removedTail stands behind a file that was removed.
const removedTail = "removed"

type activityBuilder struct {
	files, commands, errors []item
}

func (b *activityBuilder) add(c *call) {
	st, detail := c.ended()
	switch c.purpose() {
	case writeAct:
		if st == failed {
			b.fail(c, detail)
			return
		}
		b.change(c, c.written())
	case shellAct:
		b.run(c, st, detail)
		if st == failed {
			b.fail(c, detail)
		} else {
			files, removed := redirected(c.commandLine())
			b.change(c, files)
			b.change(c, removed)
			for _, f := range removed {
				find(&b.files, changed, f).tail = removedTail
			}
		}
	default:
		if st == failed && c.failed {
			b.fail(c, detail)
		}
	}
}

func (b *activityBuilder) change(c *call, files []string) {
	for _, f := range files {
		it := find(&b.files, changed, f)
		it.addSeq(c.seq)
		it.tail = ""
		it.value = 1
	}
}

func (b *activityBuilder) run(c *call, st state, detail string) {
	line, more := firstLine(c.commandLine())
	if first, _, _ := strings.Cut(line, " "); line == "" || looksOnly(first) && !strings.ContainsAny(line, ">|&;") {
		return
	}
	line, cut := beforeArrow(line)
	if line == "" {
		return
	}
	text, more := clip(line, maxCommand), more || cut
	if more && !strings.HasSuffix(text, "…") {
		text += " …"
	}
	it := find(&b.commands, ran, text)
	if !it.run {
		it.run, it.state = true, st
	}
	detail, _ = beforeArrow(detail)
	it.ranAs(st, []int64{c.end}, detail)
	it.value = commandValue(line, st, len(it.seqs)+len(it.other))
}

// beforeArrow is the beginning of s that cannot be taken for more than a part of a line of a summary.
func beforeArrow(s string) (string, bool) {
	before, _, cut := strings.Cut(s, arrow)
	return strings.TrimRight(before, " "), cut
}

// fail notes an error text once, with where it came.
func (b *activityBuilder) fail(c *call, detail string) {
	if detail == "" || len(detail) < 4 {
		return
	}
	it := find(&b.errors, failure, detail)
	it.addSeq(c.end)
	it.value = errorValue(detail)
}

// errorValue: an error that has a name tells more.
func errorValue(text string) float64 {
	if namesError(text) {
		return 2
	}
	return 1
}

// find is the item of that kind and text in list, added if it is not there.
func find(list *[]item, k kind, text string) *item {
	for i := range *list {
		if (*list)[i].text == text {
			return &(*list)[i]
		}
	}
	*list = append(*list, item{kind: k, text: text})
	return &(*list)[len(*list)-1]
}

// commandValue: what builds, tests or changes counts more than what looks, a
// failure more than a success, what is run again more than what ran once.
func commandValue(line string, st state, runs int) float64 {
	first, _, _ := strings.Cut(line, " ")
	value := 2.0
	if looksOnly(first) {
		value = 0.5
	}
	if anyIn(strings.ToLower(line), "test", "build", "make", "lint", "check", "deploy", "migrate", "install", "commit") {
		value++
	}
	if st == failed {
		value += 0.7
	}
	return value + 0.3*float64(min(runs, 4))
}
