package instruct

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/prompt"
)

// The caps on skills.
const (
	MaxSkills  = 8 << 10  // bytes of their list in the prompt, its label included
	MaxSkill   = 64 << 10 // bytes of one, as the tool shows it
	maxFolders = 500      // that are looked at in one place
)

const skillFile = "SKILL.md"

// Skill is instructions for a kind of work.
type Skill struct {
	Name        string
	Description string // one line, at most 1,024 bytes
	Folder      string // absolute
	Repository  bool   // it comes with the repository, not from the user
}

// shelf is a folder of skills.
type shelf struct {
	place
	dir        string // below the place
	repository bool
}

// shelves are where skills are looked for, the user's before the repository's.
func (o Options) shelves() []shelf {
	all := []shelf{{place{o.ConfigDir, false}, "skills", false}}
	if o.Checkout != "" {
		all = append(all, shelf{place{o.Checkout, true}, filepath.Join(".agents", "skills"), true})
	}
	return all
}

// Skills lists the skills there are: the user's by name, then the
// repository's. Of two of one name the user's counts. What cannot be used is
// named in warnings. The error is that of ctx.
func Skills(ctx context.Context, o Options) (skills []Skill, warnings []string, err error) {
	for _, s := range o.shelves() {
		names, wrong := s.names()
		if wrong != nil {
			warnings = append(warnings, warning("the skills in %s are left out: %v", filepath.Join(s.top, s.dir), wrong))
		}
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			skill, _, err := s.read(name, maxFront+1<<10)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				warnings = append(warnings, warning("the skill in %s is left out: %v", s.folder(name), err))
			case slices.ContainsFunc(skills, func(other Skill) bool { return other.Name == skill.Name }):
				warnings = append(warnings, warning("the skill %s of the repository is left out: you have one of that name", name))
			default:
				skills = append(skills, skill)
			}
		}
	}
	return skills, warnings, nil
}

func (s shelf) folder(name string) string { return filepath.Join(s.top, s.dir, name) }

// names lists what may be skills, by name; where there are too many of them
// those that were found are listed, with an error.
func (s shelf) names() ([]string, error) {
	d, _, err := s.open(s.dir, true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	list, err := d.ReadDir(maxFolders + 1)
	var names []string
	for _, e := range list {
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	if len(list) > maxFolders {
		return names[:min(len(names), maxFolders)], fmt.Errorf("there are more than %d entries, and only so many are looked at", maxFolders)
	}
	if err != nil && len(list) == 0 {
		return nil, nil // io.EOF: an empty folder
	}
	return names, nil
}

// read reads the beginning of a skill, at most most bytes. A folder without a
// SKILL.md, and a hidden one, is fs.ErrNotExist.
func (s shelf) read(name string, most int64) (Skill, body, error) {
	if strings.HasPrefix(name, ".") {
		return Skill{}, body{}, fs.ErrNotExist
	}
	b, _, size, err := s.head(filepath.Join(s.dir, name, skillFile), most)
	if err != nil {
		return Skill{}, body{}, err
	}
	f, err := readFront(string(b))
	if err != nil {
		return Skill{}, body{}, err
	}
	if f.name != name {
		return Skill{}, body{}, fmt.Errorf("its name is %q and that of its folder another", f.name)
	}
	description, used := prompt.ShowPart(f.description, maxDescription)
	if used < len(f.description) {
		description += "…"
	}
	skill := Skill{Name: name, Description: description, Folder: s.folder(name), Repository: s.repository}
	return skill, body{text: string(b[f.body:]), size: size - int64(f.body)}, nil
}

// body is what stands behind the front matter, or its beginning.
type body struct {
	text string
	size int64
}

// origin says whose a skill is.
func (s Skill) origin() string {
	if s.Repository {
		return "repository"
	}
	return "user"
}

// listed is the section that lists the skills, those that fit.
func (s *System) listed() string {
	if len(s.Skills) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(labelSkills + "\n")
	// Room for the line that says how many are missing.
	room := MaxSkills - len(missing(len(s.Skills)))
	left := 0
	for _, skill := range s.Skills {
		line, err := canon.Marshal(map[string]string{"name": skill.Name, "description": skill.Description, "from": skill.origin()})
		if err != nil || b.Len()+len(line)+1 > room {
			left++
			continue
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	if left > 0 {
		b.WriteString(missing(left))
		s.warn("%d skills are not listed in the prompt: their list gets at most %d bytes; shorten descriptions", left, MaxSkills)
	}
	return b.String()
}

func missing(n int) string {
	return fmt.Sprintf("[%d more skills do not fit; the tool skill names them when it is asked for one that is not there]\n", n)
}
