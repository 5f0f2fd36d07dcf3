package fields

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// specs are the types of what stands below spec.
var specs = map[string]reflect.Type{
	api.KindCluster:                reflect.TypeFor[api.LinstorClusterSpec](),
	api.KindSatelliteConfiguration: reflect.TypeFor[api.SatelliteConfigurationSpec](),
	api.KindNodeConfiguration:      reflect.TypeFor[api.NodeConfigurationSpec](),
	api.KindImageConfiguration:     reflect.TypeFor[api.ImageConfigurationSpec](),
	api.KindNodeConnection:         reflect.TypeFor[api.NodeConnectionSpec](),
}

// walk calls f with the path of each field below a type of ours, and whether it
// has fields of ours below it. Types of Kubernetes are leaves: their own
// reference says what they are.
func walk(typ reflect.Type, path string, f func(path string, leaf bool)) {
	for name, field := range manifest.Fields(typ) {
		at, under := path+name, field.Type
		for under.Kind() == reflect.Pointer || under.Kind() == reflect.Slice || under.Kind() == reflect.Map {
			switch under.Kind() {
			case reflect.Slice:
				at += "[]"
			case reflect.Map:
				at += ".*"
			}
			under = under.Elem()
		}
		if under.Kind() != reflect.Struct || under.PkgPath() != reflect.TypeFor[api.Patch]().PkgPath() {
			f(path+name, true)
			continue
		}
		f(path+name, false)
		walk(under, at+".", f)
	}
}

// TestEveryFieldHasARow asks for a row for each field that is no mapping of
// further ones, and that no row is of a field that there is not.
func TestEveryFieldHasARow(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range Table() {
		for _, kind := range r.Kinds {
			key := kind + " " + r.Path
			if rows[key] {
				t.Errorf("two rows for %s", key)
			}
			rows[key] = true
		}
	}
	fields := map[string]bool{}
	for kind, typ := range specs {
		walk(typ, "", func(path string, leaf bool) {
			fields[kind+" "+path] = true
			if leaf && !rows[kind+" "+path] {
				t.Errorf("no row for %s of %s", path, kind)
			}
		})
	}
	if len(fields) < 200 {
		t.Errorf("only %d fields found: the walk is broken", len(fields))
	}
	for _, key := range manifest.SortedKeys(rows) {
		if !fields[key] {
			t.Errorf("there is no field for the row %s", key)
		}
	}
}

// A sentence begins and ends as one, and breaks no table.
func TestSentences(t *testing.T) {
	for _, r := range Table() {
		first := strings.TrimLeft(r.Does, "`")
		if first == "" || !strings.HasSuffix(r.Does, ".") || strings.ContainsAny(r.Does, "|\n") || strings.Count(r.Does, "`")%2 != 0 {
			t.Errorf("%s %s: %q is no sentence for a table", r.Kinds, r.Path, r.Does)
		}
		if !slices.ContainsFunc(r.Kinds, func(k string) bool { return specs[k] != nil }) {
			t.Errorf("%s: there is no kind %v", r.Path, r.Kinds)
		}
	}
}
