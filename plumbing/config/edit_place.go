package config

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/lecode/lecode/plumbing"
)

// document is where the expressions of a config.toml stand. It is made of a
// file that is known to be TOML.
type document struct {
	data []byte
	list []expression
	eol  string
}

// expression is a `key = value` or a header.
type expression struct {
	kind     unstable.Kind // KeyValue, Table or ArrayTable
	table    []string      // that it stands in; of a header: that it opens
	path     []string      // from the root
	value    unstable.Kind
	comments bool // within the value
	from, to int  // of the value
	end      int  // behind the newline of its last line, or of the file
	line     int
}

func readDocument(data []byte) document {
	d := document{data: data, eol: "\n"}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		d.eol = "\r\n"
	}
	p := unstable.Parser{KeepComments: true}
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = keyOf(e)
			d.list = append(d.list, d.place(e, expression{kind: e.Kind, table: table, path: table}))
		case unstable.KeyValue:
			v := e.Value()
			d.list = append(d.list, d.place(e, expression{kind: e.Kind, table: table, path: slices.Concat(table, keyOf(e)),
				value: v.Kind, comments: hasComment(v)}))
		}
	}
	return d
}

// place notes where an expression stands.
func (d document) place(e *unstable.Node, x expression) expression {
	var first, last unstable.Range
	for it := e.Key(); it.Next(); {
		if last = it.Node().Raw; first.Length == 0 {
			first = last
		}
	}
	x.line = 1 + bytes.Count(d.data[:first.Offset], []byte("\n"))
	x.to = int(last.Offset + last.Length)
	if x.kind == unstable.KeyValue {
		between := len(d.data[x.to:]) - len(bytes.TrimLeft(d.data[x.to:], " \t="))
		x.from, x.to = x.to+between, int(e.Raw.Offset+e.Raw.Length)
	}
	x.end = len(d.data)
	if i := bytes.IndexByte(d.data[x.to:], '\n'); i >= 0 {
		x.end = x.to + i + 1
	}
	return x
}

func hasComment(n *unstable.Node) bool {
	for it := n.Children(); it.Next(); {
		if it.Node().Kind == unstable.Comment || hasComment(it.Node()) {
			return true
		}
	}
	return false
}

// set puts a value in the one place that the key has.
func (d document) set(path []string, text string) ([]byte, error) {
	if err := d.obstacle(path); err != nil {
		return nil, err
	}
	for _, x := range d.list {
		if x.kind == unstable.KeyValue && slices.Equal(x.path, path) {
			return d.replace(x, text)
		}
	}
	return d.insert(path, text), nil
}

// obstacle finds what makes it impossible to say where a key belongs.
func (d document) obstacle(path []string) error {
	for _, x := range d.list {
		within, over := isPrefix(x.path, path), isPrefix(path, x.path)
		isKey := x.kind == unstable.KeyValue
		switch {
		case within && x.kind == unstable.ArrayTable:
			return x.unsafe(keyText(x.path) + " is a list of tables")
		case within && isKey && len(x.path) < len(path):
			return x.unsafe(keyText(x.path) + " is written as one value")
		case over && (!isKey || len(x.path) > len(path)):
			return x.unsafe(keyText(path) + " is a table")
		}
	}
	return nil
}

func isPrefix(short, long []string) bool {
	return len(short) <= len(long) && slices.Equal(short, long[:len(short)])
}

func (x expression) unsafe(why string) error {
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("config.toml line %d: %s there, so that it cannot be set safely", x.line, why), "change that line by hand")
}

func (d document) replace(x expression, text string) ([]byte, error) {
	switch {
	case x.value == unstable.InlineTable:
		return nil, x.unsafe(keyText(x.path) + " is a table")
	case x.comments:
		return nil, x.unsafe(keyText(x.path) + " has comments within its value")
	}
	return slices.Concat(d.data[:x.from], []byte(text), d.data[x.to:]), nil
}

// insert adds a key that is not there: below the header of its table, beside
// the dotted keys that make the table, or in a new table at the end.
func (d document) insert(path []string, text string) []byte {
	last := len(path) - 1
	at, key := -1, path[last:]
	for i, x := range d.list {
		switch {
		case x.kind == unstable.Table && slices.Equal(x.table, path[:last]), // its header
			x.kind == unstable.KeyValue && slices.Equal(x.table, path[:last]),                   // a neighbour
			x.kind == unstable.KeyValue && len(x.table) < last && isPrefix(path[:last], x.path): // a dotted neighbour
			at, key = i, path[len(x.table):]
		}
	}
	line := keyText(key) + " = " + text
	switch {
	case at >= 0:
		return d.insertAt(d.list[at].end, line)
	case last == 0:
		return d.insertAt(0, line+d.eol)
	}
	line = "[" + keyText(path[:last]) + "]" + d.eol + line
	if len(d.data) > 0 {
		line = d.eol + line
	}
	return d.insertAt(len(d.data), line)
}

// insertAt puts a line between two others.
func (d document) insertAt(at int, line string) []byte {
	if at > 0 && d.data[at-1] != '\n' {
		line = d.eol + line
	}
	return slices.Concat(d.data[:at], []byte(line+d.eol), d.data[at:])
}
