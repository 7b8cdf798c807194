package offline

import (
	"strings"

	"github.com/tidwall/gjson"
)

// act is what a tool call was for.
type act uint8

const (
	otherAct act = iota
	shellAct     // ran a command line
	writeAct     // changed files
	lookAct      // read or searched
)

// purpose tells what a call did, from its tool's name and its arguments; no
// client's tools are known by more than their words.
func (c *call) purpose() act {
	n := strings.ToLower(c.name)
	command := c.commandLine()
	switch {
	case c.target() != "" && has(strings.NewReplacer("_", " ", "-", " ").Replace(command), "view"):
		return lookAct
	case anyIn(n, "edit", "write", "create_file", "create", "replace", "patch", "insert", "update_file") && !anyIn(n, "todo", "memory", "entities"):
		return writeAct
	case anyIn(n, "str_replace"):
		return writeAct
	case anyIn(n, "read", "view", "open", "glob", "grep", "search", "find", "list", "ls", "fetch"):
		return lookAct
	case command != "" && isEditor(command):
		return writeAct
	case command != "":
		return shellAct
	}
	return otherAct
}

func anyIn(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// isEditor: the edit commands that some agents type into their shell.
func isEditor(command string) bool {
	line, _ := firstLine(command)
	first, _, _ := strings.Cut(line, " ")
	return first == "edit" || first == "create" || first == "insert"
}

// commandLine is the command that a call gave to a shell, without the shell itself.
func (c *call) commandLine() string {
	for _, key := range []string{"command", "cmd", "script"} {
		v := c.args.Get(key)
		switch {
		case v.Type == gjson.String:
			return clean(v.Str)
		case v.IsArray():
			return clean(joinCommand(v))
		}
	}
	return ""
}

func joinCommand(v gjson.Result) string {
	var parts []string
	for _, p := range v.Array() {
		parts = append(parts, p.String())
	}
	if len(parts) == 3 && strings.HasPrefix(parts[1], "-") && strings.Contains(parts[1], "c") {
		return parts[2] // bash -lc "…"
	}
	return strings.Join(parts, " ")
}

// target is the file that a call names, or empty.
func (c *call) target() string {
	for _, key := range []string{"file_path", "filePath", "path", "filename", "absolute_path", "file", "target_file", "notebook_path"} {
		if v := c.args.Get(key); v.Type == gjson.String && v.Str != "" {
			line, more := firstLine(clean(v.Str))
			if !more && len(line) <= 240 {
				return line
			}
		}
	}
	return ""
}

// written are the files that a call changed: those it names, those of a patch,
// and the one that the result says is open.
func (c *call) written() []string {
	if t := c.target(); t != "" {
		return []string{t}
	}
	if files := patched(c); len(files) > 0 {
		return files
	}
	if f := openFile(c.result); f != "" {
		return []string{f}
	}
	return nil
}

// patched reads the file lines of a patch in the envelope that begins with "*** Begin Patch".
func patched(c *call) []string {
	var files []string
	c.args.ForEach(func(_, v gjson.Result) bool {
		if !strings.Contains(v.String(), "*** ") {
			return true
		}
		for line := range strings.Lines(clean(v.String())) {
			for _, mark := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
				if f, found := strings.CutPrefix(strings.TrimSpace(line), mark); found {
					files = append(files, f)
				}
			}
		}
		return true
	})
	return files
}

// openFile is the file of a line like "[File: /a/b.py (9 lines total)]" or "(Open file: /a/b.py)".
func openFile(result string) string {
	for _, mark := range []string{"[File: ", "(Open file: "} {
		_, rest, found := strings.Cut(result, mark)
		if !found {
			continue
		}
		end := strings.IndexAny(rest, "]\n")
		if mark == "(Open file: " {
			end = strings.IndexAny(rest, ")\n")
		} else if at := strings.Index(rest, " ("); at > 0 && (end < 0 || at < end) {
			end = at
		}
		if end > 0 && rest[:end] != "n/a" {
			return rest[:end]
		}
	}
	return ""
}

// redirected are the files that a command line writes by > or >>, tee, mv or
// touch, and those that it removes; simple forms only.
func redirected(command string) (files, removed []string) {
	line, _, _ := strings.Cut(command, "\n")
	if strings.ContainsAny(line, "\"'") && !strings.Contains(line, "<<") {
		return nil, nil
	}
	fields := strings.Fields(line)
	for i, f := range fields {
		if (f == ">" || f == ">>" || f == "tee") && i+1 < len(fields) && isPath(fields[i+1]) {
			files = append(files, fields[i+1])
		}
		switch {
		case i == 0 || !isPath(f):
		case fields[0] == "rm":
			removed = append(removed, f)
		case fields[0] == "mv" || fields[0] == "touch":
			files = append(files, f)
		}
	}
	return files, removed
}
