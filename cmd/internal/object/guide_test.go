package object

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/tool"
)

// all is every object that a command prints, by its type.
var all = map[string]any{
	"project": Project{}, "session": Session{}, "appended": Appended{}, "record": Record{}, "event": Event{},
	"imported": Imported{}, "source_ref": SourceRef{}, "validation": Validation{}, "fact": Fact{},
	"generation": Generation{}, "explained": Explained{}, "forgotten": Forgotten{},
	"provenance": Provenance{}, "exclusion": Exclusion{}, "deleted": Deleted{}, "setting": Setting{}, "section": prompt.Section{}, "recall": recall.Page{},
	"plan": compact.Plan{}, "compaction": Compaction{}, "response": Response{}, "context": Context{}, "lineage": Lineage{}, "lost": Lost{}, "loss": Loss{}, "learning": Learning{},
	"usage": Usage{}, "estimate": Estimate{}, "model": Model{}, "status": Status{},
	"adopted": Adopted{}, "fact_list": tool.FactList{}, "finding": Finding{}, "note": Note{}, "match": Match{}, "why": Why{},
	"began": Began{}, "requested": Requested{}, "streamed": Streamed{}, "answered": Answered{}, "asked": Asked{}, "calling": Calling{},
	"progressed": Progressed{}, "called": Called{}, "compacting": Compacting{}, "stale_answer": Stale{}, "notice": Notice{}, "injected": Injected{},
	"phase": Phase{}, "command": Command{}, "result": Result{},
}

// TestGuideShowsEveryObject holds the plumbing guide against the code: one
// example a type, canonical, with exactly the keys that the Go struct has.
func TestGuideShowsEveryObject(t *testing.T) {
	page, err := os.ReadFile("../../../porcelain/help/plumbing.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile("(?ms)^```json\n(.*?)\n```").FindAllStringSubmatch(string(page), -1) {
		line := []byte(m[1])
		if _, err := canon.Check(line, nil); err != nil {
			t.Errorf("%v: %s", err, line)
			continue
		}
		typ := gjson.GetBytes(line, "type").Str
		object, known := all[typ]
		if !known {
			t.Errorf("the guide shows type %q, which no command prints", typ)
			continue
		}
		seen[typ] = true
		if want, got := goKeys(object), jsonKeys(line); !slices.Equal(want, got) {
			t.Errorf("type %s: the code has keys %v, the guide %v", typ, want, got)
		}
	}
	for typ := range all {
		if !seen[typ] {
			t.Errorf("the guide does not show type %s", typ)
		}
	}
}

func goKeys(object any) []string {
	var keys []string
	typ := reflect.TypeOf(object)
	for i := range typ.NumField() {
		if typ.Field(i).Anonymous {
			keys = append(keys, goKeys(reflect.Zero(typ.Field(i).Type).Interface())...)
			continue
		}
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return keys
}

func jsonKeys(line []byte) []string {
	var keys []string
	gjson.ParseBytes(line).ForEach(func(k, _ gjson.Result) bool {
		keys = append(keys, k.Str)
		return true
	})
	slices.Sort(keys)
	return keys
}
