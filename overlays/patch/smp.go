package patch

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// mergeKustomize applies a strategic merge patch as kustomize means it, to a
// value of type t (nil: of a kind that Go has no type for), which it may
// change. Lists that Kubernetes merges by key are merged, with elements kept
// in their places and new ones after them; other lists are replaced. It
// returns deleted if the patch deletes the value as a whole.
//
// What kustomize answers by losing data without a word is an error here.
func mergeKustomize(target map[string]any, patch map[string]any, t reflect.Type, path string) (result map[string]any, deleted bool, err error) {
	switch d := patch[directive]; d {
	case nil, "merge":
	case "delete":
		return nil, true, nil
	case "replace":
		target = map[string]any{}
	default:
		return nil, false, fmt.Errorf("%s: $patch is %s; want delete, replace or merge", name(path), manifest.Describe(d))
	}
	if target == nil {
		target = map[string]any{}
	}
	for _, key := range manifest.SortedKeys(patch) {
		if key == directive {
			continue
		}
		if strings.HasPrefix(key, "$") {
			return nil, false, fmt.Errorf("%s: the directive %s does not work here; use customizeComponents, where it does", name(path), key)
		}
		s := schemaOf(t, key, true)
		v, gone, err := mergeField(target[key], patch[key], s, path+"."+key)
		if err != nil {
			return nil, false, err
		}
		if gone {
			delete(target, key)
		} else {
			target[key] = v
		}
	}
	return target, false, nil
}

func mergeField(old, patch any, s fieldSchema, path string) (v any, gone bool, err error) {
	switch p := patch.(type) {
	case nil:
		return nil, true, nil
	case map[string]any:
		o, ok := old.(map[string]any)
		if !ok && old != nil {
			return nil, false, mismatch(path, old, patch)
		}
		v, gone, err := mergeKustomize(o, p, s.typ, path)
		return v, gone, err
	case []any:
		o, ok := old.([]any)
		if !ok && old != nil {
			return nil, false, mismatch(path, old, patch)
		}
		if !s.merges {
			return cleanList(p), false, noDirectives(p, path)
		}
		if len(s.keys) == 0 {
			return union(o, p), false, nil
		}
		v, err := mergeList(o, p, s, path)
		return v, false, err
	}
	switch old.(type) {
	case map[string]any, []any:
		return nil, false, mismatch(path, old, patch)
	}
	return patch, false, nil
}

func mismatch(path string, old, patch any) error {
	return fmt.Errorf("%s is %s, and the patch has %s for it", name(path), manifest.Describe(old), manifest.Describe(patch))
}

func name(path string) string {
	if path == "" {
		return "the object"
	}
	return path[1:]
}

// mergeList merges a list by its keys. The keys were checked before.
func mergeList(old, patch []any, s fieldSchema, path string) ([]any, error) {
	out := append(make([]any, 0, len(old)+len(patch)), old...)
	for _, e := range patch {
		if onlyDirective(e, "replace") {
			out = out[:0]
		}
	}
	for n, e := range patch {
		if onlyDirective(e, "replace") {
			continue
		}
		p, id := e.(map[string]any), identity(e, s.keys)
		at := -1
		for i, o := range out {
			if identity(o, s.keys) == id {
				at = i
				break
			}
		}
		var o map[string]any
		if at >= 0 {
			o, _ = out[at].(map[string]any)
		}
		v, gone, err := mergeKustomize(o, p, elem(s.typ), fmt.Sprintf("%s[%s]", path, id))
		switch {
		case err != nil:
			return nil, err
		case gone && at >= 0:
			out = append(out[:at], out[at+1:]...)
		case gone:
		case at >= 0:
			out[at] = v
		default:
			out = slices.Insert(out, s.place(out, patch[n+1:]), any(v))
		}
	}
	return out, nil
}

// union adds to a list of plain values those that it lacks.
func union(old, patch []any) []any {
	out := append([]any{}, old...)
next:
	for _, p := range patch {
		for _, o := range out {
			if manifest.Equal(o, p) {
				continue next
			}
		}
		out = append(out, manifest.Clone(p))
	}
	return out
}

// noDirectives refuses $patch inside a list that is replaced as a whole: it
// would reach the output as a field.
func noDirectives(v any, path string) error {
	switch x := v.(type) {
	case []any:
		for i, e := range x {
			if err := noDirectives(e, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, k := range manifest.SortedKeys(x) {
			if strings.HasPrefix(k, "$") {
				return fmt.Errorf("%s: this list is replaced as a whole, so %s means nothing in it", name(path), k)
			}
			if err := noDirectives(x[k], path+"."+k); err != nil {
				return err
			}
		}
	}
	return nil
}

func cleanList(p []any) []any { return manifest.Clone(p).([]any) }

// Merge applies a kustomize-style strategic merge patch that is part of the
// program to an object of the Go type t, which it may change.
func Merge(object, patch map[string]any, t reflect.Type) (result map[string]any, deleted bool, err error) {
	return mergeKustomize(object, patch, t, "")
}
