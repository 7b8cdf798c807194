package secret

import "strings"

// walk goes through the lines of a key block, whatever stands for their ends: a
// newline, its escape in a quoted string, a space.
type walk struct {
	text   string
	at     int  // where the next line begins
	spaced bool // a space ends a line

	line    string // without what is not of the key: line number, quotes
	to      int    // where it ends in the text
	final   int    // where the END line of a private key behind it ends; 0: there is none
	wrapped bool   // so far, the block stood in a quoted string
	named   bool   // so far, a file's name stood before its lines
}

func newWalk(text string, head int) *walk {
	text = text[:min(len(text), head+maxBlock)]
	rest := strings.TrimPrefix(text[head:], " ")
	w := &walk{text: text, at: head}
	if len(rest) < len(text)-head && run(rest, b64) >= sureLine { // as in an environment file
		w.spaced = true
		w.at++
	}
	return w
}

// next goes to the next line; false where the text or the block is at its end.
func (w *walk) next() bool {
	if w.at >= len(w.text) {
		return false
	}
	from := w.at
	end := w.lineEnd()
	w.line, w.to = w.clean(from, end)
	return true
}

// lineEnd finds the end of the line at w.at and puts w.at behind its separator.
func (w *walk) lineEnd() int {
	for i := w.at; i < len(w.text); i++ {
		switch w.text[i] {
		case '\n':
			w.at = i + 1
			return i
		case ' ':
			if w.spaced {
				w.at = i + 1
				return i
			}
		case '\\':
			n := len(w.text[i:]) - len(strings.TrimLeft(w.text[i:], `\`))
			if j := i + n; j < len(w.text) && (w.text[j] == 'n' || w.text[j] == 'r') {
				w.at, w.wrapped = j+1, true
				return i
			}
			i += n - 1
		case '-':
			if rest, is := strings.CutPrefix(w.text[i:], finis); is {
				if n := label(rest); n > 0 {
					w.final = i + len(finis) + n
				}
				w.at = len(w.text)
				return i
			}
		}
	}
	w.at = len(w.text)
	return len(w.text)
}

// cut is where the part of a key ends with which the line begins: the string that
// it stood in ended, or a word that it was cut follows; 0: there is no such part.
func (w *walk) cut(inside bool) int {
	n := run(w.line, b64)
	if n < sureLine || !inside && strings.IndexByte("\"'`\\", w.line[n]) < 0 {
		return 0
	}
	return w.to - len(w.line) + n
}

const wrapping = "\"'`,;()+\\|>#* \t\r"

// clean takes from a line what a tool, a program or a quotation has put around it.
func (w *walk) clean(from, to int) (string, int) {
	s := strings.TrimRight(w.text[from:to], " \t\r")
	bare := strings.TrimRight(s, "\"'`,;)\\ \t")
	w.wrapped = w.wrapped || len(bare) < len(s)
	to = from + len(bare)
	s = strings.TrimLeft(bare, " \t")
	if n := run(s, digit); n > 0 && n < 10 && n < len(s) && strings.IndexByte("\t:|", s[n]) >= 0 {
		s = s[n+1:]
	}
	if strings.Trim(s, wrapping) == "" {
		return "", to
	}
	s = strings.TrimPrefix(strings.TrimLeft(s, "\"'`|>#*- \t"), "// ")
	if run(s, b64) == len(s) || isHeader(s) {
		return s, to
	}
	// A search puts the file's name before it: key.pem:12:
	if i := strings.LastIndexAny(s, ":-|\t>"); i >= 0 {
		if rest := s[i+1:]; run(rest, b64) == len(rest) && (rest == "" || w.named || len(rest) >= sureLine) {
			w.named = w.named || rest != ""
			return rest, to
		}
	}
	return s, to
}
