package generator

import (
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

const (
	loaderName = "drbd-module-loader"
	waitName   = "wait-for-drbd"
)

// loaderVolumes are the volumes that only the loader needs.
var loaderVolumes = []string{"lib-modules", "usr-src"}

// moveLoader moves the loader's init container, as patched, with what it uses,
// out of the satellite into a DaemonSet of its own. It returns nil where there
// is no loader: a patch or a profile took it out.
func (g *generation) moveLoader(satellite *object, c *class, v vars) *object {
	pod := satellite.podSpec()
	touched := slices.Clone(loaderVolumes)
	defer func() { dropUnmounted(pod, touched) }()
	container := named(pod, "initContainers", loaderName)
	if container == nil || g.settings.Loader == LoaderInitContainer {
		return nil
	}
	loader := newObject(loaderName, template("loader", 0))
	g.label(loader, v)
	target := loader.podSpec()
	for _, k := range elements(target, "containers") {
		k["image"] = c.images.of["pause"]
	}
	moved := append(helpers(pod, container), container)
	target["initContainers"] = []any{}
	for _, k := range moved {
		push(target, "initContainers", k)
	}
	used := mounts(moved...)
	for _, vol := range elements(pod, "volumes") {
		if name, _ := vol["name"].(string); used[name] {
			push(target, "volumes", manifest.Clone(vol))
			touched = append(touched, name)
		}
	}
	replaceByWait(pod, moved, c.images.of["linstor-satellite"])
	for _, key := range []string{"tolerations", "imagePullSecrets", "priorityClassName", "serviceAccountName", "nodeSelector", "affinity"} {
		if pod[key] != nil {
			target[key] = manifest.Clone(pod[key])
		}
	}
	return loader
}

// helpers returns the init containers before the loader that share with it a
// volume that nothing after them mounts: they prepare what it reads.
func helpers(pod, loader map[string]any) []map[string]any {
	inits := elements(pod, "initContainers")
	at := slices.IndexFunc(inits, func(k map[string]any) bool { return k["name"] == loaderName })
	elsewhere := mounts(append(elements(pod, "containers"), inits[at+1:]...)...)
	uses := mounts(loader)
	var moving []map[string]any
	for _, k := range inits[:at] {
		for name := range mounts(k) {
			if uses[name] && !elsewhere[name] {
				moving = append(moving, k)
				break
			}
		}
	}
	return moving
}

// replaceByWait puts an init container that waits for the module into the
// place of those that moved.
func replaceByWait(pod map[string]any, moved []map[string]any, image any) {
	if k := named(pod, "containers", "linstor-satellite"); k != nil && k["image"] != nil {
		image = k["image"] // the node has it anyhow
	}
	wait := map[string]any{
		"name":    waitName,
		"image":   image,
		"command": []any{"/bin/sh", "-c", `until grep -q "^version: 9" /proc/drbd; do echo "waiting for the DRBD 9 kernel module"; sleep 3; done`},
		"securityContext": map[string]any{
			"allowPrivilegeEscalation": false,
			"capabilities":             map[string]any{"drop": []any{"ALL"}},
			"readOnlyRootFilesystem":   true,
		},
	}
	var rest []any
	for _, k := range elements(pod, "initContainers") {
		switch {
		case k["name"] == loaderName:
			rest = append(rest, wait)
		case !slices.ContainsFunc(moved, func(m map[string]any) bool { return m["name"] == k["name"] }):
			rest = append(rest, k)
		}
	}
	pod["initContainers"] = rest
}

// dropUnmounted leaves out those of the given volumes that nothing mounts.
func dropUnmounted(pod map[string]any, names []string) {
	used := mounts(append(elements(pod, "containers"), elements(pod, "initContainers")...)...)
	drop(pod, "volumes", func(v map[string]any) bool {
		name, _ := v["name"].(string)
		return slices.Contains(names, name) && !used[name]
	})
}
