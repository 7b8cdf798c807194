package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// utterance is a sentence that the user wrote, with what its place says about it.
type utterance struct {
	text   string // verbatim
	masked string // of the same length, with what stands in quotation marks or backquotes blanked out
	ruled  bool   // an item under a heading such as "Our conventions:"
	built  bool   // the sentences before it order something to be made, of which it may be a requirement
}

// mask stands in for a byte of what is quoted.
const mask = 0x01

// scanner walks over the lines of a message.
type scanner struct {
	found   []utterance
	fence   string // the marks that close the code block we are in
	pasted  bool   // the rest of the message is somebody else's
	awaits  bool   // a text to work on is about to come; marked off, or it is the rest
	wrote   bool   // this line tells who wrote what comes
	unreal  bool   // the rest of the paragraph is a hypothetical or an example
	ruled   bool   // the list that follows holds rules
	headers int    // mail headers in a row
	run     string // the lines of the paragraph or item being read
}

// utterances takes a text of a message apart into the sentences that are the
// user's own words: no code, no quoted lines, no pasted mail or output, nothing
// under a hypothesis. A sentence may go over a line end; then it is verbatim too.
func utterances(text string) []utterance {
	s := &scanner{}
	start := 0 // of the run
	end := 0
	for at := 0; at < len(text); {
		n := strings.IndexByte(text[at:], '\n') + 1
		if n == 0 {
			n = len(text) - at
		}
		line := strings.TrimRight(text[at:at+n], "\r\n")
		next := at + n
		kind, skip := s.lineKind(line)
		switch {
		case kind == wordsLine && s.run != "" && continues(text[start:end], line):
			end = at + len(line)
			s.run = text[start:end]
		case kind == wordsLine:
			s.flush()
			s.pasted = s.pasted || s.awaits
			start, end = at+skip, at+len(line)
			s.run = text[start:end]
		default:
			s.flush()
			s.between(kind, line)
		}
		if s.pasted {
			s.run = ""
			break
		}
		at = next
	}
	s.flush()
	return s.found
}

// lineKind says what a line of a message is.
type lineKind uint8

const (
	wordsLine   lineKind = iota
	blankLine            // nothing
	foreignLine          // code, output, a quotation
	headingLine          // of Markdown
)

// lineKind tells it, and how many bytes of marks stand before the words.
func (s *scanner) lineKind(line string) (lineKind, int) {
	trimmed := strings.TrimLeft(line, " \t")
	indent := line[:len(line)-len(trimmed)]
	if s.fence != "" {
		if strings.HasPrefix(trimmed, s.fence) {
			s.fence = ""
		}
		return foreignLine, 0
	}
	for _, f := range []string{"```", "~~~"} {
		if strings.HasPrefix(trimmed, f) {
			s.fence = f
			return foreignLine, 0
		}
	}
	switch {
	case trimmed == "":
		return blankLine, 0
	case s.mail(trimmed):
		return foreignLine, 0
	case strings.HasPrefix(trimmed, ">"), strings.HasPrefix(trimmed, "＞"), strings.HasPrefix(trimmed, "|"):
		return foreignLine, 0
	case strings.HasPrefix(trimmed, "#"):
		return headingLine, 0
	}
	marks := listMark(trimmed)
	if isDump(trimmed) {
		s.pasted = true
		return foreignLine, 0
	}
	if marks == 0 && (strings.Contains(indent, "\t") || len(indent) >= 4) || marks < 0 || isOutput(trimmed) {
		return foreignLine, 0
	}
	return wordsLine, len(indent) + marks
}

