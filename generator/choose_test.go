package generator

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// An empty stream would have Argo CD remove every satellite.
func TestNoNodes(t *testing.T) {
	nobody := cluster(`nodeSelector: {storage: "true"}`)
	tainted := nodesNamed("b", "a")
	for i := range tainted {
		tainted[i].Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
	}
	for _, c := range []struct {
		reason, text string
		list         []nodes.Node
		want         string
	}{
		{"no nodes", onlySatellites, nil, "error: there are no nodes\nhint: an empty stream would remove every satellite; --allow-empty allows it\n"},
		{
			"none is chosen", nobody, nodesNamed("b", "a"),
			"error: in.yaml:1: of 2 nodes none qualifies for a satellite\nhint: node a: not chosen by the LinstorCluster's nodeSelector or nodeAffinity; `linstor-cmp nodes` says why for each; --allow-empty allows it\n",
		},
		{
			"none is tolerated", onlySatellites, tainted,
			"error: in.yaml:1: of 2 nodes none qualifies for a satellite\nhint: node a: taint node-role.kubernetes.io/control-plane:NoSchedule is not tolerated; `linstor-cmp nodes` says why for each; --allow-empty allows it\n",
		},
	} {
		_, err := tryRender(c.text, c.list)
		if diff := cmp.Diff(c.want, told(err)); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
		r, err := tryRender(c.text, c.list, allowingNone)
		if err != nil || r.told(nil) != "" {
			t.Errorf("%s, and it is allowed: %v %s", c.reason, err, r.told(nil))
		}
		if r.objects["ServiceAccount/satellite"] == nil || strings.Contains(r.text, "linstor-cmp.io/node") {
			t.Errorf("%s, and it is allowed: want the objects of the cluster and no other, got\n%s", c.reason, r.text)
		}
	}
}

// Without nodes, what is for nodes has nothing to select; what is for the
// cluster must still find it.
func TestPatchesWithoutNodes(t *testing.T) {
	text := cluster(`customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: linstor-satellite, patch: "{}"}], flags: {satellite: {a: ""}}}`) +
		overlay("o", `{patches: [{target: {name: nothing}, patch: '[{op: add, path: /a, value: b}]'}]}`)
	if r, err := tryRender(text, nil, allowingNone); err != nil || len(r.notes) > 0 {
		t.Errorf("%v %s", err, r.told(nil))
	}
	_, err := tryRender(cluster(`patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /metadata/annotations/a, value: b}]'}]`), nil, allowingNone)
	if got := told(err); !strings.HasPrefix(got, "error: in.yaml:11: patches[0] of LinstorCluster selects no object") {
		t.Errorf("got %q", got)
	}
}

// Which taints keep a node out, and that only those nodes have objects.
func TestTaints(t *testing.T) {
	taint := func(key, value string, effect corev1.TaintEffect) corev1.Taint {
		return corev1.Taint{Key: key, Value: value, Effect: effect}
	}
	const noSchedule, noExecute = corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute
	for _, c := range []struct {
		reason, tolerations string
		taint               corev1.Taint
		in                  bool
	}{
		{"an untolerated NoSchedule", "[]", taint("k", "v", noSchedule), false},
		{"an untolerated NoExecute", "[]", taint("k", "v", noExecute), false},
		{"PreferNoSchedule is advice", "[]", taint("k", "v", corev1.TaintEffectPreferNoSchedule), true},
		{"the value tolerated", "[{key: k, value: v, effect: NoSchedule}]", taint("k", "v", noSchedule), true},
		{"another value tolerated", "[{key: k, value: w, effect: NoSchedule}]", taint("k", "v", noSchedule), false},
		{"any value tolerated", "[{key: k, operator: Exists}]", taint("k", "v", noExecute), true},
		{"another effect tolerated", "[{key: k, operator: Exists, effect: NoSchedule}]", taint("k", "v", noExecute), false},
		{"everything tolerated", "[{operator: Exists}]", taint("k", "v", noExecute), true},
		{"DRBD's own", "[]", taint("drbd.linbit.com/lost-quorum", "", noSchedule), true},
		{"DRBD's other", "[]", taint("drbd.linbit.com/force-io-error", "", noSchedule), true},
		{"a cordoned node keeps its satellite", "[]", taint("node.kubernetes.io/unschedulable", "", noSchedule), true},
		{"so does one that is lost", "[]", taint("node.kubernetes.io/unreachable", "", noExecute), true},
		{"the control plane is no state", "[]", taint("node-role.kubernetes.io/control-plane", "", noSchedule), false},
	} {
		list := nodesNamed("a")
		list[0].Taints = []corev1.Taint{c.taint}
		r := render(t, cluster("tolerations: "+c.tolerations), list, allowingNone)
		if got := r.objects[satelliteA] != nil; got != c.in {
			t.Errorf("%s: the node has a satellite: %v, want %v", c.reason, got, c.in)
		}
	}
}

// The table says of every node what became of it.
func TestTable(t *testing.T) {
	list := nodesNamed("b", "a", "c", "d")
	list[2].Taints = []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoExecute}}
	text := cluster("nodeAffinity: {nodeSelectorTerms: [{matchExpressions: [{key: is, operator: NotIn, values: [d]}]}]}") +
		overlay("second", "{}") + overlay("first", "{nodeSelector: {is: a}}") + overlay("bare", `{nodeSelector: {is: b}, podTemplate: {spec: {initContainers: null}}}`)
	in, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Generate(in, list, Settings{Namespace: "ns", Loader: LoaderDaemonSet})
	if err != nil {
		t.Fatal(err)
	}
	const os = "Ubuntu 22.04.5 LTS"
	want := []Row{
		{Node: "a", OSImage: os, LoaderImage: "quay.io/piraeusdatastore/drbd9-jammy:v9.3.2", Overlays: []string{"first", "second"}},
		{Node: "b", OSImage: os, Overlays: []string{"bare", "second"}},
		{Node: "c", OSImage: os, WhyNot: "taint k:NoExecute is not tolerated"},
		{Node: "d", OSImage: os, WhyNot: "not chosen by the LinstorCluster's nodeSelector or nodeAffinity"},
	}
	if diff := cmp.Diff(want, result.Table(in, list)); diff != "" {
		t.Error(diff)
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		reason, want string
		set          func(*Settings)
	}{
		{"a place that there is not", "error: the setting loader is \"Pod\"\nhint: use DaemonSet or InitContainer\n", func(s *Settings) { s.Loader = "Pod" }},
		{"no place", "error: the setting loader is \"\"\nhint: use DaemonSet or InitContainer\n", func(s *Settings) { s.Loader = "" }},
		{"a namespace that there cannot be", "error: the setting namespace is \"A b\", no name of a namespace: ", func(s *Settings) { s.Namespace = "A b" }},
		{"no namespace", "error: the setting namespace is \"\", no name of a namespace: ", func(s *Settings) { s.Namespace = "" }},
	} {
		_, err := tryRender(onlySatellites, nodesNamed("a"), c.set)
		if got := told(err); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}
