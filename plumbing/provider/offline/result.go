package offline

import (
	"strconv"
	"strings"
	"unicode"
)

const (
	maxDetail   = 160 // bytes of an error text or a test's last line
	maxOnlyLine = 80
)

// ended tells how a call ended and the line of its result that says so best.
func (c *call) ended() (state, string) {
	if !c.done {
		return unknown, ""
	}
	status, said := exitStatus(c.result)
	switch {
	case said && status != 0, !said && c.failed:
		return failed, c.detail(failed)
	case said:
		return ok, c.detail(ok)
	case crashed(c.result):
		return failed, c.detail(failed)
	}
	return ok, c.detail(ok)
}

func (c *call) detail(s state) string {
	if s == failed {
		if line := errorLine(c.result); line != "" {
			return line
		}
		line, _ := firstLine(dropStatus(c.result))
		return clip(line, maxDetail)
	}
	if line := testLine(c.result); line != "" {
		return clip(line, maxDetail)
	}
	return onlyLine(c.result)
}

// onlyLine is the one line that an output has, if it is a short one.
func onlyLine(result string) string {
	only := ""
	for line := range strings.Lines(dropStatus(result)) {
		line = strings.TrimSpace(line)
		if line == "" || isPrompt(line) {
			continue
		}
		if only != "" || len(line) > maxOnlyLine {
			return ""
		}
		only = line
	}
	return only
}

// isPrompt: lines that an agent's shell adds to every output.
func isPrompt(line string) bool {
	return line == "bash-$" || strings.HasPrefix(line, "(Open file: ") || strings.HasPrefix(line, "(Current directory: ")
}

// untagged is a line without a tag right before it and one right behind it.
func untagged(line string) string {
	if end := strings.IndexByte(line, '>'); end > 0 && end < 40 && line[0] == '<' && strings.IndexByte(line[:end], ' ') < 0 {
		line = line[end+1:]
	}
	if at := strings.LastIndex(line, "</"); at > 0 && strings.HasSuffix(line, ">") && len(line)-at < 40 {
		line = line[:at]
	}
	return strings.TrimSpace(line)
}

// exitStatus reads the exit status that a client wrote into a result, in its first or last lines.
func exitStatus(result string) (status int64, said bool) {
	for _, line := range edges(result, 4) {
		if n, found := statusIn(line); found {
			return n, true
		}
	}
	return 0, false
}

func statusIn(line string) (int64, bool) {
	l := strings.ToLower(strings.Trim(strings.TrimSpace(line), "<>()[]"))
	for _, mark := range []string{"exit code", "exit status", "exited with code", "exit_code", "exitcode", "returncode", "return code"} {
		at := strings.Index(l, mark)
		if at < 0 || at > 24 {
			continue
		}
		rest := strings.TrimLeft(l[at+len(mark):], " :=>\"")
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsDigit(r) && r != '-' })
		if end < 0 {
			end = len(rest)
		}
		if n, err := strconv.ParseInt(rest[:end], 10, 64); err == nil {
			return n, true
		}
	}
	return 0, false
}

// edges are the first and the last n lines of a text.
func edges(text string, n int) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) <= 2*n {
		return lines
	}
	return append(lines[:n:n], lines[len(lines)-n:]...)
}

func dropStatus(text string) string {
	for {
		line, rest, more := strings.Cut(text, "\n")
		if _, found := statusIn(line); !more || !found && strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

// crashed reports whether a result without an exit status is plainly that of a failure.
func crashed(result string) bool {
	if strings.Contains(result, "Traceback (most recent call last)") {
		return true
	}
	for i, line := range edges(result, 3) {
		l := strings.ToLower(line)
		if anyIn(l, "command not found", "no such file or directory", "permission denied", "syntax error", "syntaxerror:") && len(l) < 200 {
			return true
		}
		if i < 3 && (strings.HasPrefix(l, "error:") || strings.HasPrefix(l, "fatal:") || strings.HasPrefix(l, "panic:")) {
			return true
		}
	}
	return false
}

// errorLine is the line of a failed result that names the error: the last
// exception or error with a name, else the first line that speaks of one.
func errorLine(result string) string {
	named, spoken := "", ""
	for line := range strings.Lines(result) {
		line = untagged(unmark(line))
		if line == "" || len(line) > 400 {
			continue
		}
		if namesError(line) {
			named = line
		}
		if spoken == "" && speaksOfError(line) {
			spoken = line
		}
	}
	if named != "" {
		return clip(named, maxDetail)
	}
	return clip(spoken, maxDetail)
}

// namesError: "ReferenceError: x", "java.io.IOException: x", "error[E0308]: x", "E999 SyntaxError: x".
func namesError(line string) bool {
	head, _, found := strings.Cut(line, ":")
	if !found || len(head) > 80 {
		return false
	}
	head = head[strings.LastIndexByte(head, ' ')+1:]
	return len(head) > 5 && (strings.HasSuffix(head, "Error") || strings.HasSuffix(head, "Exception")) ||
		strings.HasPrefix(head, "error[")
}

func speaksOfError(line string) bool {
	l := strings.ToLower(line)
	if _, isStatus := statusIn(line); isStatus {
		return false
	}
	return anyIn(l, "error:", "fatal:", "panic:", "fail:", "failed", "not found", "no such file", "denied", "cannot ",
		"can't ", "could not", "undefined", "does not exist", "unexpected", "invalid", "refused", "timed out", "unmatched")
}

// testLine is the line of an output that sums up a run of tests, or empty.
func testLine(result string) string {
	lines := strings.Split(result, "\n")
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-30; i-- {
		if line := strings.Trim(lines[i], "= \t"); len(line) <= 200 && sumsUp(line) {
			return line
		}
	}
	return ""
}

// sumsUp: "4 passed, 0 failed", "Ran 3 tests in 0.1s", "ok  pkg 0.2s", "tests 12".
func sumsUp(line string) bool {
	l := strings.ToLower(line)
	if strings.IndexFunc(l, unicode.IsDigit) < 0 {
		return strings.HasPrefix(line, "PASS") || strings.HasPrefix(line, "FAIL")
	}
	return anyIn(l, " passed", " failed", " passing", " failing", "tests ran", "ran ") && anyIn(l, "pass", "fail", "test") ||
		strings.HasPrefix(l, "ok  ") || strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "FAILED (")
}
