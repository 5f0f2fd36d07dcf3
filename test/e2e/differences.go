package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// differences names the fields that want has and got has not, or has with
// another value; what only got has does not count. Of a drifting object these
// are the suspects, beside fields that are merely spelt otherwise.
func differences(path string, want, got any) []string {
	switch want := want.(type) {
	case map[string]any:
		has, isMap := got.(map[string]any)
		if !isMap {
			break
		}
		var found []string
		for _, key := range slices.Sorted(maps.Keys(want)) {
			found = append(found, differences(path+"/"+key, want[key], has[key])...)
		}
		return found
	case []any:
		has, isList := got.([]any)
		if !isList || len(has) != len(want) {
			break
		}
		var found []string
		for i := range want {
			found = append(found, differences(fmt.Sprintf("%s/%d", path, i), want[i], has[i])...)
		}
		return found
	}
	if cmp.Equal(want, got) || fmt.Sprint(want) == fmt.Sprint(got) {
		return nil
	}
	return []string{fmt.Sprintf("%s: rendered %v, stored %v", path, want, got)}
}

// stored returns what the API server has of an object.
func (a *Applier) stored(ctx context.Context, object Object) (*unstructured.Unstructured, error) {
	resource, err := a.resource(ctx, object)
	if err != nil {
		return nil, err
	}
	return resource.Get(ctx, fmt.Sprint(object.meta("name")), metav1.GetOptions{})
}
