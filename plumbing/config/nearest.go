package config

import "strings"

// nearest returns the known key that is written most like a wrong one, as a
// whole or in its last part; of equals the first.
func nearest(wrong string, known []string) string {
	best, least := "", -1
	for _, k := range known {
		d := min(distance(wrong, k), distance(lastPart(wrong), lastPart(k)))
		if least < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// distance counts the letters to change, add or take out, capitals apart. Of
// long words it looks at the beginning only.
func distance(a, b string) int {
	x, y := []rune(strings.ToLower(cut(a))), []rune(strings.ToLower(cut(b)))
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			change := diagonal
			if x[i] != y[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(y)]
}

func cut(s string) string { return s[:min(len(s), 128)] }
