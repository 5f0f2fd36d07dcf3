package nodes

import (
	"errors"
	"fmt"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// maxFaults bounds how many faults of one input are told.
const maxFaults = 100

// errFull ends the reading of an input that has more faults than are told.
var errFull = errors.New("too many faults")

// faults collects what is wrong with an input.
type faults struct {
	file string
	told problem.List
	more bool // there are faults that are not told
}

func (f *faults) add(p problem.Problem) {
	if len(f.told) == maxFaults {
		f.more = true
		return
	}
	p.Place.File = f.file
	f.told.Add(p)
}

func (f *faults) errorf(line int, hint, format string, args ...any) {
	f.add(problem.Problem{
		Place:   problem.Place{Line: line},
		Message: fmt.Sprintf(format, args...),
		Hint:    hint,
	})
}

// full returns errFull if there are more faults than are told.
func (f *faults) full() error {
	if f.more {
		return errFull
	}
	return nil
}

// mark returns a state for back to return to.
func (f *faults) mark() int { return len(f.told) }

// back forgets the faults since mark: a greater one makes them moot.
func (f *faults) back(mark int) {
	f.told = f.told[:mark]
	f.more = false
}

// err returns the collected faults, or nil.
func (f *faults) err() error {
	if f.more {
		f.told.Add(problem.Problem{
			Severity: problem.Hint,
			Place:    problem.Place{File: f.file},
			Message:  fmt.Sprintf("there are more faults than these %d", maxFaults),
		})
	}
	return f.told.Err()
}
