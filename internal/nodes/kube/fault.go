package kube

import (
	"errors"
	"fmt"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// errTotal is why the context ends when everything together took too long.
var errTotal = errors.New("no more time")

// fault is a problem with what brought it about. Only the problem is text for
// people: a cause may quote what is not theirs to see.
type fault struct {
	problem.Problem
	cause error
}

// Unwrap makes both the problem and its cause known to package errors.
func (f *fault) Unwrap() []error {
	if f.cause == nil {
		return []error{f.Problem}
	}
	return []error{f.Problem, f.cause}
}

// faultf returns a fault without a subject.
func faultf(cause error, hint, format string, args ...any) *fault {
	return &fault{problem.Problem{Message: fmt.Sprintf(format, args...), Hint: hint}, cause}
}

// short bounds a text from elsewhere.
func short(s string) string {
	const most = 300
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
