//go:build race

package fact

const raceEnabled = true
