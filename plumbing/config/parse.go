package config

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/lecode/lecode/plumbing"
)

// parse reads TOML into a tree, and the line of every key and table, by path
// ("memory.enabled", "hooks[0].event"). A BOM is skipped; duplicate keys and
// what is not UTF-8 are refused.
func parse(data []byte, file string) (map[string]any, map[string]int64, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	tree := map[string]any{}
	if err := toml.Unmarshal(data, &tree); err != nil {
		return nil, nil, syntaxError(err, file)
	}
	return tree, linesOf(data), nil
}

func syntaxError(err error, file string) error {
	place, message := quote(file), strings.TrimPrefix(err.Error(), "toml: ")
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, column := decode.Position()
		place += fmt.Sprintf(" line %d, column %d", line, column)
	}
	return &plumbing.Error{Kind: plumbing.ErrInvalid, Cause: err,
		Message: place + " is not TOML: " + message, Hint: "correct that line"}
}

// lines finds where keys stand, in a document that is already known to be valid.
type lines struct {
	data  []byte
	found map[string]int64
	count map[string]int // tables in each list of tables
	line  int64          // of the byte at offset
	at    uint32
}

func linesOf(data []byte) map[string]int64 {
	l := &lines{data: data, found: map[string]int64{}, count: map[string]int{}, line: 1}
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table = l.header(e, false)
		case unstable.ArrayTable:
			table = l.header(e, true)
		case unstable.KeyValue:
			l.keyValue(table, e)
		}
	}
	return l.found
}

// header notes a table's place and returns its path. Each name that stands for
// a list of tables means the last one of it so far.
func (l *lines) header(e *unstable.Node, list bool) string {
	path := ""
	for it := e.Key(); it.Next(); {
		path = join(path, string(it.Node().Data))
		last := it.IsLast()
		if n, ok := l.count[path]; ok && (!last || !list) {
			path = element(path, n-1)
		}
		if last && list {
			l.count[path]++
			path = element(path, l.count[path]-1)
		}
		l.note(path, it.Node())
	}
	return path
}

func (l *lines) keyValue(table string, e *unstable.Node) {
	path := table
	for it := e.Key(); it.Next(); {
		path = join(path, string(it.Node().Data))
		l.note(path, it.Node())
	}
	l.value(path, e.Value())
}

func (l *lines) value(path string, v *unstable.Node) {
	i := 0
	for it := v.Children(); it.Next(); {
		switch {
		case v.Kind == unstable.InlineTable:
			l.keyValue(path, it.Node())
		case v.Kind == unstable.Array && it.Node().Kind != unstable.Comment:
			l.value(element(path, i), it.Node())
			i++
		}
	}
}

// note keeps the first place of a path. The keys of a document come in order,
// so that each newline is counted once.
func (l *lines) note(path string, key *unstable.Node) {
	if offset := key.Raw.Offset; offset >= l.at && int(offset) <= len(l.data) {
		l.line += int64(bytes.Count(l.data[l.at:offset], []byte("\n")))
		l.at = offset
	}
	if _, ok := l.found[path]; !ok {
		l.found[path] = l.line
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
