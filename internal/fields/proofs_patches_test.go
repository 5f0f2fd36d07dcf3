package fields

import (
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
)

const annotated = "/metadata/annotations/x"

// customized is the spec of one patch of customizeComponents.
func customized(fields string) string {
	return "{customizeComponents: {patches: [{" + fields + "}]}}"
}

func customizeProofs(kind string) []proof {
	const (
		list  = "customizeComponents.patches[]."
		marks = `patch: "{metadata: {annotations: {x: z}}}"`
		all   = `resourceType: DaemonSet, resourceName: linstor-satellite, `
		one   = `patch: "{spec: {template: {spec: {initContainers: [{name: one, image: 'i:1'}]}}}}"`
	)
	return of(kind, []proof{
		{path: list + "resourceType", without: customized(`resourceType: ConfigMap, resourceName: "*", ` + marks), with: customized(`resourceType: daemonset, resourceName: "*", ` + marks), object: satellite, pointer: annotated, want: "z"},
		{path: list + "resourceName", without: customized(`resourceType: "*", resourceName: satellite-config, ` + marks), with: customized(`resourceType: "*", resourceName: LINSTOR-satellite, ` + marks), object: satellite, pointer: annotated, want: "z"},
		{path: list + "resourceName", without: customized(`resourceType: "*", resourceName: satellite-config, ` + marks), with: customized(`resourceType: "*", resourceName: linstor-satellite-a, ` + marks), object: satellite, pointer: annotated, want: "z"},
		{path: list + "patch", without: customized(all + `patch: "{}"`), with: customized(all + marks), object: satellite, pointer: annotated, want: "z"},
		// By default containers merge by name; with merge the list is replaced, and the loader goes.
		{path: list + "type", without: customized(all + one), with: customized(all + `type: merge, ` + one), object: loader},
		{path: list + "type", without: customized(all + `patch: "{}"`), with: customized(all + `type: json, patch: "[{op: add, path: /metadata/annotations/x, value: z}]"`), object: satellite, pointer: annotated, want: "z"},
		{path: list + "nodeSelectorTerms", without: customized(all + marks), with: customized(all + marks + ", nodeSelectorTerms: " + onlyB), object: satellite, pointer: annotated},
		{path: list + "options", without: customized(`resourceType: X, resourceName: none, ` + marks), with: customized(`resourceType: X, resourceName: none, options: {allowNoMatch: true}, ` + marks), told: "selects no object", gone: true},
		{path: "customizeComponents.flags", with: `{customizeComponents: {flags: {satellite: {v: "5"}}}}`, object: satellite, pointer: pod + "/containers/linstor-satellite/args", want: []any{"startSatellite", "--v", "5"}},
	})
}

// patchProofs aim at an object that patches of the kind reach.
func patchProofs(kind string) []proof {
	object, base := satellite, "DaemonSet/linstor-satellite"
	if kind == api.KindCluster {
		object, base = controller, controller
	}
	baseKind, baseName, _ := strings.Cut(base, "/")
	const marks = `patch: "[{op: add, path: /metadata/annotations/x, value: z}]"`
	spec := func(fields string) string { return "{patches: [{" + fields + "}]}" }
	target := func(field, none, some string) proof {
		return proof{
			path:    "patches[].target." + field,
			without: spec(marks + ", options: {allowNoMatch: true}, target: {" + field + ": " + none + "}"),
			with:    spec(marks + ", target: {" + field + ": " + some + "}"),
			object:  object, pointer: annotated, want: "z",
		}
	}
	merge := `patch: "{apiVersion: apps/v1, kind: ` + baseKind + `, metadata: {name: ` + baseName + `, annotations: {x: z}}}"`
	return of(kind, []proof{
		{path: "patches[].patch", with: spec(merge), object: object, pointer: annotated, want: "z"},
		{path: "patches[].patch", with: spec(marks + `, target: {kind: ` + baseKind + `}`), object: object, pointer: annotated, want: "z"},
		{path: "patches[].path", with: spec("path: patch.yaml, target: {kind: " + baseKind + "}"), object: object, pointer: annotated, want: "z"},
		target("group", "app", "ap+s"),
		target("version", "v2", "v1"),
		target("kind", strings.ToLower(baseKind), baseKind[:3]+".*"),
		target("name", "linstor", baseName[:9]+".*"),
		target("namespace", "other", "ns"),
		target("labelSelector", "app.kubernetes.io/component=none", `"app.kubernetes.io/component in (`+baseName+`)"`),
		target("annotationSelector", "none", "argocd.argoproj.io/sync-options"),
		{path: "patches[].options", without: spec(marks + ", target: {name: none}"), with: spec(marks + ", target: {name: none}, options: {allowNoMatch: true}"), told: "selects no object", gone: true},
	})
}
