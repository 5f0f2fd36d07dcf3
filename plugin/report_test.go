package plugin_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// argoCDShows is how many bytes of stderr an Application's condition shows well.
const argoCDShows = 1024

func report(list problem.List, underArgoCD bool) string {
	var b bytes.Buffer
	plugin.Report(&b, list, underArgoCD)
	return b.String()
}

func TestReport(t *testing.T) {
	fault := problem.Problem{Place: problem.Place{File: "overlays/a.yaml", Line: 3}, Message: "what is wrong", Hint: "what to do"}
	warning := problem.Problem{Severity: problem.Warning, Subject: "node a", Message: "what is odd"}
	hint := problem.Problem{Severity: problem.Hint, Message: "what would be better"}
	const faultText = "error: overlays/a.yaml:3: what is wrong\nhint: what to do\n"

	cases := map[string]struct {
		reason      string
		list        problem.List
		underArgoCD bool
		want        string
	}{
		"nothing": {"no problem, no word", nil, false, ""},
		"all severities": {
			"errors come first, each with its hint below it",
			problem.List{hint, warning, fault, fault},
			false,
			faultText + "warning: node a: what is odd\nhint: what would be better\n",
		},
		"a failure under Argo CD": {
			"Argo CD shows every byte: only what stops the run",
			problem.List{hint, warning, fault},
			true, faultText,
		},
		"a success under Argo CD": {
			"stderr goes to the sidecar's log",
			problem.List{hint, warning},
			true,
			"warning: node a: what is odd\nhint: what would be better\n",
		},
		"a text with line breaks": {
			"a name in the input cannot forge a line",
			problem.List{{Subject: "node a\nerror: b", Message: "x\r\ny"}},
			false,
			"error: node a error: b: x  y\n",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, report(c.list, c.underArgoCD)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestReportOfMany(t *testing.T) {
	many := func(severity problem.Severity, n int) (list problem.List) {
		for i := range n {
			list.Add(problem.Problem{Severity: severity, Place: problem.Place{File: "overlays/group.yaml", Line: i + 1}, Message: "this field is not known", Hint: "leave it out"})
		}
		return list
	}

	t.Run("by hand, a hundred", func(t *testing.T) {
		got := report(many(problem.Error, 250), false)
		if n := strings.Count(got, "this field is not known"); n != 100 {
			t.Errorf("%d problems are shown, want 100", n)
		}
		if !strings.Contains(got, "error: and 150 more; ") {
			t.Errorf("the rest is not counted: %s", got[len(got)-100:])
		}
	})
	t.Run("under Argo CD, what it shows well", func(t *testing.T) {
		got := report(many(problem.Error, 250), true)
		if len(got) > argoCDShows {
			t.Errorf("%d bytes, want at most %d", len(got), argoCDShows)
		}
		shown := strings.Count(got, "this field is not known")
		if shown < 5 {
			t.Errorf("only %d of 250 problems are shown:\n%s", shown, got)
		}
		if want := fmt.Sprintf("error: and %d more; ", 250-shown); !strings.Contains(got, want) {
			t.Errorf("the rest is not counted, want %q:\n%s", want, got)
		}
	})
	t.Run("warnings of a success under Argo CD", func(t *testing.T) {
		if got := report(many(problem.Warning, 50), true); strings.Count(got, "\nhint: ") != 50 {
			t.Errorf("a log may hold all 50 warnings:\n%s", got)
		}
	})
	t.Run("a long problem under Argo CD", func(t *testing.T) {
		long := strings.Repeat("long ", 300)
		got := report(problem.List{{Message: "a " + long, Hint: "what to do"}, {Message: "b"}}, true)
		if !strings.HasPrefix(got, "error: a long long ") || !strings.Contains(got, " …\nhint: what to do\nerror: b\n") || len(got) > argoCDShows {
			t.Errorf("want a cut message, its whole hint and the next problem in %d bytes, got %d bytes: %q", argoCDShows, len(got), got)
		}
	})
}
