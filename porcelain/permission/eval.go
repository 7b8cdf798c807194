package permission

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// within goes through what the shell runs or works out to make a word.
func (w *walker) within(n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.stmts(n.Stmts)
			return false
		case *syntax.ProcSubst:
			w.stmts(n.Stmts)
			return false
		case *syntax.ArithmExp:
			w.numeric(n.X)
		case *syntax.ExtGlob:
			if strings.ContainsAny(n.Pattern.Value, "$`<>") { // the parser leaves it as text
				w.doubt("it holds a pattern that may run commands")
			}
		case *syntax.ParamExp:
			w.param(n)
		}
		return true
	})
}

const arithmWhy = "bash runs what stands in brackets in the value of a variable that it calculates with"

// arithm is an expression that is worked out, with what runs in it.
func (w *walker) arithm(e syntax.ArithmExpr) {
	if e == nil {
		return
	}
	w.numeric(e)
	w.within(e)
}

// numeric doubts an expression that holds more than numbers: a value such as
// 'a[$(command)]' is run.
func (w *walker) numeric(e syntax.ArithmExpr) {
	if !isNumeric(e, 0) {
		w.doubt(arithmWhy)
	}
}

func isNumeric(e syntax.ArithmExpr, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch e := e.(type) {
	case nil:
		return true
	case *syntax.BinaryArithm:
		return isNumeric(e.X, depth+1) && isNumeric(e.Y, depth+1)
	case *syntax.UnaryArithm:
		return isNumeric(e.X, depth+1)
	case *syntax.ParenArithm:
		return isNumeric(e.X, depth+1)
	case *syntax.Word:
		return isNumber(e)
	}
	return false
}

// isNumber: a number, or a variable that only ever holds one.
func isNumber(word *syntax.Word) bool {
	if word == nil {
		return true
	}
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if p.Value == "" || p.Value[0] < '0' || p.Value[0] > '9' || strings.ContainsAny(p.Value, "[]$`\\") {
				return false
			}
		case *syntax.ParamExp:
			counts := p.Length && p.Index == nil
			if p.Param == nil || !counts && !contains([]string{"?", "#", "$", "!"}, p.Param.Value) || p.Exp != nil || p.Slice != nil || p.Repl != nil || p.Excl {
				return false
			}
		case *syntax.ArithmExp:
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if !isNumber(&syntax.Word{Parts: []syntax.WordPart{q}}) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// param is one expansion of a variable; its words are gone through by within.
func (w *walker) param(p *syntax.ParamExp) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	switch {
	case p.Excl && p.Names == 0:
		w.doubt("${!" + shown(name) + "} takes the name of a variable from a variable")
	case p.Exp != nil && p.Exp.Op == syntax.OtherParamOps && (p.Exp.Word == nil || !contains([]string{"Q", "U", "u", "L", "A", "K", "k", "a", "E"}, p.Exp.Word.Lit())):
		w.doubt("${" + shown(name) + "@P} runs what its value holds")
	case isSecret(name):
		w.doubt("$" + shown(name) + " may hold a secret")
	}
	if p.Exp != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
		w.named(name)
	}
	if p.Slice != nil {
		w.numeric(p.Slice.Offset)
		w.numeric(p.Slice.Length)
	}
	w.index(p.Index)
}

// index is the place in an array: a number, or all.
func (w *walker) index(e syntax.ArithmExpr) {
	if word, ok := e.(*syntax.Word); ok && (word.Lit() == "@" || word.Lit() == "*") {
		return
	}
	if e != nil {
		w.numeric(e)
	}
}

// test is an expression within [[ ]].
func (w *walker) test(e syntax.TestExpr) {
	switch e := e.(type) {
	case nil:
	case *syntax.ParenTest:
		w.test(e.X)
	case *syntax.BinaryTest:
		switch e.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			w.number(e.X)
			w.number(e.Y)
		}
		w.test(e.X)
		w.test(e.Y)
	case *syntax.UnaryTest:
		word, isWord := e.X.(*syntax.Word)
		switch {
		case (e.Op == syntax.TsVarSet || e.Op == syntax.TsRefVar) && !(isWord && syntax.ValidName(word.Lit())):
			w.doubt(arithmWhy)
		case isWord && e.Op != syntax.TsNempStr && e.Op != syntax.TsEmpStr:
			w.reach(w.one(word))
		}
		w.test(e.X)
	case *syntax.Word:
		w.within(e)
	default:
		w.doubt("it holds a test that is not known")
	}
}

func (w *walker) number(e syntax.TestExpr) {
	if word, ok := e.(*syntax.Word); !ok || !isNumber(word) {
		w.doubt(arithmWhy)
	}
}
