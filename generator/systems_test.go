package generator

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// systems are nodes with an operating system each, by name.
func systems(pairs ...string) []nodes.Node {
	var list []nodes.Node
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, nodes.Node{Name: pairs[i], OSImage: pairs[i+1], Labels: map[string]string{"is": pairs[i]}})
	}
	return list
}

// imagesAre is a LinstorImageConfiguration; its spec, in flow style, is on line 15
// right below onlySatellites.
func imagesAre(spec string) string {
	return "---\napiVersion: linstor-cmp.io/v1alpha1\nkind: LinstorImageConfiguration\nmetadata: {name: images}\nspec: " + spec + "\n"
}

const noLoader = `{podTemplate: {spec: {initContainers: [{name: drbd-module-loader, $patch: delete}]}}}`

// What a node of an operating system that no row matches gets, and what is told.
func TestUnknownOperatingSystems(t *testing.T) {
	arch := systems("a", "Arch Linux", "b", "Ubuntu 22.04.5 LTS", "c", "Arch Linux", "d", "")
	const fallback = "quay.io/piraeusdatastore/drbd9-noble:v9.3.2"
	row := "hint: add a row to a LinstorImageConfiguration, or say unknownOS: "
	for _, c := range []struct {
		reason, text string
		loader       any // its image on node a
		told         string
	}{
		{
			"by default the component's own image, and a warning per system", onlySatellites, fallback,
			"warning: node d: no image row matches osImage \"\"; the loader is " + fallback + "\n" + row + "Skip or Error there\n" +
				"warning: nodes a, c: no image row matches osImage \"Arch Linux\"; the loader is " + fallback + "\n" + row + "Skip or Error there\n",
		},
		{
			"the same in so many words", onlySatellites + imagesAre("{unknownOS: Fallback, components: {drbd-module-loader: {image: mine, tag: v1}}}"), "quay.io/piraeusdatastore/mine:v1",
			"warning: node d: no image row matches osImage \"\"; the loader is quay.io/piraeusdatastore/mine:v1\n" + row + "Skip or Error there\n" +
				"warning: nodes a, c: no image row matches osImage \"Arch Linux\"; the loader is quay.io/piraeusdatastore/mine:v1\n" + row + "Skip or Error there\n",
		},
		{"no loader, as someone wants it", onlySatellites + imagesAre("{unknownOS: Skip}"), nil, ""},
		{"a patch took the loader: its image says nothing", onlySatellites + overlay("o", noLoader), nil, ""},
		{
			"a patch chose the image", onlySatellites + overlay("o", `{podTemplate: {spec: {initContainers: [{name: drbd-module-loader, image: "mine:2"}]}}}`), "mine:2", "",
		},
		{
			"a row matches", onlySatellites + imagesAre(`{components: {drbd-module-loader: {match: [{osImage: "^Arch|^$", image: drbd9-arch}]}}}`), "quay.io/piraeusdatastore/drbd9-arch:v9.3.2", "",
		},
	} {
		r, err := tryRender(c.text, arch)
		if diff := cmp.Diff(c.told, r.told(err)); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
		if got := r.at(loaderA, inits+",drbd-module-loader,image"); got != c.loader {
			t.Errorf("%s: the loader is %v, want %v", c.reason, got, c.loader)
		}
		if got := r.at("DaemonSet/drbd-module-loader-b", inits+",drbd-module-loader,image"); got != nil && strings.Contains(got.(string), "noble") {
			t.Errorf("%s: the loader of a known system is %v", c.reason, got)
		}
	}
	_, err := tryRender(onlySatellites+imagesAre("{unknownOS: Error}")+overlay("o", `{nodeSelector: {is: c}, podTemplate: {spec: {hostPID: true}}}`), arch)
	var want string
	for _, n := range []string{"a", "c", "d"} {
		os := `"Arch Linux"`
		if n == "d" {
			os = `""`
		}
		want += "error: node " + n + ": no image row matches osImage " + os + "\n" + row + "Fallback or Skip there\n"
	}
	if diff := cmp.Diff(want, told(err)); diff != "" {
		t.Errorf("an error for each node (-want +got): %s", diff)
	}
}

