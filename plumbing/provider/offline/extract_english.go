package offline

// english scores the cues of lasting intent of an English sentence.
func english(n phrased) int {
	core := n.without(adverbs)
	if englishOnce(core) {
		return 0
	}
	score := 0
	for _, cue := range []func(phrased) int{lead, firstPerson, convention, alwaysNever, obligation, universal, imperative, contrast} {
		score += cue(core)
	}
	if core.has(troubles) && !core.begins("always|never|every time you|whenever you|before you|when you|please always|please never|house rule") {
		score--
	}
	if begunTask(core) || endsInTask(core) {
		score = 0
	}
	return score
}

// lead scores phrases that say themselves that what follows lasts.
func lead(n phrased) int {
	switch {
	case n.has(leads), n.begins(rememberStarts):
		return 2
	case n.begins(leadStarts):
		rest, _ := n.after(leadStarts)
		if rest.begins(",") {
			rest = rest[2:]
		}
		if rest.begins(orders) {
			return 2
		}
		return 1
	case n.has(weakLeads):
		return 1
	}
	return 0
}

// firstPerson scores what a person says of their own likes, dislikes and habits.
func firstPerson(n phrased) int {
	if !n.has("i|i'm|i've|my|we|we're|me|cannot tolerate|can't tolerate") {
		return 0
	}
	if rest, found := n.after(selfVerbs); found {
		if specific(rest) {
			return 0
		}
		return 2
	}
	if rest, found := n.after("i have|i've|i've got|we have"); found && rest.first(7).has(leanings) && !n.has("no preference|no strong preference|fear that") {
		return 2
	}
	if n.has(priorities) {
		return 2
	}
	if n.has("i want|i need|i'd like|i like|i love|we like|we want") && n.has("always|in all|in every|in any|kept|in general|in code|never") {
		return 2
	}
	return 0
}

// convention scores how a group says what it does.
func convention(n phrased) int {
	for _, who := range []string{"we", "our team", "our project", "the project", "the team", "this project", "this repo", "this repository", "this codebase", "everyone", "everybody", "we all", "in this project we", "you"} {
		if rest, found := n.after(who); found && who != "you" && !listed(lastWord(n[:len(n)-len(rest)-len(who)]), subordinate) {
			if rest.begins(groupVerbs) && !rest.first(3).has(groupNarrates) {
				return 2
			}
			if rest.begins("no longer") && rest.first(3).has(groupVerbs+"|want|need to") {
				return 2
			}
			if rest.begins("don't|do not|never|always") && !rest.begins("don't know|do not know|don't have|do not have|don't need|do not need|don't see|don't want|do not want|don't get|don't seem") {
				return 2
			}
		}
	}
	if n.begins("nobody|no one") && !n.first(3).has("them|it|knows|uses|noticed|cares|asked|is|has|was|answers|answered") && !n.has("the") {
		return 2
	}
	return 0
}

// alwaysNever scores always and never where they are orders or habits, not observations.
func alwaysNever(n phrased) int {
	for _, word := range []string{"always", "never"} {
		i := n.at(word)
		if i < 0 {
			continue
		}
		before, rest := n[:i+1], n[i+len(word)+1:]
		if rest.begins(observed) || past(rest) && !listed(lastWord(before), "are|is|be|must|should|shall|gets|get") || n.has("should never have|must never have|never have i") || n.has("almost always|not always|don't always|do not always|as always|nearly always|has always|have always|i've always|we've always|had always|never mind|has never|have never|had never") {
			continue
		}
		switch last := lastWord(before); {
		case last == "", listed(last, "please|,|;|:|(|and|but|or|should|must|shall|to|i|we|everyone|will|also|so|then|that|are|is|be|goes|go|do|don't"):
			if before.begins("the|my|you|you're") && !listed(last, ",|;|:|(") && !before.begins("you should|you must|you shall|you are to") {
				return 1
			}
			if listed(last, "are|is|go|goes|do") && !n.has("in|on|under|into|without|for") && word == "always" {
				return 1
			}
			return 2
		default:
			return 1
		}
	}
	if n.has("don't ever|do not ever|not ever|ever again|at all times|under no circumstances|without exception|in no case|by no means") {
		return 2
	}
	return 0
}

