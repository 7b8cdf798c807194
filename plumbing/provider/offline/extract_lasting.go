package offline

import (
	"strings"
	"unicode/utf8"
)

// enough is the score from which a sentence counts as meant to last: one
// strong cue, or two that are weak alone.
const enough = 2

// fewestWords is how many words say something by themselves, where spaces part them.
const fewestWords = 3

// lasting scores how surely a utterance is meant to last. 0 is what has no
// cue, or is ruled out: a question, what is temporary, what cannot be a
// candidate at all.
func lasting(s utterance) int {
	if len(s.text) > maxQuote || !writable(s.text) || asks(s.masked) || strings.HasSuffix(s.text, ":") || strings.HasSuffix(s.text, "：") {
		return 0
	}
	n := normal(s.masked)
	if normal(strings.ReplaceAll(s.text, "-", " ")).has(temporaryMarks) || n.has(manipulates) || openQuote(s) {
		return 0
	}
	best := 0
	if !hasIdeographs(s.masked) && strings.Count(string(n), " ") <= fewestWords {
		return 0
	}
	if hasIdeographs(s.masked) {
		best = max(chinese(s.masked), japanese(s.masked))
	}
	for _, score := range []func(phrased) int{english, german, french, spanish} {
		best = max(best, score(n))
	}
	if s.built && !ownWish(n, s.masked) {
		return 0
	}
	if best < enough && s.ruled && !ruledOut(n, s.masked) {
		best = enough
	}
	return best
}

// builds reports whether a sentence orders something to be made: what is said
// of it in the next ones says how, this once.
func builds(n phrased, masked string) bool {
	return n.begins(buildStarts) || n.has("and implement|and write|then write a|then write the|i need a|i need an") || hasAny(masked, buildParts, strings.Contains)
}

// ownWish reports whether a sentence says itself that it goes beyond what is being made.
func ownWish(n phrased, masked string) bool {
	core := n.without(adverbs)
	return lead(core) >= enough || firstPerson(core) >= enough || convention(core) >= enough || n.has(ownCues) || hasAny(masked, ownParts, strings.Contains)
}

// writable reports whether a text can be a fact's: UTF-8, no control characters but tab and newline.
func writable(text string) bool {
	for _, r := range text {
		if r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError {
			return false
		}
	}
	return len(text) > 0
}

// asks reports whether a sentence ends in a question mark, or has one of Japanese's or Chinese's question endings.
func asks(s string) bool {
	s = strings.TrimRight(s, " \t\n)]*_\"”»」』）\x01")
	return strings.ContainsAny(s, "?？") || hasAny(strings.TrimRight(s, "。."), "吗|呢|ますか|ですか|でしょうか|ませんか", strings.HasSuffix)
}

// openQuote reports whether most of a sentence is a quotation.
func openQuote(s utterance) bool {
	return 2*strings.Count(s.masked, string(rune(mask))) > len(s.masked)
}

func hasIdeographs(s string) bool {
	for _, r := range s {
		if r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff {
			return true
		}
	}
	return false
}

// ruledOut reports whether an item of a list of rules is none all the same.
func ruledOut(n phrased, masked string) bool {
	return supposes(n, masked) || n.has(attributions) || n.has(onceWords) || n.has(pastWords)
}

// supposes reports whether a sentence makes what it says, and what follows it, a hypothesis or an example.
func supposes(n phrased, masked string) bool {
	return n.has(supposeCues) || hasAny(masked, supposeParts, strings.Contains)
}

// introduces reports whether what follows is a text to work on.
func introduces(n phrased) bool {
	verb := n.has(textTasks)
	return verb && n.has("the following|this :|below|this text|this mail|this email|this message|following")
}

// These lists hold phrases as whole words of a normal sentence.

// temporaryMarks are those of design section 11: what has one is refused anyway.
const temporaryMarks = `this task|this time|this once|just once|for now|right now|today|tonight|tomorrow|this session|this conversation|this week|temporarily|temporary|currently|at the moment|only`

// manipulates are words about the extraction itself.
const manipulates = `extractor|ignore all|ignore previous|ignore the above|disregard|candidates|source_seqs|system prompt|as a preference|as a fact`

