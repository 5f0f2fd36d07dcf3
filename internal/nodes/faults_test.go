package nodes

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// told returns the faults as "line message", in order.
func told(t *testing.T, err error) []string {
	t.Helper()
	var list problem.List
	if !errors.As(err, &list) {
		var one problem.Problem
		if !errors.As(err, &one) {
			t.Fatalf("got %v, want problems", err)
		}
		list = problem.List{one}
	}
	var out []string
	for _, p := range list.Sorted() {
		if p.Place.File != "n" {
			t.Errorf("%v: names file %q", p, p.Place.File)
		}
		out = append(out, fmt.Sprintf("%d %s", p.Place.Line, p.Message))
	}
	return out
}

func TestReadFaults(t *testing.T) {
	head := "apiVersion: v1\nkind: Node\nmetadata:\n"
	item := "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: "
	list := "apiVersion: v1\nitems:\n" + item + "x\n"
	tests := map[string]struct {
		reason string
		in     string
		want   []string
	}{
		"label types yaml": {"the key is named, and YAML 1.1 is what Kubernetes reads", head + "  name: x\n  labels:\n    a/b: true\n    c: 0012\n    d: yes\n    e: 1.10\n    f: [g]\n    h: !!binary aGk=\n", []string{
			`6 metadata.labels["a/b"] must be a text, not a boolean`,
			`7 metadata.labels.c must be a text, not a number`,
			`8 metadata.labels.d must be a text, not a boolean`,
			`9 metadata.labels.e must be a text, not a number`,
			`10 metadata.labels.f must be a text, not a list`,
			`11 metadata.labels.h must be a text, not a value of no known type`,
		}},
		"label types json": {"the same in JSON", "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"x\",\"labels\":{\n\"a/b\":true,\n\"c\":12,\n\"f\":[[]],\"g\":{\"h\":1}}}}", []string{
			`2 metadata.labels["a/b"] must be a text, not a boolean`,
			`3 metadata.labels.c must be a text, not a number`,
			`4 metadata.labels.f must be a text, not a list`,
			`4 metadata.labels.g must be a text, not a mapping`,
		}},
		"types": {"each field that is read", `{"apiVersion":"v1","kind":"Node","metadata":{"name":1,"uid":2,"labels":[],"annotations":"","remainingItemCount":"1"},"spec":{"taints":[{"key":1,"value":true,"effect":[]},2]},"status":{"nodeInfo":{"osImage":1,"kernelVersion":1,"architecture":1}}}`, []string{
			"1 metadata.annotations must be a mapping, not a text",
			"1 metadata.labels must be a mapping, not a list",
			"1 metadata.name must be a text, not a number",
			"1 metadata.remainingItemCount must be a number, not a text",
			"1 metadata.uid must be a text, not a number",
			"1 spec.taints[] must be a mapping, not a number",
			"1 spec.taints[].effect must be a text, not a list",
			"1 spec.taints[].key must be a text, not a number",
			"1 spec.taints[].value must be a text, not a boolean",
			"1 status.nodeInfo.architecture must be a text, not a number",
			"1 status.nodeInfo.kernelVersion must be a text, not a number",
			"1 status.nodeInfo.osImage must be a text, not a number",
		}},
		"number name": {"kubectl quotes it", head + "  name: 123\n", []string{"4 metadata.name must be a text, not a number"}},
		"keys":        {"a label key is a text too", head + "  name: x\n  labels:\n    1: a\n    true: b\n    [c]: d\n    ~: e\n", []string{`6 the key "1" must be a text, not a number`, `7 the key "true" must be a text, not a boolean`, "8 a key must be a text, not a list", `9 the key "~" must be a text, not null`}},
		"odd merge":   {"a merge key takes mappings", head + "  name: x\n  <<: z\n  labels: {<<: [a]}\n", []string{"5 a merge key (<<) needs a mapping, not a text", "6 a merge key (<<) needs a mapping, not a text"}},

		"duplicate keys yaml":  {"which of both is meant is anybody's guess", head + "  name: x\n  labels: {a: b,\n    a: c}\nkind: Node\n", []string{`6 duplicate key "a", first on line 5`, `7 duplicate key "kind", first on line 2`}},
		"duplicate keys json":  {"the same in JSON", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"x"},` + "\n" + `"metadata":{"name":"y"}}`, []string{`2 duplicate key "metadata", first on line 1`}},
		"duplicate keys frame": {"the same around the items of a list", list + "kind: List\nitems: []\n", []string{`8 duplicate key "items", first on line 2`}},

		"twice":            {"in one list", "apiVersion: v1\nkind: List\nitems:\n" + item + "x\n" + item + "w\n" + item + "x\n", []string{"12 Node x is there twice, first at n:4"}},
		"twice documents":  {"in two documents", j1 + "\n---\n" + j1, []string{"3 Node j1 is there twice, first at n:1"}},
		"no name":          {"a Node has a name", "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{\"apiVersion\":\"v1\",\"kind\":\"Node\"},\n{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"\"}}]}", []string{"2 the Node has no metadata.name", "3 the Node has no metadata.name"}},
		"bad names":        {"a name is a DNS subdomain, in ASCII", head + "  name: a_b\n---\n" + head + "  name: \"\\u212a8s\"\n---\n" + head + "  name: " + strings.Repeat("a", 254) + "\n---\n" + head + "  name: \"a\\nb\"\n", []string{`1 metadata.name "a_b": ` + ErrName.Error(), "6 metadata.name \"\u212a8s\": " + ErrName.Error(), `11 metadata.name "` + strings.Repeat("a", 80) + `"…: ` + ErrName.Error(), `16 metadata.name "a\nb": ` + ErrName.Error()}},
		"other kinds":      {"what is no node is told, and its other faults are not", "apiVersion: v1\nkind: Pod\nmetadata: {name: 1, labels: 2}\n---\n{\"kind\":\"Node\",\"metadata\":{}}\n---\na: b\n---\napiVersion: v2\nkind: Node\n", []string{`1 an object of apiVersion "v1" and kind "Pod" is neither a Node nor a list of Nodes`, `5 a "Node" without apiVersion is neither a Node nor a list of Nodes`, "7 an object without kind is neither a Node nor a list of Nodes", `9 an object of apiVersion "v2" and kind "Node" is neither a Node nor a list of Nodes`}},
		"other items":      {"among nodes", "apiVersion: v1\nkind: List\nitems:\n" + item + "x\n- kind: Pod\n  apiVersion: v1\n- text\n-\n- []\n", []string{`8 an object of apiVersion "v1" and kind "Pod" is no Node`, "10 not a Kubernetes object, but a text", "11 not a Kubernetes object, but null", "12 not a Kubernetes object, but a list"}},
		"other list":       {"a raw list of something else", `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"x"}},{}]}`, []string{`1 an object of apiVersion "v1" and kind "PodList" is neither a Node nor a list of Nodes`}},
		"other kind type":  {"a kind that is none", "apiVersion: v1\nkind: 1\n", []string{"2 kind must be a text, not a number"}},
		"bare items":       {"a List is of anything, so its items say what they are", "apiVersion: v1\nkind: List\nitems:\n- metadata:\n    name: x\n", []string{"4 an item of a List has neither apiVersion nor kind"}},
		"list in list":     {"a list is no item", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[` + j1 + `]}]}`, []string{`1 an object of apiVersion "v1" and kind "List" is no Node`}},
		"node with items":  {"neither one nor the other", "apiVersion: v1\nkind: Node\nmetadata: {name: x}\nitems:\n" + item + "w\n", []string{"4 a Node has no items"}},
		"items null":       {"nothing below items is what a cut leaves", "apiVersion: v1\nkind: List\nitems:\n", []string{"1 the List has no items"}},
		"items missing":    {"the same", `{"apiVersion":"v1","kind":"NodeList"}`, []string{"1 the NodeList has no items"}},
		"items text":       {"items are a list", "apiVersion: v1\nkind: List\nitems: x\n", []string{"3 items must be a list, not a text"}},
		"continued":        {"a page is not the whole", `{"apiVersion":"v1","kind":"List","items":[],"metadata":{"continue":"abc"}}`, []string{"1 the List is only the beginning of a longer one: its metadata says that items are left"}},
		"remaining":        {"a page is not the whole, in YAML", list + "kind: NodeList\nmetadata:\n  remainingItemCount: 7\n", []string{"1 the NodeList is only the beginning of a longer one: its metadata says that items are left"}},
		"scalar":           {"no object at all", "hello\n---\n- a\n---\n12\n", []string{"1 not a Kubernetes object, but a text", "3 not a Kubernetes object, but a list", "5 not a Kubernetes object, but a number"}},
		"text after json":  {"no document is dropped", j1 + "]", []string{`1 not JSON: "]" where the next document should stand`}},
		"yaml after json":  {"no document is dropped, on the next line", j1 + "\na: b\n", []string{"2 an object without kind is neither a Node nor a list of Nodes"}},
		"text after end":   {"nor one after an end marker", "...  a: b\n", []string{"1 text after the end of a document (...)"}},
		"faults of both":   {"YAML that cannot be parsed does not hide the others", "a: [\n---\n" + head + "  name: _\n", []string{"1 not YAML: did not find expected node content", `3 metadata.name "_": ` + ErrName.Error()}},
		"UTF-8 yaml":       {"bytes that are no text", head + "  name: x\n  labels: {a: \"\xff\"}\n", []string{"5 the text is not valid UTF-8"}},
		"UTF-8 json":       {"also where nobody reads them", "{\"a\":\n\"\xed\xa0\x80\"}", []string{"2 the text is not valid UTF-8"}},
		"UTF-8 cut":        {"also at the very end", "# \xc3", []string{"1 the text is not valid UTF-8"}},
		"half a character": {"an escape that stands for no character", "{\"a\":\n\"\\ud83d\\u0041\"}", []string{`2 not JSON: \ud83d is half a character`}},
		"UTF-16":           {"which is what another system calls text", "\xff\xfe{\x00}\x00", []string{"1 the file is UTF-16"}},
		"UTF-16 big":       {"the other way round", "\xfe\xff\x00{", []string{"1 the file is UTF-16"}},
		"UTF-16 bare":      {"without its mark", "{\x00}\x00", []string{"1 the file is UTF-16"}},
		"control":          {"a text with a bare line end", "{\"a\nb\":1}", []string{"1 not JSON: a control character (0x0a) inside a text"}},
		"tab":              {"YAML indented with tabs", "a:\n\tb: c\n", []string{"2 not YAML: found character that cannot start any token"}},
		"self":             {"an alias of itself", "apiVersion: v1\nkind: Node\nmetadata: &m\n  labels: *m\n", []string{`4 the alias *"m" stands for a value that holds it`}},
		"no anchor":        {"an alias of nothing", list + "kind: List\na: *b\n", []string{"1 not YAML: unknown anchor 'b' referenced"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tc.in), "n")
			if err == nil || got != nil {
				t.Fatalf("%s: got %v, %v", tc.reason, got, err)
			}
			if diff := cmp.Diff(tc.want, told(t, err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
