package patch

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

const directive = "$patch"

// wideKeys are the merge keys that have a second part in Kubernetes' OpenAPI
// schema, which kustomize follows, but not in its Go types.
var wideKeys = map[string][]string{
	"containerPort": {"containerPort", "protocol"},
	"port":          {"port", "protocol"},
	"topologyKey":   {"topologyKey", "whenUnsatisfiable"},
}

// fieldSchema is what a merge needs to know of one field.
type fieldSchema struct {
	typ    reflect.Type
	merges bool     // a list that is merged rather than replaced
	keys   []string // what identifies an element of a merged list; none: its value
	runs   bool     // the list's order is an order of execution
}

// schemaOf returns what the Go type says of a member of a value of type t.
// With wide keys, a port is its number and its protocol.
func schemaOf(t reflect.Type, key string, wide bool) fieldSchema {
	f, ok := manifest.Fields(t)[key]
	if !ok {
		return fieldSchema{typ: memberOfMap(t)}
	}
	s := fieldSchema{typ: f.Type, merges: f.Merges(), runs: key == "initContainers"}
	if f.MergeKey != "" {
		s.keys = []string{f.MergeKey}
		if w := wideKeys[f.MergeKey]; wide && w != nil && hasField(f.Type, w[1]) {
			s.keys = w
		}
	}
	return s
}

func hasField(list reflect.Type, name string) bool {
	if list.Kind() != reflect.Slice {
		return false
	}
	_, ok := manifest.Fields(list.Elem())[name]
	return ok
}

func memberOfMap(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && t.Kind() == reflect.Map {
		return t.Elem()
	}
	return nil
}

func elem(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return nil
}

// identity is the value of an element's merge keys, as one text. A missing
// protocol means TCP.
func identity(element any, keys []string) string {
	m, ok := element.(map[string]any)
	if !ok {
		return fmt.Sprintf("%T %v", element, element)
	}
	var parts []string
	for _, k := range keys {
		v := m[k]
		if v == nil && k == "protocol" {
			v = "TCP"
		}
		parts = append(parts, fmt.Sprintf("%v", v))
	}
	return strings.Join(parts, "/")
}

// place returns the index at which a new element of a patch belongs in a list:
// after all others, except where the order is one of execution; there it comes
// before the first element that the patch writes after it and the list has.
func (s fieldSchema) place(list, rest []any) int {
	if s.runs {
		for _, e := range rest {
			id := identity(e, s.keys)
			if at := slices.IndexFunc(list, func(o any) bool { return identity(o, s.keys) == id }); at >= 0 {
				return at
			}
		}
	}
	return len(list)
}

// onlyDirective reports whether a list element is nothing but {$patch: what}.
func onlyDirective(element any, what string) bool {
	m, ok := element.(map[string]any)
	return ok && len(m) == 1 && m[directive] == what
}

// checkKeys walks a strategic merge patch before it is applied and refuses
// what engines answer by losing data: an element of a merged list without its
// merge key, or one element named twice.
func checkKeys(patch any, t reflect.Type, path string, wide bool) error {
	m, ok := patch.(map[string]any)
	if !ok {
		return nil
	}
	for _, key := range manifest.SortedKeys(m) {
		if strings.HasPrefix(key, "$") {
			continue
		}
		s, at := schemaOf(t, key, wide), path+"."+key
		list, isList := m[key].([]any)
		if !isList {
			if err := checkKeys(m[key], s.typ, at, wide); err != nil {
				return err
			}
			continue
		}
		if !s.merges || len(s.keys) == 0 {
			continue
		}
		seen := map[string]bool{}
		for i, e := range list {
			if onlyDirective(e, "replace") {
				continue
			}
			el, ok := e.(map[string]any)
			if !ok {
				return fmt.Errorf("%s[%d]: want a mapping, found %s", at[1:], i, manifest.Describe(e))
			}
			if el[s.keys[0]] == nil {
				return &fieldError{key, fmt.Sprintf("%s[%d] has no %s, by which elements of this list are told apart", at[1:], i, s.keys[0]), fmt.Sprintf("give the %s of the element that is meant, for a deletion too", s.keys[0])}
			}
			id := identity(e, s.keys)
			if seen[id] {
				return &fieldError{key, fmt.Sprintf("%s names the element with %s %s twice", at[1:], strings.Join(s.keys, "/"), id), "write it once"}
			}
			seen[id] = true
			if err := checkKeys(e, elem(s.typ), fmt.Sprintf("%s[%s]", at, id), wide); err != nil {
				return err
			}
		}
	}
	return nil
}