const supposeCues = `suppose|supposing|imagine|imagining|hypothetically|hypothetical|pretend|pretending|assume|assuming|let's say|lets say|let us say|let's assume|let us assume|let's suppose|let us suppose|let us imagine|let's imagine|say we|say our|say i|say that|say somebody|say someone|what if|for the sake of argument|picture this|picture a|persona|role-play|as an example|for example|for instance|an example of|bad example|good example|thought experiment|in theory|fictional|what would|if i said|if we said|` +
	`angenommen|stell dir vor|stellen wir uns vor|nehmen wir an|gesetzt den fall|was wäre|hypothetisch|mal angenommen|zum beispiel|beispielsweise|` +
	`supposons|supposez|suppose que|imaginons|imaginez|imagine que|admettons|mettons que|par exemple|hypothétiquement|` +
	`supongamos|supón|suponga|imagina|imaginemos|imagínate|digamos que|hipotéticamente|por ejemplo|y si`

// supposeParts are the same where words are not parted by spaces.
const supposeParts = `假设|假如|假定|要是|想象一下|设想|比如|例如|如果规定|もし|仮に|例えば|たとえば|と仮定|としたら`

// attributions make the words somebody else's.
const attributions = `says|said|wrote|writes|claims|claimed|told|suggests|suggested|recommends|recommended|insists|according to|he thinks|she thinks|they think|he wants|she wants|they want|docs say|people say|they say|some say|guidelines say|he prefers|she prefers|they prefer|customer wants|client wants|` +
	`sagt|sagte|schrieb|schreibt|meint|meinte|laut|` +
	`dit|a dit|disait|selon|écrit que|a écrit|d'après|` +
	`dijo|dice|según|escribió|opina`

const onceWords = `this pr|this pull|this branch|this commit|this bug|this file|this function|this change|this release|this sprint|this test|this ticket|this one|asap|this morning|this afternoon|this evening|this month`

const pastWords = `used to|was|were|had been`

// ruledHeads are headings of lists in which every item is a rule.
const ruledHeads = `our conventions|conventions|house rules|ground rules|our rules|project rules|team rules|coding style|code style|style rules|our style|my preferences|preferences|guidelines|our guidelines|standing rules|rules for this project|rules for this repo|rules of this project|rules here|working agreements|konventionen|unsere regeln|regeln|projektregeln|nos conventions|conventions|nos règles|règles du projet|nuestras convenciones|convenciones|reglas del proyecto`

// foreignHeads are headings and lead-ins after which somebody else's text comes.
const foreignHeads = `their|vendor|vendor's|customer's|competitor's|client|other team's|customer|client's|competitor|log|logs|output|example|examples|transcript|quote|mail|email|e-mail|handbook|article`

// pastesCues are words of a lead-in, which ends in a colon, after which a text comes that is not the user's.
const pastesCues = `mail|email|e-mail|message|output|log|logs|page|article|paragraph|snippet|comment|review|quote|text|example|prompt|document|transcript|letter|holds this|i got|reply|error|response|slack|handbook|following text|translate|summarise|summarize|proofread|antwort auf|nachricht|ausgabe|courriel|réponds|résume|correo|contesta|resume|mensaje`

// textTasks are things that one does to a text.
const textTasks = `translate|summarise|summarize|proofread|rewrite|paraphrase|classify|rephrase|extract`

const buildStarts = `write a|write an|write the|write me|please write a|please write an|implement|please implement|make the|make a|make it|generate|create|please create|add|please add|draft|build|design|set the|convert|refactor|could you write|can you write|could you add|can you add|schreib ein|schreib eine|schreib einen|schreibe ein|schreibe eine|schreibe einen|erstelle|implementiere|baue|füge|écris un|écris une|crée|ajoute|implémente|escribe un|escribe una|crea|añade|implementa`

const buildParts = `写一个|写个|实现|做一个|新增|スクリプトを書いて|を作って|を作成して|を実装して|を追加して`

// ownCues are words of a lasting wish in other languages than English.
const ownCues = `grundsätzlich|ab sofort|künftig|in zukunft|bevorzuge|wir|désormais|dorénavant|à l'avenir|par convention|je préfère|nous|de ahora en adelante|a partir de ahora|prefiero|por convención|usamos|siempre usamos`

const ownParts = `今后|以后|从现在|我们|约定|这个项目|本项目|更喜欢|今後|これから|プロジェクトでは|原則|決まり|好き|リポジトリ`
