//go:build !lecode_testhooks

package cli

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

func now(func(string) string) func() time.Time { return time.Now }

// newID makes UUIDv7 (design section 4).
func newID(func(string) string) func() (string, error) {
	return func() (string, error) {
		id, err := uuid.NewV7()
		if err != nil {
			return "", fmt.Errorf("make a session ID: %w", err)
		}
		return id.String(), nil
	}
}
