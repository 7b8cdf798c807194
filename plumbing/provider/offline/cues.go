package offline

import "strings"

// The cues by which a sentence gets its heading. Each list is matched folded,
// at word boundaries. They are few on purpose: what has none of them is still
// kept by its score.
const (
	ruleCues = `always|never|must|must not|mustn't|don't|do not|from now on|for good|every time|prefer|prefers|preferred|rule|correction|make sure|only ever|holds for|as a rule|we use|no longer|please keep|keep in mind|remember`
	onceCues = `this time|just this once|this once|just once|for now|right now|today|tonight|tomorrow|temporarily`

	decisionCues = `decided|decide to|decision|we'll go with|we will go with|let's go with|settled on|agreed|instead of|rather than|we chose|i chose|chosen|opted for|the plan is|switch to|switched to`

	openCues = `todo|fixme|open question|open point|not yet|still need|still needs|still to|still open|remains to|left to do|what is left|pending|next step|next steps|follow-up|blocked on|waiting for|unclear|should i|shall i|do you want|would you like`

	doneCues = `done|fixed|finished|resolved|completed|passes|pass now|works now|implemented|closed|merged`

	errorCues = `error|errors|exception|traceback|failed|failure`
)

// announceStarts begin sentences that tell what comes next; the calls that follow say it better.
const announceStarts = `let's|let us|let me|i'll|i will|i'm going|i am going|now|now,|next|next,|first,|we can|we should|we need|we will|we'll|we have|we are|i need|i should|i can|to do|to fix|to address|to reproduce|to verify|to confirm|to see|it looks|it seems|it appears|the output|the command|the file|the script|this will|this should|this means|this suggests|this confirms|this indicates|okay|ok|great|good|sure|understood|i see|here is|here's|after that|before|since|great!|since the|it's|in this`

// has reports whether s, folded, holds one of the cues in list at word boundaries.
func has(s, list string) bool {
	s = fold(s)
	for cue := range strings.SplitSeq(list, "|") {
		if holds(s, cue) {
			return true
		}
	}
	return false
}

func holds(s, cue string) bool {
	for from := 0; ; {
		at := strings.Index(s[from:], cue)
		if at < 0 {
			return false
		}
		at += from
		if boundary(s, at-1) && boundary(s, at+len(cue)) {
			return true
		}
		from = at + 1
	}
}

// boundary reports whether the byte at i of s, or the end of s there, ends a word.
func boundary(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return true
	}
	c := s[i]
	return c != '_' && c < 0x80 && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')
}

// fold is s in lower case, with plain apostrophes.
func fold(s string) string { return strings.ReplaceAll(strings.ToLower(s), "’", "'") }

// announces reports whether s begins like a sentence that only tells the next step.
func announces(s string) bool {
	s = fold(s)
	for start := range strings.SplitSeq(announceStarts, "|") {
		if strings.HasPrefix(s, start) && boundary(s, len(start)) {
			return true
		}
	}
	return false
}
