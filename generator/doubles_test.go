package generator

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An object in git that has the kind, name and namespace of a generated one, or
// of another, would be in the stream twice.
func TestDoubles(t *testing.T) {
	object := func(apiVersion, kind, metadata string) string {
		return "---\napiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: " + metadata + "\n"
	}
	const (
		twice   = "this object is there twice\nhint: take one of the two out; the cluster keeps one object of a kind and name\n"
		nodeHas = "an object in git has the name of a generated one\nhint: give it another name, or patch the generated one\n"
	)
	for _, c := range []struct{ reason, text, want string }{
		{"one of the cluster", object("v1", "ServiceAccount", "{name: satellite, namespace: ns}"), "error: in.yaml:12: ServiceAccount/satellite: " + nodeHas},
		{"one of the cluster, in the Application's namespace", object("v1", "ServiceAccount", "{name: satellite}"), "error: in.yaml:12: ServiceAccount/satellite: " + nodeHas},
		{"one of a node, in the Application's namespace", object("v1", "ConfigMap", "{name: satellite-config-a}"), "error: in.yaml:12: ConfigMap/satellite-config-a: " + nodeHas},
		{"one of a node", object("v1", "ConfigMap", "{name: satellite-config-a, namespace: ns}"), "error: in.yaml:12: ConfigMap/satellite-config-a: " + nodeHas},
		{"of another version of its group", object("apps/v1beta1", "DaemonSet", "{name: linstor-satellite-a, namespace: ns}"), "error: in.yaml:12: DaemonSet/linstor-satellite-a: " + nodeHas},
		{"two in git", object("v1", "Secret", "{name: s}") + object("v1", "Secret", "{name: s}"), "error: in.yaml:16: Secret/s: " + twice},
		{"in another namespace", object("v1", "ServiceAccount", "{name: satellite, namespace: other}"), ""},
		{"of another kind", object("v1", "Secret", "{name: satellite, namespace: ns}"), ""},
		{"of another group", object("example.com/v1", "ServiceAccount", "{name: satellite, namespace: ns}"), ""},
		{"of a node that gets no satellite", object("v1", "ConfigMap", "{name: satellite-config-b, namespace: ns}"), ""},
		{"the base name of a node's object", object("v1", "ConfigMap", "{name: satellite-config, namespace: ns}"), ""},
		{"two whose names the server makes", object("batch/v1", "Job", "{generateName: j-}") + object("batch/v1", "Job", "{generateName: j-}"), ""},
	} {
		_, err := tryRender(onlySatellites+c.text, nodesNamed("a"))
		got := ""
		if err != nil {
			got = told(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}

// What git has besides passes through as it is, without a namespace or a label
// of ours, and out of reach of every patch.
func TestObjectsPassThrough(t *testing.T) {
	text := cluster(`customizeComponents: {patches: [{resourceType: "*", resourceName: "*", type: merge, patch: "{metadata: {annotations: {a: b}}}"}]}`) +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine, labels: {app.kubernetes.io/instance: x}}\ndata: {a: \"007\"}\n"
	r := render(t, text, nodesNamed("a"))
	want := map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{"a": "007"},
		"metadata": map[string]any{"name": "mine", "labels": map[string]any{"app.kubernetes.io/instance": "x"}},
	}
	if diff := cmp.Diff(want, r.objects["ConfigMap/mine"]); diff != "" {
		t.Error(diff)
	}
	if got := r.at(satelliteA, "metadata,annotations,a"); got != "b" {
		t.Errorf("the patch of everything did not reach the satellite: %v", got)
	}
}
