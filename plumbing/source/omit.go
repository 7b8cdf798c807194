package source

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"github.com/tidwall/gjson"
)

// Shown yields a stored record in pieces as it is shown: only the data of
// files, of content blocks and of tool results, is replaced, by
// "[omitted: image/png, 48213 bytes]" with the number of bytes that it decodes
// to (design section 13). The pieces make one JSON object with the same keys
// and are cut at whole characters. record has to be canonical, as logs store it.
func Shown(record []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		at := 0
		for _, d := range payloads(record) {
			if !yield(record[at:d.from]) || !yield(d.marker()) {
				return
			}
			at = d.to
		}
		yield(record[at:])
	}
}

// payload is where the data of a file stands in a record, quotes included.
type payload struct {
	from, to int
	media    string // as it stands in the record, without quotes
	bytes    int
}

func (p payload) marker() []byte {
	return fmt.Appendf(nil, `"[omitted: %s, %d bytes]"`, p.media, p.bytes)
}

func payloads(record []byte) []payload {
	// Canonical bytes have no other spelling of this key with a string.
	if !bytes.Contains(record, []byte(`"data":"`)) {
		return nil
	}
	var list []payload
	add := func(_, file gjson.Result) bool {
		if p, ok := payloadOf(file); ok {
			list = append(list, p)
		}
		return true
	}
	field(gjson.ParseBytes(record), "content").ForEach(func(_, block gjson.Result) bool {
		switch field(block, "type").Str {
		case "file":
			add(gjson.Result{}, block)
		case "tool_result":
			field(block, "files").ForEach(add)
		}
		return true
	})
	return list
}

func payloadOf(file gjson.Result) (payload, bool) {
	data := field(file, "data")
	if data.Type != gjson.String {
		return payload{}, false
	}
	media := "unknown type"
	if m := field(file, "media_type"); m.Type == gjson.String {
		media = m.Raw[1 : len(m.Raw)-1]
	}
	return payload{data.Index, data.Index + len(data.Raw), media, decodedSize(data.Str)}, true
}

// decodedSize is the bytes that base64 stands for, padded or not, broken into lines or not.
func decodedSize(data string) int {
	n := len(data)
	for _, filler := range []string{"=", "\n", "\r"} {
		n -= strings.Count(data, filler)
	}
	return n * 3 / 4
}

// field is a key of an object by its name, taken literally, with its place in the record.
func field(object gjson.Result, key string) (found gjson.Result) {
	if !object.IsObject() {
		return found
	}
	object.ForEach(func(k, v gjson.Result) bool {
		if k.Str == key {
			found = v
		}
		return found.Raw == ""
	})
	return found
}
