package permission

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirect is what a redirection does to a file, or over the network.
func (w *walker) redirect(r *syntax.Redirect) {
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		w.named(strings.Trim(r.N.Value, "{}"))
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		if r.Hdoc != nil {
			w.within(r.Hdoc)
		}
		return
	case syntax.WordHdoc:
		w.within(r.Word)
		return
	}
	w.within(r.Word)
	a := w.one(r.Word)
	switch r.Op {
	case syntax.DplIn, syntax.DplOut:
		if fd := strings.TrimSuffix(a.text, "-"); a.fixed() && (fd == "" || isDigits(fd)) {
			return
		}
	}
	w.opens(r.Op, a)
}

// opens is a redirection from or to something that is named.
func (w *walker) opens(op syntax.RedirOperator, a arg) {
	sign := ">"
	switch op {
	case syntax.RdrIn, syntax.DplIn:
		sign = "<"
	case syntax.AppOut, syntax.AppAll, syntax.AppClob, syntax.AppAllClob:
		sign = ">>"
	}
	switch {
	case !a.fixed():
		w.widely(func() { w.reach(a) })
		w.add(Command{Words: []string{sign}, Cut: true, Class: Execute, Why: "where " + sign + " leads is not known before it runs"})
	case strings.HasPrefix(a.text, "/dev/tcp/") || strings.HasPrefix(a.text, "/dev/udp/"):
		w.add(Command{Words: []string{sign, a.text}, Known: true, Class: Network, Why: sign + " " + shown(a.text) + " opens a connection"})
	case isDevice(a.text):
	default:
		doubt := w.reach(arg{text: a.text, known: true})
		class := Write
		why := "it writes " + shown(a.text)
		if sign == "<" {
			class, why = Read, ""
		}
		if doubt != "" {
			class, why = Execute, doubt
		}
		if class != Read {
			w.add(Command{Words: []string{sign, a.text}, Known: doubt == "", Class: class, Why: why})
		}
	}
}
