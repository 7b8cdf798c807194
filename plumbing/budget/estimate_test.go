package budget

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

func request(content, rest string) []byte {
	return []byte(`{"max_output_tokens":10,"messages":[{"content":[` + content + `],"role":"user"}]` + rest + `}`)
}

func estimate(t *testing.T, object []byte) Estimate {
	t.Helper()
	e, err := OfRequest(object)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestOfRequest: everything that is sent counts, and a plan counts as its request.
func TestOfRequest(t *testing.T) {
	bare := estimate(t, request(`{"text":"hi","type":"text"}`, ""))
	if bare.Text != Tokens("hi") || bare.Framing != frameRequest+frameMessage+frameBlock || bare.Media != 0 {
		t.Errorf("one short message: %+v", bare)
	}
	word := strings.Repeat("word ", 50)
	for name, o := range map[string][]byte{
		"system":      request(`{"text":"hi","type":"text"}`, `,"system":"`+word+`"`),
		"text":        request(`{"text":"`+word+`","type":"text"}`, ""),
		"reasoning":   request(`{"signature":"`+word+`","text":"","type":"reasoning"}`, ""),
		"tool call":   request(`{"arguments":{"a":"`+word+`"},"id":"c","name":"n","type":"tool_call"}`, ""),
		"tool result": request(`{"files":[],"id":"c","is_error":false,"name":"n","text":"`+word+`","type":"tool_result"}`, ""),
		"unknown":     request(`{"what":"`+word+`","type":"new"}`, ""),
		"schema":      request(`{"text":"hi","type":"text"}`, `,"tools":[{"description":"d","name":"n","schema":{"description":"`+word+`"}}]`),
	} {
		if e := estimate(t, o); e.Text < Tokens(word) || e.Tokens() <= bare.Tokens() {
			t.Errorf("%s: %+v", name, e)
		}
	}
	plan := append(append([]byte(`{"purpose":"compact","request":`), request(`{"text":"hi","type":"text"}`, "")...), `,"type":"plan"}`...)
	if got := estimate(t, plan); got != bare {
		t.Errorf("in a plan: %+v, want %+v", got, bare)
	}
	for _, bad := range []string{"", "{}", "[]", `{"messages":1}`, `{"request":7}`, `{"messages":[],"messages":[]}`} {
		if _, err := OfRequest([]byte(bad)); !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestMediaGrows (case C8): a file's allowance is never flat, and never
// counted as the text that its base64 would be.
func TestMediaGrows(t *testing.T) {
	file := func(mediaType string, size int) int64 {
		b := make([]byte, size)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		data := base64.StdEncoding.EncodeToString(b)
		return estimate(t, request(fmt.Sprintf(`{"data":%q,"media_type":%q,"name":"f","type":"file"}`, data, mediaType), "")).Media
	}
	for _, mediaType := range []string{"image/png", "application/pdf", "audio/wav", ""} {
		small, large, huge := file(mediaType, 100), file(mediaType, 500_000), file(mediaType, 5_000_000)
		if small < 1000 || large <= small || huge < 5*large/2 {
			t.Errorf("%s: %d, %d, %d tokens", mediaType, small, large, huge)
		}
	}
	if n := file("image/png", 5_000_000); n > 100_000 {
		t.Errorf("5 MB of image: %d tokens", n)
	}
	text := base64.StdEncoding.EncodeToString([]byte("plain words"))
	if e := estimate(t, request(`{"data":"`+text+`","media_type":"text/plain","name":"","type":"file"}`, "")); e.Media != Tokens("plain words") {
		t.Errorf("a text file: %+v", e)
	}
}

func FuzzOfRequest(f *testing.F) {
	f.Add([]byte(`{"messages":[{"content":[{"text":"a","type":"text"},{"data":"aGk=","media_type":"image/png","type":"file"}]}],"tools":[{"schema":{}}]}`))
	f.Add([]byte(`{"request":{"messages":[1,{"content":{"a":[2]}}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := OfRequest(b)
		if err == nil && (e.Text < 0 || e.Framing < frameRequest || e.Media < 0) {
			t.Errorf("%+v", e)
		}
	})
}
