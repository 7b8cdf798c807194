package offline

import "strings"

// mailMarks stand on the line where a forwarded or answered mail begins.
const mailMarks = `original message-|forwarded message|begin forwarded|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensaje reenviado|转发邮件|转发的邮件|原始邮件|転送メッセージ|元のメッセージ`

// mailHeaders are the names of lines at the head of a mail, of which two in a row begin one.
const mailHeaders = `from|to|subject|date|sent|cc|reply-to|von|an|betreff|datum|gesendet|de|à|objet|envoyé|para|asunto|fecha|enviado|发件人|收件人|主题|日期|差出人|宛先|件名|日時`

// wroteEnds end a line that tells who wrote what follows.
const wroteEnds = `wrote:|writes:|said:|says:|schrieb:|schreibt:|a écrit :|a écrit:|écrit :|escribió:|写道：|写道:|のメール:|のメール：`

// mail notes whether the rest of the message is a pasted mail, and reports
// whether this line already belongs to it.
func (s *scanner) mail(line string) bool {
	l := fold(line)
	for m := range strings.SplitSeq(mailMarks, "|") {
		if strings.Contains(l, m) && len(l) < 80 {
			s.pasted = true
			return true
		}
	}
	for m := range strings.SplitSeq(wroteEnds, "|") {
		if strings.HasSuffix(l, m) {
			s.wrote = true
			return true
		}
	}
	name, rest, found := strings.Cut(strings.Replace(l, "：", ":", 1), ":")
	if !found || rest == "" || !listed(strings.TrimSpace(name), mailHeaders) {
		s.headers = 0
		return false
	}
	if s.headers++; s.headers > 1 {
		s.pasted = true
	}
	return true
}

// listed reports whether word is one of those in list.
func listed(word, list string) bool {
	for w := range strings.SplitSeq(list, "|") {
		if w == word {
			return true
		}
	}
	return false
}
