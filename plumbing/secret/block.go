package secret

import "strings"

const (
	privateKey = "private key"
	// maxBlock is the longest key block, in bytes; of a longer one the rest is text.
	maxBlock = 64 << 10
	// sureLine is the shortest line in a wrapping, such as a quoted one, that is
	// taken for a part of a key where no END says so.
	sureLine = 16
	maxLabel = 64
)

// blocks finds private keys from their BEGIN to their END line. They may stand
// behind line numbers, in a quoted string with escapes for the line ends, or be cut.
func blocks(text string) []Span {
	if !strings.Contains(text, "PRIVATE KEY") && !strings.Contains(text, putty) {
		return nil
	}
	var spans []Span
	for at := 0; at < len(text); {
		start, head := nextHead(text, at)
		if start < 0 {
			break
		}
		at = head
		end := 0
		if strings.HasPrefix(text[start:], putty) {
			end = puttyEnd(text, head)
		} else {
			end = pemEnd(text, head)
		}
		if end > 0 {
			spans = append(spans, Span{start, end, privateKey})
			at = end
		}
	}
	return spans
}

const (
	begin = "-----BEGIN "
	finis = "-----END "
	putty = "PuTTY-User-Key-File-"
)

// nextHead is where the next block may begin, and where its first line ends; -1: nowhere.
func nextHead(text string, at int) (start, end int) {
	for at < len(text) {
		p := strings.Index(text[at:], begin)
		q := strings.Index(text[at:], putty)
		if p < 0 && q < 0 {
			break
		}
		if p < 0 || q >= 0 && q < p {
			return at + q, at + q + len(putty)
		}
		if n := label(text[at+p+len(begin):]); n > 0 {
			return at + p, at + p + len(begin) + n
		}
		at += p + len(begin)
	}
	return -1, -1
}

// label is the length of "RSA PRIVATE KEY-----"; 0 where s begins otherwise.
func label(s string) int {
	s = s[:min(len(s), maxLabel)]
	end := strings.Index(s, "-----")
	if end < 0 {
		return 0
	}
	name := strings.TrimSuffix(s[:end], " BLOCK")
	if !strings.HasSuffix(name, "PRIVATE KEY") || strings.ContainsAny(name, "\r\n\\\"") {
		return 0
	}
	return end + len("-----")
}

// pemEnd is where the block whose BEGIN line ends at head ends; 0 where no key
// follows. Without an END line it ends with the first line that is shorter than
// the one before.
func pemEnd(text string, head int) (end int) {
	w := newWalk(text, head)
	last, over := 0, false
	for w.next() {
		n := len(w.line)
		switch {
		case n == 0, last == 0 && isHeader(w.line):
		case run(w.line, b64) < n:
			return max(end, w.cut(last > 0))
		default:
			// A word of a program may follow too: there only END makes it a key.
			over = over || last == 0 && w.wrapped && n < sureLine
			if !over {
				end = w.to
			}
			over = over || n < last
			last = n
		}
		if w.final > 0 && last > 0 {
			return w.final
		}
	}
	return end
}

// puttyEnd is the like for PuTTY's format: it ends with its checksum, and is
// secret once its private lines have begun.
func puttyEnd(text string, head int) (end int) {
	w := newWalk(text, head)
	private := false
	for first := true; w.next(); first = false {
		switch {
		case first, w.line == "": // first: the rest of the line that names the format
			continue
		case strings.HasPrefix(w.line, "Private-Lines: "):
			private = true
		case private && strings.HasPrefix(w.line, "Private-"): // MAC, Hash
			return w.to
		case !isHeader(w.line) && run(w.line, b64) < len(w.line):
			return end
		}
		if private {
			end = w.to
		}
	}
	return end
}

// isHeader reports whether a line is like "Proc-Type: 4,ENCRYPTED".
func isHeader(line string) bool {
	n := run(line, alnum|dash)
	return n > 0 && classOf(line[0])&digit == 0 && strings.HasPrefix(line[n:], ": ")
}
