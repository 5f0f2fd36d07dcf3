package nodes

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// readWhole is Read without anything clever: the parser is given all of the
// input at once.
func readWhole(in string) ([]Node, error) {
	d := newDecoder(strings.NewReader(""), "n")
	t := d.newTree(1)
	roots, err := t.parse([]byte(in))
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		if err := t.measure(root, 0); err != nil {
			return nil, err
		}
		if err := d.document(t.value(root)); err != nil && !errors.Is(err, errFull) {
			return nil, err
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	Sort(d.nodes)
	return d.nodes, nil
}

// lists are YAML lists that item by item reading could get wrong. What matters
// is how the lines of the items relate to the lines around them.
var lists = map[string]string{
	"plain":               list2("", ""),
	"comments":            "# a\napiVersion: v1 # b\nitems: # c\n# d\n" + item2("x") + "# e\n  # f\n" + item2("z") + "  # g\n\n# h\nkind: List\n# i\n",
	"indented":            "apiVersion: v1\nkind: NodeList\nitems:\n    -   metadata:\n            name: x\n    -   metadata: {name: z}\nmetadata: {}\n",
	"kind first":          "kind: List\napiVersion: v1\nitems:\n" + item2("x"),
	"items first":         "items:\n" + item2("x") + "kind: List\napiVersion: v1\n",
	"dash alone":          "items:\n-\n  apiVersion: v1\n  kind: Node\n  metadata:\n    name: x\n-\n- \nkind: List\napiVersion: v1\n",
	"block scalars":       list2("  data: |\n    - a\n    kind: b\n\n    ---\n\n  more: >-\n   x\n   y\n", "  keep: |+\n    a\n\n\n"),
	"block scalar cut":    list2("  data: |\n    a\n# no comment\n    b\n", ""),
	"block scalar deeper": list2("  data: |2\n      a\n     b\n    c\n", ""),
	"block scalar item":   "items:\n- |\n a\n- >\n  kind: b\nkind: List\napiVersion: v1\n",
	"quotes over lines":   list2("  a: \"b\n    c\n\n    d\"\n  e: 'f\n    - g'\n", ""),
	"quotes to the left":  list2("  a: \"b\n- c\nkind: d\"\n", ""),
	"single to the left":  list2("  a: 'b\n- c'\n", "  a: 'd\nkind: e'\n"),
	"plain over lines":    list2("  a: b\n    c\n    - d\n", ""),
	"flow over lines":     list2("  a: [b,\n    c,\n  d]\n", ""),
	"flow to the left":    list2("  a: {b: [\nc,\n- d\n]}\n", ""),
	"tabs":                list2("  a: b\t# c\n\t\n  d:\te\n", "\t# f\n"),
	"tab indent":          list2("\ta: b\n", ""),
	"anchor inside":       list2("  a: &x {b: c}\n  d: *x\n", "  a: &x {b: d}\n  d: *x\n"),
	"anchor across":       list2("  a: &x {b: c}\n", "  d: *x\n"),
	"anchor shadowed":     "a: &x {apiVersion: v1}\n" + list2("  a: &x {b: c}\n", "") + "<<: *x\n",
	"anchor on items":     "items: &i\n" + item2("x") + "kind: List\napiVersion: v1\nb: *i\n",
	"anchor in head":      "a: &x b\n" + list2("  a: *x\n", ""),
	"anchor in tail":      list2("", "") + "a: &x b\nc: *x\n",
	"anchor redefined":    "a: &k Pod\n" + "apiVersion: v1\nitems:\n- &k\n  apiVersion: v1\n  kind: &k List\n  metadata: {name: x}\nkind: *k\n",
	"merge in item":       list2("  spec:\n    <<: {taints: [{key: a}]}\n", ""),
	"tag on item":         "items:\n- !!map\n  apiVersion: v1\n  kind: Node\n  metadata: {name: x}\n- !foo bar\nkind: List\napiVersion: v1\n",
	"odd keys":            list2("  ? a\n  : b\n  ? [c]\n  : d\n", "") + "\"e\": f\n? g\n: h\n",
	"two on a line":       "items:\n- - a\n  - b\n- - - c\nkind: List\napiVersion: v1\n",
	"less indented":       "items:\n  - a: b\n - c\nkind: List\napiVersion: v1\n",
	"more indented":       "items:\n- a: b\n  - c\nkind: List\napiVersion: v1\n",
	"half indented":       "items:\n   - a: b\n  c: d\nkind: List\napiVersion: v1\n",
	"dash after tail":     list2("", "") + "- a\n",
	"items twice":         list2("", "") + "items:\n" + item2("w"),
	"items nested":        "a:\n  items:\n  - b\nitems:\n" + item2("x") + "kind: List\napiVersion: v1\nb:\n  items:\n  - c\n",
	"items in quotes":     "a: \"\nitems:\n- b\nc: d\"\nkind: e\n",
	"items in flow":       "a: [b,\nitems:\n- c\n]\n",
	"items in plain":      "a\nitems:\n- b\n",
	"items null":          "items:\nkind: List\napiVersion: v1\n",
	"items below":         "items:\n  []\nkind: List\napiVersion: v1\n",
	"items scalar below":  "items:\n  a\nkind: List\napiVersion: v1\n",
	"items mapping":       "items:\n  a: b\nkind: List\napiVersion: v1\n",
	"items dash text":     "items:\n-a: b\nkind: List\napiVersion: v1\n",
	"items markers":       "items:\n- a: b\n--- \n- c\n...\n",
	"items no space":      "items:# a\n- b\n",
	"tail not a key":      "items:\n- a: b\nc\n",
	"tail flow":           "items:\n- a: b\n{c: d}\n",
	"tail anchor":         list2("", "") + "&a b: c\n",
	"tail dash key":       "items:\n" + item2("x") + "-: b\nkind: List\napiVersion: v1\n",
	"no end":              strings.TrimSuffix(list2("", ""), "\n"),
	"no end in item":      "kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: x}",
	"CRLF":                strings.ReplaceAll(list2("  a: |\n    b\n\n    c\n", ""), "\n", "\r\n"),
	"lone CR":             list2("  a: b\r- c\r", ""),
	"CR tail":             list2("  a: b\rkind: c\r", ""),
	"line separator":      list2("  a: \"\u2028- b\u2028\"\n", "  a: b\u2028- c\n"),
	"next line":           list2("  a: b\u0085kind: c\n", ""),
	"mark in text":        list2("  a: b\n\ufeff- c\n", ""),
	"several":             list2("", "") + "---\n" + "kind: List\napiVersion: v1\nitems:\n" + item2("w") + "...\n# a\n---\n" + "items:\n- b\n",
	"faults":              list2("  kind: b\n", "  status: 7\n") + "metadata: 8\n",
	"bare":                "items:\n- metadata: {name: x}\n- metadata: {name: x}\nkind: List\napiVersion: v1\n",
	"bare node list":      "items:\n- metadata: {name: x}\n- metadata: {name: x}\nkind: NodeList\napiVersion: v1\n",
	"other kind":          "items:\n- metadata: {name: x}\n- metadata: {name: 1}\nkind: PodList\napiVersion: v1\n",
	"directive":           "%YAML 1.1\n---\n" + list2("", ""),
	"continued":           list2("", "") + "metadata:\n  continue: a\n",
}

func item2(name string) string {
	return "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: " + name + "\n"
}

// list2 is a list of two Nodes with more lines in each.
func list2(first, second string) string {
	return "apiVersion: v1\nitems:\n" + item2("x") + first + item2("z") + second + "kind: List\n"
}

// sameAsWhole compares the outcome of Read with that of readWhole: the nodes
// and the faults. What is no YAML needs only to be none for both.
func sameAsWhole(in string) string {
	want, wantErr := readWhole(in)
	got, err := Read(strings.NewReader(in), "n")
	if wantErr != nil && err != nil && strings.Contains(wantErr.Error()+err.Error(), "not YAML") {
		return ""
	}
	return cmp.Diff(want, got) + cmp.Diff(texts(wantErr), texts(err))
}

func texts(err error) []string {
	var list problem.List
	list.Merge(err)
	var out []string
	for _, p := range list.Sorted() {
		out = append(out, fmt.Sprint(p.Place, p.Message, p.Hint))
	}
	return out
}

func TestReadYAMLListIsReadAsWhole(t *testing.T) {
	for name, in := range lists {
		t.Run(name, func(t *testing.T) {
			if diff := sameAsWhole(in); diff != "" {
				t.Errorf("%s\n(-whole +items):\n%s", in, diff)
			}
		})
	}
}

// TestReadPlainListsItemByItem holds that the lists that kubectl prints are
// not read as a whole after all.
func TestReadPlainListsItemByItem(t *testing.T) {
	for _, name := range []string{"plain", "comments", "indented", "kind first", "items first", "block scalars", "quotes over lines", "flow over lines", "anchor inside", "no end", "CRLF"} {
		t.Run(name, func(t *testing.T) {
			d := newDecoder(strings.NewReader(lists[name]), "n")
			y := newYAMLDocument(d, false)
			for line := range strings.Lines(lists[name]) {
				n := d.src.line
				d.src.line++
				y.lost = y.part != inHead // so that there is nothing to go back to
				if err := y.add([]byte(line), n); err != nil {
					t.Fatal(err)
				}
			}
			if err := y.end(); err != nil || d.err() != nil {
				t.Fatal(err, d.err())
			}
			if len(d.nodes) == 0 {
				t.Error("no nodes")
			}
		})
	}
}

// TestReadRandomLists puts lines together that mean something to YAML where
// lists are split, in ways that nobody would think of.
func TestReadRandomLists(t *testing.T) {
	lines := []string{
		"items:", "items: # a", "kind: List", "apiVersion: v1", "metadata:", "a: b", "&a b: c", "c: *a", "- a", "-", "- - b",
		"- apiVersion: v1", "  kind: Node", "  metadata: {name: x}", "  metadata:", "    name: z", "  - a", "  a:", "    - b", " - c",
		"  b: |", "  b: >+", "    text", "  # text", "# text", "", "  ", "  c: \"d", "  e\"", "\"", "  f: [g,", "  ]", "]", "  - apiVersion: v1",
		"    kind: Node", "    metadata: {name: w}", "- &a", "- *a", "  <<: *a", "  ? a", "  : b", "? a", ": b", "- ? c", "- |", "plain", "  plain",
		"- {apiVersion: v1, kind: Node, metadata: {name: v}}", "- !!map", "items: []", "  - {apiVersion: v1, kind: Node, metadata: {name: u}}",
	}
	random := rand.New(rand.NewPCG(1, 2))
	good := 0
	for range 10_000 {
		var in []string
		if random.IntN(2) == 0 {
			in = append(in, "apiVersion: v1", "kind: List", "items:")
		}
		for range 1 + random.IntN(9) {
			in = append(in, lines[random.IntN(len(lines))])
		}
		text := strings.Join(in, "\n") + "\n"
		if diff := sameAsWhole(text); diff != "" {
			t.Fatalf("%s\n(-whole +items):\n%s", text, diff)
		}
		if _, err := readWhole(text); err == nil {
			good++
		}
	}
	if good < 50 {
		t.Errorf("only %d lists of all had no fault", good)
	}
}

// FuzzWhole looks for lists that come out differently item by item.
func FuzzWhole(f *testing.F) {
	for _, in := range lists {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		// What is not YAML in the first place, or has other lines for the
		// parser than for a person, is not for this comparison.
		if strings.ContainsAny(in, "{\u2028\u2029\u0085\r\ufeff\x00%") || strings.Contains(in, "...") || len(in) > 1<<12 {
			return
		}
		want, wantErr := readWhole(in)
		if wantErr != nil && strings.ContainsFunc(in, func(r rune) bool { return r < ' ' && r != '\n' || r > '~' }) {
			return // the parser is stricter about what stands between documents
		}
		got, err := Read(strings.NewReader(in), "n")
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("as a whole %v, item by item %v", wantErr, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-whole +items):\n%s", diff)
		}
	})
}
