package main

import (
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// config is what a GeneratorConfig says.
type config struct {
	path     string            // of a folder, clean; empty if it is not said
	settings map[string]string // by name
}

// configType is the Go type of a GeneratorConfig. Its spec has a field for each
// setting of the table, so that a new one is there without a word here.
var configType = sync.OnceValue(func() reflect.Type {
	fields := []reflect.StructField{
		{Name: "Path", Type: reflect.TypeFor[string](), Tag: `json:"path"`},
		{Name: "Items", Type: reflect.TypeFor[[]manifest.Raw](), Tag: `json:"items"`},
	}
	for i, p := range plugin.Parameters {
		typ := reflect.TypeFor[*string]()
		if p.Bool {
			typ = reflect.TypeFor[*bool]()
		}
		fields = append(fields, reflect.StructField{Name: settingField(i), Type: typ, Tag: reflect.StructTag(fmt.Sprintf("json:%q", p.Name))})
	}
	return reflect.StructOf([]reflect.StructField{
		{Name: "APIVersion", Type: reflect.TypeFor[string](), Tag: `json:"apiVersion"`},
		{Name: "Kind", Type: reflect.TypeFor[string](), Tag: `json:"kind"`},
		{Name: "Metadata", Type: reflect.TypeFor[api.Metadata](), Tag: `json:"metadata"`},
		{Name: "Spec", Type: reflect.StructOf(fields), Tag: `json:"spec"`},
	})
})

func settingField(i int) string { return "Setting" + strconv.Itoa(i) }

// readConfig decodes the functionConfig, a GeneratorConfig, strictly.
func (in *input) readConfig() error {
	value := reflect.New(configType())
	if err := manifest.Decode(in.config.Place.File, in.config.Node, value.Interface()); err != nil {
		return hinted(asList(err))
	}
	spec := value.Elem().FieldByName("Spec")
	var faults problem.List
	if p := spec.FieldByName("Path").String(); p != "" {
		in.spec.path = path.Clean(p)
		if !fs.ValidPath(in.spec.path) {
			faults.Add(in.config.fault("name a folder below that of the kustomization", fmt.Sprintf("spec.path: %s is outside the function's folder", p), "spec", "path"))
		}
	}
	in.spec.settings = map[string]string{}
	for i, p := range plugin.Parameters {
		f := spec.FieldByName(settingField(i))
		if f.IsNil() {
			continue
		}
		v := fmt.Sprint(f.Elem().Interface())
		if v != "" && p.Values != nil && !slices.Contains(p.Values, v) {
			faults.Add(in.config.fault("use "+strings.Join(p.Values, " or "), fmt.Sprintf("spec.%s is %q", p.Name, v), "spec", p.Name))
		}
		in.spec.settings[p.Name] = v
	}
	faults.Merge(in.inline(spec.FieldByName("Items").Interface().([]manifest.Raw)))
	return faults.Err()
}

// hinted adds what fields there are to a problem of one that there is not.
func hinted(list problem.List) problem.List {
	names := []string{"path", "items"}
	for _, p := range plugin.Parameters {
		names = append(names, p.Name)
	}
	for i, p := range list {
		if p.Hint == "" && strings.HasPrefix(p.Message, "unknown field") && strings.HasSuffix(p.Message, "in spec") {
			list[i].Hint = "the fields are " + strings.Join(names, ", ")
		}
	}
	return list
}

// inline takes the objects of spec.items.
func (in *input) inline(items []manifest.Raw) error {
	var faults problem.List
	for i, raw := range items {
		if raw.Node == nil {
			faults.Add(in.config.fault("", fmt.Sprintf("spec.items[%d] is empty", i), "spec", "items", i))
			continue
		}
		o := in.object(fromInline, fmt.Sprintf("functionConfig spec.items[%d]", i), raw.Node)
		switch {
		case o.ours() && !o.isConfig():
			in.said = append(in.said, o)
		case o.isNode():
			in.nodes = append(in.nodes, o)
		default:
			faults.Add(in.config.fault(
				"only Nodes and objects of "+api.PiraeusVersion+" and "+api.OwnVersion+" belong here; list others under resources in the kustomization",
				fmt.Sprintf("spec.items[%d] is %s", i, called(true, o.apiVersion, o.kind)), "spec", "items", i))
		}
	}
	return faults.Err()
}
