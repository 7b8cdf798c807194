package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing/provider"
)

// What the contract of package learn allows in an answer (design section 13).
const (
	maxCandidates = 4
	maxQuote      = 512 // bytes
	bytesPerToken = 3   // of an answer, for each token allowed
)

const kindPreference = "explicit_user_preference"

// Candidate is a sentence of the user's that is meant to last, in the words of
// the answer to a request to learn. Text equals Quote, which stands letter by
// letter in one text of the message that SourceSeqs names.
type Candidate struct {
	Conflicts  []string `json:"conflicts"`
	Kind       string   `json:"kind"`
	Proposal   bool     `json:"proposal"`
	Quote      string   `json:"quote"`
	SourceSeqs []int64  `json:"source_seqs"`
	Text       string   `json:"text"`
}

// envelope is the whole of an answer to a request to learn.
type envelope struct {
	Candidates []Candidate `json:"candidates"`
}

// Extract finds at most four sentences in what a person typed that state a
// convention or preference which is meant to last, the strongest first chosen,
// in the order of the transcript. It reads cue words (extract_*.go) and
// understands nothing: it would rather miss one than take a task, a question,
// an example or somebody else's words for the user's wish. Time is linear in
// the text. The order and the choice depend on the records alone.
func Extract(records []Record) []Candidate {
	type found struct {
		Candidate
		score int
		at    int
	}
	var list []found
	seen := map[string]bool{}
	for _, r := range records {
		if r.Role != provider.RoleUser || r.Synthetic || r.Seq < 1 {
			continue
		}
		for _, b := range r.Content {
			if b.Type != provider.TypeText {
				continue
			}
			for _, s := range utterances(b.Text) {
				score := lasting(s)
				key := fold(s.text)
				if score < enough || seen[key] {
					continue
				}
				seen[key] = true
				list = append(list, found{Candidate{Conflicts: []string{}, Kind: kindPreference, Quote: s.text,
					SourceSeqs: []int64{r.Seq}, Text: s.text}, score, len(list)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	list = list[:min(len(list), maxCandidates)]
	slices.SortFunc(list, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	candidates := make([]Candidate, 0, len(list))
	for _, f := range list {
		candidates = append(candidates, f.Candidate)
	}
	return candidates
}

// extraction is the answer to a request to learn: one JSON object that fits in
// maxTokens, by the estimate and by the bytes that the reader allows for them.
// What does not fit is left out from the end.
func extraction(records []Record, maxTokens int64, tokens func(string) int64) string {
	for candidates := Extract(records); ; candidates = candidates[:len(candidates)-1] {
		text := encode(candidates)
		fits := maxTokens <= 0 || tokens(text) <= maxTokens && int64(len(text)) <= bytesPerToken*maxTokens
		if fits || len(candidates) == 0 {
			return text
		}
	}
}

// encode writes the answer in the keys' order. The candidates are plain
// values: their text was checked to be valid UTF-8, which is all that could fail.
func encode(candidates []Candidate) string {
	line, err := json.Marshal(envelope{candidates}, json.Deterministic(true))
	if err != nil {
		return `{"candidates":[]}`
	}
	return string(line)
}

// learnLine is the first line of the system prompt of a request to learn, as
// plumbing/learn builds it: one user message with two labelled blocks, facts
// and transcript, the latter as in a request to compact.
const learnLine = "lecode learn 1"

// readLearn tells a request to learn and reads its transcript. A line that is
// no record is nobody's words; what stands outside the transcript is not read.
func readLearn(r provider.Request) ([]Record, bool) {
	first, _, _ := strings.Cut(r.System, "\n")
	if strings.TrimRight(first, " \r") != learnLine {
		return nil, false
	}
	var records []Record
	block := ""
	for line := range strings.Lines(userText(r)) {
		line = strings.TrimRight(line, "\r\n")
		name, isOpen := strings.CutPrefix(line, openMark)
		switch {
		case isOpen:
			block = name
		case strings.HasPrefix(line, closeMark):
			block = ""
		case block == blockTranscript && strings.TrimSpace(line) != "":
			records = append(records, recordLine(line))
		}
	}
	return records, true
}
