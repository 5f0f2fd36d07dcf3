package generator

import (
	"strings"
	"testing"
)

// Of several patches the one is blamed after which the fault is there and
// before which it is not.
func TestTheLastPatchThatBringsAFaultIsBlamed(t *testing.T) {
	good := `{podTemplate: {metadata: {annotations: {a: b}}}}`
	bad := `{podTemplate: {spec: {hostnetwork: true}}}`
	deletes := `{podTemplate: {spec: {volumes: [{name: run-udev, $patch: delete}]}}}`
	mounts := `{podTemplate: {spec: {containers: [{name: linstor-satellite, volumeMounts: [{name: extra, mountPath: /extra}]}]}}}`
	drops := `{podTemplate: {spec: {volumes: [{name: extra, $patch: delete}]}}}`
	brings := `{podTemplate: {spec: {volumes: [{name: extra, emptyDir: {}}]}}}`
	for _, c := range []struct {
		reason string
		specs  []string // of overlays a, b and c, on lines 15, 20 and 25
		want   string   // at the beginning of the errors; none if empty
	}{
		{"the one in the middle", []string{good, bad, good}, `error: in.yaml:20: DaemonSet/linstor-satellite of node x: podTemplate of overlay "b"`},
		{"two bring the same: the first", []string{bad, bad, good}, `error: in.yaml:15: DaemonSet/linstor-satellite of node x: podTemplate of overlay "a"`},
		{"one deletes what the built-in object mounts", []string{good, good, deletes}, `error: in.yaml:25: DaemonSet/linstor-satellite of node x: podTemplate of overlay "c"`},
		{"one deletes what another mounts", []string{brings, mounts, drops}, `error: in.yaml:25: DaemonSet/linstor-satellite of node x: podTemplate of overlay "c"`},
		{"one mounts what a later one brings", []string{mounts, brings, good}, ""},
		{"what a later one takes back is no fault", []string{bad, `{podTemplate: {spec: {hostnetwork: null}}}`}, ""},
	} {
		text := onlySatellites
		for i, spec := range c.specs {
			text += overlay(string(rune('a'+i)), spec)
		}
		_, err := tryRender(text, nodesNamed("x"))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.reason, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(told(err), c.want)):
			t.Errorf("%s: got %q, want %q at its beginning", c.reason, told(err), c.want)
		}
	}
}

// Each fault has its own patch, the cluster's included, and an error is said
// once, however many classes of nodes it is in.
func TestFaultsAreBlamedOneByOneAndOnce(t *testing.T) {
	text := strings.Replace(onlySatellites, "  nfsServer", "  customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: linstor-satellite, type: merge, patch: '{spec: {bad: 1}}'}]}\n  nfsServer", 1) +
		overlay("a", `{podTemplate: {spec: {worse: 1}}}`) +
		overlay("other-class", `{nodeSelector: {is: z}, podTemplate: {metadata: {annotations: {a: b}}}}`)
	_, err := tryRender(text, nodesNamed("x", "z"))
	want := []string{
		`error: in.yaml:10: DaemonSet/linstor-satellite of node x: customizeComponents.patches[0] of LinstorCluster: spec: unknown field "bad"`,
		`error: in.yaml:16: DaemonSet/linstor-satellite of node x: podTemplate of overlay "a": spec.template.spec: unknown field "worse"`,
	}
	if got := strings.TrimSpace(told(err)); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// What fails in the middle of the patches of an object is reported with the
// faults of all other objects.
func TestPatchesThatFailDoNotHideOtherFaults(t *testing.T) {
	text := onlySatellites +
		overlay("a", `{patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: '[{op: remove, path: /spec/nothing}]'}]}`) +
		overlay("b", `{patches: [{target: {kind: ConfigMap, name: reactor-config}, patch: '[{op: test, path: /data, value: {}}]'}]}`) +
		overlay("c", `{nodeSelector: {is: z}, podTemplate: {spec: {worse: 1}}}`)
	_, err := tryRender(text, nodesNamed("x", "z"))
	got := told(err)
	for _, want := range []string{
		`error: in.yaml:15: DaemonSet/linstor-satellite of node x: patches[0] of overlay "a": `,
		`error: in.yaml:20: ConfigMap/reactor-config of node x: patches[0] of overlay "b": `,
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("want once %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "selects no object") {
		t.Errorf("a patch whose object an earlier one failed on has found it:\n%s", got)
	}
}
