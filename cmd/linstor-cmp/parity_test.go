package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestParity holds our satellites, with the loader left in, against what
// Piraeus Operator 2.6 rendered for the same input: everything in the
// reference is in ours, except names, Piraeus's own labels, image tags and
// default tolerations, which newer releases changed. Ours may have more.
func TestParity(t *testing.T) {
	files, err := filepath.Glob("testdata/parity/*/reference.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no references: %v", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var reference []map[string]any
			if err := json.Unmarshal(data, &reference); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := call(t, dir, nil, "generate", "source", "--nodes", "nodes.yaml", "--loader", "InitContainer", "--output", "json")
			if code != 0 {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			objects := decodeLines(t, stdout)
			for _, ref := range reference {
				compareParity(t, ref, objects)
			}
		})
	}
}

func compareParity(t *testing.T, ref map[string]any, objects []map[string]any) {
	t.Helper()
	name := first(walk(ref, "metadata.name")).(string)
	base, node, _ := strings.Cut(name, ".")
	var ours map[string]any
	for _, o := range objects {
		if o["kind"] == ref["kind"] && first(walk(o, `metadata.annotations."linstor-cmp.io/node"`)) == node && strings.HasPrefix(first(walk(o, "metadata.name")).(string), base) {
			ours = o
		}
	}
	if ours == nil {
		t.Errorf("%v %s: we have none", ref["kind"], name)
		return
	}
	p := parity{t: t}
	if ref["kind"] != "DaemonSet" {
		for _, key := range []string{"data", "spec"} {
			p.subset(ref[key], ours[key], name+"."+key)
		}
		return
	}
	p.subset(unlabelled(first(walk(ref, "metadata.annotations"))), first(walk(ours, "metadata.annotations")), "annotations")
	for _, what := range []string{"labels", "annotations"} {
		p.subset(unlabelled(first(walk(ref, "spec.template.metadata."+what))), first(walk(ours, "spec.template.metadata."+what)), "template "+what)
	}
	p.subset(first(walk(ref, "spec.updateStrategy")), first(walk(ours, "spec.updateStrategy")), "updateStrategy")
	p.pod(first(walk(ref, "spec.template.spec")).(map[string]any), first(walk(ours, "spec.template.spec")).(map[string]any))
}

// unlabelled leaves out Piraeus's own labels.
func unlabelled(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	m = maps.Clone(m)
	maps.DeleteFunc(m, func(k string, _ any) bool {
		return strings.HasPrefix(k, "app.kubernetes.io/") || strings.HasPrefix(k, "piraeus.io/")
	})
	return m
}

type parity struct{ t *testing.T }

func (p parity) subset(ref, ours any, path string) {
	p.t.Helper()
	r, ok := ref.(map[string]any)
	if !ok {
		if ref != nil && !same(ref, ours) {
			p.t.Errorf("%s: reference %v, ours %v", path, ref, ours)
		}
		return
	}
	o, _ := ours.(map[string]any)
	for k, v := range r {
		if _, has := o[k]; !has {
			p.t.Errorf("%s.%s: missing; reference %v", path, k, v)
			continue
		}
		p.subset(v, o[k], path+"."+k)
	}
}

// pod compares pod specs: volumes by name, or by path where the name is a
// number to Piraeus, and containers by name.
func (p parity) pod(ref, ours map[string]any) {
	p.t.Helper()
	volumes := map[string]any{}
	ourNames := volumeNames(ours)
	for _, v := range list(ours["volumes"]) {
		volumes[ourNames[v["name"].(string)]] = withoutNames(v)
	}
	refNames := volumeNames(ref)
	for _, v := range list(ref["volumes"]) {
		name := refNames[v["name"].(string)]
		p.subset(withoutNames(v), volumes[name], "volumes."+name)
	}
	for _, key := range []string{"initContainers", "containers"} {
		for _, c := range list(ref[key]) {
			p.container(c, ours, key, refNames, ourNames)
		}
	}
	for k, v := range ref {
		switch k {
		case "volumes", "initContainers", "containers", "tolerations":
		default:
			p.subset(v, ours[k], k)
		}
	}
}

func (p parity) container(ref, pod map[string]any, key string, refNames, ourNames map[string]string) {
	p.t.Helper()
	name := ref["name"].(string)
	ours, _ := first(walk(pod, fmt.Sprintf("%s[name=%s]", key, name))).(map[string]any)
	if ours == nil {
		p.t.Errorf("%s: we have no %s", key, name)
		return
	}
	for k, v := range ref {
		switch k {
		case "image":
			if key == "containers" && imageName(v) != imageName(ours[k]) {
				p.t.Errorf("%s: reference image %v, ours %v", name, v, ours[k])
			}
		case "env":
			p.subset(byKey(v, "name", nil), byKey(ours[k], "name", nil), name+".env")
		case "volumeMounts":
			p.subset(byKey(v, "mountPath", refNames), byKey(ours[k], "mountPath", ourNames), name+".volumeMounts")
		case "ports":
			for _, port := range list(v) {
				if first(walk(ours, fmt.Sprintf("ports[containerPort=%v]", port["containerPort"]))) == nil {
					p.t.Errorf("%s lacks port %v", name, port["containerPort"])
				}
			}
		default:
			p.subset(v, ours[k], name+"."+k)
		}
	}
}

func list(v any) []map[string]any {
	var out []map[string]any
	items, _ := v.([]any)
	for _, e := range items {
		out = append(out, e.(map[string]any))
	}
	return out
}

func volumeNames(pod map[string]any) map[string]string {
	names := map[string]string{}
	for _, v := range list(pod["volumes"]) {
		name := v["name"].(string)
		names[name] = name
		if path, _ := first(walk(v, "hostPath.path")).(string); strings.HasPrefix(name, "file-pool") {
			names[name] = "path " + path
		}
	}
	return names
}

func withoutNames(v map[string]any) map[string]any {
	v = maps.Clone(v)
	delete(v, "name")
	if cm, ok := v["configMap"].(map[string]any); ok {
		cm = maps.Clone(cm)
		delete(cm, "name")
		v["configMap"] = cm
	}
	return v
}

func byKey(v any, key string, names map[string]string) map[string]any {
	out := map[string]any{}
	for _, e := range list(v) {
		e = maps.Clone(e)
		if name, ok := names[fmt.Sprint(e["name"])]; ok {
			e["name"] = name
		}
		out[fmt.Sprint(e[key])] = e
	}
	return out
}

var tag = regexp.MustCompile(`(:[^:/]+)?(@sha256:.*)?$`)

func imageName(v any) string {
	name := tag.ReplaceAllString(fmt.Sprint(v), "")
	return name[strings.LastIndex(name, "/")+1:]
}
