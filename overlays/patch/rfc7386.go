package patch

import "github.com/linstor-cmp/linstor-cmp/internal/manifest"

// mergePatch applies an RFC 7386 merge patch to target, which it may change,
// and returns the result: null removes a member, a mapping merges, anything
// else replaces.
func mergePatch(target, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return manifest.Clone(patch)
	}
	t, ok := target.(map[string]any)
	if !ok {
		t = map[string]any{}
	}
	for k, v := range p {
		if v == nil {
			delete(t, k)
			continue
		}
		t[k] = mergePatch(t[k], v)
	}
	return t
}
