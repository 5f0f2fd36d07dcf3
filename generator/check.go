package generator

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// fault is what is wrong with a finished object.
type fault struct {
	object string
	manifest.Fault
	// fields are what to look for in a patch to find the line that is at fault:
	// the last key of the path, or what the message is about.
	fields []string
}

// check holds finished objects, with placeholders filled in, against their Go
// types and against what no API server takes and no cluster is needed to see.
func check(objects []*object, with []string) []fault {
	var out []fault
	for _, o := range objects {
		c := &rules{object: o.title()}
		value := filled(o.value, with).(map[string]any)
		if o.typ != nil {
			for _, f := range manifest.Check(value, o.typ) {
				out = append(out, fault{o.title(), f, []string{fieldOfMessage(f)}})
			}
		}
		c.metadata(value)
		if o.kind == "DaemonSet" || o.kind == "Deployment" {
			c.pod(peek(value, "spec", "template", "spec"))
		}
		if o.kind == "ConfigMap" {
			c.configMap(value)
		}
		out = append(out, c.out...)
	}
	return out
}

// fieldOfMessage is the key that a fault is about.
func fieldOfMessage(f manifest.Fault) string {
	if _, after, ok := strings.Cut(f.Message, "unknown field "); ok {
		return strings.Trim(after, `"`)
	}
	steps := strings.FieldsFunc(f.Path, func(r rune) bool { return strings.ContainsRune(`.[]"`, r) })
	return steps[len(steps)-1]
}

// rules collects what breaks the rules of the API server.
type rules struct {
	object string
	out    []fault
}

// add takes the fields to look for separated by spaces.
func (r *rules) add(path, field, hint, format string, args ...any) {
	r.out = append(r.out, fault{r.object, manifest.Fault{Path: path, Message: fmt.Sprintf(format, args...), Hint: hint}, strings.Fields(field)})
}

func (r *rules) metadata(v map[string]any) {
	meta := peek(v, "metadata")
	r.labels("metadata.labels", peek(meta, "labels"))
	for _, key := range manifest.SortedKeys(peek(meta, "annotations")) {
		for _, m := range validation.IsQualifiedName(lower(key)) {
			r.add("metadata.annotations", key, "", "no annotation key %q: %s", key, m)
		}
	}
	template, ok := peek(v, "spec")["template"].(map[string]any)
	if ok {
		r.labels("spec.template.metadata.labels", peek(template, "metadata", "labels"))
	}
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func (r *rules) labels(path string, labels map[string]any) {
	for _, key := range manifest.SortedKeys(labels) {
		value, _ := labels[key].(string)
		for _, m := range validation.IsQualifiedName(key) {
			r.add(path, key, "", "no label key %q: %s", key, m)
		}
		for _, m := range validation.IsValidLabelValue(value) {
			r.add(path, key, "", "no value of label %s: %s", key, m)
		}
		if key == labelInstance {
			r.add(path, key, "use a label of your own", "the label %s belongs to Argo CD, which tracks objects by it", key)
		}
	}
}

func (r *rules) configMap(v map[string]any) {
	for _, key := range manifest.SortedKeys(peek(v, "data")) {
		for _, m := range validation.IsConfigMapKey(key) {
			r.add("data", key, "", "no key of a ConfigMap: %q: %s", key, m)
		}
	}
}

const podPath = "spec.template.spec"

func (r *rules) pod(pod map[string]any) {
	volumes := map[string]bool{}
	for _, v := range elements(pod, "volumes") {
		name, _ := v["name"].(string)
		at := fmt.Sprintf("%s.volumes[%s]", podPath, name)
		r.named(at, name, "volume", volumes)
		var sources []string
		for _, key := range manifest.SortedKeys(v) {
			if key != "name" && v[key] != nil {
				sources = append(sources, key)
			}
		}
		if len(sources) > 1 {
			r.add(at, strings.Join(sources, " "), "say which one goes: its field set to null, or $retainKeys in a customizeComponents patch",
				"the volume has %d sources: %s", len(sources), strings.Join(sources, ", "))
		}
	}
	names := map[string]bool{}
	for _, list := range []string{"initContainers", "containers"} {
		for _, k := range elements(pod, list) {
			r.container(fmt.Sprintf("%s.%s", podPath, list), k, names, volumes)
		}
	}
	if len(elements(pod, "containers")) == 0 {
		r.add(podPath+".containers", "containers", "", "the pod has no container")
	}
}

func (r *rules) named(at, name, what string, seen map[string]bool) {
	if m := validation.IsDNS1123Label(name); len(m) > 0 {
		r.add(at, "name", "", "no name of a %s: %q: %s", what, name, m[0])
	}
	if seen[name] {
		r.add(at, name, "", "two have the name %s", name)
	}
	seen[name] = true
}

func (r *rules) container(list string, k map[string]any, names, volumes map[string]bool) {
	name, _ := k["name"].(string)
	at := fmt.Sprintf("%s[%s]", list, name)
	r.named(at, name, "container", names)
	if image, _ := k["image"].(string); image == "" {
		r.add(at, name, "a new container needs an image; an existing one is amended under its exact name", "the container has no image")
	}
	for _, e := range elements(k, "env") {
		if e["valueFrom"] != nil && e["value"] != nil && e["value"] != "" {
			r.add(fmt.Sprintf("%s.env[%v]", at, e["name"]), fmt.Sprint(e["name"]),
				"say which one goes: valueFrom: null, or value: null, in the patch that sets the other", "the variable has a value and valueFrom")
		}
		if e["name"] == nil || e["name"] == "" {
			r.add(at+".env", "env", "", "a variable has no name")
		}
	}
	paths := map[any]bool{}
	for _, m := range elements(k, "volumeMounts") {
		where, _ := m["mountPath"].(string)
		volume, _ := m["name"].(string)
		if !volumes[volume] {
			r.add(fmt.Sprintf("%s.volumeMounts[%s]", at, where), volume,
				"add the volume, or delete the mount: give its mountPath and $patch: delete", "there is no volume %q", volume)
		}
		if where == "" || paths[where] {
			r.add(at+".volumeMounts", "mountPath", "", "every mount needs a mountPath of its own, and %q is there twice or empty", where)
		}
		paths[where] = true
	}
}