// obligation scores must, forbidden and their like.
func obligation(n phrased) int {
	switch {
	case aboutProduct(n):
		return 0
	case n.has(forbiddances):
		return 2
	case n.has("must not|mustn't|may not|must never|must") && !n.has("must have|must be because|must be a"):
		if n.has("must not|mustn't|may not") && !n.has("the|it|yet") || plural(n) {
			return 2
		}
		return 1
	case n.has("should|shall|have to|has to|needs|need to be|is required|are required") && plural(n) && !n.has("the"):
		return 1
	case n.begins("don't forget|do not forget|remember to|please remember to"):
		return 1
	case n.begins("make sure|be sure|ensure|please make sure|please be sure|please ensure"):
		return scopedCare(n)
	}
	return 0
}

// scopedCare scores "make sure": what is to be made sure of must come again.
func scopedCare(n phrased) int {
	if n.has(recurrences) {
		return 2
	}
	if n.first(5).has("the|it|that the") {
		return -2
	}
	return 0
}

// universal scores words by which a sentence goes for all things of a kind, in every case.
func universal(n phrased) int {
	if aboutProduct(n) || n.begins("each of|every one|every line of the") {
		return 0
	}
	switch {
	case n.begins("whenever i|every time i|each time i|whenever it|every time it|every time the|whenever the"):
		return 0
	case n.begins("on every|on each|for every|for each|with every|with each|in every|in each"):
		return 1
	case n.begins("every|each|whenever|every time|each time|before each|before every|after each|after every"):
		if n.begins("every|each") && !n.begins("every time|each time") && !n.has(states) {
			return 1
		}
		return 2
	case n.begins("when you|before you|after you|if you|any time you|anytime you") && n.has(",") && !n.has(", it|, the") && n.first(6).has("a|an|any|new|anything") && !n.first(4).has("have|get|are|find|see"):
		return 2
	case n.begins("all|any|no") && !n.begins("all the|all of|no idea|no problem|no need|no worries|no ,|no longer|all right|any idea|any other|all good|all set"):
		if n.begins("no") {
			if n.has(", use|, ever|, write|, just use") {
				return 2
			}
			return 1
		}
		if n.has(states) {
			return 2
		}
		return 1
	case n.has("whenever|every time|each time|in all|in every|before each|before every|after every|with every|with each|for every|for each|per commit|per pull request|every|each|everywhere|throughout|anywhere|any|all new|all public"):
		return 1
	}
	return 0
}

// imperative scores orders that go for no particular thing.
func imperative(n phrased) int {
	rest := n
	for _, polite := range []string{"please", "so", "and", "also", "just"} {
		if rest.begins(polite) {
			rest = rest[len(polite)+1:]
		}
	}
	pointing := rest.has("the|it|them|that|those|my|your|yet|now|a|an|two|three|four|five|ten")
	switch {
	case rest.begins("don't|do not|no more"):
		if rest.begins(dontOnce) || pointing {
			return 0
		}
		return 2
	case rest.begins("stick to|stick with") && !rest.first(4).has("this|that|it|your|old|new|plan"):
		return 2
	case rest.begins("keep") && rest.has("unless|except|in sync"):
		return 2
	case rest.begins("avoid|prefer|favor|favour|refrain from") && !rest.first(3).has("the|this|that|it|your"):
		return 2
	case rest.begins("use|write|keep|name|put|format|follow|wrap|store|pin|sign|indent|prefix|treat|commit|run|document|test|log|sort|ask"):
		return imperativeScope(rest, pointing)
	}
	return 0
}

// imperativeScope scores what makes an order one for every case.
func imperativeScope(n phrased, pointing bool) int {
	score := 0
	if n.has("unless|except|without exception|even if|wherever|where possible|where you can|everywhere|throughout|here|in tests|in code|by default|instead of asking") {
		score++
	}
	if n.has(", not|, never|, no|rather than|not") && !pointing || n.has("always|never|consistently") {
		score++
	}
	if n.has("in this project|in this repo|in this repository|in this codebase|for this project|for this repo|in our code") {
		score += 2
	}
	return score
}

// contrast scores a plain utterance about things of a kind: what they are, and what not.
func contrast(n phrased) int {
	if !plural(n) || aboutProduct(n) {
		return 0
	}
	score := 0
	if n.has(states) {
		score++
	}
	if n.has("in the|to the|from the|on the") {
		score--
	}
	if n.has(", not|, never|and never|rather than|, no|unless|without exception|not even|by default|in every|with every|default to|before they|go into|go in|go under|live in|belong in|sit next to|are never|is never|are always") {
		score++
	}
	return score
}
