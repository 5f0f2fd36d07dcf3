package generator

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// pinned is what ties a pod to node a, as JSON.
const pinned = `{"key":"metadata.name","operator":"In","values":["a"]}`

// value is a plain value, as decoders give it, of YAML without numbers.
func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// A required node affinity that someone wrote is kept, and each of its
// alternatives holds on the pod's own node only.
func TestThePinIsPutBack(t *testing.T) {
	affinity := func(terms string) string {
		return `{podTemplate: {spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ` + terms + `}}}}}}`
	}
	for _, c := range []struct{ reason, spec, want string }{
		{"nobody touched it", "{}", `[{matchFields: [` + pinned + `]}]`},
		{"affinity deleted", `{podTemplate: {spec: {affinity: null}}}`, `[{matchFields: [` + pinned + `]}]`},
		{"affinity removed by an operation", `{patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: '[{op: remove, path: /spec/template/spec/affinity}]'}]}`, `[{matchFields: [` + pinned + `]}]`},
		{"no terms are left", affinity("[]"), `[{matchFields: [` + pinned + `]}]`},
		{
			"a term of labels", affinity(`[{matchExpressions: [{key: disk, operator: Exists}]}]`),
			`[{matchExpressions: [{key: disk, operator: Exists}], matchFields: [` + pinned + `]}]`,
		},
		{
			"several alternatives", affinity(`[{matchExpressions: [{key: disk, operator: Exists}]}, {matchExpressions: [{key: ssd, operator: Exists}]}]`),
			`[{matchExpressions: [{key: disk, operator: Exists}], matchFields: [` + pinned + `]}, {matchExpressions: [{key: ssd, operator: Exists}], matchFields: [` + pinned + `]}]`,
		},
		{
			"another node's name is kept: such a pod runs nowhere, as its author says", affinity(`[{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]`),
			`[{matchFields: [{key: metadata.name, operator: In, values: [b]}, ` + pinned + `]}]`,
		},
		{"the pin written out is not doubled", affinity(`[{matchFields: [` + pinned + `]}]`), `[{matchFields: [` + pinned + `]}]`},
	} {
		r := render(t, onlySatellites+overlay("o", c.spec), nodesNamed("a"))
		for _, object := range []string{satelliteA, loaderA} {
			got := r.at(object, pod+",affinity,nodeAffinity,requiredDuringSchedulingIgnoredDuringExecution,nodeSelectorTerms")
			if diff := cmp.Diff(value(t, c.want), got); diff != "" {
				t.Errorf("%s: %s: %s", c.reason, object, diff)
			}
		}
	}
}

func TestPreferencesAndOtherAffinityStay(t *testing.T) {
	r := render(t, onlySatellites+overlay("o", `{podTemplate: {spec: {affinity: {
    podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []},
    nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: a, operator: Exists}]}}]}}}}}`), nodesNamed("a"))
	for _, path := range []string{"podAffinity", "nodeAffinity,preferredDuringSchedulingIgnoredDuringExecution", "nodeAffinity,requiredDuringSchedulingIgnoredDuringExecution"} {
		if r.at(satelliteA, pod+",affinity,"+path) == nil {
			t.Errorf("affinity.%s is not there", path)
		}
	}
}

