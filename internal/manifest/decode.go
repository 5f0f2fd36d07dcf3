package manifest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Decode fills the struct that out points to from a YAML node, strictly:
// unknown fields, duplicate keys and values of the wrong type are errors with
// file and line, all of them in one problem.List. Fields of type Text and Raw
// learn their places. A null is an absent field.
func Decode(file string, n *yaml.Node, out any) error {
	d := decoder{converter{file: file, budget: maxNodes}}
	d.into(n, reflect.ValueOf(out).Elem(), "", 0)
	return d.faults.Err()
}

type decoder struct{ converter }

var (
	textType = reflect.TypeFor[Text]()
	rawType  = reflect.TypeFor[Raw]()
	jsonType = reflect.TypeFor[json.RawMessage]()
)

func (d *decoder) into(n *yaml.Node, v reflect.Value, path string, depth int) {
	if !d.enter(n, depth) {
		return
	}
	for n.Kind == yaml.AliasNode {
		if depth++; !d.enter(n, depth) {
			return
		}
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	switch {
	case v.Type() == rawType:
		v.Set(reflect.ValueOf(Raw{Node: n, File: d.file}))
	case v.Type() == textType:
		if d.want(n, yaml.ScalarNode, "a text", path) {
			d.checkText(n)
			v.Set(reflect.ValueOf(textOf(d.file, n)))
		}
	case v.Type() == jsonType: // accepted and not read, as status is
	case v.Kind() == reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		d.into(n, p.Elem(), path, depth+1)
		v.Set(p)
	case v.Kind() == reflect.Struct:
		d.fields(n, v, path, depth)
	case v.Kind() == reflect.Map:
		d.mapping(n, v, path, depth)
	case v.Kind() == reflect.Slice:
		d.list(n, v, path, depth)
	default:
		d.leaf(n, v, path)
	}
}

func (d *decoder) want(n *yaml.Node, kind yaml.Kind, what, path string) bool {
	if n.Kind == kind {
		return true
	}
	d.errorf(n, "%s: want %s, found %s", orRoot(path), what, kindName(n))
	return false
}

func (d *decoder) fields(n *yaml.Node, v reflect.Value, path string, depth int) {
	if !d.want(n, yaml.MappingNode, "a mapping", path) {
		return
	}
	known := Fields(v.Type())
	for _, e := range d.entries(n, depth) {
		f, ok := known[e.key]
		if !ok {
			d.faults.Add(problem.Problem{
				Place:   problem.Place{File: d.file, Line: e.name.Line},
				Message: fmt.Sprintf("unknown field %q in %s", e.key, orRoot(path)),
				Hint:    suggest(e.key, v.Type()),
			})
			continue
		}
		d.into(e.value, v.FieldByIndex(f.index), join(path, e.key), depth+1)
	}
}

func (d *decoder) mapping(n *yaml.Node, v reflect.Value, path string, depth int) {
	if !d.want(n, yaml.MappingNode, "a mapping", path) {
		return
	}
	m := reflect.MakeMap(v.Type())
	for _, e := range d.entries(n, depth) {
		item := reflect.New(v.Type().Elem()).Elem()
		d.into(e.value, item, join(path, e.key), depth+1)
		m.SetMapIndex(reflect.ValueOf(e.key).Convert(v.Type().Key()), item)
	}
	v.Set(m)
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, path string, depth int) {
	if !d.want(n, yaml.SequenceNode, "a list", path) {
		return
	}
	s := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, e := range n.Content {
		d.into(e, s.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1)
	}
	v.Set(s)
}

func (d *decoder) leaf(n *yaml.Node, v reflect.Value, path string) {
	if !d.want(n, yaml.ScalarNode, wantName(v.Type()), path) {
		return
	}
	value := d.scalar(n, nil)
	if value == nil { // a fault already said
		return
	}
	if f := checkScalar(value, v.Type()); f != "" {
		p := problem.Problem{Place: problem.Place{File: d.file, Line: n.Line}, Message: fmt.Sprintf("%s: %s", orRoot(path), f)}
		if v.Kind() == reflect.String {
			p.Hint = fmt.Sprintf("quote it: %q", n.Value)
		}
		d.faults.Add(p)
		return
	}
	switch x := value.(type) {
	case string:
		v.SetString(x)
	case bool:
		v.SetBool(x)
	case int64:
		v.SetInt(x)
	}
}

// suggest names the field that was probably meant by an unknown one: another
// spelling of it, or the field below which it belongs.
func suggest(key string, t reflect.Type) string {
	fields := Fields(t)
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if distance(strings.ToLower(name), strings.ToLower(key)) <= 2 {
			return fmt.Sprintf("the field is called %q", name)
		}
	}
	for _, name := range names {
		if _, ok := Fields(elemOrSelf(fields[name].Type))[key]; ok {
			return fmt.Sprintf("%q is a field of %q beside it; look at the indentation", key, name)
		}
	}
	return ""
}

func elemOrSelf(t reflect.Type) reflect.Type {
	if e := elemType(t); e != nil {
		return e
	}
	return t
}

// distance is the number of letters to insert, delete or change to get from a
// to b, counted up to where it no longer matters.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

func join(path, key string) string {
	if strings.ContainsAny(key, "./[") {
		key = fmt.Sprintf("[%q]", key)
		return path + key
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func orRoot(path string) string {
	if path == "" {
		return "the document"
	}
	return path
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", n.Value)
}
