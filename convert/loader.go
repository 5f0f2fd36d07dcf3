package convert

import (
	"fmt"
	"path"
)

const loaderName = "drbd-module-loader"

// sourceMount is where the loader looks for the kernel's sources.
const sourceMount = "/usr/src"

// modes are the ways of Piraeus 1 to get the kernel module, by what the
// loader's LB_HOW calls them.
var modes = map[string]string{"Compile": "compile", "ShippedModules": "shipped_modules", "DepsOnly": "deps_only"}

// loader converts the injection of the kernel module, and returns the component
// as it is then. Patches of the loader are patches of the satellite: it moves
// into a DaemonSet of its own afterwards, as patched.
func (c *converter) loader(s *section, k component) component {
	var (
		mode      = s.at("kernelModuleInjectionMode")
		image     = s.at("kernelModuleInjectionImage")
		source    = s.at("kernelModuleInjectionAdditionalSourceDirectory")
		resources = s.at("kernelModuleInjectionResources")
		mounts    = s.at("kernelModuleInjectionExtraVolumeMounts")
	)
	how := mode.text()
	switch {
	case how == "None":
		k.noLoader = true
		k.container(loaderName, map[string]any{"$patch": "delete"}, mode)
		for _, f := range []field{image, source, resources, mounts} {
			f.drop("there is no loader: kernelModuleInjectionMode is None", "")
		}
		return k
	case how != "" && modes[how] == "":
		c.faults.Errorf(mode.place(), "%s: want Compile, ShippedModules, DepsOnly or None, found %q", mode.n.path(), how)
		return k
	case how != "":
		k.container(loaderName, map[string]any{"env": []any{map[string]any{"name": "LB_HOW", "value": modes[how]}}}, mode)
	}
	if ref := image.text(); ref != "" {
		k.container(loaderName, map[string]any{"image": ref}, image)
		c.note(image.place(), fmt.Sprintf("the loader is %s on every node of overlay %q, as it was", ref, k.to.name), "without that patch each node gets the image for its operating system, of a newer DRBD")
	}
	k.sources(how, mode, source)
	if resources.has() {
		k.container(loaderName, map[string]any{"resources": resources.whole()}, resources)
	}
	if len(mounts.list()) > 0 {
		k.container(loaderName, map[string]any{"volumeMounts": mounts.whole()}, mounts)
	}
	k.env(s.at("additionalEnv"), loaderName)
	return k
}

// sources says where the kernel's sources are. Only to compile did Piraeus 1
// mount any.
func (k component) sources(how string, mode, source field) {
	none := map[string]any{"volumeMounts": []any{map[string]any{"mountPath": sourceMount, "$patch": "delete"}}}
	if how != "" && how != "Compile" {
		k.container(loaderName, none, mode)
		source.drop("only kernelModuleInjectionMode Compile has sources", "")
		return
	}
	dir := source.text()
	switch {
	case dir == "" || path.Clean(dir) == sourceMount:
	case !path.IsAbs(dir): // "none"
		k.container(loaderName, none, source)
	default:
		k.pod(map[string]any{"volumes": []any{map[string]any{"name": "usr-src", "hostPath": map[string]any{"path": dir}}}}, source)
	}
}
