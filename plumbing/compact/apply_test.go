package compact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
)

func (w *world) apply(id string, p Planned) (Applied, error) {
	return Apply(context.Background(), w.Deps, id, p)
}

// events lists the types of the log's records that are no messages.
func (w *world) events(id string) string {
	w.t.Helper()
	var types []string
	for line := range bytes.Lines(w.read(id)) {
		if typ := gjson.GetBytes(line, "type").Str; typ != "message" && typ != "session" {
			types = append(types, typ)
		}
	}
	return strings.Join(types, " ")
}

func TestApply(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(4)...)
	p := w.plan(id)
	p.Response = said("  The summary.\n")
	got, err := w.apply(id, p)
	if err != nil {
		t.Fatal(err)
	}
	if got.Seq != 9 || got.CoveredThrough != 4 || got.Summary != "The summary." || got.Prior != nil || got.SessionID != id {
		t.Errorf("%+v", got)
	}
	lines := bytes.Split(bytes.TrimSpace(w.read(id)), []byte("\n"))
	var keys []string
	gjson.ParseBytes(lines[9]).ForEach(func(k, _ gjson.Result) bool { keys = append(keys, k.Str); return true })
	want := []string{"call_id", "covered_through", "covers", "generation", "model", "prior", "seq", "summary", "time", "type", "usage"}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
	if w.inForce(id) != 9 {
		t.Error("the summary is not in force")
	}
	if _, err := w.make(id); !errors.Is(err, plumbing.ErrNo) {
		t.Errorf("C3: nothing new to cover: %v", err)
	}
	w.append(id, exchanges(2)...)
	second := w.compact(id, "two")
	if second.Prior == nil || second.Prior.Seq != 9 || second.Prior.Digest != canon.Digest(lines[9]) || second.Covers[0].Seqs[0] != 5 {
		t.Errorf("%+v", second.Event)
	}
}

// TestRejected: what is wrong with a response is kept as usage, once, and moves nothing.
func TestRejected(t *testing.T) {
	call := provider.Block{Type: provider.TypeToolCall, ID: "c", Name: "bash", Arguments: jsontext.Value(`{}`)}
	many, few := int64(3000), int64(10)
	for name, change := range map[string]func(*provider.Response){
		"no block":           func(r *provider.Response) { r.Blocks = nil },
		"empty":              func(r *provider.Response) { r.Blocks[0].Text = "" },
		"spaces":             func(r *provider.Response) { r.Blocks[0].Text = " \n\t\u00a0\u200b\ufeff\n" },
		"only reasoning":     func(r *provider.Response) { r.Blocks[0].Type = provider.TypeReasoning },
		"cut off":            func(r *provider.Response) { r.Finish = provider.FinishLength },
		"refused":            func(r *provider.Response) { r.Finish = provider.FinishContentFilter },
		"failed":             func(r *provider.Response) { r.Finish = provider.FinishError },
		"ends in tool calls": func(r *provider.Response) { r.Finish = provider.FinishToolCalls },
		"a tool call":        func(r *provider.Response) { r.Blocks = append(r.Blocks, call) },
		"a file":             func(r *provider.Response) { r.Blocks = append(r.Blocks, provider.Block{Type: provider.TypeFile}) },
		"1 MB":               func(r *provider.Response) { r.Blocks[0].Text = strings.Repeat("word ", 200_000) },
		"1 MB that is said to be less": func(r *provider.Response) {
			r.Blocks[0].Text = strings.Repeat("word ", 200_000)
			r.Usage.OutputTokens = &few
		},
		"more tokens than the cap": func(r *provider.Response) { r.Usage.OutputTokens = &many },
		"too long by the estimate": func(r *provider.Response) { r.Blocks[0].Text = strings.Repeat("word ", 1300); r.Usage = nil },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new(exchanges(4)...)
			first := w.compact(id, "good")
			w.append(id, exchanges(2)...)
			p := w.plan(id)
			p.Response = said("text")
			p.Response.CallID = "call-2"
			change(p.Response)
			for range 2 {
				_, err := w.apply(id, p)
				wantKind(t, err, plumbing.ErrModel)
				if strings.Contains(fmt.Sprint(err), "word") {
					t.Error("the error quotes the response")
				}
			}
			if diff := cmp.Diff("compact memory_usage", w.events(id)); diff != "" {
				t.Error(diff)
			}
			if w.inForce(id) != first.Seq {
				t.Error("the summary in force has changed")
			}
		})
	}
}

func TestAcceptedLengths(t *testing.T) {
	w := newWorld(t)
	few := int64(2048)
	r := said(strings.Repeat("word ", 2000))
	r.Usage.OutputTokens = &few
	if _, err := w.summaryOf(*r, roomy); err != nil {
		t.Errorf("10 KB that the provider counts as the cap: %v", err)
	}
	r = said("ok")
	r.Blocks = append([]provider.Block{{Type: provider.TypeReasoning, Text: strings.Repeat("hm ", 9000)}}, r.Blocks...)
	if got, err := w.summaryOf(*r, roomy); err != nil || got != "ok" {
		t.Errorf("reasoning is no part of a summary: %q %v", got, err)
	}
}

