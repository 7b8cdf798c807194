package learn

import "testing"

// What cannot be seen neither parts a marker nor joins its words to others.
func TestTemporarySeesThroughInvisible(t *testing.T) {
	for words, want := range map[string]bool{
		"Use tabs for now.":            true,
		"for\u200b now use qunit.":     true,
		"fo\u200dr no\u00adw use it.":  true,
		"for\u2060now, use it.":        true,
		"Use it to\ufe0fday.":          true,
		"Use tabs.":                    false,
		"Format nowhere.":              false,
		"The read\u200bonly flag is x": true,
	} {
		if got := Temporary(words); got != want {
			t.Errorf("%q: %v, want %v", words, got, want)
		}
	}
	if !Corrects("no\u200b longer") {
		t.Error("an invisible character hides a correction")
	}
}
