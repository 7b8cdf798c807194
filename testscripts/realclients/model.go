package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// prompt is what the clients are asked; the model knows its request by it.
const prompt = "Check the project memory, please."

// model is a model server that answers from a script: one tool call after the
// other, and a word at the end. It speaks the dialects of three vendors.
type model struct {
	fact   string
	url    string
	server *http.Server

	mu      sync.Mutex
	script  []call   // of the conversation
	results []string // what the client told its model of each call
	tools   []string // what it offered
	bad     []string // requests that could not be read
}

// request is what all dialects have in common.
type request struct {
	asked   bool     // it is the prompt that is being answered, not some errand of the client
	tools   []offer  // in the client's words
	results []string // of all calls so far
	stream  bool
	wants   bool // it wants JSON
}

// offer is a tool that a client offers.
type offer struct{ space, name string }

// call is what the model wants to be called.
type call struct {
	offer
	args map[string]any
	from func(results []string) map[string]any // makes args of what was told before; nil: they are there
}

// serve starts the server on a free port.
func serve(fact string) (*model, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &model{fact: fact, url: "http://" + l.Addr().String()}
	m.server = &http.Server{Handler: m}
	go m.server.Serve(l)
	return m, nil
}

func (m *model) close() { m.server.Close() }

// begin starts another conversation.
func (m *model) begin(script []call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script, m.results, m.tools, m.bad = script, nil, nil, nil
}

// reading is the conversation with a server that only reads.
func (m *model) reading() []call {
	return []call{
		{offer{"", "memory_list"}, map[string]any{}, nil},
		{offer{"", "memory_recall"}, map[string]any{"fact_id": m.fact}, nil},
		{offer{"", "memory_write"}, map[string]any{"file": "MEMORY.md", "content": "x", "mode": "append"}, nil},
	}
}

// following is the conversation about itself.
func (m *model) following(session string) []call {
	last := regexp.MustCompile(`last words are at (\d+)`)
	return []call{
		{offer{"", "memory_list"}, map[string]any{}, nil},
		{offer{"", "memory_recall"}, nil, func(results []string) map[string]any {
			at := 1
			if m := last.FindStringSubmatch(results[0]); m != nil {
				at, _ = strconv.Atoi(m[1])
			}
			return map[string]any{"session_id": session, "start_seq": at, "end_seq": at}
		}},
	}
}

// correcting is the conversation with a server that writes: a correction whose evidence is made up.
func (m *model) correcting() []call {
	return []call{{offer{"", "memory_correct"}, map[string]any{"fact_id": m.fact, "expected_revision": 1, "text": "Indent with spaces.",
		"source_snapshot": map[string]any{"session_id": "made-up", "seqs": []any{1}, "digest": "sha256:" + strings.Repeat("0", 64)}}, nil}}
}

// next is the call to make now, nil where all are made.
func (m *model) next(r request) *call {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results = r.results
	m.tools = nil
	var list *offer
	for _, o := range r.tools {
		m.tools = append(m.tools, o.space+o.name)
		if strings.HasSuffix(o.name, "memory_list") {
			list = &o
		}
	}
	if len(r.results) >= len(m.script) || list == nil {
		return nil
	}
	c := m.script[len(r.results)]
	if c.from != nil {
		c.args = c.from(r.results)
	}
	// Every client has a prefix of its own; the writer that is not offered has to be guessed.
	c.space, c.name = list.space, strings.TrimSuffix(list.name, "memory_list")+c.name
	return &c
}

const goodbye = "The memory answered."

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err != nil {
		return
	}
	path := r.URL.Path
	switch {
	case r.Method != http.MethodPost:
		answer(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
	case strings.HasSuffix(path, "/messages"):
		m.dialect(w, body, readMessages, writeMessages)
	case strings.HasSuffix(path, "/responses"):
		m.dialect(w, body, readResponses, writeResponses)
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		m.dialect(w, body, func(b []byte) (request, error) {
			q, err := readGemini(b)
			q.stream = strings.HasSuffix(path, ":streamGenerateContent")
			return q, err
		}, writeGemini)
	default: // counting tokens, telemetry
		answer(w, map[string]any{"input_tokens": len(body) / 4, "totalTokens": len(body) / 4})
	}
}

// dialect answers one request in the words of a vendor.
func (m *model) dialect(w http.ResponseWriter, body []byte, read func([]byte) (request, error), write func(http.ResponseWriter, request, *call, string)) {
	q, err := read(body)
	if err != nil {
		m.mu.Lock()
		m.bad = append(m.bad, err.Error())
		m.mu.Unlock()
		http.Error(w, `{"error":{"message":"not understood"}}`, http.StatusBadRequest)
		return
	}
	switch {
	case q.wants:
		write(w, q, nil, "{}")
	case !q.asked || len(q.tools) == 0:
		write(w, q, nil, "Nothing is scripted for this.")
	default:
		write(w, q, m.next(q), goodbye)
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// event sends one event of a stream; name may be empty.
func event(w http.ResponseWriter, name string, v any) {
	w.Header().Set("Content-Type", "text/event-stream")
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of maps and strings
	}
	fmt.Fprintf(w, "data: %s\n\n", b)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// words is the text of a content that is a string, or a list of blocks with a text each.
func words(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &blocks) == nil {
		for _, b := range blocks {
			s += b.Text
		}
		return s
	}
	return string(raw)
}
