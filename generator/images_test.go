package generator

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

const zeros = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

// Images of a node with a known row: what git says is laid over the table field
// by field.
func TestImages(t *testing.T) {
	node := []nodes.Node{{Name: "a", OSImage: "Ubuntu 22.04.5 LTS", KernelVersion: "5.15.0-144-generic", Architecture: "arm64"}}
	loader := func(fields string) string {
		return imagesAre("{components: {drbd-module-loader: {" + fields + "}}}")
	}
	const q = "quay.io/piraeusdatastore/"
	for _, c := range []struct{ reason, text, object, path, want string }{
		{"the built-in row", "", loaderA, inits + ",drbd-module-loader", q + "drbd9-jammy:v9.3.2"},
		{"only the tag: the rows stay", loader("tag: v1"), loaderA, inits + ",drbd-module-loader", q + "drbd9-jammy:v1"},
		{"only the image: a row's own wins", loader("image: other"), loaderA, inits + ",drbd-module-loader", q + "drbd9-jammy:v9.3.2"},
		{"a row before the built-in ones", loader(`match: [{osImage: "Ubuntu", image: mine}]`), loaderA, inits + ",drbd-module-loader", q + "mine:v9.3.2"},
		{"a row with nothing but a tag has the component's image", loader(`image: other, match: [{osImage: "Ubuntu", tag: v2}]`), loaderA, inits + ",drbd-module-loader", q + "other:v2"},
		{"the first row that matches", loader(`match: [{osImage: Debian, image: never}, {kernelVersion: generic$, image: one}, {osImage: Ubuntu, image: two}]`), loaderA, inits + ",drbd-module-loader", q + "one:v9.3.2"},
		{"all of a row must match", loader(`match: [{osImage: Ubuntu, kernelVersion: ^6, image: never}, {osImage: Ubuntu, architecture: amd64, image: never}, {osImage: ^22, image: never}]`), loaderA, inits + ",drbd-module-loader", q + "drbd9-jammy:v9.3.2"},
		{"an architecture is compared for equality", loader(`match: [{architecture: arm, image: never}, {architecture: arm64, image: yes-it-is}]`), loaderA, inits + ",drbd-module-loader", q + "yes-it-is:v9.3.2"},
		{"a row's digest beats tags", loader(`match: [{osImage: Ubuntu, image: mine, tag: v1, digest: "` + zeros + `"}]`), loaderA, inits + ",drbd-module-loader", q + "mine@" + zeros},
		{"a component's digest is of its own image, not of a row's", loader(`digest: "` + zeros + `"`), loaderA, inits + ",drbd-module-loader", q + "drbd9-jammy:v9.3.2"},
		{"a row may change any image of a node", imagesAre(`{components: {linstor-satellite: {match: [{architecture: arm64, tag: v1}]}}}`), satelliteA, pods + ",linstor-satellite", q + "piraeus-server:v1"},
		{"the wait too", imagesAre(`{components: {linstor-satellite: {match: [{architecture: arm64, tag: v1}]}}}`), satelliteA, inits + ",wait-for-drbd", q + "piraeus-server:v1"},
		{"a base for all", imagesAre(`{base: registry.example.com/x}`), loaderA, pods + ",pause", "registry.example.com/x/pause:3.10"},
		{"the repository beats the base", strings.Replace(imagesAre(`{base: registry.example.com/x}`), "---", "  repository: registry.example.com/y\n---", 1), loaderA, pods + ",pause", "registry.example.com/y/pause:3.10"},
		{"layers by name, the later field by field over the earlier", imagesAre("{components: {pause: {image: p, tag: v1}}}") + strings.Replace(imagesAre("{components: {pause: {tag: v2}}}"), "{name: images}", "{name: later}", 1), loaderA, pods + ",pause", "registry.k8s.io/p:v2"},
	} {
		r := render(t, onlySatellites+c.text, node)
		if got := r.at(c.object, c.path+",image"); got != c.want {
			t.Errorf("%s: got %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestFaultsOfImages(t *testing.T) {
	const known = "csi-attacher, csi-external-health-monitor-controller, csi-livenessprobe, csi-node-driver-registrar, csi-provisioner, csi-resizer, csi-snapshotter, drbd-module-loader, drbd-reactor, drbd-shutdown-guard, ha-controller, ktls-utils, linstor-affinity-controller, linstor-controller, linstor-csi, linstor-satellite, nfs-server, pause"
	for _, c := range []struct{ reason, spec, want string }{
		{"a typo", "{components: {linstor-satelite: {tag: v1}}}", "error: in.yaml:15: there is no component \"linstor-satelite\"\nhint: the components are " + known + "\n"},
		{"rows for what runs anywhere", "{components: {linstor-csi: {match: [{osImage: x}]}}}", "error: in.yaml:15: component \"linstor-csi\" runs on no particular node, so rows cannot match\nhint: rows are for drbd-module-loader, drbd-reactor, drbd-shutdown-guard, ktls-utils, linstor-satellite, pause\n"},
		{"a digest that is none", "{components: {linstor-csi: {digest: sha256:1}}}", "error: in.yaml:15: spec.components.linstor-csi.digest: want sha256: and 64 hexadecimal digits, found \"sha256:1\"\n"},
	} {
		_, err := tryRender(onlySatellites+imagesAre(c.spec), nodesNamed("a"))
		if diff := cmp.Diff(c.want, told(err)); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}

// A row that brings its own modules needs no headers, and says so to the image.
func TestPrecompiledModules(t *testing.T) {
	r := render(t, onlySatellites+imagesAre(`{components: {drbd-module-loader: {match: [{osImage: Ubuntu, image: mine, precompiled: true}]}}}`), nodesNamed("a"))
	if diff := cmp.Diff([]string{"lib-modules", "tmp"}, r.names(loaderA, volumes)); diff != "" {
		t.Error(diff)
	}
	if got := r.at(loaderA, inits+",drbd-module-loader,env,LB_HOW,value"); got != "shipped_modules" {
		t.Errorf("LB_HOW is %v", got)
	}
}
