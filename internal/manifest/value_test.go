package manifest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
)

func parse(t *testing.T, text string) Document {
	t.Helper()
	docs, err := ReadDocuments("f.yaml", []byte(text))
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	return docs[0]
}

// Scalars are what Kubernetes makes of YAML, and keep every digit.
func TestScalars(t *testing.T) {
	for text, want := range map[string]any{
		"a": "a", `"1"`: "1", "1": int64(1), "0644": int64(420), "0o17": int64(15), "0x1f": int64(31), "1_000": int64(1000), "-3": int64(-3), "+3": int64(3),
		"9223372036854775807": int64(9223372036854775807), "9223372036854775808": json.Number("9223372036854775808"), "123456789012345678901234567890": json.Number("123456789012345678901234567890"),
		"1e3": int64(1000), "1.0": int64(1), "1.5": json.Number("1.5"), "true": true, "yes": true, "on": true, "y": true, "off": false, "N": false, `"yes"`: "yes",
		"~": nil, "null": nil, "2024-01-01": "2024-01-01", "22:30": "22:30", "!!str 5": "5", "": nil,
	} {
		v, err := Value("f.yaml", parse(t, "k: "+text+"\n").Node, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, v.(map[string]any)["k"]); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	for _, text := range []string{".inf", "-.inf", ".nan", "!!binary aGk=", "!custom x"} {
		if _, err := Value("f.yaml", parse(t, "k: "+text+"\n").Node, nil); err == nil {
			t.Errorf("%s is taken for something", text)
		}
	}
}

func TestScalarForATextKeepsItsSpelling(t *testing.T) {
	text := "metadata: {labels: {a: 0644, b: 1.10, c: on, d: 22:30, e: null}}\nspec: {minReadySeconds: 010, template: {spec: {hostNetwork: on}}}\n"
	v, err := Value("f.yaml", parse(t, text).Node, reflect.TypeFor[appsv1.DaemonSet]())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"a": "0644", "b": "1.10", "c": "on", "d": "22:30", "e": nil}},
		"spec":     map[string]any{"minReadySeconds": int64(8), "template": map[string]any{"spec": map[string]any{"hostNetwork": true}}},
	}
	if diff := cmp.Diff(want, v); diff != "" {
		t.Error(diff)
	}
}

func TestMergeKeysAndAnchors(t *testing.T) {
	text := "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\none: {<<: *b, y: 9}\nboth: {<<: [*b, *m]}\n"
	v, err := Value("f.yaml", parse(t, text).Node, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := v.(map[string]any)
	if diff := cmp.Diff(map[string]any{"x": int64(1), "y": int64(9)}, got["one"]); diff != "" {
		t.Errorf("the mapping's own key wins: %s", diff)
	}
	if diff := cmp.Diff(map[string]any{"x": int64(1), "y": int64(2), "z": int64(4)}, got["both"]); diff != "" {
		t.Errorf("the first merged mapping wins: %s", diff)
	}
}

func TestReadDocuments(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		lines        []int
	}{
		{"empty documents and comments are left out", "---\n# nothing\n---\na: 1\n---\n...\n---\nb: 2\n", []int{4, 8}},
		{"CRLF", "a: 1\r\n---\r\nb: 2\r\n", []int{1, 3}},
		{"a byte order mark", "\ufeffa: 1\n", []int{1}},
		{"JSON is YAML", "{\"a\": 1}\n", []int{1}},
		{"a directive", "%YAML 1.1\n---\na: 1\n", []int{3}},
	} {
		docs, err := ReadDocuments("f.yaml", []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		var lines []int
		for _, d := range docs {
			lines = append(lines, d.Place.Line)
		}
		if diff := cmp.Diff(c.lines, lines); diff != "" {
			t.Errorf("%s: %s", c.reason, diff)
		}
	}
	for reason, text := range map[string]string{"UTF-16": "\xff\xfea\x00", "no UTF-8": "a: \xff\xfe\xfd", "tabs": "a:\n\tb: 1\n"} {
		if _, err := ReadDocuments("f.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "f.yaml") {
			t.Errorf("%s: want an error that names the file, got %v", reason, err)
		}
	}
}

func TestCheckSaysEverything(t *testing.T) {
	v, err := Value("f.yaml", parse(t, `
metadata: {name: 5, labels: {a: true}, creationTimestamp: never}
spec:
  minReadySeconds: 3000000000
  replicaz: 1
  updateStrategy: {rollingUpdate: {maxUnavailable: [1]}}
  template: {spec: {containers: [{name: a, resources: {requests: {cpu: lots}}}, null], hostNetwork: "yes", nodeselector: {a: b}}}
`).Node, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range Check(v, reflect.TypeFor[appsv1.DaemonSet]()) {
		got = append(got, f.Path+": "+f.Message[:min(len(f.Message), 40)]+"|"+f.Hint)
	}
	want := []string{
		`metadata.creationTimestamp: the text "never" is no Time: parsing tim|`,
		`metadata.labels.a: want a text, found true|quote it: "true"`,
		`metadata.name: want a text, found the number 5|quote it: "5"`,
		`spec.minReadySeconds: want a 32-bit number, found the number 3|`,
		`spec: unknown field "replicaz"|`,
		`spec.template.spec.containers[0].resources.requests.cpu: the text "lots" is no Quantity: quantiti|`,
		`spec.template.spec.containers[1]: a list may not hold null|`,
		`spec.template.spec.hostNetwork: want true or false, found the text "yes"|`,
		`spec.template.spec: unknown field "nodeselector"|the field is called "nodeSelector"`,
		`spec.updateStrategy.rollingUpdate.maxUnavailable: a list is no IntOrString: json: cannot u|`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
