package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/tool"
)

// TestToolsListed: the readers, and with Write all eight, as plumbing/tool describes them.
func TestToolsListed(t *testing.T) {
	for _, write := range []bool{false, true} {
		w := newWorld(t)
		opt := w.options()
		opt.Write = write
		got, err := w.client(opt).ListTools(context.Background(), nil)
		w.ok(err)
		listed := map[string]*sdk.Tool{}
		for _, l := range got.Tools {
			listed[l.Name] = l
		}
		n := 0
		for _, want := range tool.Tools() {
			l := listed[want.Name]
			if reads := want.Class == tool.Read; l == nil != (!reads && !write) {
				t.Errorf("write %v: %s listed: %v", write, want.Name, l != nil)
			}
			if l == nil {
				continue
			}
			n++
			var schema, described map[string]any
			b, err := json.Marshal(l.InputSchema)
			w.ok(err)
			w.ok(json.Unmarshal(b, &described))
			w.ok(json.Unmarshal(want.Schema, &schema))
			delete(schema, "description")
			if diff := cmp.Diff(schema, described); diff != "" || l.Description != want.Description {
				t.Errorf("%s: %s", want.Name, diff)
			}
			if l.Annotations.ReadOnlyHint != (want.Class == tool.Read) || *l.Annotations.OpenWorldHint {
				t.Errorf("%s: hints %+v", want.Name, l.Annotations)
			}
		}
		if n != len(listed) {
			t.Errorf("write %v: %d tools are listed, %d of them known", write, len(listed), n)
		}
	}
}

// TestWritersRefused: a writer that is not allowed is answered as a tool that failed, and says who can allow it.
func TestWritersRefused(t *testing.T) {
	w := newWorld(t)
	c := w.client(w.options())
	refused := 0
	for _, tl := range tool.Tools() {
		if tl.Class == tool.Read {
			continue
		}
		text, failed := call(t, c, tl.Name, map[string]any{"file": "MEMORY.md", "content": "x", "mode": "append"})
		if !failed || !strings.Contains(text, "--allow write") {
			t.Errorf("%s: failed %v: %s", tl.Name, failed, text)
		}
		refused++
	}
	if refused != 4 {
		t.Errorf("%d writers", refused)
	}
	if _, err := os.Stat(w.config.Path("memory")); !os.IsNotExist(err) {
		t.Errorf("something was made: %v", err)
	}
	if _, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "memory_erase"}); err == nil || !strings.Contains(err.Error(), "memory_erase") {
		t.Errorf("an unknown tool: %v", err)
	}
	if text, failed := call(t, c, "memory_recall", map[string]any{"fact_id": 3}); !failed {
		t.Errorf("bad arguments: %s", text)
	}
}

// TestForgetElsewhere: what another process forgets is gone with the next request, from tools, resources and lists.
func TestForgetElsewhere(t *testing.T) {
	w := newWorld(t)
	w.say("We use tabs.", "Run go vet.")
	tabs, vet := w.remember("Indent with tabs.", 1), w.remember("Run go vet.", 2)
	c := w.client(w.options())
	ctx := context.Background()
	uris := func() (list []string) {
		got, err := c.ListResources(ctx, nil)
		w.ok(err)
		for _, r := range got.Resources {
			if strings.HasPrefix(r.URI, factURI) {
				list = append(list, r.URI)
			}
		}
		slices.Sort(list)
		return list
	}
	both := []string{factURI + tabs, factURI + vet}
	slices.Sort(both)
	if diff := cmp.Diff(both, uris()); diff != "" {
		t.Fatal(diff)
	}
	text, failed := call(t, c, "memory_recall", map[string]any{"fact_id": tabs})
	if failed || !strings.Contains(text, `"status":"valid"`) || !strings.Contains(text, "We use tabs.") {
		t.Fatal(text)
	}
	read, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: factURI + tabs})
	w.ok(err)
	if read.Contents[0].Text != text {
		t.Errorf("the resource says %s", read.Contents[0].Text)
	}
	_, err = w.facts().Forget(ctx, tabs)
	w.ok(err)
	if text, failed := call(t, c, "memory_recall", map[string]any{"fact_id": tabs}); !failed || strings.Contains(text, "tabs.") {
		t.Errorf("after the forget: failed %v: %s", failed, text)
	}
	if _, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: factURI + tabs}); err == nil {
		t.Error("the resource is still there")
	}
	if diff := cmp.Diff([]string{factURI + vet}, uris()); diff != "" {
		t.Error(diff)
	}
}

