package nodes

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

const yamlNode = `apiVersion: v1
kind: Node
metadata:
  annotations:
    note: |
      two
      lines
  labels:
    storage: "true"
    zone: b
  name: b
  uid: 00-b
spec:
  taints:
  - effect: NoSchedule
    key: example.com/only
    timeAdded: "2024-01-01T00:00:00Z"
    value: storage
status:
  nodeInfo:
    architecture: amd64
    kernelVersion: 6.1.0-18-amd64
    osImage: Debian GNU/Linux 12 (bookworm)
  images:
  - names: [a, b]
    sizeBytes: 12
`

const jsonNode = `{
  "apiVersion": "v1",
  "kind": "Node",
  "metadata": {
    "name": "a",
    "labels": {"zone": "\u00e4\ud83d\ude00\n\"\\\/\b\f\r\t"},
    "annotations": {},
    "managedFields": [{"x": [1, -2.5e+7, true, false, null, {"": {}}]}]
  },
  "spec": {"taints": null},
  "status": {"nodeInfo": {"osImage": "Talos (v1.8.0)", "architecture": "arm64"}}
}
`

var nodeB = Node{
	Name: "b", UID: "00-b",
	Labels:        map[string]string{"storage": "true", "zone": "b"},
	Annotations:   map[string]string{"note": "two\nlines\n"},
	Taints:        []corev1.Taint{{Key: "example.com/only", Value: "storage", Effect: "NoSchedule"}},
	OSImage:       "Debian GNU/Linux 12 (bookworm)",
	KernelVersion: "6.1.0-18-amd64",
	Architecture:  "amd64",
}

var nodeA = Node{
	Name:         "a",
	Labels:       map[string]string{"zone": "ä😀\n\"\\/\b\f\r\t"},
	OSImage:      "Talos (v1.8.0)",
	Architecture: "arm64",
}

// bare returns a Node without anything but its name.
func bare(names ...string) []Node {
	var list []Node
	for _, n := range names {
		list = append(list, Node{Name: n})
	}
	return list
}

const j1 = `{"apiVersion":"v1","kind":"Node","metadata":{"name":"j1"}}`

