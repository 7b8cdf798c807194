//go:build lecode_testhooks

package cli

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// The programs under testscripts are built with this file, so that scripts can
// fix the clock (LECODE_TEST_NOW) and the next session ID (LECODE_TEST_ID) and
// compare output to the byte. A released program knows neither.

func now(getenv func(string) string) func() time.Time {
	t, err := time.Parse(time.RFC3339, getenv("LECODE_TEST_NOW"))
	if err != nil {
		return time.Now
	}
	return func() time.Time { return t }
}

func newID(getenv func(string) string) func() (string, error) {
	return func() (string, error) {
		if id := getenv("LECODE_TEST_ID"); id != "" {
			return id, nil
		}
		id, err := uuid.NewV7()
		if err != nil {
			return "", fmt.Errorf("make a session ID: %w", err)
		}
		return id.String(), nil
	}
}