// TestCorrectAfterForget: a correction by a client that last read before a
// forget is refused until it has read again.
func TestCorrectAfterForget(t *testing.T) {
	w := newWorld(t)
	w.say("We use tabs.", "Run go vet.", "Correction: run staticcheck too.")
	tabs, vet := w.remember("Indent with tabs.", 1), w.remember("Run go vet.", 2)
	opt := w.options()
	opt.Write = true
	c := w.client(opt)
	var page struct {
		Source map[string]any `json:"source"`
	}
	recall := func() {
		text, failed := call(t, c, "memory_recall", map[string]any{"session_id": "s1", "start_seq": 3, "end_seq": 3})
		if failed {
			t.Fatal(text)
		}
		w.ok(json.Unmarshal([]byte(text), &page))
	}
	recall()
	_, err := w.facts().Forget(context.Background(), tabs)
	w.ok(err)
	args := map[string]any{"fact_id": vet, "expected_revision": 1, "text": "Run go vet and staticcheck.", "source_snapshot": page.Source}
	if text, failed := call(t, c, "memory_correct", args); !failed {
		t.Fatalf("corrected from before the forget: %s", text)
	}
	f, err := w.deps.Facts.Get(context.Background(), vet)
	w.ok(err)
	if f.Current().Number != 1 {
		t.Errorf("revision %d", f.Current().Number)
	}
	other := w.client(opt) // has read nothing, as a server that was started again
	if text, failed := call(t, other, "memory_correct", args); !failed {
		t.Fatalf("corrected before anything was read: %s", text)
	}
	recall()
	if text, failed := call(t, c, "memory_correct", args); failed {
		t.Fatalf("after reading again: %s", text)
	}
	f, err = w.deps.Facts.Get(context.Background(), vet)
	w.ok(err)
	if f.Current().Number != 2 || f.Current().Text != "Run go vet and staticcheck." {
		t.Errorf("%+v", f.Current())
	}
}

func TestResourcesOfNotes(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	for file, text := range map[string]string{"MEMORY.md": "# M\n", "daily/2026-01-02.md": "- today\n", "notes/über uns.md": "## ü\n"} {
		_, err := w.deps.Notes.Write(ctx, file, text, note.Replace)
		w.ok(err)
	}
	w.ok(os.WriteFile(w.config.Path("memory/"+slug+"/notes/big.md"), nil, 0o600))
	c := w.client(w.options())
	list, err := c.ListResources(ctx, nil)
	w.ok(err)
	texts := map[string]string{}
	for _, r := range list.Resources {
		got, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Errorf("%s is listed, but: %v", r.URI, err)
			continue
		}
		if strings.HasPrefix(r.URI, noteURI) {
			texts[r.URI] = got.Contents[0].Text
		}
	}
	if diff := cmp.Diff(map[string]string{
		"lecode://note/MEMORY.md": "# M\n", "lecode://note/daily/2026-01-02.md": "- today\n",
		"lecode://note/notes/%C3%BCber%20uns.md": "## ü\n", "lecode://note/notes/big.md": "",
	}, texts); diff != "" {
		t.Error(diff)
	}
	w.ok(os.WriteFile(w.config.Path("memory/"+slug+"/notes/big.md"), []byte(strings.Repeat("x", MaxNote+1)), 0o600))
	secret := filepath.Join(t.TempDir(), "secret.md")
	w.ok(os.WriteFile(secret, []byte("s"), 0o600))
	w.ok(os.Symlink(secret, w.config.Path("memory/"+slug+"/notes/link.md")))
	for _, uri := range []string{
		"lecode://note/notes/big.md", "lecode://note/notes/link.md", "lecode://note/notes/none.md", "lecode://note/../config.toml",
		"lecode://note/notes/..%2F..%2Fconfig.toml", "lecode://note/notes/%zz.md", "lecode://note/", "lecode://fact/", "lecode://fact/f-1",
		"lecode://facts?offset=x", "lecode://facts?offset=01", "lecode://facts/1", "file:///etc/passwd", "",
	} {
		if got, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %q", uri, got.Contents[0].Text)
		}
	}
	templates, err := c.ListResourceTemplates(ctx, nil)
	w.ok(err)
	if len(templates.ResourceTemplates) != 4 {
		t.Errorf("%d templates", len(templates.ResourceTemplates))
	}
}

