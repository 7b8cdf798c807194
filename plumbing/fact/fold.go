package fact

import (
	"crypto/sha256"
	"strings"

	"golang.org/x/text/cases"
)

// Fold is the form in which deduplication compares texts: full Unicode case
// folding (of the Unicode version of golang.org/x/text), every run of white
// space one space, none at the ends, no normalisation (design section 6).
// Texts that differ only by case are the same one: a known loss.
func Fold(text string) string {
	return strings.Join(strings.Fields(cases.Fold().String(text)), " ")
}

// foldKey is what the index keeps of a folded text.
func foldKey(text string) []byte {
	sum := sha256.Sum256([]byte(Fold(text)))
	return sum[:]
}
