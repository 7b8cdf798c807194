package plumbing

import "errors"

// The kinds of failure. An error that a caller may want to tell apart wraps
// exactly one of them; match with errors.Is. Anything else is a defect or a
// failure of the machine. Design section 7 gives each its exit code.
var (
	// ErrNo: the question was understood and its answer is no.
	ErrNo = errors.New("the answer is no")
	// ErrInvalid: the input or the usage is wrong; nothing was done.
	ErrInvalid = errors.New("invalid input")
	// ErrNotFound: the thing that was named does not exist.
	ErrNotFound = errors.New("not found")
	// ErrConflict: what the caller saw is no longer so (seq, revision, generation, evidence).
	ErrConflict = errors.New("conflict")
	// ErrRefused: it exists but must not be used so (permission, exclusion, foreign project, link, disabled).
	ErrRefused = errors.New("refused")
	// ErrCorrupt: stored bytes are not what lecode wrote.
	ErrCorrupt = errors.New("corrupt")
	// ErrBusy: another process holds the lock.
	ErrBusy = errors.New("busy")
	// ErrModel: the model failed, or its answer was rejected.
	ErrModel = errors.New("the model failed")
	// ErrPaused: what should be sent does not fit, and nothing may be dropped to make it fit.
	ErrPaused = errors.New("paused")
)

// Error is a failure for a person to read: what is wrong and what to do.
// Message and Hint are lower case, without a final stop, and carry no
// transcript text.
type Error struct {
	Kind    error  // one of the kinds above
	Message string // what is wrong, naming the thing
	Hint    string // the way out; may be empty
	Cause   error  // what it came from; may be nil
}

func (e *Error) Error() string { return e.Message }

// Unwrap lets errors.Is find the kind as well as the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// Fail returns an *Error without a cause.
func Fail(kind error, message, hint string) error {
	return &Error{Kind: kind, Message: message, Hint: hint}
}

// Explain is an error in one sentence for a person: what is wrong, and the way
// out where there is one.
func Explain(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Hint != "" {
		return err.Error() + ": " + e.Hint
	}
	return err.Error()
}