func TestPrompt(t *testing.T) {
	w := newWorld(t)
	opt := w.options()
	said := ""
	opt.Section = func(context.Context) (string, error) { return said, nil }
	c := w.client(opt)
	get := func() string {
		got, err := c.GetPrompt(context.Background(), &sdk.GetPromptParams{Name: "memory"})
		w.ok(err)
		return got.Messages[0].Content.(*sdk.TextContent).Text
	}
	if got := get(); !strings.Contains(got, "Nothing") {
		t.Error(got)
	}
	said = "# facts\n"
	if diff := cmp.Diff(said, get()); diff != "" {
		t.Error(diff)
	}
}

// TestManyAtOnce: requests come together, while another process forgets.
func TestManyAtOnce(t *testing.T) {
	w := newWorld(t)
	var ids, texts []string
	for i := range 12 {
		texts = append(texts, fmt.Sprintf("Rule %d.", i))
	}
	w.say(texts...)
	for i, s := range texts {
		ids = append(ids, w.remember(s, int64(i+1)))
	}
	opt := w.options()
	opt.Follow = &Follower{File: filepath.Join(t.TempDir(), "none.jsonl"), Log: w.note}
	c := w.client(opt)
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			for _, id := range ids {
				switch g % 4 {
				case 0:
					call(t, c, "memory_recall", map[string]any{"fact_id": id})
				case 1:
					call(t, c, "memory_recall", map[string]any{"session_id": "s1", "start_seq": 1, "end_seq": 12})
				case 2:
					if _, err := c.ListResources(context.Background(), nil); err != nil {
						t.Error(err)
					}
				case 3:
					call(t, c, "memory_list", map[string]any{})
				}
			}
		})
	}
	other := w.facts()
	for _, id := range ids {
		if _, err := other.Forget(context.Background(), id); err != nil {
			t.Error(err)
		}
		if text, failed := call(t, c, "memory_recall", map[string]any{"fact_id": id}); !failed {
			t.Errorf("forgotten, but %s", text)
		}
	}
	wait.Wait()
}

// TestDefect: a panic is told where it happened, as an error of the protocol, and the server goes on.
func TestDefect(t *testing.T) {
	w := newWorld(t)
	opt := w.options()
	opt.Section = func(context.Context) (string, error) { panic("what was being read") }
	c := w.client(opt)
	_, err := c.GetPrompt(context.Background(), &sdk.GetPromptParams{Name: "memory"})
	if err == nil || strings.Contains(err.Error(), "being read") {
		t.Errorf("%v", err)
	}
	if err := c.Ping(context.Background(), nil); err != nil {
		t.Error(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.log) != 1 || !strings.Contains(w.log[0], "TestDefect") || strings.Contains(w.log[0], "being read") {
		t.Errorf("%q", w.log)
	}
}
