package generator

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	satelliteA = "DaemonSet/linstor-satellite-a"
	loaderA    = "DaemonSet/drbd-module-loader-a"
)

// before puts init containers before the loader, and volumes.
func before(containers, more string) string {
	return `{podTemplate: {spec: {volumes: [{name: headers, emptyDir: {}}` + more + `]}}, patches: [{target: {kind: DaemonSet, name: linstor-satellite},
  patch: '[{op: add, path: /spec/template/spec/initContainers/0, value: ` + containers + `},
    {op: add, path: /spec/template/spec/initContainers/1/volumeMounts/-, value: {name: headers, mountPath: /headers}}]'}]}`
}

// Patches apply to the satellite in Piraeus's shape; what is looked at comes
// after the loader's move.
func TestLoaderMoves(t *testing.T) {
	for _, c := range []struct {
		reason, spec      string
		satellite, loader string // init containers
		there, gone       string // volumes of the satellite that are there, and that are not
		moved             string // all volumes of the loader
	}{
		{
			"it leaves a wait in its place", "{}",
			"wait-for-drbd drbd-shutdown-guard", "drbd-module-loader",
			"dev tmp", "lib-modules usr-src", "lib-modules usr-src tmp",
		},
		{
			"a helper that shares a volume with it alone moves along",
			before(`{name: prepare, image: "x:1", volumeMounts: [{name: headers, mountPath: /out}]}`, ""),
			"wait-for-drbd drbd-shutdown-guard", "prepare drbd-module-loader",
			"tmp", "lib-modules headers", "lib-modules usr-src tmp headers",
		},
		{
			"what a helper that moves mounts besides is in both pods",
			before(`{name: prepare, image: "x:1", volumeMounts: [{name: headers, mountPath: /out}, {name: run, mountPath: /run}]}`, ""),
			"wait-for-drbd drbd-shutdown-guard", "prepare drbd-module-loader",
			"tmp run", "lib-modules headers", "lib-modules usr-src tmp run headers",
		},
		{
			"one that shares with it only what the satellite mounts too stays",
			before(`{name: prepare, image: "x:1", volumeMounts: [{name: tmp, mountPath: /out}]}`, ""),
			"prepare wait-for-drbd drbd-shutdown-guard", "drbd-module-loader",
			"tmp", "lib-modules headers", "lib-modules usr-src tmp headers",
		},
		{
			"one that shares nothing with it stays",
			before(`{name: prepare, image: "x:1", volumeMounts: [{name: other, mountPath: /out}]}`, ", {name: other, emptyDir: {}}"),
			"prepare wait-for-drbd drbd-shutdown-guard", "drbd-module-loader",
			"other", "headers", "lib-modules usr-src tmp headers",
		},
		{
			"one after the loader prepares nothing for it",
			`{podTemplate: {spec: {initContainers: [{name: after, image: "x:1", volumeMounts: [{name: usr-src, mountPath: /src}]}]}}}`,
			"wait-for-drbd drbd-shutdown-guard after", "drbd-module-loader",
			"usr-src", "lib-modules", "lib-modules usr-src tmp",
		},
		{
			"a volume that a container mounts is in both pods",
			`{podTemplate: {spec: {containers: [{name: linstor-satellite, volumeMounts: [{name: lib-modules, mountPath: /lib/modules}]}]}}}`,
			"wait-for-drbd drbd-shutdown-guard", "drbd-module-loader",
			"lib-modules", "usr-src", "lib-modules usr-src tmp",
		},
		{
			"a volume that nothing mounts and the move did not touch stays",
			`{podTemplate: {spec: {volumes: [{name: spare, emptyDir: {}}]}}}`,
			"wait-for-drbd drbd-shutdown-guard", "drbd-module-loader",
			"spare", "lib-modules", "lib-modules usr-src tmp",
		},
		{
			"a loader that a patch deletes takes its volumes along and leaves no wait",
			`{podTemplate: {spec: {initContainers: [{name: drbd-module-loader, $patch: delete}]}}}`,
			"drbd-shutdown-guard", "",
			"tmp", "lib-modules usr-src", "",
		},
		{
			"a volume of a deleted loader that another container mounts stays",
			`{podTemplate: {spec: {initContainers: [{name: drbd-module-loader, $patch: delete}], containers: [{name: side, image: "x:1", volumeMounts: [{name: usr-src, mountPath: /src}]}]}}}`,
			"drbd-shutdown-guard", "",
			"usr-src", "lib-modules", "",
		},
		{
			"deleting all init containers deletes the loader",
			`{podTemplate: {spec: {initContainers: null}}}`,
			"", "",
			"tmp run-systemd-system", "lib-modules usr-src", "",
		},
		{
			"a patch that deletes the loader's DaemonSet ends the wait for it",
			`{patches: [{patch: "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: drbd-module-loader}, $patch: delete}"}]}`,
			"drbd-shutdown-guard", "",
			"tmp", "lib-modules usr-src", "",
		},
	} {
		r := render(t, onlySatellites+overlay("o", c.spec), nodesNamed("a"))
		have := r.names(satelliteA, volumes)
		for _, list := range []struct {
			what, want string
			got        []string
		}{
			{"init containers of the satellite", c.satellite, r.names(satelliteA, inits)},
			{"init containers of the loader", c.loader, r.names(loaderA, inits)},
			{"volumes of the loader", c.moved, r.names(loaderA, volumes)},
		} {
			if diff := cmp.Diff(list.want, strings.Join(list.got, " ")); diff != "" {
				t.Errorf("%s: %s: %s", c.reason, list.what, diff)
			}
		}
		for _, v := range strings.Fields(c.there) {
			if !slices.Contains(have, v) {
				t.Errorf("%s: the satellite has no volume %s", c.reason, v)
			}
		}
		for _, v := range strings.Fields(c.gone) {
			if slices.Contains(have, v) {
				t.Errorf("%s: the satellite has volume %s", c.reason, v)
			}
		}
	}
}

