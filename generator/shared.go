package generator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// shared returns the objects that are no node's, sorted: those of the cluster,
// patched and checked, and those passed through.
func (g *generation) shared() []*object {
	c := &g.in.Cluster
	var steps []step
	for _, p := range slices.Concat(c.Templates, c.Customize, c.Patches, c.Flags) {
		if p.Nodes == nil {
			steps = append(steps, step{p, nil})
		}
	}
	out, err := g.buildShared(steps)
	if err != nil {
		g.blameObjects(err, "")
		return nil
	}
	g.checkAll(out, blame{rebuild: g.buildShared, steps: steps})
	for _, p := range g.in.Objects {
		out = append(out, &object{kind: fmt.Sprint(p.Value["kind"]), value: p.Value})
	}
	slices.SortStableFunc(out, func(a, b *object) int { return cmp.Compare(id(a.value), id(b.value)) })
	return out
}

func (g *generation) buildShared(steps []step) ([]*object, error) {
	var out []*object
	var faults []error
	for _, o := range g.clusterObjects() {
		selector := manifest.Clone(o.value["spec"])
		o, err := g.patch(o, o.base, steps, nil)
		if err != nil {
			faults = append(faults, err)
		}
		if o == nil { // a patch deleted it, or failed
			continue
		}
		if o.kind == "Deployment" || o.kind == "DaemonSet" {
			finishWorkload(o, peek(selector.(map[string]any), "selector", "matchLabels"))
		}
		out = append(out, o)
	}
	return out, errors.Join(faults...)
}

// finishWorkload puts back what ties a workload to its pods.
func finishWorkload(o *object, selector map[string]any) {
	member(o.value, "spec")["selector"] = map[string]any{"matchLabels": selector}
	labels := member(o.value, "spec", "template", "metadata", "labels")
	for k, v := range selector {
		labels[k] = v
	}
}

// id tells an object from all others of a cluster.
func id(v map[string]any) string {
	meta := peek(v, "metadata")
	text := func(x any) string {
		s, _ := x.(string)
		return s
	}
	return fmt.Sprintf("%s/%s/%s/%s", group(text(v["apiVersion"])), text(v["kind"]), text(meta["namespace"]), text(meta["name"]))
}

func group(apiVersion string) string {
	for i := range apiVersion {
		if apiVersion[i] == '/' {
			return apiVersion[:i]
		}
	}
	return ""
}

// doubles reports objects of git that would be in the stream twice, or beside a
// generated one of the same name. One without a namespace gets that of the
// Application, which may be ours.
func (g *generation) doubles(shared []*object, chosen []*entry) {
	if len(g.in.Objects) == 0 {
		return
	}
	git := map[string]bool{}
	for _, p := range g.in.Objects {
		meta := peek(p.Value, "metadata")
		if key := id(p.Value); meta["name"] != nil {
			if git[key] {
				g.double(key, fmt.Sprintf("%v/%v", p.Value["kind"], meta["name"]), "this object is there twice", "take one of the two out; the cluster keeps one object of a kind and name")
			}
			git[key] = true
		}
	}
	generated := func(o *object, name string) {
		apiVersion, _ := o.value["apiVersion"].(string)
		for _, namespace := range []string{g.settings.Namespace, ""} {
			if key := fmt.Sprintf("%s/%s/%s/%s", group(apiVersion), o.kind, namespace, name); git[key] {
				g.double(key, o.kind+"/"+name, "an object in git has the name of a generated one", "give it another name, or patch the generated one")
			}
		}
	}
	for _, o := range shared {
		if o.base != "" {
			generated(o, o.base)
		}
	}
	for _, e := range chosen {
		for _, o := range e.class.objects {
			generated(o, o.base+e.class.suffix(vars{name: e.node.Name, fit: e.fit}))
		}
	}
}

func (g *generation) double(key, title, message, hint string) {
	g.faults.Add(problem.Problem{Place: g.placeOf(key), Subject: title, Message: message, Hint: hint})
}

// placeOf returns where git has an object; the last place if it has it twice.
func (g *generation) placeOf(key string) problem.Place {
	var at problem.Place
	for _, p := range g.in.Objects {
		if id(p.Value) == key {
			at = p.Place
		}
	}
	return at
}
