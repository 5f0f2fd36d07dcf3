package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Object is a Kubernetes object as JSON says it; numbers keep their digits.
type Object map[string]any

// ID names an object as the API server tells them apart.
func (o Object) ID() string {
	return fmt.Sprintf("%v %v %v/%v", o["apiVersion"], o["kind"], o.meta("namespace"), o.meta("name"))
}

func (o Object) meta(field string) any {
	metadata, _ := o["metadata"].(map[string]any)
	if value := metadata[field]; value != nil {
		return value
	}
	return ""
}

// FromJSON reads JSON objects that follow one another.
func FromJSON(t testing.TB, text []byte) []Object {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var objects []Object
	for {
		var object Object
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatalf("object %d: %v\n%s", len(objects), err, tail(text))
		}
		objects = append(objects, object)
	}
}

// FromYAML reads the documents of a YAML stream.
func FromYAML(t testing.TB, text []byte) []Object {
	t.Helper()
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var stream bytes.Buffer
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return FromJSON(t, stream.Bytes())
		}
		if err != nil {
			t.Fatal(err)
		}
		object, err := yaml.YAMLToJSON(document)
		if err != nil {
			t.Fatal(err)
		}
		if string(object) != "null" {
			stream.Write(object)
		}
	}
}

// Compare reports where two sets of objects differ: the objects that only one
// has, or else the fields. The order does not matter.
func Compare(t testing.TB, want, got []Object) {
	t.Helper()
	wanted, was := index(t, "wanted", want), index(t, "got", got)
	var missing, surplus, different []string
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		other, found := was[id]
		if !found {
			missing = append(missing, id)
			continue
		}
		if diff := cmp.Diff(wanted[id], other); diff != "" {
			different = append(different, id+" (-want +got):\n"+diff)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(was)) {
		if _, found := wanted[id]; !found {
			surplus = append(surplus, id)
		}
	}
	report(t, "missing", missing)
	report(t, "not wanted", surplus)
	report(t, "different", different)
}

func index(t testing.TB, what string, objects []Object) map[string]Object {
	t.Helper()
	found := make(map[string]Object, len(objects))
	for _, object := range objects {
		if _, twice := found[object.ID()]; twice {
			t.Errorf("%s twice: %s", what, object.ID())
		}
		found[object.ID()] = object
	}
	return found
}

// report shows the first few, so that one fault in every object stays readable.
func report(t testing.TB, what string, entries []string) {
	t.Helper()
	const most = 5
	if len(entries) == 0 {
		return
	}
	shown := entries[:min(len(entries), most)]
	t.Errorf("%d objects %s:\n%s", len(entries), what, strings.Join(shown, "\n"))
}
