package convert

import (
	"fmt"
	"slices"
	"strings"
)

// component is a workload of the output and where patches of it are written:
// what all components of Piraeus 1 have in common is converted here.
type component struct {
	c          *converter
	to         *target
	kind, name string
	main       string // its main container
	noLoader   bool   // its loader is taken out
}

func (k component) id() string { return k.kind + "/" + k.name }

func (k component) shape() shape { return tlsShapes()[k.id()] }

// pod patches the pod template's spec.
func (k component) pod(spec map[string]any, from ...field) {
	k.to.patch(k.kind, k.name, "", map[string]any{"spec": map[string]any{"template": map[string]any{"spec": spec}}}, from...)
}

// container patches a container, or an init container.
func (k component) container(name string, fields map[string]any, from ...field) {
	list := "containers"
	if slices.Contains(k.shape().inits, name) {
		list = "initContainers"
	}
	fields["name"] = name
	k.pod(map[string]any{list: []any{fields}}, from...)
}

// containers patches all containers and init containers alike.
func (k component) containers(fields func() map[string]any, from ...field) {
	spec := map[string]any{}
	for list, names := range map[string][]string{"initContainers": k.shape().inits, "containers": k.shape().containers} {
		var elements []any
		for _, name := range names {
			if !k.present(name) {
				continue
			}
			e := fields()
			e["name"] = name
			elements = append(elements, e)
		}
		if elements != nil {
			spec[list] = elements
		}
	}
	k.pod(spec, from...)
}

// present reports whether a container of the shape is in the output: that of
// the loader may have been taken out, and what TLS adds is left alone.
func (k component) present(name string) bool {
	s, known := plainShapes()[k.id()]
	return known && (slices.Contains(s.inits, name) || slices.Contains(s.containers, name)) && !(name == loaderName && k.noLoader)
}

// sidecars adds each container with a patch of its own.
func (k component) sidecars(f field) {
	for _, one := range f.list() {
		name := text(one.n.member("name"))
		if k.taken("container", name, slices.Concat(k.shape().containers, k.shape().inits)) {
			one.lost(fmt.Sprintf("%s has a container %q already", k.id(), name), "add it by hand under another name")
			continue
		}
		k.pod(map[string]any{"containers": []any{one.whole()}}, one)
	}
}

// volumes adds all volumes of a list with one patch.
func (k component) volumes(f field) {
	var list []any
	var from []field
	for _, one := range f.list() {
		name := text(one.n.member("name"))
		if k.taken("volume", name, k.shape().volumes) {
			one.lost(fmt.Sprintf("%s has a volume %q already", k.id(), name), "add it by hand under another name, and to the containers that mount it")
			continue
		}
		list = append(list, one.whole())
		from = append(from, one)
	}
	if list != nil {
		k.pod(map[string]any{"volumes": list}, from...)
	}
}

// taken reports whether a name is in use, and notes that now it is. A patch
// with a name that is would amend what is there instead of adding to it.
func (k component) taken(what, name string, builtin []string) bool {
	id := fmt.Sprintf("%s %s %s %s", k.to.file, k.id(), what, name)
	if k.c.names[id] || slices.Contains(builtin, name) {
		return true
	}
	k.c.names[id] = true
	return false
}

// env adds variables to a container. As in Piraeus 1 they win over the
// container's own.
func (k component) env(f field, containers ...string) {
	if len(f.list()) == 0 {
		return
	}
	for _, name := range containers {
		k.container(name, map[string]any{"env": f.whole()}, f)
	}
}

func (k component) resources(f field) {
	if f.has() {
		k.container(k.main, map[string]any{"resources": f.whole()}, f)
	}
}

// tolerations adds to the list of the pod. A strategic patch would replace it,
// and with it the tolerations that LINSTOR's own taints call for.
func (k component) tolerations(f field) {
	var ops []any
	for _, one := range f.list() {
		ops = append(ops, map[string]any{"op": "add", "path": "/spec/template/spec/tolerations/-", "value": one.whole()})
	}
	if ops != nil {
		k.to.patch(k.kind, k.name, "json", ops, f)
	}
}

// affinity says where the pods run. Where the LinstorCluster chooses nodes, its
// own pods are bound to them; those of Piraeus 1 were not.
func (k component) affinity(f field) {
	bound := len(k.c.cluster.terms) > 0
	switch {
	case f.has() && bound:
		value := f.mappingValue()
		value["$patch"] = "replace"
		k.pod(map[string]any{"affinity": value}, f)
	case f.has():
		k.pod(map[string]any{"affinity": f.mappingValue()}, f)
	case bound:
		k.pod(map[string]any{"affinity": map[string]any{"nodeAffinity": nil}})
	}
}

// metadata adds labels and annotations to the workload and its pods.
func (k component) metadata(labels, annotations field) {
	for _, of := range []struct {
		key string
		f   field
	}{{"labels", labels}, {"annotations", annotations}} {
		values := map[string]any{}
		var from []field
		for _, one := range of.f.mapping() {
			if reserved(one.key()) {
				one.lost("whoever makes an object sets this", "")
			}
			if one.n.state == listed {
				continue
			}
			values[one.key()] = one.text()
			from = append(from, one)
		}
		if len(values) == 0 {
			continue
		}
		meta := map[string]any{"metadata": map[string]any{of.key: values}}
		k.to.patch(k.kind, k.name, "", map[string]any{
			"metadata": meta["metadata"], "spec": map[string]any{"template": meta},
		}, from...)
	}
}

// reserved reports whether a label is one of those by which objects are
// selected and managed.
func reserved(key string) bool {
	domain, name, found := strings.Cut(key, "/")
	if !found {
		return key == "name" // the chart's own
	}
	return domain == "linstor-cmp.io" || domain == "helm.sh" ||
		domain == "app.kubernetes.io" && slices.Contains([]string{"name", "instance", "component", "managed-by", "version"}, name)
}

func (k component) pullSecret(f field) {
	if name := f.text(); name != "" {
		k.pod(map[string]any{"imagePullSecrets": []any{map[string]any{"name": name}}}, f)
	}
}

// pullPolicy sets the policy of all containers. IfNotPresent is what a tagged
// image has anyhow.
func (k component) pullPolicy(f field) {
	if policy := f.text(); policy != "" && policy != "IfNotPresent" {
		k.containers(func() map[string]any { return map[string]any{"imagePullPolicy": policy} }, f)
	}
}

func (k component) priority(f field) {
	if name := f.text(); name != "" {
		k.pod(map[string]any{"priorityClassName": name}, f)
	}
}
