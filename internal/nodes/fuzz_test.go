package nodes

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// FuzzRead holds what is true of Read whatever the input is.
func FuzzRead(f *testing.F) {
	for _, in := range lists {
		f.Add(in)
	}
	for _, in := range []string{"", yamlNode, jsonNode, j1 + j1, "---\n" + jsonNode + "---\n" + yamlNode, "\ufeff", "\xff\xfe", "%YAML 1.1\n---\n", "...\n", "--- |\n a\n", "{a: b}", "{\"a\": b}", "[{}]", "a: &a [*a]\n", "{\"kind\":\"List\",\"items\":[]}"} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := Read(strings.NewReader(in), "n")
		if err != nil {
			if got != nil {
				t.Error("nodes together with an error")
			}
			if !errors.As(err, new(problem.List)) && !errors.As(err, new(problem.Problem)) {
				t.Errorf("an error without a place: %v", err)
			}
			return
		}
		for i, n := range got {
			if CheckName(n.Name) != nil || i > 0 && got[i-1].Name >= n.Name {
				t.Errorf("names %q", got)
			}
		}
		again, err := Read(strings.NewReader(in), "n")
		if diff := cmp.Diff(got, again); err != nil || diff != "" {
			t.Errorf("not the same again: %v %s", err, diff)
		}
		if slices.ContainsFunc(got, func(n Node) bool { return !strings.Contains(in, n.Name) && !strings.ContainsAny(in, "\\\"'|>") }) {
			t.Errorf("a name from nowhere: %q", got)
		}
	})
}
