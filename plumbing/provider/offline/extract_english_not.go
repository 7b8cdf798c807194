package offline

import "strings"

// What rules an English sentence out, or makes it one about a particular thing.

// englishOnce reports whether a sentence is about this one thing, unreal, of
// the past, somebody else's, or a question.
func englishOnce(n phrased) bool {
	if n.has(onceWords) || n.has(attributed(n)) || n.has(englishUnreal) || n.has(englishPast) || n.has(englishTimes) || n.begins(questionStarts) {
		return true
	}
	for _, word := range []string{"but", "and", "so", "yeah", "well"} {
		if n.begins(word) {
			n = n[len(word)+1:]
		}
	}
	if n.begins(pronounStarts) && !n.begins(pronounRules) || n.has(narrations) || n.begins(specificWants) && !n.has("every|each|in all|all new|whenever") {
		return true
	}
	return pointsAt(n, "this", lastingThings) || pointsAt(n, "these", lastingThings) || pointsAt(n, "now", "on")
}

// attributed is the attributions that count: what our own guide says is ours.
func attributed(n phrased) string {
	if n.has("our style guide says|our guide says|our policy says|our rule says|our convention says|our guidelines say") {
		return "according to"
	}
	return attributions
}

// pointsAt reports whether the sentence points at one thing by word, other than at what lasts.
func pointsAt(n phrased, word, lastingThings string) bool {
	rest := n
	for {
		next, found := rest.after(word)
		if !found {
			return false
		}
		if !next.begins(lastingThings) {
			return true
		}
		rest = next
	}
}

// begunTask reports whether a sentence begins with an order about one thing, whatever follows.
func begunTask(n phrased) bool {
	rest := n
	for _, polite := range []string{"please", "also", "then", "next", "first", "and", "ok", "okay", "now", "can you", "could you", ","} {
		if rest.begins(polite) {
			rest = rest[len(polite)+1:]
		}
	}
	if !rest.begins(taskVerbs) {
		return false
	}
	return !rest.has(scopes) || rest.first(4).has("the|my|your|it|them") && rest.has("and|;|:") && !rest.first(6).has(scopes)
}

// endsInTask reports whether behind a comma comes an order about one thing.
func endsInTask(n phrased) bool {
	if n.begins("whenever|every time|each time|when|before|after|if|unless|for|in|on|with") {
		return false
	}
	rest := string(n)
	for {
		i := strings.IndexAny(rest, ",;")
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
		clause := phrased(rest)
		for _, word := range []string{"so", "and", "then"} {
			if clause.begins(word) {
				clause = clause[len(word)+1:]
			}
		}
		if clause.begins("go ahead|please|can you|could you|explain|wait for me|wait for my|wait until i") ||
			clause.begins(taskVerbs+"|skip|hide|make") && clause.first(4).has("it|the|them|him|that|missing") {
			return true
		}
	}
}

// specific reports whether what a verb is about is one particular thing.
func specific(rest phrased) bool {
	head := rest.first(2)
	if head.begins("the|that|your|those|it|him|her|them|these") {
		return !rest.first(6).has("of|idea|use|taste")
	}
	return head.begins("how|when|to say|to see|to believe|to think|to admit|you|to have it|option|to see the|to do it|to wait|to leave it|to keep it|to talk|not to wait|him|if you")
}

// past reports whether a sentence goes on with a verb of the past.
func past(rest phrased) bool {
	w := strings.TrimSpace(string(rest.first(1)))
	return len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed")
}

func lastWord(n phrased) string {
	s := strings.TrimSpace(string(n))
	return s[strings.LastIndexByte(s, ' ')+1:]
}

// aboutProduct reports whether a sentence begins with what the product is about, not the work on it.
func aboutProduct(n phrased) bool {
	return n.first(5).has(productThings) && !n.first(6).has("pull request|pull requests|pr|prs")
}

// plural reports whether a sentence begins with things of a kind: a plural
// without an article within its first three words.
func plural(n phrased) bool {
	if n.begins("the|a|an|this|that|it|he|she|they|there|i|we|you|my|your|his|these|those|is|does|has|was|yes|thanks|as|his|its|let's|that's|it's|what's|here's|there's|please") {
		return false
	}
	if n.begins("all|every|each|any|no|our|new|public") {
		return true
	}
	for i, w := range strings.Fields(string(n.first(4))) {
		if i > 3 {
			break
		}
		if listed(w, "is|has|does|was|as|its|this|us|always|across|unless|less") {
			return false
		}
		if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
			return true
		}
	}
	return false
}
