package permission

import (
	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *walker) stmt(s *syntax.Stmt) {
	if s == nil {
		return
	}
	if w.depth >= maxDepth {
		w.doubt("it is nested too deeply to be looked at")
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	for _, r := range s.Redirs {
		w.redirect(r)
	}
	w.command(s.Cmd)
}

func (w *walker) command(cmd syntax.Command) {
	switch c := cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		w.call(c)
	case *syntax.BinaryCmd:
		w.binary(c)
	case *syntax.Block:
		w.stmts(c.Stmts)
	case *syntax.Subshell:
		w.stmts(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.stmts(c.Cond)
			w.stmts(c.Then)
		}
	case *syntax.WhileClause:
		w.stmts(c.Cond)
		w.stmts(c.Do)
	case *syntax.ForClause:
		w.loop(c.Loop)
		w.stmts(c.Do)
	case *syntax.CaseClause:
		w.cases(c)
	case *syntax.TimeClause:
		w.stmt(c.Stmt)
	case *syntax.FuncDecl:
		was := w.defining
		w.defining = true
		w.stmt(c.Body)
		w.defining = was
	case *syntax.CoprocClause:
		if c.Name != nil {
			w.named(c.Name.Lit())
			w.within(c.Name)
		}
		w.stmt(c.Stmt)
	default:
		w.evaluated(cmd)
	}
}

// evaluated is what the shell itself works out.
func (w *walker) evaluated(cmd syntax.Command) {
	switch c := cmd.(type) {
	case *syntax.ArithmCmd: // in a plain sh these are subshells
		w.doubt(arithmWhy)
		w.within(c.X)
	case *syntax.LetClause:
		w.doubt(arithmWhy)
		w.within(c)
	case *syntax.TestClause:
		w.test(c.X)
	case *syntax.DeclClause:
		w.declare(c)
	default:
		w.doubt("it holds a construct that is not known")
	}
}

// binary goes through a chain of "&&" with the folder that "cd" leads to: what
// follows runs only where that was reached. Anywhere else a "cd" that may or
// may not have happened adds a folder.
func (w *walker) binary(b *syntax.BinaryCmd) {
	if b.Op != syntax.AndStmt {
		w.stmt(b.X)
		w.stmt(b.Y)
		return
	}
	before, wasLost := w.dirs, w.lost
	for _, s := range chain(b) {
		at := w.dirs
		w.stmt(s)
		if to, ok := w.goesTo(s, at); ok {
			w.dirs = to
		}
	}
	w.dirs, w.lost = union(before, w.dirs), wasLost || w.lost
}

// chain lists what "&&" joins, without descending for each.
func chain(b *syntax.BinaryCmd) []*syntax.Stmt {
	list := []*syntax.Stmt{b.Y}
	for {
		left := b.X
		next, ok := left.Cmd.(*syntax.BinaryCmd)
		if !ok || next.Op != syntax.AndStmt || len(left.Redirs) > 0 || left.Negated || left.Background {
			list = append(list, left)
			break
		}
		list = append(list, next.Y)
		b = next
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

func (w *walker) loop(l syntax.Loop) {
	switch l := l.(type) {
	case *syntax.WordIter:
		w.named(l.Name.Value)
		for _, a := range w.expand(l.Items) {
			if a.glob != "" {
				w.reach(a)
			}
		}
	case *syntax.CStyleLoop:
		for _, e := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			w.arithm(e)
		}
	default:
		w.doubt("it holds a loop that is not known")
	}
}

func (w *walker) cases(c *syntax.CaseClause) {
	w.within(c.Word)
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			w.within(p)
		}
		w.stmts(item.Stmts)
	}
}

// call is a simple command: variables, then words.
func (w *walker) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		w.assign(a, len(c.Args) > 0)
	}
	if len(c.Args) == 0 {
		return
	}
	own := true
	for _, a := range c.Assigns {
		own = own && a.Name != nil && isHarmless(a.Name.Value)
	}
	w.run(running{args: w.expand(c.Args), known: own})
}

func union(a, b []string) []string {
	out := append([]string(nil), a...)
	for _, s := range b {
		if !contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
