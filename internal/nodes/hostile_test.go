package nodes

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// TestReadHostile holds inputs that mean harm, or that a disk did harm to,
// against a bounded, clear answer.
func TestReadHostile(t *testing.T) {
	deep := func(open, shut string, n int) string { return strings.Repeat(open, n) + strings.Repeat(shut, n) }
	bomb := "a: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	merges := "m: &m0 {a: b}\n"
	for i := range 9 {
		ten := strings.Repeat(fmt.Sprintf("*a%d,", i), 10)
		bomb += fmt.Sprintf("b%d: &a%d [%s]\n", i, i+1, ten)
		merges += fmt.Sprintf("n%d: &m%d {<<: [%s]}\n", i, i+1, strings.ReplaceAll(ten, "a", "m"))
	}
	node := "apiVersion: v1\nkind: Node\nmetadata: {name: x}\n"
	tests := map[string]struct {
		reason string
		in     string
		want   string // in the message
	}{
		"deep json":        {"nesting must not use up the stack", `{"a":` + deep("[", "]", 1_000_000), "nested more than 200"},
		"deep json object": {"the same with objects", strings.Repeat(`{"a":`, 1_000_000), "nested more than 200"},
		"deep yaml":        {"the same in YAML", "a: " + deep("[", "]", 5000), "nested more than 200"},
		"very deep yaml":   {"where the parser gives up", "a: " + deep("[", "]", 500_000), "exceeded max depth"},
		"deep block":       {"the same in block style", "a:\n" + strings.Repeat("- ", 5000) + "a\n", "nested more than 200"},
		"deep aliases":     {"nesting by aliases", "a: &a " + deep("[", "]", 150) + "\nb: " + strings.Repeat("[", 100) + "*a" + strings.Repeat("]", 100) + "\n", "nested more than 200"},
		"bomb":             {"aliases that multiply", node + bomb, "more than 1000000 values"},
		"merge bomb":       {"merge keys that multiply", node + merges, "more than 1000000 values"},
		"bomb in item":     {"the same in an item of a list", "items:\n- " + strings.ReplaceAll(bomb, "\n", "\n  ") + "\nkind: List\napiVersion: v1\n", "more than 1000000 values"},
		"huge text":        {"a label that no cluster stores", `{"metadata":{"labels":{"a":"` + strings.Repeat("x", 5<<20) + `"}}}`, "more text than Kubernetes stores"},
		"huge key":         {"nor its key", `{"metadata":{"labels":{"` + strings.Repeat("x", 5<<20) + `":""}}}`, "more text than Kubernetes stores"},
		"many members":     {"nor so many of them", `{"metadata":{"labels":{` + manyMembers(100_000) + `}}}`, "more text than Kubernetes stores"},
		"many taints":      {"nor taints", `{"spec":{"taints":[{}` + strings.Repeat(",{}", 100_000) + `]}}`, "more text than Kubernetes stores"},
		"long number":      {"a number of any length", `{"a":` + strings.Repeat("1", 1<<20) + `}`, "more than 1000 digits"},
		"long line":        {"YAML without a line end", "a: " + strings.Repeat("x", 9<<20), "more than 4 MiB"},
		"long document":    {"YAML that is no list", strings.Repeat("a: b\n", 1<<20), "more than 4 MiB"},
		"long item":        {"one item of a list", "items:\n- a: b\n" + strings.Repeat("  a: b\n", 1<<20), "more than 4 MiB"},
		"long tail":        {"what follows the items", "items:\n- a: b\n" + strings.Repeat("a: b\n", 1<<20), "more than 4 MiB"},
		"late doubt":       {"an item that is no YAML, too late to go back", "items:\n" + strings.Repeat("- apiVersion: v1\n  kind: Node\n  metadata: {name: x}\n", 100_000) + "- *a\n", "unknown anchor"},
		"odd document":     {"a large list in flow style", "{apiVersion: v1, items: [\n" + strings.Repeat("{},\n", 2<<20) + "], kind: List}", "more than 4 MiB"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tc.in), "n")
			var list problem.List
			if got != nil || !errors.As(err, &list) {
				t.Fatalf("%s: got %d nodes, %v", tc.reason, len(got), err)
			}
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %.300q, want %q", tc.reason, err.Error(), tc.want)
			}
			for _, p := range list {
				if len(p.Message)+len(p.Hint) > 1000 {
					t.Errorf("a message of %d bytes", len(p.Message))
				}
			}
		})
	}
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%q:\"\",", fmt.Sprint(i))
	}
	return b.String() + `"":""`
}

// TestReadManyFaults holds that the number of faults is bounded, and that a
// reader is told that there are more.
func TestReadManyFaults(t *testing.T) {
	for name, in := range map[string]string{
		"documents": strings.Repeat("a: b\n---\n", 5000),
		"json":      strings.Repeat(`{"a":1}`, 5000),
		"items":     "apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- a\n", 5000),
		"labels":    `{"apiVersion":"v1","kind":"Node","metadata":{"name":"x","labels":{` + strings.ReplaceAll(manyMembers(5000), `""`, `1`) + `}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(strings.NewReader(in), "n")
			var list problem.List
			if got != nil || !errors.As(err, &list) {
				t.Fatalf("got %v, %v", got, err)
			}
			if len(list.Errors()) != maxFaults || len(list.Notes()) != 1 {
				t.Errorf("got %d errors and %d notes", len(list.Errors()), len(list.Notes()))
			}
		})
	}
}

// TestReadTooManyNodes holds that the number of nodes is bounded.
func TestReadTooManyNodes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"kind":"NodeList","apiVersion":"v1","items":[`)
	for i := range maxNodes + 1 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"metadata":{"name":"n%d"}}`, i)
	}
	in := b.String()
	if got, err := Read(strings.NewReader(in+`]}`), "n"); err == nil || got != nil {
		t.Errorf("got %d nodes, %v", len(got), err)
	}
	last := strings.LastIndex(in, ",{")
	if got, err := Read(strings.NewReader(in[:last]+`]}`), "n"); err != nil || len(got) != maxNodes {
		t.Errorf("got %d nodes, %v", len(got), err)
	}
}

// TestReadCut holds that no beginning of an input passes for the whole of it,
// as far as its format can tell.
func TestReadCut(t *testing.T) {
	yamlList := "apiVersion: v1\nitems:\n- " + strings.TrimSuffix(strings.ReplaceAll(yamlNode, "\n", "\n  "), "  ") + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	jsonList := `{"apiVersion":"v1","items":[` + jsonNode + "," + j1 + `],"kind":"List"}`
	whole := map[string]int{ // the length from which on nothing is missing
		yamlList:                             strings.Index(yamlList, "kind: List") + len("kind: List"),
		jsonList:                             len(jsonList),
		"---\n" + jsonNode:                   len(jsonNode) + 3,
		j1:                                   len(j1),
		strings.ReplaceAll(j1, ",", "\r\n,"): len(j1) + 4,
	}
	for in, from := range whole {
		if _, err := Read(strings.NewReader(in), "n"); err != nil {
			t.Errorf("%q: %v", in, err)
		}
		for i := len("---\n") + 1; i < from; i++ {
			if got, err := Read(strings.NewReader(in[:i]), "n"); err == nil || got != nil {
				t.Fatalf("%q passes for a whole: %v", in[:i], got)
			}
		}
	}
}
