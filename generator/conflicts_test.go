package generator

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// conflicts returns the fields that a rendering says two overlays disagree on.
func conflicts(r rendered) []string {
	var out []string
	for _, p := range r.notes {
		if _, after, ok := strings.Cut(p.Message, ") set "); ok {
			field, _, _ := strings.Cut(after, " to different values")
			out = append(out, field)
		}
	}
	return out
}

func customize(patch string) string {
	return `{customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: linstor-satellite, patch: "` + patch + `"}]}}`
}

// Two overlays of one node, and the fields on which they are in conflict.
func TestConflicts(t *testing.T) {
	annotation := func(v string) string { return `{podTemplate: {metadata: {annotations: {a: ` + v + `}}}}` }
	env := func(name, v string) string {
		return `{podTemplate: {spec: {containers: [{name: linstor-satellite, env: [{name: ` + name + `, value: "` + v + `"}]}]}}}`
	}
	operation := func(op string) string {
		return `{patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: '[` + op + `]'}]}`
	}
	const ofA = " of DaemonSet/linstor-satellite of node a"
	for _, c := range []struct {
		reason, first, second string
		want                  []string
	}{
		{"a field", annotation("x"), annotation("z"), []string{"spec.template.metadata.annotations.a" + ofA}},
		{"the same value is none", annotation("x"), annotation("x"), nil},
		{"other fields are none", annotation("x"), env("A", "x"), nil},
		{"an element of a list, by its key", env("A", "1"), env("A", "2"), []string{"spec.template.spec.containers[linstor-satellite].env[A].value" + ofA}},
		{"two elements of a list are none", env("A", "1"), env("B", "2"), nil},
		{"podTemplate and patches", annotation("x"), operation(`{op: add, path: /spec/template/metadata/annotations/a, value: z}`), []string{"spec.template.metadata.annotations.a" + ofA}},
		{"podTemplate and customizeComponents", annotation("x"), customize("{spec: {template: {metadata: {annotations: {a: z}}}}}"), []string{"spec.template.metadata.annotations.a" + ofA}},
		{"the number 1 and the text 1", operation(`{op: add, path: /spec/updateStrategy, value: {rollingUpdate: {maxUnavailable: 1}}}`), operation(`{op: add, path: /spec/updateStrategy, value: {rollingUpdate: {maxUnavailable: "1"}}}`), []string{"spec.updateStrategy.rollingUpdate.maxUnavailable" + ofA}},
		{"one sets what the other removes", annotation("x"), `{podTemplate: {metadata: {annotations: {a: null}}}}`, []string{"spec.template.metadata.annotations.a" + ofA}},
		{"both remove it", `{podTemplate: {spec: {shareProcessNamespace: null}}}`, `{podTemplate: {spec: {shareProcessNamespace: null}}}`, nil},
		{"both append to a list", operation(`{op: add, path: /spec/template/spec/tolerations/-, value: {key: x, operator: Exists}}`), operation(`{op: add, path: /spec/template/spec/tolerations/-, value: {key: z, operator: Exists}}`), nil},
		{"both append arguments", operation(`{op: add, path: /spec/template/spec/containers/0/args/-, value: a}`), operation(`{op: add, path: /spec/template/spec/containers/0/args/-, value: b}`), nil},
		{"one replaces the list that the other appended to", operation(`{op: add, path: /spec/template/spec/tolerations/-, value: {key: x, operator: Exists}}`), `{podTemplate: {spec: {tolerations: [{operator: Exists}]}}}`, []string{"spec.template.spec.tolerations" + ofA}},
		{"pools and properties are replaced whole by name", `{storagePools: [{name: abc, lvmPool: {}}], properties: [{name: p, value: a}]}`, `{storagePools: [{name: abc, zfsPool: {}}], properties: [{name: p, value: b}]}`, nil},
		{"TLS", `{internalTLS: {secretName: x}}`, `{internalTLS: {}}`, []string{"spec.internalTLS of the satellite of node a"}},
		{"the same TLS", `{internalTLS: {certManager: {name: i}}}`, `{internalTLS: {certManager: {name: i}}}`, nil},
		{"families", `{ipFamilies: [IPv4]}`, `{ipFamilies: [IPv6]}`, []string{"spec.ipFamilies of the satellite of node a"}},
		{"a policy", `{deletionPolicy: Retain}`, `{deletionPolicy: Delete}`, []string{"spec.deletionPolicy of the satellite of node a"}},
		{"names", `{resourceNameSuffixSeparator: "-"}`, `{resourceNameSuffixSeparator: "."}`, []string{"spec.resourceNameSuffixSeparator of the satellite of node a"}},
		{"a profile", `{profile: Talos}`, `{profile: Flatcar}`, []string{"spec.profile of the satellite of node a"}},
		{"one says the default again, the other another value", `{podTemplate: {spec: {shareProcessNamespace: true}}}`, `{podTemplate: {spec: {shareProcessNamespace: false}}}`, []string{"spec.template.spec.shareProcessNamespace" + ofA}},
		{"the other way round", `{podTemplate: {spec: {shareProcessNamespace: false}}}`, `{podTemplate: {spec: {shareProcessNamespace: true}}}`, []string{"spec.template.spec.shareProcessNamespace" + ofA}},
		{"both say the default again", `{podTemplate: {spec: {shareProcessNamespace: true}}}`, `{podTemplate: {spec: {shareProcessNamespace: true}}}`, nil},
		{"one says nothing", `{profile: Talos, deletionPolicy: Retain, internalTLS: {}}`, `{}`, nil},
	} {
		r := render(t, onlySatellites+nodeOverlay("first", c.first)+nodeOverlay("second", c.second), nodesNamed("a"))
		if diff := cmp.Diff(c.want, conflicts(r)); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}

const (
	saysX = `podTemplate: {metadata: {annotations: {a: x}}}`
	saysZ = `podTemplate: {metadata: {annotations: {a: z}}}`
)

func TestConflictNamesEverything(t *testing.T) {
	text := onlySatellites + overlay("first", "{"+saysX+"}") + overlay("second", "{"+saysZ+"}")
	told := func(severity, outcome string) string {
		return severity + `: in.yaml:17: overlays "first" (in.yaml:12) and "second" (in.yaml:17) set spec.template.metadata.annotations.a of DaemonSet/linstor-satellite of nodes a, b to different values` + outcome + "\n" +
			"hint: give one of them a higher priority, or let their nodes differ\n"
	}
	r, err := tryRender(text, nodesNamed("b", "a"))
	if diff := cmp.Diff(told("warning", ", and the later one wins"), r.told(err)); diff != "" {
		t.Error(diff)
	}
	if got := r.at(satelliteA, "spec,template,metadata,annotations,a"); got != "z" {
		t.Errorf("the later one wins, got %v", got)
	}
	r, err = tryRender(text, nodesNamed("b", "a"), strictly)
	if diff := cmp.Diff(told("error", ""), r.told(err)); err == nil || diff != "" {
		t.Error(diff)
	}
}

func TestPrioritiesSettleConflicts(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"the higher one wins, though its name comes first", nodeOverlay("a", "{priority: 1, "+saysX+"}") + nodeOverlay("b", "{"+saysZ+"}"), "x"},
		{"a lower one than Piraeus's 0", nodeOverlay("b", "{priority: -1, "+saysX+"}") + overlay("a", "{"+saysZ+"}"), "z"},
		{"only one of them is for the node", overlay("a", "{"+saysX+"}") + overlay("b", "{nodeSelector: {is: other}, "+saysZ+"}"), "x"},
	} {
		r := render(t, onlySatellites+c.text, nodesNamed("a"), strictly)
		if got := r.at(satelliteA, "spec,template,metadata,annotations,a"); got != c.want {
			t.Errorf("%s: got %v, want %s", c.reason, got, c.want)
		}
	}
	r := render(t, onlySatellites+nodeOverlay("a", "{priority: 1, podTemplate: {metadata: {annotations: {a: other}}}}")+nodeOverlay("b", "{priority: 2, "+saysX+"}")+nodeOverlay("c", "{priority: 2, "+saysZ+"}"), nodesNamed("a"))
	if got := conflicts(r); len(got) != 1 || !strings.Contains(r.told(nil), `"b" (in.yaml:17) and "c" (in.yaml:22)`) {
		t.Errorf("of three, the two of one priority are in conflict: %s", r.told(nil))
	}
}

