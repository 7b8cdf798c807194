package learn

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/provider"
)

// bytesPerToken bounds an answer: three bytes for each token that was allowed.
const bytesPerToken = 3

// ReadAnswer reads a model's answer token by token: one strict JSON object
// {"candidates":[…]} and nothing around it but white space. Nothing is
// repaired, nothing is taken from an answer that is wrong as a whole, whose
// code is returned. A reasoning block is not part of the answer. maxTokens is
// the cap that the request had.
func ReadAnswer(r provider.Response, maxTokens int64) ([]Candidate, Reason) {
	for _, b := range r.Blocks {
		if b.Type == provider.TypeToolCall {
			return nil, UnexpectedToolCalls
		}
	}
	switch r.Finish {
	case provider.FinishStop:
	case provider.FinishToolCalls:
		return nil, UnexpectedToolCalls
	case provider.FinishError:
		return nil, ExtractionError
	default:
		return nil, IncompleteResponse
	}
	for _, b := range r.Blocks {
		if b.Type != provider.TypeText && b.Type != provider.TypeReasoning {
			return nil, ResponseSchema
		}
	}
	text := r.Text()
	if int64(len(text)) > bytesPerToken*maxTokens {
		return nil, OutputTooLarge
	}
	// Duplicate keys, bad UTF-8, lone surrogates and what follows the value are found here, at any depth.
	if !jsontext.Value(text).IsValid() {
		return nil, InvalidJSON
	}
	return readEnvelope([]byte(text))
}

// readEnvelope reads text, which is one valid JSON value.
func readEnvelope(text []byte) ([]Candidate, Reason) {
	fields, ok := fieldsOf(text)
	list, has := fields["candidates"]
	if !ok || !has || len(fields) != 1 || list.Kind() != '[' {
		return nil, ResponseSchema
	}
	items := itemsOf(list)
	if len(items) > MaxCandidates {
		return nil, ResponseSchema
	}
	candidates := make([]Candidate, 0, len(items))
	for _, item := range items {
		candidates = append(candidates, readCandidate(item))
	}
	return candidates, ""
}

// readCandidate never fails: see Candidate.
func readCandidate(item jsontext.Value) Candidate {
	fields, ok := fieldsOf(item)
	for _, key := range []string{"conflicts", "kind", "proposal", "quote", "source_seqs", "text"} {
		_, has := fields[key]
		ok = ok && has
	}
	proposal, isBool := flag(fields["proposal"])
	if !ok || len(fields) != 6 || !isBool {
		return Candidate{Malformed: true}
	}
	return Candidate{Kind: word(fields["kind"]), Text: word(fields["text"]), Quote: word(fields["quote"]),
		Seqs: numbers(fields["source_seqs"]), Conflicts: words(fields["conflicts"]), Proposal: proposal}
}

// fieldsOf is the members of an object, by keys exactly as they decode: no case is folded.
func fieldsOf(value jsontext.Value) (map[string]jsontext.Value, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(value))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	fields := map[string]jsontext.Value{}
	for d.PeekKind() != '}' {
		key, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		name := key.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		fields[name] = v.Clone()
	}
	return fields, true
}

// itemsOf is the elements of an array; nil for what is none.
func itemsOf(value jsontext.Value) []jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewReader(value))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil
	}
	items := []jsontext.Value{}
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return nil
		}
		items = append(items, v.Clone())
	}
	return items
}

// word is a string; "", which no check takes, for what is none.
func word(value jsontext.Value) string {
	if value.Kind() != '"' {
		return ""
	}
	s, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(s)
}

func flag(value jsontext.Value) (is, ok bool) {
	return value.Kind() == 't', value.Kind() == 't' || value.Kind() == 'f'
}

// numbers are whole numbers, written as such; nil, which is no evidence, for
// anything else: 1.0, 1e2 and true are none.
func numbers(value jsontext.Value) []int64 {
	var list []int64
	for _, item := range itemsOf(value) {
		n, err := strconv.ParseInt(string(item), 10, 64)
		if item.Kind() != '0' || err != nil || strconv.FormatInt(n, 10) != string(item) {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// words are strings; a list with "", which is no fact's ID, for anything else.
func words(value jsontext.Value) []string {
	items := itemsOf(value)
	if items == nil {
		return []string{""}
	}
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = word(item)
	}
	return list
}
