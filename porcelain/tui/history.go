package tui

// maxHistory is how many prompts are kept to go back to.
const maxHistory = 500

// history is what was sent before, the oldest first, and where one is in it.
type history struct {
	sent  []string
	at    int    // of the one that is shown; len(sent): none
	draft string // what was being written
}

// add keeps a prompt, and what was being written before one went back; the same
// one twice in a row is kept once.
func (h *history) add(text string) {
	if draft := h.draft; draft != "" && draft != text && h.at < len(h.sent) {
		h.draft = ""
		h.add(draft) // something else was sent in its place
	}
	if text != "" && (len(h.sent) == 0 || h.sent[len(h.sent)-1] != text) {
		h.sent = append(h.sent, text)
		if len(h.sent) > maxHistory {
			h.sent = append([]string(nil), h.sent[len(h.sent)-maxHistory:]...)
		}
	}
	h.at, h.draft = len(h.sent), ""
}

// before puts what was said before the screen began under what is there.
func (h *history) before(earlier []string) {
	back := len(h.sent) - h.at
	h.sent = append(append([]string(nil), earlier...), h.sent...)
	h.sent = h.sent[max(0, len(h.sent)-maxHistory):]
	h.at = max(0, len(h.sent)-back)
}

// older is the prompt before the one that is shown.
func (h *history) older(shown string) (string, bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at == len(h.sent) {
		h.draft = shown
	}
	h.at--
	return h.sent[h.at], true
}

// newer is the one after it, and behind the last what was being written.
func (h *history) newer() (string, bool) {
	if h.at == len(h.sent) {
		return "", false
	}
	if h.at++; h.at == len(h.sent) {
		return h.draft, true
	}
	return h.sent[h.at], true
}