// listMark is the length of the mark of a list item that line begins with; -1
// for a box to tick, which is a task.
func listMark(line string) int {
	mark := 0
	for _, m := range []string{"- ", "* ", "• ", "– "} {
		if strings.HasPrefix(line, m) {
			mark = len(m)
		}
	}
	if digits := len(line) - len(strings.TrimLeft(line, "0123456789")); digits > 0 && digits < 4 &&
		(strings.HasPrefix(line[digits:], ". ") || strings.HasPrefix(line[digits:], ") ")) {
		mark = digits + 2
	}
	if mark > 0 && (strings.HasPrefix(line[mark:], "[ ]") || strings.HasPrefix(line[mark:], "[x]")) {
		return -1
	}
	rest := strings.TrimLeft(line[mark:], " ")
	if mark > 0 {
		mark = len(line) - len(rest)
	}
	return mark
}

// isOutput reports whether a line looks like what a program printed or a page
// is made of: a tag, a prompt, a tagged log line, file:line:, a numbered line.
func isOutput(line string) bool {
	first, rest, _ := strings.Cut(line, " ")
	switch {
	case line[0] == '<', line[0] == '{', line[0] == '+', line[0] == '[' && strings.HasSuffix(first, "]"), first == "$", first == "%", first == "//", first == "/*":
		return true
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "==="):
		return true
	case (first == "hint:" || first == "error:" || first == "warning:" || first == "info:" || first == "fatal:" || first == "note:") && rest != "":
		return true
	}
	if digits := len(line) - len(strings.TrimLeft(line, "0123456789")); digits > 0 && digits < len(line) && (strings.IndexByte(":\t|", line[digits]) >= 0 || digits == 4 && line[digits] == '-') {
		return true
	}
	file, number, found := strings.Cut(first, ":")
	return found && isPath(file) && number != "" && number[0] >= '0' && number[0] <= '9'
}

// isDump reports whether a patch or a page begins, of which no end can be told.
func isDump(line string) bool {
	if strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "@@ ") {
		return true
	}
	return len(line) > 1 && line[0] == '<' && (line[1] == '!' || unicode.IsLetter(rune(line[1]))) && !strings.Contains(line, "</") && !strings.HasSuffix(line, "/>")
}

// continues reports whether a line goes on with the sentence of the run before
// it: the run is not at an end, and the line begins in the middle of something
// or the run was broken for its length.
func continues(run, line string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	if listMark(trimmed) != 0 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(run, " \t"))
	if strings.ContainsRune(".!?:。！？：…", last) {
		return false
	}
	if strings.ContainsRune(",;、，；", last) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(trimmed)
	if unicode.IsLower(first) || strings.ContainsRune("`\"'(“„«", first) {
		return true
	}
	broken := run[strings.LastIndexByte(run, '\n')+1:]
	return first < 0x2e80 && len(broken) >= 60
}

// between notes what a line that is no words says about those after it.
func (s *scanner) between(kind lineKind, line string) {
	s.unreal = false
	if kind == foreignLine {
		s.awaits, s.wrote = s.wrote, false
	}
	if kind == headingLine {
		s.heading(strings.Trim(line, "# \t"))
	}
}

// heading notes what a heading or a lead-in says about what follows.
func (s *scanner) heading(title string) {
	n := normal(blanked(title))
	s.ruled = n.has(ruledHeads) && !n.has(foreignHeads)
	if n.has(foreignHeads) {
		s.awaits = true
	}
}

// flush takes the run apart into sentences.
func (s *scanner) flush() {
	run := s.run
	s.run = ""
	if strings.TrimSpace(run) == "" {
		return
	}
	masked := blanked(run)
	leads := strings.HasSuffix(strings.TrimRight(run, " \t"), ":") || strings.HasSuffix(strings.TrimRight(run, " \t"), "：")
	built := false
	for _, span := range spans(masked) {
		st := utterance{text: run[span[0]:span[1]], masked: masked[span[0]:span[1]], ruled: s.ruled, built: built}
		n := normal(st.masked)
		built = built || builds(n, st.masked)
		if supposes(n, st.masked) {
			s.unreal = true
		}
		if n.has(pastesCues) && leads || introduces(n) {
			s.awaits = true
		}
		if !s.unreal {
			s.found = append(s.found, st)
		}
	}
	if leads {
		s.heading(run[strings.LastIndexByte(run, '\n')+1:])
	}
}
