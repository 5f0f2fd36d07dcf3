package patch

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// mergeTyped applies a strategic merge patch with Kubernetes' own engine, as
// KubeVirt does, to an object of the Go type t. All directives work. Elements
// of merged lists keep their places and new ones come after them, unless the
// patch says $setElementOrder.
func mergeTyped(target, patch map[string]any, t reflect.Type) (result map[string]any, deleted bool, err error) {
	if patch[directive] == "delete" {
		return nil, true, nil
	}
	if err := checkElements(patch, t, ""); err != nil {
		return nil, false, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the patch does not fit the object: %v", r)
		}
	}()
	meta := strategicpatch.PatchMetaFromStruct{T: t}
	before := manifest.Clone(target).(map[string]any)
	merged, err := strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(target, manifest.Clone(patch).(map[string]any), meta)
	if err != nil {
		return nil, false, err
	}
	after := map[string]any(merged)
	keepOrder(before, after, patch, t)
	return after, false, nil
}

// checkElements refuses an element {name: x, $patch: replace, …} of a merged
// list: Kubernetes' engine empties the list for it.
func checkElements(patch any, t reflect.Type, path string) error {
	m, ok := patch.(map[string]any)
	if !ok {
		return nil
	}
	for _, key := range manifest.SortedKeys(m) {
		s := schemaOf(t, key, false)
		list, isList := m[key].([]any)
		if !isList {
			if err := checkElements(m[key], s.typ, path+"."+key); err != nil {
				return err
			}
			continue
		}
		for i, e := range list {
			at := fmt.Sprintf("%s.%s[%d]", path, key, i)
			if el, ok := e.(map[string]any); ok && s.merges && el[directive] == "replace" && len(el) > 1 {
				return fmt.Errorf("%s: {$patch: replace} must be an element of its own, and replaces the whole list; to replace one element give null for what must go", at[1:])
			}
			if err := checkElements(e, elem(s.typ), at); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepOrder puts the elements of merged lists in after back into the order that
// they had in before, and the patch's new ones after them in the patch's order.
func keepOrder(before, after, patch any, t reflect.Type) {
	b, _ := before.(map[string]any)
	a, _ := after.(map[string]any)
	p, _ := patch.(map[string]any)
	for key, pv := range p {
		if strings.HasPrefix(key, "$") {
			continue
		}
		s := schemaOf(t, key, false)
		list, isList := a[key].([]any)
		if !isList {
			keepOrder(b[key], a[key], pv, s.typ)
			continue
		}
		old, _ := b[key].([]any)
		patched, _ := pv.([]any)
		if !s.merges || len(s.keys) == 0 {
			continue
		}
		if _, ordered := p["$setElementOrder/"+key]; !ordered {
			s.restore(old, patched, list)
		}
		for _, e := range patched {
			id := identity(e, s.keys)
			keepOrder(find(old, s.keys, id), find(list, s.keys, id), e, elem(s.typ))
		}
	}
}

// restore sorts list, the outcome of merging patched into old, by where its
// elements belong.
func (s fieldSchema) restore(old, patched, list []any) {
	order := slices.Clone(old)
	for n, e := range patched {
		if find(order, s.keys, identity(e, s.keys)) == nil {
			order = slices.Insert(order, s.place(order, patched[n+1:]), e)
		}
	}
	rank := map[string]int{}
	for i, e := range order {
		rank[identity(e, s.keys)] = i
	}
	slices.SortStableFunc(list, func(x, y any) int {
		return rank[identity(x, s.keys)] - rank[identity(y, s.keys)]
	})
}

func find(list []any, keys []string, id string) any {
	for _, e := range list {
		if identity(e, keys) == id {
			return e
		}
	}
	return nil
}
