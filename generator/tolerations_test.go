package generator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The cluster's tolerations join the built-in ones; only one that says the same
// but for its seconds takes another's place.
func TestTolerationsOfTheCluster(t *testing.T) {
	text := strings.Replace(onlySatellites, "spec:\n", "spec:\n"+`  tolerations:
  - {key: k, value: x, effect: NoSchedule}
  - {key: k, operator: Equal, value: z, effect: NoSchedule}
  - {key: k, operator: Equal, value: x, effect: NoSchedule}
  - {key: m, operator: Exists, effect: NoExecute, tolerationSeconds: 3}
  - {key: m, operator: Exists, effect: NoExecute, tolerationSeconds: 5}
`, 1)
	r := render(t, text, nodesNamed("a"))
	list, _ := r.at(satelliteA, pod+",tolerations").([]any)
	var got []string
	for _, e := range list {
		got = append(got, fmt.Sprint(e))
	}
	want := []string{
		"map[effect:NoSchedule key:drbd.linbit.com/force-io-error operator:Exists]",
		"map[effect:NoSchedule key:drbd.linbit.com/lost-quorum operator:Exists]",
		"map[effect:NoSchedule operator:Exists]",
		"map[effect:NoSchedule key:k operator:Equal value:z]",
		"map[effect:NoSchedule key:k operator:Equal value:x]",
		"map[effect:NoExecute key:m operator:Exists tolerationSeconds:5]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A target without a name means the one DaemonSet that Piraeus has for a node:
// the satellite, with the loader in it. The moved loader is left alone, unless
// the target names it, or picks it and not the satellite.
func TestTargetWithoutANameMeansTheSatellite(t *testing.T) {
	const loaderA = "DaemonSet/drbd-module-loader-a"
	add := `patch: "[{op: add, path: /spec/template/spec/tolerations/-, value: {key: mine, operator: Exists}}]"`
	count := func(r rendered, object string) int {
		n := 0
		list, _ := r.at(object, pod+",tolerations").([]any)
		for _, e := range list {
			if e.(map[string]any)["key"] == "mine" {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		reason, target    string
		satellite, loader int
	}{
		{"a kind alone: the loader inherits what the satellite got", "{kind: DaemonSet}", 1, 1},
		{"a name", "{kind: DaemonSet, name: drbd-module-loader}", 0, 1},
		{"a name that is both", "{kind: DaemonSet, name: .*}", 1, 2},
		{"labels of the loader", `{labelSelector: "app.kubernetes.io/component=drbd-module-loader"}`, 0, 1},
	} {
		r := render(t, onlySatellites+overlay("o", "{patches: [{target: "+c.target+", "+add+"}]}"), nodesNamed("a"))
		if s, l := count(r, satelliteA), count(r, loaderA); s != c.satellite || l != c.loader {
			t.Errorf("%s: want %d and %d, got %d and %d", c.reason, c.satellite, c.loader, s, l)
		}
	}
}

// A property is replaced whole by a later overlay's, and one that then has no
// value is left out.
func TestPropertiesAreReplacedWhole(t *testing.T) {
	text := onlySatellites + overlay("a", "{properties: [{name: p, value: early}, {name: q, value: stays}]}") +
		overlay("b", `{properties: [{name: p, optional: true, valueFrom: {nodeFieldRef: "metadata.labels['none']"}}]}`)
	r := render(t, text, nodesNamed("a"))
	got, _ := r.at("ConfigMap/satellite-config-a", "data,node.json").(string)
	if strings.Contains(got, "early") || strings.Contains(got, `"p"`) || !strings.Contains(got, `"q": "stays"`) {
		t.Errorf("want p gone and q there: %s", got)
	}
}

// One authority may be optional for one side and not for the other.
func TestOptionalAuthorityStaysWithItsOwn(t *testing.T) {
	text := "apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: c}\nspec:\n" +
		"  internalTLS: {caReference: {name: ca}}\n  apiTLS: {caReference: {name: ca, optional: true}}\n"
	r := render(t, text, nodesNamed("a"))
	for volume, want := range map[string]bool{"internal-tls": false, "api-tls": true} {
		got := fmt.Sprint(r.at("Deployment/linstor-controller", pod+",volumes,"+volume))
		if strings.Contains(got, "optional:true") != want {
			t.Errorf("%s: want optional %t, got %s", volume, want, got)
		}
	}
}
