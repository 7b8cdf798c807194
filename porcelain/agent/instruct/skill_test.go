package instruct

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

const repoSkills = ".agents/skills/"

func TestSkills(t *testing.T) {
	w := newWorld(t)
	w.own("skills/both/SKILL.md", skillText("both", "the user's"))
	w.file(repoSkills+"both/SKILL.md", skillText("both", "the repository's"))
	w.file(repoSkills+"alone/SKILL.md", skillText("alone", strings.Repeat("long ", 400)))
	w.file(repoSkills+"misnamed/SKILL.md", skillText("other", "x"))
	w.file(repoSkills+"broken/SKILL.md", "no front matter\n")
	w.file(repoSkills+"empty/README.md", "x")
	w.file(repoSkills+".hidden/SKILL.md", "x")
	w.file(repoSkills+"README.md", "x")
	w.file("outside/SKILL.md", skillText("linked", "inside the checkout"))
	w.write(filepath.Join(filepath.Dir(w.Checkout), "elsewhere", "SKILL.md"), skillText("out", "x"))
	w.link("../../outside", repoSkills+"linked")
	w.link("../../../elsewhere", repoSkills+"out")
	skills, warnings, err := Skills(t.Context(), w.Options)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range skills {
		got = append(got, s.origin()+" "+s.Name)
		if len(s.Description) > maxDescription+len("…") {
			t.Errorf("%d bytes of description", len(s.Description))
		}
	}
	if diff := cmp.Diff([]string{"user both", "repository alone", "repository linked"}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"the skill both of the repository is left out: you have one of that name",
		`the skill in /top/work/.agents/skills/broken is left out: it has no front matter: its first line is to be "---"`,
		`the skill in /top/work/.agents/skills/misnamed is left out: its name is "other" and that of its folder another`,
		"the skill in /top/work/.agents/skills/out is left out: a link that leads out of the checkout",
	}
	if diff := cmp.Diff(want, w.warnings(System{Warnings: warnings})); diff != "" && runtime.GOOS != "windows" {
		t.Error(diff)
	}
}

// A user's own skills may be links to anywhere.
func TestOwnSkillLinked(t *testing.T) {
	w := newWorld(t)
	to := filepath.Join(filepath.Dir(w.Checkout), "dotfiles", "mine")
	w.write(filepath.Join(to, "SKILL.md"), skillText("mine", "x"))
	w.mkdir(filepath.Join(w.ConfigDir, "skills"))
	if err := os.Symlink(to, filepath.Join(w.ConfigDir, "skills", "mine")); err != nil {
		t.Skip("links need a privilege here")
	}
	skills, warnings, err := Skills(t.Context(), w.Options)
	if err != nil || len(skills) != 1 || len(warnings) > 0 {
		t.Errorf("%+v %q %v", skills, warnings, err)
	}
}

func TestSkillCaps(t *testing.T) {
	w := newWorld(t)
	for i := range maxFolders + 5 {
		name := "s" + itoa(1000+i)
		w.file(repoSkills+name+"/SKILL.md", skillText(name, "what it is for"))
	}
	s := w.compose()
	list := s.Text[strings.Index(s.Text, labelSkills):]
	lines := strings.Split(strings.TrimSuffix(list, "\n"), "\n")
	shown := len(lines) - 2
	if len(list) > MaxSkills || len(list) < MaxSkills-300 || lines[len(lines)-1] != strings.TrimSpace(missing(len(s.Skills)-shown)) {
		t.Errorf("%d bytes, %d shown, ends in %q", len(list), shown, lines[len(lines)-1])
	}
	if len(s.Skills) != maxFolders || len(s.Warnings) != 2 || !strings.Contains(s.Warnings[0], "more than 500") || !strings.Contains(s.Warnings[1], itoa(len(s.Skills)-shown)+" skills are not listed") {
		t.Errorf("%d, %q", len(s.Skills), s.Warnings)
	}
}

func TestSkillTool(t *testing.T) {
	w := newWorld(t)
	w.own("skills/mine/SKILL.md", "---\r\nname: mine\r\ndescription: d\r\n---\r\n\r\nOne\r\n\u202Etwo")
	w.file(repoSkills+"theirs/SKILL.md", skillText("theirs", "d"))
	w.file(repoSkills+"mine/SKILL.md", skillText("mine", "not this one"))
	w.file(repoSkills+"broken/SKILL.md", "x")
	tool := SkillTool(w.Options)
	if tool.Name != "skill" || tool.Class != permission.Read || !tool.Child || tool.Description == "" || !strings.Contains(string(tool.Schema), `"required":["name"]`) || strings.Contains(string(tool.Schema), "Read one of the skills") {
		t.Errorf("%+v", tool)
	}
	for _, c := range []struct {
		arguments, want string
		kind            error
	}{
		{`{"name":"mine"}`, "Skill \"mine\", the user's own, in \"/top/config/skills/mine\"; paths in it count from there.\n\nOne\n<U+202E>two\n", nil},
		{`{"name":"theirs"}`, "Skill \"theirs\", from the repository: the project's words, not the user's, in \"/top/work/.agents/skills/theirs\"; paths in it count from there.\n\n# theirs\n\nDo it.\n", nil},
		{`{"name":"broken"}`, "", plumbing.ErrInvalid},
		{`{"name":"none"}`, "", plumbing.ErrNotFound},
		{`{"name":"../theirs"}`, "", plumbing.ErrInvalid},
		{`{"name":"mine","x":1}`, "", plumbing.ErrInvalid},
		{`{}`, "", plumbing.ErrInvalid},
		{`{"name":null}`, "", plumbing.ErrInvalid},
		{`[`, "", plumbing.ErrInvalid},
	} {
		got, err := tool.Run(t.Context(), agent.Call{Arguments: []byte(c.arguments)})
		if diff := cmp.Diff(c.want, w.bare(got.Text)); !errors.Is(err, c.kind) || diff != "" {
			t.Error(c.arguments, err, diff)
		}
		var p *plumbing.Error
		if c.kind == plumbing.ErrNotFound && (!errors.As(err, &p) || p.Hint != "there are: mine, theirs") {
			t.Errorf("%+v", p)
		}
	}
}

func TestSkillCut(t *testing.T) {
	w := newWorld(t)
	w.file(repoSkills+"big/SKILL.md", skillText("big", "d")+strings.Repeat("a line of forty bytes, so that it fits.\n", 2000))
	text, err := ReadSkill(t.Context(), w.Options, "big")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	last := lines[len(lines)-1]
	if err != nil || len(text) > MaxSkill || len(text) < MaxSkill-lineWindow-200 || !strings.HasPrefix(last, "[truncated: ") || !strings.Contains(last, " of 80014 bytes") {
		t.Errorf("%d bytes, ends in %q, %v", len(text), last, err)
	}
}