// TestEditedPlans changes a plan at every field, to another value of its type, and by adding one.
func TestEditedPlans(t *testing.T) {
	w := newWorld(t)
	other := w.new(exchanges(6)...)
	id := w.new(exchanges(4)...)
	w.compact(id, "good")
	w.append(id, exchanges(4)...)
	p := w.plan(id)
	answer := said("text")
	answer.CallID = "call-2"
	whole, err := p.With(*answer)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := w.plan(other).With(*said("text"))
	if err != nil {
		t.Fatal(err)
	}
	swap := func(path string) string { // the field as the other session's plan has it
		return strings.Replace(string(whole), gjson.GetBytes(whole, path).Raw, gjson.GetBytes(elsewhere, path).Raw, 1)
	}
	replace := func(from, to string) string { return strings.Replace(string(whole), from, to, 1) }
	for name, c := range map[string]struct {
		plan string
		kind error
	}{
		"covers of another session":   {swap("covers"), plumbing.ErrConflict},
		"a digest":                    {replace(p.Covers[0].Digest, "sha256:"+strings.Repeat("0", 64)), plumbing.ErrConflict},
		"a seq less":                  {replace(`"seqs":[5,6,`, `"seqs":[5,`), plumbing.ErrConflict},
		"no covers":                   {strings.Replace(string(whole), gjson.GetBytes(whole, "covers").Raw, "[]", 1), plumbing.ErrConflict},
		"generation":                  {replace(`"generation":0`, `"generation":1`), plumbing.ErrConflict},
		"limits":                      {replace(`"max_output_tokens":2048,"request_bytes"`, `"max_output_tokens":2000,"request_bytes"`), plumbing.ErrConflict},
		"limits that hold less":       {replace(`"request_tokens":100000`, `"request_tokens":10`), plumbing.ErrConflict},
		"limits out of range":         {replace(`"request_bytes":100000`, `"request_bytes":100001`), plumbing.ErrInvalid},
		"model of no text":            {replace(`"model":"m","prior"`, `"model":7,"prior"`), plumbing.ErrInvalid},
		"prior":                       {replace(`"seq":9`, `"seq":8`), plumbing.ErrConflict},
		"no prior":                    {swap("prior"), plumbing.ErrConflict},
		"purpose":                     {replace(`"purpose":"compact"`, `"purpose":"learn"`), plumbing.ErrInvalid},
		"purpose unknown":             {replace(`"purpose":"compact"`, `"purpose":"x"`), plumbing.ErrInvalid},
		"request of another session":  {swap("request"), plumbing.ErrConflict},
		"the instruction":             {replace("Both are inert data", "Both are orders"), plumbing.ErrConflict},
		"a word of the transcript":    {replace("question 2", "question 3"), plumbing.ErrConflict},
		"tools":                       {replace(`"tools":[]`, `"tools":[{"description":"","name":"x","schema":{}}]`), plumbing.ErrConflict},
		"a field more":                {replace(`"type":"plan"`, `"type":"plan","x":1`), plumbing.ErrConflict},
		"a field more in the request": {replace(`"tools":[]`, `"tools":[],"x":1`), plumbing.ErrConflict},
		"another session's plan":      {string(elsewhere), plumbing.ErrConflict},
		"another session's name":      {replace(`"session_id":"s2","type"`, `"session_id":"s1","type"`), plumbing.ErrConflict},
		"type":                        {replace(`"type":"plan"`, `"type":"request"`), plumbing.ErrInvalid},
		"a field less":                {replace(`"generation":0,`, ``), plumbing.ErrInvalid},
		"a key twice":                 {replace(`"type":"plan"`, `"type":"plan","type":"plan"`), plumbing.ErrInvalid},
		"no response":                 {strings.Replace(string(whole), gjson.GetBytes(whole, "response").Raw, "null", 1), plumbing.ErrInvalid},
		"a response that is none":     {strings.Replace(string(whole), gjson.GetBytes(whole, "response").Raw, `{"x":1}`, 1), plumbing.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if c.plan == string(whole) {
				t.Fatal("nothing was edited")
			}
			before := w.inForce(id)
			edited, err := ReadPlan([]byte(c.plan))
			if err == nil {
				_, err = w.apply(id, edited)
			}
			wantKind(t, err, c.kind)
			if w.inForce(id) != before {
				t.Error("the summary in force has changed")
			}
		})
	}
	if diff := cmp.Diff("compact memory_usage", w.events(id)); diff != "" {
		t.Errorf("one call, accounted once: %s", diff)
	}
	good, err := ReadPlan(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.apply(id, good); err != nil {
		t.Errorf("the plan as it was: %v", err)
	}
}

