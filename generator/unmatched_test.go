package generator

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	nodeObjectsHint  = "the objects of a node are ConfigMap/reactor-config, ConfigMap/satellite-config, Certificate/linstor-satellite, DaemonSet/drbd-module-loader, DaemonSet/linstor-satellite"
	noWorkloadsHint  = "the workloads of the cluster are "
	allowNoMatchHint = "; options: {allowNoMatch: true} allows it\n"
)

// cluster is onlySatellites with more of the LinstorCluster's spec, on line 11.
func cluster(more string) string { return onlySatellites + "  " + more + "\n" }

// A patch that finds nothing is a typo; the error says what there is to find.
func TestPatchesThatSelectNothing(t *testing.T) {
	none := "hint: " + nodeObjectsHint + allowNoMatchHint
	all := "hint: " + nodeObjectsHint + "; " + noWorkloadsHint + allowNoMatchHint
	for _, c := range []struct{ reason, text, want string }{
		{
			"a misspelt name in an overlay",
			onlySatellites + overlay("o", `{patches: [{target: {kind: DaemonSet, name: satellite}, patch: '[{op: add, path: /spec/minReadySeconds, value: 1}]'}]}`),
			"error: in.yaml:15: patches[0] of overlay \"o\" selects no object\n" + none,
		},
		{
			"a kind in the wrong case, which counts in kustomize's targets",
			onlySatellites + overlay("o", `{patches: [{target: {kind: Daemonset}, patch: '[{op: add, path: /spec/minReadySeconds, value: 1}]'}]}`),
			"error: in.yaml:15: patches[0] of overlay \"o\" selects no object\n" + none,
		},
		{
			"part of a name",
			onlySatellites + overlay("o", `{patches: [{target: {name: linstor}, patch: '[{op: add, path: /metadata/annotations/a, value: b}]'}]}`),
			"error: in.yaml:15: patches[0] of overlay \"o\" selects no object\n" + none,
		},
		{
			"a merge patch of an object that nodes do not have",
			onlySatellites + overlay("o", `{patches: [{patch: "{apiVersion: apps/v1, kind: Deployment, metadata: {name: linstor-controller}}"}]}`),
			"error: in.yaml:15: patches[0] of overlay \"o\" selects no object\n" + none,
		},
		{
			"the second of two documents",
			onlySatellites + overlay("o", `{patches: [{patch: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: satellite-config}\ndata: {a: b}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\n"}]}`),
			"error: in.yaml:15: patches[0] of overlay \"o\", document 2 selects no object\n" + none,
		},
		{
			"customizeComponents of an overlay, for a node that is not there",
			onlySatellites + nodeOverlay("o", `{customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: linstor-satellite-b, patch: "{}"}]}}`),
			"error: in.yaml:15: customizeComponents.patches[0] of overlay \"o\" selects no object\n" + none,
		},
		{
			"customizeComponents of the cluster",
			cluster(`customizeComponents: {patches: [{resourceType: Deployment, resourceName: "*", patch: "{}"}]}`),
			"error: in.yaml:11: customizeComponents.patches[0] of LinstorCluster selects no object\n" + all,
		},
		{
			"patches of the cluster do not reach objects of nodes",
			cluster(`patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: '[{op: add, path: /metadata/annotations/a, value: b}]'}]`),
			"error: in.yaml:11: patches[0] of LinstorCluster selects no object\nhint: " + noWorkloadsHint + allowNoMatchHint,
		},
		{
			"flags of a component that is switched off",
			cluster(`customizeComponents: {flags: {csiNode: {v: "5"}}}`),
			"error: in.yaml:11: customizeComponents.flags.csiNode of LinstorCluster selects no object\n" + all,
		},
		{
			"a certificate that no TLS asks for",
			onlySatellites + nodeOverlay("o", `{customizeComponents: {patches: [{resourceType: Certificate, resourceName: "*", type: merge, patch: "{}"}]}}`),
			"error: in.yaml:15: customizeComponents.patches[0] of overlay \"o\" selects no object\n" + none,
		},
	} {
		_, err := tryRender(c.text, nodesNamed("a"))
		if diff := cmp.Diff(c.want, told(err)); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}

func TestPatchesThatMaySelectNothing(t *testing.T) {
	for _, c := range []struct{ reason, text, told string }{
		{
			"allowed in patches",
			onlySatellites + overlay("o", `{patches: [{target: {name: nothing}, options: {allowNoMatch: true}, patch: '[{op: add, path: /a, value: b}]'}]}`), "",
		},
		{
			"allowed in customizeComponents",
			cluster(`customizeComponents: {patches: [{resourceType: X, resourceName: nothing, options: {allowNoMatch: true}, patch: "{}"}]}`), "",
		},
		{
			"the pod template of a component that is switched off waits for it",
			strings.Replace(onlySatellites, "csiNode: {enabled: false}", "csiNode: {enabled: false, podTemplate: {spec: {hostPID: true}}}", 1), "",
		},
		{
			"an overlay for no node is a warning, and its patches say nothing more",
			onlySatellites + overlay("o", `{nodeSelector: {is: other}, patches: [{target: {name: nothing}, patch: '[{op: add, path: /a, value: b}]'}]}`),
			"warning: in.yaml:12: overlay \"o\" matches none of the 2 nodes that get a satellite\n",
		},
		{
			"terms of a patch that match no node are a warning",
			onlySatellites + nodeOverlay("o", `{customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: "*", patch: "{}", nodeSelectorTerms: [{matchExpressions: [{key: is, operator: In, values: [c]}]}]}]}}`),
			"warning: in.yaml:15: customizeComponents.patches[0] of overlay \"o\": its nodeSelectorTerms match none of the nodes that get a satellite\n",
		},
		{
			"so are those of a patch of the cluster",
			cluster(`customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: "*", patch: "{}", nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [c]}]}]}]}`),
			"warning: in.yaml:11: customizeComponents.patches[0] of LinstorCluster: its nodeSelectorTerms match none of the nodes that get a satellite\n",
		},
	} {
		r, err := tryRender(c.text, nodesNamed("a", "b"))
		if diff := cmp.Diff(c.told, r.told(err)); err != nil || diff != "" {
			t.Errorf("%s (-want +got): %v %s", c.reason, err, diff)
		}
	}
}

// A patch with terms is an error like any other if it finds no object on the
// nodes that the terms match.
func TestTermsDoNotExcuseATypo(t *testing.T) {
	_, err := tryRender(onlySatellites+nodeOverlay("o", `{customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: nothing, patch: "{}", nodeSelectorTerms: [{matchExpressions: [{key: is, operator: In, values: [a]}]}]}]}}`), nodesNamed("a", "b"))
	if got, want := told(err), "error: in.yaml:15: customizeComponents.patches[0] of overlay \"o\" selects no object\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestTermsChooseAmongTheNodesOfAnOverlay(t *testing.T) {
	r := render(t, onlySatellites+nodeOverlay("o", `{nodeSelectorTerms: [{matchExpressions: [{key: is, operator: In, values: [a, b]}]}],
    customizeComponents: {patches: [{resourceType: ConfigMap, resourceName: satellite-config, patch: "{data: {x: z}}", nodeSelectorTerms: [{matchExpressions: [{key: is, operator: NotIn, values: [a]}]}]}]}}`), nodesNamed("a", "b", "c"))
	for name, want := range map[string]any{"a": nil, "b": "z", "c": nil} {
		if got := r.at("ConfigMap/satellite-config-"+name, "data,x"); got != want {
			t.Errorf("node %s: got %v, want %v", name, got, want)
		}
	}
}

// An overlay that leaves the loader out and patches it contradicts itself.
func TestAPatchOfTheLoaderThatItsOverlayLeavesOut(t *testing.T) {
	text := onlySatellites + nodeOverlay("o", `{profile: Talos, patches: [{target: {name: drbd-module-loader}, patch: '[{op: add, path: /spec/minReadySeconds, value: 1}]'}]}`)
	_, err := tryRender(text, nodesNamed("a"))
	if got := told(err); !strings.HasPrefix(got, "error: in.yaml:15: patches[0] of overlay \"o\" selects no object\n") {
		t.Errorf("got %q", got)
	}
}
