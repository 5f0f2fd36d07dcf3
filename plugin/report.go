package plugin

import (
	"fmt"
	"io"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

const (
	// mostProblems is how many problems a person gets to read at once.
	mostProblems = 100
	// mostBytes is about how much of a failure Argo CD shows well: it puts all
	// of stderr into the Application's condition.
	mostBytes = 900
)

// Report writes problems for people: one line each and a hint below it. When
// the run failed under Argo CD only the first errors are written, since Argo
// CD shows every byte.
func Report(stderr io.Writer, list problem.List, underArgoCD bool) {
	sorted := list.Sorted()
	if errs := sorted.Errors(); underArgoCD && len(errs) > 0 {
		sorted = errs
	}
	var b strings.Builder
	for i, p := range sorted {
		if underArgoCD {
			p.Message, p.Hint = cut(p.Message, mostBytes*2/3), cut(p.Hint, mostBytes/3)
		}
		text := strings.Join(p.Lines(), "\n") + "\n"
		if i >= mostProblems || i > 0 && underArgoCD && len(sorted.Errors()) > 0 && b.Len()+len(text) > mostBytes {
			fmt.Fprintf(&b, "%s: and %d more; `linstor-cmp generate` by hand shows them\n", p.Severity, len(sorted)-i)
			break
		}
		b.WriteString(text)
	}
	_, _ = io.WriteString(stderr, b.String()) // nobody is left to tell
}

// cut shortens a text to about limit bytes.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + " …"
}
