package patch

import (
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// FuzzKustomize feeds texts to the kustomize dialect: a result or an error,
// never a panic, and never a directive in the result.
func FuzzKustomize(f *testing.F) {
	for _, c := range strategicCases {
		f.Add(head+"spec: {template: {spec: {"+c.pod+"}}}", false)
	}
	f.Add("- {op: add, path: /metadata/labels/a, value: b}\n- {op: copy, from: '', path: /x}", true)
	f.Fuzz(func(t *testing.T, body string, aimed bool) {
		var target *api.Selector
		if aimed {
			target = &api.Selector{Kind: "DaemonSet"}
		}
		list, err := FromKustomize("p", problem.Place{File: "p.yaml"}, api.Patch{Target: target}, text(body))
		if err != nil {
			return
		}
		for _, p := range list {
			apply(t, p)
		}
	})
}

// FuzzCustomize feeds texts to the three types of customizeComponents.
func FuzzCustomize(f *testing.F) {
	for i, c := range strategicCases {
		f.Add("spec: {template: {spec: {"+c.pod+"}}}", i)
	}
	f.Add(`[{"op": "move", "from": "/spec/template", "path": "/metadata/x"}]`, 1)
	f.Fuzz(func(t *testing.T, body string, kind int) {
		kinds := []string{"strategic", "json", "merge"}
		p, err := customized(kinds[uint(kind)%3], body)
		if err == nil {
			apply(t, p)
		}
	})
}

func apply(t *testing.T, p *Patch) {
	t.Helper()
	r, err := p.Apply(plain(t, []byte(base)).(map[string]any), daemonSet)
	if err != nil || r.Deleted {
		return
	}
	if r.Object["kind"] != "DaemonSet" || r.Object["metadata"].(map[string]any)["name"] != "ds" {
		t.Errorf("the patch made something else of the object: %v", r.Object)
	}
	manifest.Compile(r.Object, manifest.YAML).Append(nil, nil) // only plain values
}
