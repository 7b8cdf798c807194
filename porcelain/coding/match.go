package coding

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/lecode/lecode/plumbing"
)

// maxPlaces is how many places are named where there are too many.
const maxPlaces = 20

// Why an edit cannot be done: old does not stand there, or several times.
type (
	absent    struct{ text, old string }
	ambiguous struct{ lines []int64 }
)

func (absent) Error() string { return "old does not stand there" }

func (a ambiguous) Error() string { return fmt.Sprintf("old stands there %d times", len(a.lines)) }

// apply replaces old: the one place where it stands, or all. Line ends are
// compared as LF, and kept.
func (e replacement) apply(file string) (string, []spliced, error) {
	p, old, to := plainOf(file), unix(e.old), unix(e.to)
	var found []span
	for at := 0; ; {
		i := strings.Index(p.text[at:], old)
		if i < 0 {
			break
		}
		found = append(found, span{at + i, at + i + len(old)})
		at += i + len(old)
		if !e.all {
			at = found[len(found)-1].start + 1 // one that overlaps makes it ambiguous too
		}
	}
	switch {
	case len(found) == 0:
		return "", nil, absent{p.text, old}
	case len(found) > 1 && !e.all:
		return "", nil, ambiguous{p.lines(found)}
	}
	var places []spliced
	for _, s := range found {
		places = append(places, p.splice(s, to))
	}
	return replaceAll(file, places), places, nil
}

// lines are the numbers of the lines that spans begin on.
func (p plain) lines(all []span) []int64 {
	var list []int64
	n, at := int64(1), 0
	for _, s := range all {
		n += int64(strings.Count(p.text[at:s.start], "\n"))
		at = s.start
		list = append(list, n)
	}
	return list
}

// explain is why an edit cannot be done, and what to do; it quotes nothing of the file.
func (j editJob) explain(i int, err error, original string) error {
	var several ambiguous
	if errors.As(err, &several) {
		return plumbing.Fail(plumbing.ErrConflict,
			j.numbered(i)+fmt.Sprintf("old stands in %q %d times, on lines %s", j.path, len(several.lines), numbers(several.lines, maxPlaces)),
			"put more of what is around it into old and new, or set all")
	}
	var none absent
	if !errors.As(err, &none) {
		return err
	}
	hint := none.near()
	if i > 0 && strings.Contains(unix(original), none.old) {
		hint = "an edit before it in this call has changed that text: give old as it is after that"
	}
	return plumbing.Fail(plumbing.ErrConflict, j.numbered(i)+fmt.Sprintf("old does not stand in %q", j.path), hint)
}

// near says what in the text may have been meant.
func (a absent) near() string {
	if without := unnumbered(a.old); without != a.old && strings.Contains(a.text, without) {
		return "old holds the line numbers that read prints: leave them and the tab out"
	}
	for _, way := range []struct {
		what string
		fold func(string) string
	}{
		{"white space", bare},
		{"white space, quotation marks or dashes", func(s string) string { return bare(ascii(s)) }},
		{"letter case", func(s string) string { return strings.ToLower(bare(ascii(s))) }},
	} {
		if lines := a.alike(way.fold); len(lines) > 0 {
			return fmt.Sprintf("what stands on line %s differs in %s only; read it and give it letter by letter", numbers(lines, maxPlaces), way.what)
		}
	}
	if first, lines := a.begins(); len(lines) > 0 {
		return fmt.Sprintf("line %d of old stands on line %s, and what follows differs there; read it and give it letter by letter", first, numbers(lines, maxPlaces))
	}
	return "read the file again; grep finds lines"
}

// alike are the lines from which the text is as old, once both are folded line by line.
func (a absent) alike(fold func(string) string) []int64 {
	text, old := folded(a.text, fold), folded(strings.Trim(a.old, "\n"), fold)
	var lines []int64
	for i := 0; i+len(old) <= len(text) && len(lines) <= maxPlaces; i++ {
		same := true
		for k := 0; k < len(old) && same; k++ {
			switch same = text[i+k] == old[k]; { // the ends of old may be parts of lines
			case same || old[k] == "":
			case len(old) == 1:
				same = strings.Contains(text[i], old[0])
			case k == 0:
				same = strings.HasSuffix(text[i], old[0])
			case k == len(old)-1:
				same = strings.HasPrefix(text[i+k], old[k])
			}
		}
		if same && strings.Join(old, "") != "" {
			lines = append(lines, int64(i+1))
		}
	}
	return lines
}

func folded(text string, fold func(string) string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = fold(line)
	}
	return lines
}

// begins finds the first line of old that is not empty, but for white space.
func (a absent) begins() (first int, lines []int64) {
	for i, line := range strings.Split(a.old, "\n") {
		want := bare(line)
		if len(want) < 3 {
			continue
		}
		for n, line := range strings.Split(a.text, "\n") {
			if bare(line) == want && len(lines) <= maxPlaces {
				lines = append(lines, int64(n+1))
			}
		}
		return i + 1, lines
	}
	return 0, nil
}

// bare is a line without any white space.
func bare(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, line)
}

// ascii is a line with plain quotation marks and dashes.
func ascii(line string) string {
	return strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "…", "...").Replace(line)
}

// unnumbered is a text without the number and the tab before each line, where each has them.
func unnumbered(text string) string {
	lines := strings.Split(text, "\n")
	number := regexp.MustCompile(`^ ?[0-9]+\t`)
	for i, line := range lines {
		at := number.FindStringIndex(line)
		if at == nil {
			return text
		}
		lines[i] = line[at[1]:]
	}
	return strings.Join(lines, "\n")
}
