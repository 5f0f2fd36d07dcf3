package generator

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		reason, flags string
		want          []string // behind startSatellite
	}{
		{"none", "{}", nil},
		{"without a value", `{a: ""}`, []string{"--a"}},
		{"a truth", `{a: "true", b: "False", c: TRUE}`, []string{"--a=true", "--b=false", "--c=true"}},
		{"any other value is an argument of its own", `{v: "5", path: /a b, list: "a,b"}`, []string{"--list", "a,b", "--path", "/a b", "--v", "5"}},
		{"what only begins like a truth", `{a: "truely"}`, []string{"--a", "truely"}},
	} {
		flags := strings.ReplaceAll(c.flags, "TRUE", `"TRUE"`)
		r := render(t, onlySatellites+nodeOverlay("o", "{customizeComponents: {flags: {satellite: "+flags+"}}}"), nodesNamed("a"))
		if diff := cmp.Diff(append([]string{"startSatellite"}, c.want...), r.names(satelliteA, pods+",linstor-satellite,args")); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}

// Flags are appended to what the patches of their object made of the arguments:
// the cluster's first, then those of each overlay.
func TestFlagsComeAfterPatches(t *testing.T) {
	args := func(a string) string {
		return `podTemplate: {spec: {containers: [{name: linstor-satellite, args: [` + a + `]}]}}`
	}
	flags := func(f string) string { return `customizeComponents: {flags: {satellite: {` + f + `: ""}}}` }
	for _, c := range []struct {
		reason, text string
		want         []string
	}{
		{"the cluster, then overlays in their order", cluster(flags("cluster")) + nodeOverlay("b", "{"+flags("b")+"}") + nodeOverlay("a", "{"+flags("a")+"}"), []string{"startSatellite", "--cluster", "--a", "--b"}},
		{"after the overlay's own patches", onlySatellites + nodeOverlay("a", "{"+flags("a")+", "+args("mine")+"}"), []string{"mine", "--a"}},
		{"a later overlay replaces all of it", onlySatellites + nodeOverlay("a", "{"+flags("a")+"}") + nodeOverlay("b", "{"+args("mine")+"}"), []string{"mine"}},
	} {
		r := render(t, c.text, nodesNamed("x"))
		if diff := cmp.Diff(c.want, r.names("DaemonSet/linstor-satellite-x", pods+",linstor-satellite,args")); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}

// Each component's flags go to its own container.
func TestFlagsOfComponents(t *testing.T) {
	text := "apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: c}\nspec:\n  customizeComponents:\n    flags:\n"
	want := map[string]string{
		"affinityController":         "Deployment/linstor-affinity-controller linstor-affinity-controller",
		"controller":                 "Deployment/linstor-controller linstor-controller",
		"csiController":              "Deployment/linstor-csi-controller linstor-csi",
		"csiNode":                    "DaemonSet/linstor-csi-node linstor-csi",
		"highAvailabilityController": "DaemonSet/ha-controller ha-controller",
		"satellite":                  "DaemonSet/linstor-satellite-a linstor-satellite",
	}
	for component := range want {
		text += "      " + component + ": {for: " + component + "}\n"
	}
	r := render(t, text, nodesNamed("a"))
	for component, where := range want {
		object, container, _ := strings.Cut(where, " ")
		args := r.names(object, pods+","+container+",args")
		if len(args) < 2 || !slices.Equal(args[len(args)-2:], []string{"--for", component}) {
			t.Errorf("%s: the arguments of %s are %v", component, where, args)
		}
	}
}

func TestFaultsOfFlags(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"dashes are not part of the name", cluster(`customizeComponents: {flags: {satellite: {--v: "1"}}}`), "error: in.yaml:11: spec.customizeComponents.flags.satellite.--v: want the name of a flag without dashes, found \"--v\"\n"},
		{"nor is a value", cluster(`customizeComponents: {flags: {satellite: {v=1: ""}}}`), "error: in.yaml:11: spec.customizeComponents.flags.satellite.v=1: want the name of a flag without dashes, found \"v=1\"\n"},
		{"a component that takes none", cluster(`customizeComponents: {flags: {nfsServer: {v: "1"}}}`), "error: in.yaml:11: spec.customizeComponents.flags.nfsServer: want one of affinityController, controller, csiController, csiNode, highAvailabilityController, satellite, found \"nfsServer\"\n"},
		{"an overlay has the satellite only", onlySatellites + nodeOverlay("o", `{customizeComponents: {flags: {controller: {v: "1"}}}}`), "error: in.yaml:15: spec.customizeComponents.flags.controller: want one of satellite, found \"controller\"\n"},
		{"a patch took the container", onlySatellites + nodeOverlay("o", `{customizeComponents: {flags: {satellite: {v: "1"}}}, podTemplate: {spec: {containers: [{name: linstor-satellite, $patch: delete}]}}}`), "error: in.yaml:15: DaemonSet/linstor-satellite of node a: customizeComponents.flags.satellite of overlay \"o\": there is no container linstor-satellite\n"},
	} {
		_, err := tryRender(c.text, nodesNamed("a"))
		if diff := cmp.Diff(c.want, told(err)); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}