// The loader's pod has what the satellite's has, as patched, of a few fields of
// pod level, and nothing else of it.
func TestWhatTheLoaderTakesFromTheSatellite(t *testing.T) {
	template := `{metadata: {labels: {team: storage}, annotations: {note: x}}, spec: {
    tolerations: [{operator: Exists}], imagePullSecrets: [{name: pull}], priorityClassName: mine, serviceAccountName: other, nodeSelector: {disk: fast},
    affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: zone}}]}},
    hostNetwork: true, hostPID: true, dnsPolicy: Default, runtimeClassName: r, terminationGracePeriodSeconds: 7, securityContext: {fsGroup: 1}, hostAliases: [{ip: 10.0.0.1}]}}`
	r := render(t, onlySatellites+overlay("o", "{podTemplate: "+template+"}"), nodesNamed("a"))
	for _, field := range []string{"tolerations", "imagePullSecrets", "priorityClassName", "serviceAccountName", "nodeSelector", "affinity"} {
		want := r.at(satelliteA, pod+","+field)
		if diff := cmp.Diff(want, r.at(loaderA, pod+","+field)); want == nil || diff != "" {
			t.Errorf("%s is %v on the satellite and differs on the loader: %s", field, want, diff)
		}
	}
	for _, field := range []string{"hostNetwork", "hostPID", "dnsPolicy", "runtimeClassName", "terminationGracePeriodSeconds", "securityContext", "hostAliases", "shareProcessNamespace"} {
		if r.at(satelliteA, pod+","+field) == nil {
			t.Errorf("the satellite has no %s: the test proves nothing", field)
		}
		if got := r.at(loaderA, pod+","+field); got != nil {
			t.Errorf("the loader has %s: %v", field, got)
		}
	}
	for _, path := range []string{"spec,template,metadata,labels,team", "spec,template,metadata,annotations,note"} {
		if got := r.at(loaderA, path); got != nil {
			t.Errorf("the loader has %s: %v", path, got)
		}
	}
}

func TestPatchesOfTheLoaderApplyAfterTheMove(t *testing.T) {
	text := onlySatellites + overlay("o", `{patches: [
    {target: {kind: DaemonSet, name: drbd-module-loader}, patch: '[{op: add, path: /spec/template/spec/containers/0/resources, value: {limits: {memory: 8Mi}}}]'},
    {patch: "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: drbd-module-loader}, spec: {template: {spec: {tolerations: [{key: only, operator: Exists}]}}}}"},
    {target: {kind: DaemonSet, name: linstor-satellite}, patch: '[{op: add, path: /spec/template/spec/tolerations/-, value: {key: both, operator: Exists}}]'}]}`)
	r := render(t, text, nodesNamed("a"))
	if got := r.at(loaderA, pods+",pause,resources,limits,memory"); got != "8Mi" {
		t.Errorf("the limit of pause is %v", got)
	}
	want := []any{map[string]any{"key": "only", "operator": "Exists"}}
	if diff := cmp.Diff(want, r.at(loaderA, pod+",tolerations")); diff != "" {
		t.Errorf("tolerations of the loader: %s", diff)
	}
	if got := r.at(satelliteA, pod+",tolerations").([]any); len(got) != 4 {
		t.Errorf("tolerations of the satellite: %v", got)
	}
}

// The wait has the satellite's image, whoever chose it.
func TestTheWaitHasTheSatellitesImage(t *testing.T) {
	r := render(t, onlySatellites+overlay("o", `{podTemplate: {spec: {containers: [{name: linstor-satellite, image: "mine:1"}]}}}`), nodesNamed("a"))
	if got := r.at(satelliteA, inits+",wait-for-drbd,image"); got != "mine:1" {
		t.Errorf("the wait's image is %v", got)
	}
}

func TestLoaderAsInitContainer(t *testing.T) {
	r := render(t, onlySatellites, nodesNamed("a"), inInitContainer)
	if r.objects[loaderA] != nil {
		t.Error("there is a DaemonSet of the loader")
	}
	if diff := cmp.Diff([]string{"drbd-module-loader", "drbd-shutdown-guard"}, r.names(satelliteA, inits)); diff != "" {
		t.Error(diff)
	}
	if have := r.names(satelliteA, volumes); !slices.Contains(have, "lib-modules") || !slices.Contains(have, "usr-src") {
		t.Errorf("the loader's volumes are not there: %v", have)
	}
	_, err := tryRender(onlySatellites+overlay("o", `{patches: [{target: {name: drbd-module-loader}, patch: '[{op: add, path: /spec/minReadySeconds, value: 1}]'}]}`), nodesNamed("a"), inInitContainer)
	if got := told(err); !strings.Contains(got, "in.yaml:15: patches[0] of overlay \"o\" selects no object") || strings.Contains(got, "DaemonSet/drbd-module-loader") {
		t.Errorf("a patch of a DaemonSet that is not there: got %q", got)
	}
}