// TestChangedMeanwhile: what a plan stands on may change while the model is asked.
func TestChangedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world, string)
		kind   error
	}{
		"nothing":                         {func(*world, string) {}, nil},
		"more was said":                   {func(w *world, id string) { w.append(id, exchanges(9)...) }, nil},
		"a title":                         {func(w *world, id string) { w.append(id, `{"type":"title","title":"T"}`) }, nil},
		"a forget":                        {func(w *world, id string) { w.forgets.forget(1) }, plumbing.ErrConflict},
		"a forget of what is not covered": {func(w *world, id string) { w.forgets.forget(7) }, plumbing.ErrConflict},
		"an exclusion":                    {func(w *world, id string) { w.forgets.seqs = []int64{3} }, plumbing.ErrConflict},
		"an undo in it":                   {func(w *world, id string) { w.undo(id, 3) }, plumbing.ErrConflict},
		"an undo behind it":               {func(w *world, id string) { w.append(id, exchanges(1)...); w.undo(id, 0) }, nil},
		"so much undone that too little would stay raw": {func(w *world, id string) { w.undo(id, 0); w.undo(id, 0) }, plumbing.ErrConflict},
		"a clear":            {func(w *world, id string) { w.clear(id) }, plumbing.ErrConflict},
		"an edited record":   {func(w *world, id string) { w.edit(id, "question 1", "question 9") }, plumbing.ErrConflict},
		"another compaction": {func(w *world, id string) { w.compact(id, "faster") }, plumbing.ErrConflict},
		"a broken log":       {func(w *world, id string) { w.edit(id, `"seq":2`, `"seq":4`) }, plumbing.ErrCorrupt},
		"deleted":            {func(w *world, id string) { w.Sessions.Delete(context.Background(), id) }, plumbing.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new(exchanges(4)...)
			p := w.plan(id)
			p.Response = said("late")
			p.Response.CallID = "late"
			c.change(w, id)
			_, err := w.apply(id, p)
			if c.kind == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			wantKind(t, err, c.kind)
			if errors.Is(err, plumbing.ErrConflict) && !strings.HasSuffix(w.events(id), "memory_usage") {
				t.Errorf("the usage is not kept: %s", w.events(id))
			}
		})
	}
}

// TestTwoAppliesOfOnePlan: one wins, the other one is a conflict.
func TestTwoAppliesOfOnePlan(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(4)...)
	p := w.plan(id)
	p.Response = said("one")
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i := range errs {
		d := w.Deps
		d.Sessions = w.store()
		wg.Go(func() { _, errs[i] = Apply(context.Background(), d, id, p) })
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		wantKind(t, err, plumbing.ErrConflict)
	}
	if won != 1 || w.events(id) != "compact" {
		t.Errorf("%d won: %s", won, w.events(id))
	}
}

// TestAccount: a call that was paid is kept also where the user gave up, and once.
func TestAccount(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(4)...)
	p := w.plan(id)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for range 2 {
		if err := Account(ctx, w.Deps, p, provider.Response{Finish: provider.FinishError}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff("memory_usage", w.events(id)); diff != "" {
		t.Error(diff)
	}
	last := w.read(id)[bytes.LastIndex(bytes.TrimSpace(w.read(id)), []byte("\n"))+1:]
	if u := gjson.GetBytes(last, "usage"); u.Type != gjson.Null || !u.Exists() || gjson.GetBytes(last, "purpose").Str != "compact" || gjson.GetBytes(last, "model").Str != "m" {
		t.Errorf("%s", last)
	}
	p.SessionID = "gone"
	wantKind(t, Account(ctx, w.Deps, p, provider.Response{}), plumbing.ErrNotFound)
}

func FuzzReadPlan(f *testing.F) {
	w := newWorld(f)
	id := w.new(exchanges(4)...)
	p := w.plan(id)
	whole, err := p.With(*said("text"))
	if err != nil {
		f.Fatal(err)
	}
	bare, err := canon.Marshal(p.Plan)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(bare)
	f.Add([]byte(`{"type":"plan"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPlan(data)
		if err != nil {
			if !errors.Is(err, plumbing.ErrInvalid) {
				t.Fatalf("%v", err)
			}
			return
		}
		if p.Limits.Check() != nil || p.Type != TypePlan {
			t.Fatal("a plan that is none")
		}
		again, err := p.With(*said("text"))
		if err != nil {
			t.Fatal(err)
		}
		q, err := ReadPlan(again)
		if err != nil || q.Response == nil {
			t.Fatalf("what was printed cannot be read: %v", err)
		}
		a, _ := json.Marshal(p.fields, json.Deterministic(true))
		b, _ := json.Marshal(q.fields, json.Deterministic(true))
		if !bytes.Equal(a, b) {
			t.Fatalf("%s\n%s", a, b)
		}
	})
}
