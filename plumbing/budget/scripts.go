package budget

// script is the cost of one character beyond ASCII, of n bytes, in units, and
// what the first of a word costs besides. A script that was not measured costs
// what it can at most, a token a byte.
func script(r rune, n int64) (each, word int64) {
	switch {
	case n == 2:
		return twoBytes(r)
	case n == 3:
		return threeBytes(r), threeWord(r)
	case r >= 0x1f000 && r < 0x1fb00: // emoji
		return 48, 0
	}
	return 4 * unit, unit
}

func twoBytes(r rune) (each, word int64) {
	switch {
	case r < 0xc0: // signs
		return 12, 0
	case r < 0x250: // Latin letters with marks
		return 21, 0
	case r >= 0x370 && r < 0x400: // Greek
		return 20, 0
	case r >= 0x410 && r < 0x450: // Cyrillic, as Russian has it
		return 11, 19
	case r >= 0x590 && r < 0x600: // Hebrew
		return 17, 16
	case r >= 0x600 && r < 0x780: // Arabic
		return 15, 0
	}
	return 2 * unit, unit // the space before it is no part of it
}

func threeBytes(r rune) int64 {
	switch {
	case r >= 0x4e00 && r < 0xa000: // Han
		return 25
	case r >= 0x3040 && r < 0x3100: // Kana
		return 15
	case r >= 0xac00 && r < 0xd7a4: // Hangul
		return 12
	case r >= 0x3000 && r < 0x3040, r >= 0xff00 && r < 0xfff0: // their punctuation
		return 32
	case r >= 0x900 && r < 0x980: // Devanagari
		return 21
	case r >= 0x980 && r < 0xa00: // Bengali
		return 25
	case r >= 0xe00 && r < 0xe80: // Thai
		return 17
	case r >= 0x1e00 && r < 0x1f00: // Latin letters with marks, as Vietnamese has them
		return 21
	case r >= 0x2500 && r < 0x2580: // frames
		return 12
	}
	return 3 * unit
}

// threeWord is what a Korean word costs besides its syllables, and what the
// space before a script that was not measured does.
func threeWord(r rune) int64 {
	switch {
	case r >= 0xac00 && r < 0xd7a4:
		return 27
	case threeBytes(r) == 3*unit:
		return unit
	}
	return 0
}
