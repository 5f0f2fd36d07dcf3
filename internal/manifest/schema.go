package manifest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Field is what a Go struct says about one of its JSON fields.
type Field struct {
	Name     string
	Type     reflect.Type
	MergeKey string   // patchMergeKey
	Strategy []string // patchStrategy
	index    []int
}

// Merges reports whether a list field is merged by a strategic merge patch
// rather than replaced.
func (f Field) Merges() bool { return slices.Contains(f.Strategy, "merge") }

var fieldCache sync.Map // reflect.Type → map[string]Field

// Fields returns the JSON fields of struct type t by name, those of inlined
// structs included. Any other type has none.
func Fields(t reflect.Type) map[string]Field {
	t = deref(t)
	if t == nil || t.Kind() != reflect.Struct || hasOwnJSON(t) {
		return nil
	}
	if m, ok := fieldCache.Load(t); ok {
		return m.(map[string]Field)
	}
	m := map[string]Field{}
	collectFields(t, nil, m)
	fieldCache.Store(t, m)
	return m
}

func collectFields(t reflect.Type, at []int, into map[string]Field) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		index := append(slices.Clone(at), i)
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && (name == "" || strings.Contains(opts, "inline")):
			collectFields(deref(f.Type), index, into)
		case name != "":
			into[name] = Field{
				Name: name, Type: f.Type, index: index,
				MergeKey: f.Tag.Get("patchMergeKey"),
				Strategy: strings.Split(f.Tag.Get("patchStrategy"), ","),
			}
		}
	}
}

func deref(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// hasOwnJSON reports whether a type reads its own JSON (a Quantity, an
// IntOrString, a Time), so that its Go fields say nothing about the JSON.
func hasOwnJSON(t reflect.Type) bool {
	return t != nil && (t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler))
}

// memberType is the type of the member key of a value of type t, nil where
// nothing is known.
func memberType(t reflect.Type, key string) reflect.Type {
	t = deref(t)
	if t == nil || hasOwnJSON(t) {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return Fields(t)[key].Type
	case reflect.Map:
		return t.Elem()
	}
	return nil
}

func elemType(t reflect.Type) reflect.Type {
	t = deref(t)
	if t == nil || hasOwnJSON(t) || t.Kind() != reflect.Slice {
		return nil
	}
	return t.Elem()
}

func isString(t reflect.Type) bool {
	t = deref(t)
	return t != nil && !hasOwnJSON(t) && (t.Kind() == reflect.String || isBytes(t))
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}