// The cluster is below every overlay, and overlays that are for other nodes do
// not meet.
func TestNoConflict(t *testing.T) {
	cluster := strings.Replace(onlySatellites, "  nfsServer", "  customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: linstor-satellite, type: merge, patch: '{spec: {template: {metadata: {annotations: {a: z}}}}}'}]}\n  nfsServer", 1)
	for _, c := range []struct{ reason, text string }{
		{"with the cluster", cluster + overlay("a", "{"+saysX+"}") + overlay("b", "{}")},
		{"on different nodes", onlySatellites + overlay("a", "{nodeSelector: {is: a}, "+saysX+"}") + overlay("b", "{nodeSelector: {is: b}, "+saysZ+"}")},
		{"within one overlay", onlySatellites + overlay("b", "{}") + overlay("a", "{"+saysX+`, patches: [{target: {kind: DaemonSet}, patch: '[{op: add, path: /spec/template/metadata/annotations, value: {a: z}}]'}]}`)},
	} {
		if r := render(t, c.text, nodesNamed("a", "b"), strictly); len(conflicts(r)) > 0 {
			t.Errorf("%s: %v", c.reason, conflicts(r))
		}
	}
}

// A conflict on an object is said of each object: loader and satellite.
func TestConflictOnTheLoader(t *testing.T) {
	patch := func(v string) string {
		return `{patches: [{patch: "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: drbd-module-loader}, spec: {minReadySeconds: ` + v + `}}"}]}`
	}
	r := render(t, onlySatellites+overlay("a", patch("1"))+overlay("b", patch("2")), nodesNamed("a"))
	if diff := cmp.Diff([]string{"spec.minReadySeconds of DaemonSet/drbd-module-loader of node a"}, conflicts(r)); diff != "" {
		t.Error(diff)
	}
}
