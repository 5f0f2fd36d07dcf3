// Package problem is how every part of the program says what is wrong: a
// severity, the place (file and line, node or object), what is the matter and
// what to do about it. Problems are collected, not thrown one by one, so that
// a person sees all faults of a run together, sorted.
//
// It does not print; the doors do, each in its own way.
package problem

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Severity tells whether a problem stops the run.
type Severity int

// The severities. An Error stops the run, a Warning does not, and a Hint on
// its own is advice about something that is allowed.
const (
	Error Severity = iota
	Warning
	Hint
)

// String returns the word that begins a line on stderr: error, warning or hint.
func (s Severity) String() string {
	return [...]string{"error", "warning", "hint"}[s]
}

// Place is where in the input something was written. The zero Place is nowhere.
type Place struct {
	File string // relative to the application path, with slashes
	Line int    // 1-based; 0 is unknown
}

// String returns file:line, or the file alone, or nothing.
func (p Place) String() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return p.File
}

// Problem is one fault, warning or hint.
type Problem struct {
	Severity Severity
	Place    Place  // zero where no file is at fault
	Subject  string // the node or object at fault, such as "node a" or "DaemonSet/linstor-satellite"; may be empty
	Message  string // what is wrong
	Hint     string // what to do; may be empty
}

// Error returns the problem as one line, without its hint.
func (p Problem) Error() string {
	parts := make([]string, 0, 3)
	if at := p.Place.String(); at != "" {
		parts = append(parts, at)
	}
	if p.Subject != "" {
		parts = append(parts, p.Subject)
	}
	return strings.Join(append(parts, p.Message), ": ")
}

// Lines returns what a person reads: the problem and, below it, its hint.
// Newlines inside the texts become spaces: a hostile name in the input must
// not be able to forge a line of its own.
func (p Problem) Lines() []string {
	lines := []string{p.Severity.String() + ": " + oneLine(p.Error())}
	if p.Hint != "" {
		lines = append(lines, Hint.String()+": "+oneLine(p.Hint))
	}
	return lines
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0) || r == '\u2028' || r == '\u2029':
			return '\ufffd'
		}
		return r
	}, s)
}

// List is a collection of problems. As an error it is the list of its errors.
// The zero List is empty and ready to use.
type List []Problem

// Add appends a problem.
func (l *List) Add(p Problem) { *l = append(*l, p) }

// Errorf appends an error at a place.
func (l *List) Errorf(at Place, format string, args ...any) {
	l.Add(Problem{Severity: Error, Place: at, Message: fmt.Sprintf(format, args...)})
}

// Merge appends what err holds: the problems of a List or Problem (also
// wrapped), or else err's text as one error. A nil err adds nothing.
func (l *List) Merge(err error) {
	var list List
	var one Problem
	switch {
	case err == nil:
	case errors.As(err, &list):
		*l = append(*l, list...)
	case errors.As(err, &one):
		l.Add(one)
	default:
		l.Add(Problem{Severity: Error, Message: err.Error()})
	}
}

// Sorted returns the problems by severity, place, subject and message, each once.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Place.File, b.Place.File),
			cmp.Compare(a.Place.Line, b.Place.Line),
			cmp.Compare(a.Subject, b.Subject),
			cmp.Compare(a.Message, b.Message),
			cmp.Compare(a.Hint, b.Hint),
		)
	})
	return slices.Compact(out)
}

// Errors returns the problems that stop a run, or nil.
func (l List) Errors() List { return l.only(func(s Severity) bool { return s == Error }) }

// Notes returns the warnings and hints, or nil.
func (l List) Notes() List { return l.only(func(s Severity) bool { return s != Error }) }

func (l List) only(keep func(Severity) bool) List {
	var out List
	for _, p := range l {
		if keep(p.Severity) {
			out = append(out, p)
		}
	}
	return out
}

// Err returns the list as an error if it holds one, and nil if it does not.
func (l List) Err() error {
	if len(l.Errors()) == 0 {
		return nil
	}
	return l
}

// Error returns the errors of the list, one a line.
func (l List) Error() string {
	var lines []string
	for _, p := range l.Errors().Sorted() {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}