// Whatever patches do to what ties an object to its node, it is put back; what
// they add stays.
func TestLabelsSelectorAndAnnotationArePutBack(t *testing.T) {
	satellite, loader := `{kind: DaemonSet, name: linstor-satellite}`, `{kind: DaemonSet, name: drbd-module-loader}`
	operation := func(target, op string) string { return `{patches: [{target: ` + target + `, patch: '[` + op + `]'}]}` }
	for _, c := range []struct{ reason, spec string }{
		{"the selector is removed", operation(satellite, "{op: remove, path: /spec/selector}")},
		{"the selector is another", operation(satellite, "{op: replace, path: /spec/selector, value: {matchLabels: {a: b}}}")},
		{"the selector has more", operation(satellite, "{op: add, path: /spec/selector/matchLabels/more, value: x}")},
		{"labels of the pods are removed", operation(satellite, "{op: remove, path: /spec/template/metadata/labels}")},
		{"metadata of the pods is removed", operation(satellite, "{op: remove, path: /spec/template/metadata}")},
		{"a label of the pods is changed", `{podTemplate: {metadata: {labels: {linstor-cmp.io/node: other, app.kubernetes.io/component: other}}}}`},
		{"labels of the object are replaced", operation(satellite, "{op: replace, path: /metadata/labels, value: {mine: x}}")},
		{"annotations are removed", operation(satellite, "{op: remove, path: /metadata/annotations}")},
		{"the annotation is another", operation(satellite, "{op: replace, path: /metadata/annotations/linstor-cmp.io~1node, value: other}")},
		{"the loader's selector is removed", operation(loader, "{op: remove, path: /spec/selector}")},
		{"the loader's labels are removed", operation(loader, "{op: remove, path: /spec/template/metadata/labels}, {op: remove, path: /metadata/labels}")},
	} {
		r := render(t, onlySatellites+overlay("o", c.spec), nodesNamed("a"))
		for object, component := range map[string]string{satelliteA: "linstor-satellite", loaderA: "drbd-module-loader"} {
			want := map[string]any{"app.kubernetes.io/name": "piraeus-datastore", "app.kubernetes.io/component": component, "linstor-cmp.io/node": "a"}
			if diff := cmp.Diff(any(want), r.at(object, "spec,selector,matchLabels")); diff != "" {
				t.Errorf("%s: selector of %s: %s", c.reason, object, diff)
			}
			for label, text := range want {
				for _, path := range []string{"metadata,labels,", "spec,template,metadata,labels,"} {
					if got := r.at(object, path+label); got != text {
						t.Errorf("%s: %s: %s%s is %v, want %v", c.reason, object, path, label, got, text)
					}
				}
			}
			if got := r.at(object, "metadata,annotations,linstor-cmp.io/node"); got != "a" {
				t.Errorf("%s: the annotation of %s is %v", c.reason, object, got)
			}
		}
	}
}

func TestWhatPatchesMayChange(t *testing.T) {
	r := render(t, onlySatellites+overlay("o", `{patches: [
    {target: {kind: DaemonSet, name: linstor-satellite}, patch: '[{op: remove, path: /metadata/annotations/argocd.argoproj.io~1sync-options}, {op: add, path: /metadata/labels/mine, value: x}]'},
    {target: {kind: ConfigMap, name: satellite-config}, patch: '[{op: replace, path: /metadata/labels, value: {mine: x}}]'}]}`), nodesNamed("a"))
	if got := r.at(satelliteA, "metadata,annotations,argocd.argoproj.io/sync-options"); got != nil {
		t.Errorf("the sync option is back: %v", got)
	}
	for _, object := range []string{satelliteA, "ConfigMap/satellite-config-a"} {
		if got := r.at(object, "metadata,labels,mine"); got != "x" {
			t.Errorf("a label of %s is %v", object, got)
		}
	}
	if got := r.at("ConfigMap/satellite-config-a", "metadata,labels,linstor-cmp.io/node"); got != "a" {
		t.Errorf("the label of a ConfigMap is put back too, got %v", got)
	}
}

// Workloads of the cluster keep their selectors as well: they cannot be changed
// once they are there.
func TestSelectorsOfTheClusterArePutBack(t *testing.T) {
	text := `apiVersion: piraeus.io/v1
kind: LinstorCluster
metadata: {name: linstor}
spec:
  patches:
  - target: {kind: Deployment, name: linstor-controller}
    patch: "[{op: replace, path: /spec/selector, value: {matchLabels: {a: b}}}, {op: replace, path: /spec/template/metadata/labels, value: {a: b}}]"
`
	r := render(t, text, nodesNamed("a"))
	want := map[string]any{"app.kubernetes.io/name": "piraeus-datastore", "app.kubernetes.io/component": "linstor-controller"}
	if diff := cmp.Diff(any(want), r.at("Deployment/linstor-controller", "spec,selector,matchLabels")); diff != "" {
		t.Errorf("the selector: %s", diff)
	}
	want["a"] = "b"
	if diff := cmp.Diff(any(want), r.at("Deployment/linstor-controller", "spec,template,metadata,labels")); diff != "" {
		t.Errorf("the labels: %s", diff)
	}
}
