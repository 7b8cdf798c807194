package note

import (
	"fmt"
	"time"

	"github.com/lecode/lecode/plumbing"
)

// dateLayout is how a daily log is named.
const dateLayout = "2006-01-02"

// Today is the file of the daily log of the day that it is now, in the
// clock's own Location (seed, "/memory log": today by default).
func (s *Store) Today() string {
	return "daily/" + s.opt.Now().Format(dateLayout) + ".md"
}

// Daily is the file of the daily log of a date, YYYY-MM-DD; what is no date of
// the calendar is plumbing.ErrInvalid and named.
func Daily(date string) (file string, err error) {
	if !isDate(date) {
		return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s is not a date", show(date)),
			"write a day of the calendar as YYYY-MM-DD")
	}
	return "daily/" + date + ".md", nil
}

func isDate(s string) bool {
	t, err := time.Parse(dateLayout, s)
	return err == nil && t.Format(dateLayout) == s
}
