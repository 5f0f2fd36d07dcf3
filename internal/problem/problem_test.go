package problem

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		reason string
		p      Problem
		want   []string
	}{
		{"a place, a subject and a hint", Problem{Place: Place{"a.yaml", 3}, Subject: "node x", Message: "is odd", Hint: "look"}, []string{"error: a.yaml:3: node x: is odd", "hint: look"}},
		{"a file without a line", Problem{Severity: Warning, Place: Place{File: "a.yaml"}, Message: "m"}, []string{"warning: a.yaml: m"}},
		{"a hint of its own", Problem{Severity: Hint, Message: "m"}, []string{"hint: m"}},
		{"a name cannot forge a line", Problem{Subject: "a\nerror: all is lost\r", Message: "m"}, []string{"error: a error: all is lost : m"}},
		{"nor steer the terminal", Problem{Message: "\x1b[31m\x7f\u0085\u2028x"}, []string{"error: \ufffd[31m\ufffd\ufffd\ufffdx"}},
	} {
		if diff := cmp.Diff(c.want, c.p.Lines()); diff != "" {
			t.Errorf("%s: %s", c.reason, diff)
		}
	}
}

func TestListAsError(t *testing.T) {
	var l List
	if l.Err() != nil {
		t.Error("an empty list is an error")
	}
	l.Add(Problem{Severity: Warning, Message: "w"})
	if l.Err() != nil {
		t.Error("a warning is an error")
	}
	l.Errorf(Place{"b.yaml", 2}, "late")
	l.Errorf(Place{"a.yaml", 9}, "nine")
	l.Errorf(Place{"a.yaml", 10}, "ten")
	l.Errorf(Place{"a.yaml", 9}, "nine") // said twice
	if diff := cmp.Diff("a.yaml:9: nine\na.yaml:10: ten\nb.yaml:2: late", l.Err().Error()); diff != "" {
		t.Error(diff)
	}
}

func TestMergeKeepsProblemsApart(t *testing.T) {
	one := Problem{Place: Place{"a.yaml", 1}, Message: "one"}
	plain := errors.New("plain")
	var l List
	l.Merge(nil)
	l.Merge(fmt.Errorf("wrapped: %w", one))
	l.Merge(fmt.Errorf("wrapped: %w", List{one, {Message: "two"}}))
	l.Merge(plain)
	want := List{one, one, {Message: "two"}, {Message: "plain"}}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
}