// With Skip, what amends a loader that is not there means nothing, and what
// brings a loader of its own brings it.
func TestSkippedLoaders(t *testing.T) {
	text := onlySatellites + imagesAre("{unknownOS: Skip}")
	amends := overlay("o", `{podTemplate: {spec: {initContainers: [{name: drbd-module-loader, env: [{name: LB_HOW, value: compile}]}]}}}`)
	r := render(t, text+amends, systems("a", "Arch Linux"))
	if diff := cmp.Diff([]string{"drbd-shutdown-guard"}, r.names(satelliteA, inits)); diff != "" || r.objects[loaderA] != nil {
		t.Errorf("an amended loader: %s, %v", diff, r.objects[loaderA])
	}
	brings := overlay("o", `{podTemplate: {spec: {initContainers: [{name: drbd-module-loader, image: "mine:1"}]}}}`)
	r = render(t, text+brings, systems("a", "Arch Linux"))
	if got := r.at(loaderA, inits+",drbd-module-loader,image"); got != "mine:1" {
		t.Errorf("a loader of its own: %v", got)
	}
}

// A node whose objects still need what its system lacks gets a hint, and a
// warning where someone took the loader out and left the rest.
func TestHintsPerOperatingSystem(t *testing.T) {
	const (
		talos   = "Talos (v1.9.4)"
		flatcar = "Flatcar Container Linux by Kinvolk 4152.2.0 (Oklo)"
		rows    = `{components: {drbd-module-loader: {match: [{osImage: "Talos|Flatcar", image: x}]}}}`
	)
	profile := func(name, more string) string { return nodeOverlay("p", "{profile: "+name+more+"}") }
	for _, c := range []struct{ reason, os, text, want string }{
		{
			"Talos as it is", talos, "",
			"hint: node a: Talos has no place for /lib/modules, /run/dbus/system_bus_socket, /run/systemd/system/, /usr/src, the loader; a LinstorNodeConfiguration with spec.profile: Talos leaves it out\n",
		},
		{"Talos with its profile", talos, profile("Talos", ""), ""},
		{
			"Talos without its loader only: the rest still keeps the pod from starting", talos, overlay("o", noLoader),
			"warning: node a: Talos has no place for /run/dbus/system_bus_socket, /run/systemd/system/\nhint: a LinstorNodeConfiguration with spec.profile: Talos leaves it out\n",
		},
		{
			"Talos with its profile, and a patch that brings a path back", talos,
			profile("Talos", `, podTemplate: {spec: {containers: [{name: linstor-satellite, volumeMounts: [{name: m, mountPath: /m}]}], volumes: [{name: m, hostPath: {path: /lib/modules/extra}}]}}`),
			"warning: node a: Talos has no place for /lib/modules/extra\nhint: a LinstorNodeConfiguration with spec.profile: Talos leaves it out\n",
		},
		{
			"Flatcar as it is", flatcar, "",
			"hint: node a: Flatcar has no place for /usr/src; a LinstorNodeConfiguration with spec.profile: Flatcar leaves it out\n",
		},
		{"Flatcar with its profile", flatcar, profile("Flatcar", ""), ""},
		{"another system, whatever it mounts", "Ubuntu 22.04.5 LTS", "", ""},
		{"another system with a profile that is not its own", "Ubuntu 22.04.5 LTS", profile("Talos", ""), ""},
	} {
		r, err := tryRender(onlySatellites+imagesAre(rows)+c.text, systems("a", c.os))
		if diff := cmp.Diff(c.want, r.told(err)); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
	r := render(t, onlySatellites+imagesAre(rows), systems("a", talos, "b", talos))
	if !strings.HasPrefix(r.told(nil), "hint: nodes a, b: Talos") {
		t.Errorf("nodes that need the same share a hint: %s", r.told(nil))
	}
}