func TestRead(t *testing.T) {
	y := func(name string) string { return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\n" }
	tests := map[string]struct {
		reason string
		in     string
		want   []Node
	}{
		"yaml":             {"a Node as kubectl prints it", yamlNode, []Node{nodeB}},
		"json":             {"escapes are resolved, null is nothing, an empty mapping too", jsonNode, []Node{nodeA}},
		"several":          {"documents of both kinds, sorted by name", "---\n" + yamlNode + "---\n" + jsonNode + "---\n" + y("c"), []Node{nodeA, nodeB, {Name: "c"}}},
		"concatenated":     {"JSON objects need nothing between them", j1 + `{"kind":"Node","apiVersion":"v1","metadata":{"name":"j2"}}` + "\n\n \t" + strings.ReplaceAll(j1, "j1", "j3"), bare("j1", "j2", "j3")},
		"json list":        {"the kind may follow the items", `{"apiVersion":"v1","items":[` + j1 + `],"kind":"List","metadata":{"resourceVersion":""}}`, bare("j1")},
		"raw list":         {"the API does not repeat the kind in the items of a NodeList", `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"x"}}]}`, bare("x")},
		"yaml list":        {"kubectl's own layout", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: x\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: w\nkind: List\nmetadata:\n  resourceVersion: \"\"\n", bare("w", "x")},
		"indented list":    {"the layout of other printers", "kind: NodeList\napiVersion: v1\nitems:\n  # first\n  - metadata:\n      name: x\n\n  -\n    metadata:\n      name: w\n", bare("w", "x")},
		"flow list":        {"YAML that is no JSON and begins with a brace", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node, metadata: {name: x}}]}\n", bare("x")},
		"flow on marker":   {"text behind a marker belongs to the document", "--- {apiVersion: v1, kind: Node, metadata: {name: x}}\n--- " + j1 + "\n--- # nothing\n", bare("j1", "x")},
		"tagged on marker": {"a tag behind a marker too", "--- !!map\n" + y("x"), bare("x")},
		"directive":        {"directives come before a marker", "%YAML 1.1\n# text\n---\n" + y("x") + "...\n%YAML 1.1\n---\n" + y("z"), bare("x", "z")},
		"anchors":          {"aliases and merge keys are YAML", "apiVersion: v1\nitems:\n- &n\n  apiVersion: v1\n  kind: Node\n  metadata: {name: x, labels: &l {a: b, c: d}}\n- <<: *n\n  metadata: {name: z, labels: {<<: [*l, {e: f}], c: z}}\nkind: List\n", []Node{{Name: "x", Labels: map[string]string{"a": "b", "c": "d"}}, {Name: "z", Labels: map[string]string{"a": "b", "c": "z", "e": "f"}}}},
		"byte order mark":  {"at the start, and where a file was appended", "\ufeff" + y("x") + "---\n\ufeff" + y("z") + "---\n\ufeff" + j1, bare("j1", "x", "z")},
		"CRLF":             {"line ends of another system", strings.ReplaceAll("---\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: x\nkind: List\n...\n"+jsonNode, "\n", "\r\n"), []Node{nodeA, {Name: "x"}}},
		"no last line end": {"the last line may lack its end", "kind: Node\napiVersion: v1\nmetadata: {name: x}", bare("x")},
		"empty documents":  {"markers without documents, and comments", "# a\n---\n--- # b\n...\n  # c\n---\nnull\n--- ~\n---\n" + j1 + "   # d\n---\n---", bare("j1")},
		"empty":            {"nothing is no node", "", nil},
		"blank":            {"blanks are nothing", " \n\t\n\n", nil},
		"no items":         {"a list of nothing, in both formats", `{"apiVersion":"v1","kind":"List","items":[]}` + "\n---\napiVersion: v1\nkind: NodeList\nitems: []\n", nil},
		"whole list":       {"a list that says that nothing is left", `{"apiVersion":"v1","kind":"NodeList","metadata":{"continue":"","remainingItemCount":0},"items":[]}`, nil},
		"quoted scalars":   {"quotes make a text of anything; a timestamp is one", "apiVersion: v1\nkind: Node\nmetadata:\n  name: \"123\"\n  labels: {a: 'true', b: \"0012\", c: 2024-01-01, d: !!str 1, \"12\": e, f: }\n", []Node{{Name: "123", Labels: map[string]string{"a": "true", "b": "0012", "c": "2024-01-01", "d": "1", "12": "e", "f": ""}}}},
		"upper case":       {"a name is kept as it is", y("Node-A.example"), bare("Node-A.example")},
		"odd labels":       {"labels are kept as they are", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"x","labels":{"a\u0000":"\u001b"}}}`, []Node{{Name: "x", Labels: map[string]string{"a\x00": "\x1b"}}}},
		"other members":    {"fields that are not read may be anything", `{"apiVersion":"v1","kind":"Node","Metadata":1,"metadata":{"name":"x","Name":7,"ownerReferences":[{}]},"spec":{"podCIDR":1},"status":null}`, bare("x")},
		"wide blanks":      {"white space of more than one window", j1 + strings.Repeat(" ", 3*window) + "\n" + strings.Repeat(" ", 3*window) + "\n{" + strings.Repeat("\n", 3*window) + strings.ReplaceAll(j1[1:], "j1", "j2"), bare("j1", "j2")},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{
				strings.NewReader(tc.in),
				iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(tc.in))),
			} {
				got, err := Read(r, "n")
				if err != nil {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			}
		})
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.yaml")
	if err := os.WriteFile(path, []byte(yamlNode), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path)
	if diff := cmp.Diff([]Node{nodeB}, got); err != nil || diff != "" {
		t.Errorf("got %v (-want +got):\n%s", err, diff)
	}
	if _, err := ReadFile(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: got %v", err)
	}
	if got, err := ReadFile(filepath.Dir(path)); err == nil || got != nil {
		t.Errorf("a directory: got %v, %v", got, err)
	}
}

func TestReadPassesOnWhatTheReaderSays(t *testing.T) {
	for name, in := range map[string]string{"between": "---\n", "yaml": "a: b\nc: d\n", "json": `{"a":`, "start": "", "character": "a: \xc3"} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(io.MultiReader(strings.NewReader(in), iotest.ErrReader(io.ErrClosedPipe)), "n")
			if !errors.Is(err, io.ErrClosedPipe) || got != nil {
				t.Errorf("got %v, %v", got, err)
			}
			if errors.As(err, new(problem.List)) {
				t.Errorf("a disk at fault is no fault of the content: %v", err)
			}
		})
	}
}
