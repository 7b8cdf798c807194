package main

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
)

type noteEdit struct {
	Verb
	File string  `arg:"" help:"The file."`
	Old  *string `placeholder:"TEXT" help:"The text to replace, exactly; one that begins with a dash as --old=-x."`
	New  *string `placeholder:"TEXT" help:"The text to put there; may be empty."`
	All  bool    `help:"Replace it wherever it is."`
}

func (c *noteEdit) run(e *cli.Env, s *note.Store) error {
	if err := note.CheckFile(c.File); err != nil {
		return err
	}
	if c.Old == nil && c.New == nil {
		if err := c.fromObject(e); err != nil {
			return err
		}
	}
	if c.Old == nil || c.New == nil {
		return plumbing.Fail(plumbing.ErrInvalid, "an edit takes an old text and a new one", "give both --old and --new, or neither and an object on stdin")
	}
	ctx, stop := e.Context()
	defer stop()
	done, err := s.Edit(ctx, c.File, *c.Old, *c.New, c.All)
	if err != nil {
		return err
	}
	o := written(done.Written)
	o.Replaced, o.Lines = &done.Replaced, &done.Lines
	return e.Print(o)
}

// fromObject reads the edit from stdin, with the keys of the tool memory_edit.
func (c *noteEdit) fromObject(e *cli.Env) error {
	b, err := e.Object()
	if err != nil {
		return err
	}
	for key, want := range map[string]**string{"old": &c.Old, "new": &c.New} {
		v := gjson.GetBytes(b, key)
		if v.Type != gjson.String {
			return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q in the object on stdin is missing or not a string", key), "")
		}
		*want = &v.Str
	}
	if v := gjson.GetBytes(b, "file"); v.Exists() && v.Str != c.File {
		return plumbing.Fail(plumbing.ErrInvalid, "the object on stdin names another file", "leave its \"file\" out")
	}
	switch v := gjson.GetBytes(b, "all"); {
	case v.IsBool():
		c.All = c.All || v.Bool()
	case v.Exists():
		return plumbing.Fail(plumbing.ErrInvalid, `"all" in the object on stdin is neither true nor false`, "")
	}
	return nil
}
