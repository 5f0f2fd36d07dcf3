package patch

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// record is one test of the conformance suite.
type record struct {
	Comment  string          `json:"comment"`
	Doc      json.RawMessage `json:"doc"`
	Patch    json.RawMessage `json:"patch"`
	Expected json.RawMessage `json:"expected"`
	Error    string          `json:"error"`
	Disabled bool            `json:"disabled"`
}

// plain decodes JSON the way the program decodes every document.
func plain(t *testing.T, data []byte) any {
	t.Helper()
	docs, err := manifest.ReadDocuments("test", data)
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if len(docs) == 0 {
		return nil
	}
	v, err := manifest.Value("test", docs[0].Node, nil)
	if err != nil {
		return err
	}
	return v
}

func TestConformanceRFC6902(t *testing.T) {
	ran := 0
	for _, file := range []string{"tests.json", "spec_tests.json"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		var records []record
		if err := json.Unmarshal(data, &records); err != nil {
			t.Fatal(err)
		}
		for i, r := range records {
			if r.Disabled || r.Patch == nil {
				continue
			}
			ran++
			t.Run(fmt.Sprintf("%s/%d", file, i), func(t *testing.T) {
				got, err := conform(t, r)
				switch {
				case r.Error != "" && err == nil:
					t.Errorf("%s: want an error (%s), got %v", r.Comment, r.Error, got)
				case r.Error == "" && err != nil:
					t.Errorf("%s: %v", r.Comment, err)
				case r.Error == "" && r.Expected != nil && !manifest.Equal(plain(t, r.Expected), got):
					t.Errorf("%s: %s", r.Comment, cmp.Diff(plain(t, r.Expected), got))
				}
			})
		}
	}
	if ran < 105 {
		t.Errorf("only %d records ran", ran)
	}
}

func conform(t *testing.T, r record) (any, error) {
	patch := plain(t, r.Patch)
	list, ok := patch.([]any)
	if !ok {
		return nil, fmt.Errorf("no list of operations: %v", patch)
	}
	ops, err := parseOperations(list)
	if err != nil {
		return nil, err
	}
	got, perNode, err := applyOperations(plain(t, r.Doc), ops)
	if perNode {
		t.Error("depends on a node")
	}
	return got, err
}

// The table of RFC 7386, appendix A.
func TestConformanceRFC7386(t *testing.T) {
	for _, c := range []struct{ target, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		if got := mergePatch(plain(t, []byte(c.target)), plain(t, []byte(c.patch))); !manifest.Equal(plain(t, []byte(c.want)), got) {
			t.Errorf("%s + %s: want %s, got %v", c.target, c.patch, c.want, got)
		}
	}
}

func TestOutcomeThatDependsOnTheNode(t *testing.T) {
	name := manifest.Placeholder(0)
	for _, c := range []struct {
		reason, ops string
		want        bool
	}{
		{"a test of the node's name may hold on one node only", `[{"op":"test","path":"/name","value":"a"}]`, true},
		{"a test of what has the name in it", `[{"op":"test","path":"/outer","value":{"name":"a"}}]`, true},
		{"a test of anything else", `[{"op":"test","path":"/other","value":"a"}]`, false},
		{"a copy of the name could become a key of a list", `[{"op":"copy","from":"/name","path":"/x"}]`, true},
		{"so could a moved one", `[{"op":"move","from":"/outer","path":"/x"}]`, true},
		{"an overwritten name is gone", `[{"op":"replace","path":"/name","value":"a"}]`, false},
	} {
		doc := map[string]any{"name": name, "outer": map[string]any{"name": name}, "other": "a"}
		ops, err := parseOperations(plain(t, []byte(c.ops)).([]any))
		if err != nil {
			t.Fatal(err)
		}
		if _, got, _ := applyOperations(doc, ops); got != c.want {
			t.Errorf("%s: want %t, got %t", c.reason, c.want, got)
		}
	}
}

func TestOperationErrorsSayWhatAndWhere(t *testing.T) {
	for _, c := range []struct{ reason, ops, want string }{
		{"a typo in a path must not add a field", `[{"op":"replace","path":"/spec/replicaz","value":1}]`, "operation 0 (replace /spec/replicaz): there is no /spec/replicaz"},
		{"a missing parent", `[{"op":"add","path":"/meta/a/b","value":1}]`, "there is no /meta"},
		{"an index beyond the end", `[{"op":"add","path":"/list/5","value":1}]`, "index 5 is beyond the end of a list of 2"},
		{"a leading zero", `[{"op":"remove","path":"/list/01"}]`, `"01" is no index`},
		{"a negative index", `[{"op":"remove","path":"/list/-1"}]`, `"-1" is no index`},
		{"a copy from nowhere must not write null", `[{"op":"copy","from":"/nowhere","path":"/a"}]`, "there is no /nowhere"},
		{"a failed test", `[{"op":"test","path":"/list/0","value":[null]}]`, "the value there is the number 1, not a list"},
		{"through a scalar", `[{"op":"add","path":"/list/0/x","value":1}]`, "/list/0 is the number 1, which has no members"},
	} {
		doc := plain(t, []byte(`{"spec":{},"list":[1,2]}`))
		ops, err := parseOperations(plain(t, []byte(c.ops)).([]any))
		if err == nil {
			_, _, err = applyOperations(doc, ops)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", c.reason, c.want, err)
		}
	}
}
