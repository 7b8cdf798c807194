package instruct

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The caps on what stands at the head of a SKILL.md.
const (
	maxFront       = 8 << 10 // bytes of front matter
	maxName        = 64      // bytes of a skill's name
	maxDescription = 1024    // bytes of a description that are shown
)

// front is the head of a SKILL.md.
type front struct {
	name, description string
	body              int // where the rest begins
}

// readFront reads the front matter that a SKILL.md begins with: YAML between
// two lines "---", a mapping with the texts name and description. Other keys
// pass. Anchors and aliases are refused, so nothing can unfold.
func readFront(text string) (front, error) {
	rest := strings.TrimPrefix(text, "\uFEFF")
	line, rest := nextLine(rest)
	if strings.TrimRight(line, " \t\r\n") != "---" {
		return front{}, errors.New(`it has no front matter: its first line is to be "---"`)
	}
	begin := len(text) - len(rest)
	for end := begin; ; {
		line, after := nextLine(rest)
		switch bare := strings.TrimRight(line, " \t\r\n"); {
		case bare == "---" || bare == "...":
			f, err := readFields(text[begin:end])
			f.body = end + len(line)
			return f, err
		case line == "":
			return front{}, errors.New(`its front matter has no end: a line "---"`)
		}
		if end += len(line); end-begin > maxFront {
			return front{}, fmt.Errorf("its front matter has more than %d bytes", maxFront)
		}
		rest = after
	}
}

func readFields(matter string) (f front, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(matter), &doc); err != nil {
		return f, fmt.Errorf(`its front matter is not YAML (a text with ": " in it wants quotes): %s`, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return f, errors.New("its front matter is not a mapping with name and description")
	}
	if linked(&doc) {
		return f, errors.New("its front matter holds an anchor or an alias, which it may not")
	}
	fields := doc.Content[0].Content
	for i := 0; i+1 < len(fields); i += 2 {
		switch fields[i].Value {
		case "name":
			err = errors.Join(err, take(&f.name, fields[i+1], "name"))
		case "description":
			err = errors.Join(err, take(&f.description, fields[i+1], "description"))
		}
	}
	if err != nil {
		return f, err
	}
	f.description = strings.Join(strings.Fields(f.description), " ")
	switch {
	case f.name == "" || f.description == "":
		return f, errors.New("its front matter must have a name and a description")
	case !isSkillName(f.name):
		return f, errors.New("its name is none: " + skillNameRule)
	}
	return f, nil
}

// linked reports whether a node or one in it has an anchor or is an alias.
func linked(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return true
	}
	for _, c := range n.Content {
		if linked(c) {
			return true
		}
	}
	return false
}

func take(to *string, n *yaml.Node, key string) error {
	switch {
	case *to != "":
		return fmt.Errorf("its front matter has %s twice", key)
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		return fmt.Errorf("the %s in its front matter is not a text", key)
	case !utf8.ValidString(n.Value):
		return fmt.Errorf("the %s in its front matter is not valid UTF-8", key)
	}
	*to = n.Value
	return nil
}

const skillNameRule = `a name has at most 64 of the characters A-Z, a-z, 0-9, "-", "_" and ".", and begins with a letter or a digit`

func isSkillName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return true
}
