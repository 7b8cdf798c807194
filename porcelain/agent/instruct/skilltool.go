package instruct

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

//go:embed skill.json
var skillSchema []byte

// SkillTool is the tool skill {name}: it reads a skill that the prompt lists,
// as its file is now. It reads only, and children have it too.
func SkillTool(o Options) agent.Tool {
	t := agent.Tool{Class: permission.Read, Child: true}
	t.Name = "skill"
	var schema map[string]jsontext.Value
	if json.Unmarshal(skillSchema, &schema) == nil { // that it is well formed a test makes sure
		_ = json.Unmarshal(schema["description"], &t.Description)
		delete(schema, "description") // told beside the schema, and not twice
		t.Schema, _ = canon.Marshal(schema)
	}
	t.Run = func(ctx context.Context, c agent.Call) (agent.Result, error) {
		name, err := skillName(c.Arguments)
		if err != nil {
			return agent.Result{}, err
		}
		text, err := ReadSkill(ctx, o, name)
		return agent.Result{Text: text}, err
	}
	return t
}

func skillName(arguments []byte) (string, error) {
	var in struct {
		Name *string `json:"name"`
	}
	err := json.Unmarshal(arguments, &in, json.RejectUnknownMembers(true))
	if err != nil || in.Name == nil {
		return "", &plumbing.Error{Kind: plumbing.ErrInvalid, Cause: err, Message: "the arguments of skill are not a name alone",
			Hint: `give one JSON object with one field: {"name":"…"}`}
	}
	return *in.Name, nil
}

// ReadSkill is a skill as the tool shows it, in at most MaxSkill bytes: a line
// that says whose it is and where it lies, then its text. One that is not there
// is plumbing.ErrNotFound, one that cannot be used ErrInvalid.
func ReadSkill(ctx context.Context, o Options, name string) (string, error) {
	if !isSkillName(name) {
		return "", plumbing.Fail(plumbing.ErrInvalid, "that is no name of a skill", skillNameRule)
	}
	var broken error
	for _, s := range o.shelves() {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		skill, body, err := s.read(name, MaxSkill)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			broken = plumbing.Fail(plumbing.ErrInvalid, warning("the skill in %s cannot be used: %v", s.folder(name), err), "tell the user")
			continue
		}
		return skill.shown(body), nil
	}
	if broken != nil {
		return "", broken
	}
	return "", absent(ctx, o, name)
}

// shown is a skill's text behind its label.
func (s Skill) shown(b body) string {
	whose := "the user's own"
	if s.Repository {
		whose = "from the repository: the project's words, not the user's"
	}
	label := fmt.Sprintf("Skill %q, %s, in %s; paths in it count from there.\n\n", s.Name, whose, inJSON(s.Folder))
	text := strings.TrimLeft(b.text, "\r\n")
	text, _ = framed("", text, b.size-int64(len(b.text)-len(text)), MaxSkill-len(label))
	return label + text
}

// maxNamed is how many skills an error names.
const maxNamed = 100

// absent says that there is no such skill, and which there are.
func absent(ctx context.Context, o Options, name string) error {
	skills, _, err := Skills(ctx, o)
	if err != nil {
		return err
	}
	hint := "there are none"
	if len(skills) > 0 {
		var names []string
		for _, s := range skills[:min(len(skills), maxNamed)] {
			names = append(names, s.Name)
		}
		hint = "there are: " + strings.Join(names, ", ")
	}
	return plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("there is no skill %q", name), hint)
}
