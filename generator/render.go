package generator

import (
	"errors"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// errPerNode says that a patch's outcome depends on which node of a class it is for.
var errPerNode = errors.New("the outcome depends on the node")

// render expands, patches, moves, finishes and checks the objects of a class.
// If a patch's outcome depends on the node, the class falls apart into one
// class for each of its nodes, which are returned to be rendered in turn.
func (g *generation) render(c *class) []*class {
	v := open
	if len(c.members) == 1 {
		v = c.members[0].vars() // nothing to share, nothing to leave open
	}
	watch := newConflictWatch(c)
	objects, err := g.build(c, v, c.steps, watch)
	if errors.Is(err, errPerNode) {
		return g.split(c)
	}
	if err != nil {
		g.blameObjects(err, " of "+c.memberNames())
		return nil
	}
	g.noteConflicts(c, watch)
	b := blame{
		rebuild: func(steps []step) ([]*object, error) { return g.build(c, v, steps, nil) },
		steps:   c.steps, with: c.members[0].vars().list(), whose: " of " + c.memberNames(),
	}
	g.checkAll(objects, b)
	c.objects = objects
	return nil
}

// split makes each node of a class a class of its own.
func (g *generation) split(c *class) []*class {
	var list []*class
	for _, e := range c.members {
		one := *c
		one.members = []*entry{e}
		e.class = &one
		list = append(list, &one)
	}
	c.members = nil
	return list
}

// build makes the objects of a class with the given patches applied. Its error
// joins those of all objects.
func (g *generation) build(c *class, v vars, steps []step, watch *conflictWatch) ([]*object, error) {
	named := v // as patches know it
	if len(c.members) > 0 {
		named = vars{name: c.members[0].node.Name, fit: c.members[0].fit}
	}
	var out []*object
	var faults []error
	patched := func(o *object) *object {
		o, err := g.patch(o, o.base+c.suffix(named), steps, watch)
		if err != nil {
			faults = append(faults, err)
		}
		return o
	}
	for _, o := range g.expand(c, v) {
		isSatellite := o.kind == "DaemonSet"
		o := patched(o)
		switch {
		case isSatellite && o != nil:
			g.dropRemains(c, o.podSpec())
			out = append(out, g.withLoader(o, c, v, patched)...)
		case isSatellite: // deleted, or failed: patches of its loader count as having found it
			g.markSelected(newObject(loaderName, template("loader", 0)), steps)
		case o != nil:
			out = append(out, o)
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	for _, o := range out {
		g.finish(c, v, o)
	}
	return out, nil
}

// withLoader moves the loader out of a patched satellite and patches it.
func (g *generation) withLoader(satellite *object, c *class, v vars, patched func(*object) *object) []*object {
	loader := g.moveLoader(satellite, c, v)
	if loader == nil {
		return []*object{satellite}
	}
	loader.movedFrom = satellite
	if loader = patched(loader); loader != nil {
		return []*object{loader, satellite}
	}
	// A patch deleted it, and nothing would end the wait.
	drop(satellite.podSpec(), "initContainers", func(k map[string]any) bool { return k["name"] == waitName })
	return []*object{satellite}
}

// markSelected counts patches that would select an object as having found it.
func (g *generation) markSelected(o *object, steps []step) {
	for _, s := range steps {
		if yes, _ := s.patch.Selects(o.subject(o.base, g.settings.Namespace)); yes {
			g.selected[s.patch] = true
		}
	}
}

// patch applies those of the patches that select an object, in their order. It
// returns nil if one deletes the object.
func (g *generation) patch(o *object, final string, steps []step, watch *conflictWatch) (*object, error) {
	openAnnotations(o)
	watch.begin(o)
	for i, s := range steps {
		selected, perNode := s.patch.Selects(o.subject(final, g.settings.Namespace))
		if perNode {
			return nil, errPerNode
		}
		if !selected || g.meantOrigin(s, o) {
			continue
		}
		g.selected[s.patch] = true
		watch.before(s, o)
		r, err := s.patch.Apply(o.value, o.typ)
		if r.PerNode {
			return nil, errPerNode
		}
		if err != nil {
			g.markSelected(o, steps[i:])
			return nil, &objectError{o.title(), err}
		}
		if r.Deleted {
			watch.end(nil)
			return nil, nil
		}
		o.value = r.Object
	}
	watch.end(o)
	closeAnnotations(o)
	return o, nil
}

// meantOrigin reports whether a patch that selects a moved loader has had its
// say on the satellite, of whose pod the loader was a part: a target without a
// name means the one DaemonSet that Piraeus has.
func (g *generation) meantOrigin(s step, o *object) bool {
	if o.movedFrom == nil || !s.patch.NamesNone() {
		return false
	}
	selected, _ := s.patch.Selects(o.movedFrom.subject("", g.settings.Namespace))
	return selected
}

// openAnnotations gives an object and its pod template annotations, if only
// empty ones, so that an RFC 6902 patch can add to them.
func openAnnotations(o *object) {
	member(o.value, "metadata", "annotations")
	if o.podTemplate() != nil {
		member(o.value, "spec", "template", "metadata", "annotations")
	}
}

// closeAnnotations takes empty annotations away again.
func closeAnnotations(o *object) {
	for _, meta := range []map[string]any{peek(o.value, "metadata"), peek(o.value, "spec", "template", "metadata")} {
		if a, ok := meta["annotations"].(map[string]any); ok && len(a) == 0 {
			delete(meta, "annotations")
		}
	}
}

// objectError is an error about one object.
type objectError struct {
	object string
	err    error
}

func (e *objectError) Error() string { return e.object + ": " + e.err.Error() }
func (e *objectError) Unwrap() error { return e.err }

// blameObjects reports the errors of patches, each with the object that it was
// for and whose that is.
func (g *generation) blameObjects(err error, whose string) {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	for _, err := range list {
		var oe *objectError
		var p problem.Problem
		if errors.As(err, &oe) && errors.As(err, &p) {
			p.Subject = oe.object + whose
			err = p
		}
		g.addOnce(err)
	}
}

// addOnce adds an error unless another class of nodes has brought the same.
func (g *generation) addOnce(err error) {
	var more problem.List
	more.Merge(err)
	for _, p := range more {
		if key := (problem.Problem{Place: p.Place, Message: p.Message}); !g.said[key] {
			g.said[key] = true
			g.faults.Add(p)
		}
	}
}

func (c *class) memberNames() string {
	names := make([]string, len(c.members))
	for i, e := range c.members {
		names[i] = e.node.Name
	}
	return nodeList(names)
}

// finish puts back what every object of a node must have, whatever patches
// did, and gives the object its final name and its namespace.
func (g *generation) finish(c *class, v vars, o *object) {
	meta := member(o.value, "metadata")
	meta["name"] = o.base + c.suffix(v)
	meta["namespace"] = g.settings.Namespace
	member(meta, "annotations")[labelNode] = v.name
	labels := member(meta, "labels")
	for key, value := range podLabels(o.component, v) {
		labels[key] = value
	}
	if o.kind != "DaemonSet" {
		return
	}
	selector := podLabels(o.component, v)
	member(o.value, "spec")["selector"] = map[string]any{"matchLabels": selector}
	template := member(o.value, "spec", "template", "metadata", "labels")
	for key, value := range selector {
		template[key] = value
	}
	pin(o.podSpec(), v)
	renameConfigs(o.podSpec(), c.suffix(v))
}

// configNames are the ConfigMaps whose references get the node's suffix, as
// kustomize's name references do it.
var configNames = map[string]bool{"satellite-config": true, "reactor-config": true}

// renameConfigs points references to a node's ConfigMaps at their final names.
func renameConfigs(v any, suffix string) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			renameConfigs(e, suffix)
		}
	case map[string]any:
		for _, key := range manifest.SortedKeys(x) {
			switch key {
			case "configMap", "configMapRef", "configMapKeyRef":
				if ref, ok := x[key].(map[string]any); ok {
					if name, ok := ref["name"].(string); ok && configNames[name] {
						ref["name"] = name + suffix
					}
				}
			}
			renameConfigs(x[key], suffix)
		}
	}
}
