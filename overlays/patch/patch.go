// Package patch applies one patch to one object: the KubeVirt-style patches of
// customizeComponents with Kubernetes' typed strategic merge, and the
// kustomize-style ones with kustomize's semantics, each held to what is right
// where the engines known for them lose data silently.
//
// It does not decide in which order patches apply or which nodes they are for.
package patch

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Patch is a parsed patch and the rule that says which objects it is for.
type Patch struct {
	Name         string // how messages call it, such as `patches[0] of overlay "talos"`
	Place        problem.Place
	AllowNoMatch bool                       // selecting nothing is no error
	Nodes        *nodeaffinity.NodeSelector // only objects of these nodes; nil: of all

	selects selector
	body    body
}

// body is what a patch does.
type body struct {
	engine engine
	doc    manifest.Document // of a merge patch
	ops    []operation       // of an RFC 6902 patch
	flags  flags
	docs   []manifest.Document
}

type engine int

const (
	kustomizeMerge engine = iota
	typedMerge
	jsonMerge
	jsonPatch
	flagArgs
)

// Subject is an object that a patch may select.
type Subject struct {
	APIVersion, Kind string
	Base, Final      string // names before and after the node's is added
	Namespace        string
	Object           map[string]any
}

// Selects reports whether the patch is for an object, and whether that depends
// on what a placeholder will be filled with.
func (p *Patch) Selects(s Subject) (selected, perNode bool) { return p.selects.selects(s) }

// SelectsFinal reports whether the patch names the object by its final name
// and not by its base name or a pattern: it is for the object of one node.
func (p *Patch) SelectsFinal(kind, base, final string) bool {
	c, ok := p.selects.(custom)
	return ok && c.kindMatches(kind) && !c.nameMatches(base) && strings.EqualFold(c.name, final)
}

// NamesFinal reports whether the patch names anything but base names, so that
// SelectsFinal is worth asking.
func (p *Patch) NamesFinal() bool {
	c, ok := p.selects.(custom)
	return ok && c.name != "*"
}

// NamesNone reports whether the patch has a kustomize target that says nothing
// of names: it is for whatever has the kind or the labels.
func (p *Patch) NamesNone() bool {
	t, ok := p.selects.(*target)
	return ok && t.name == nil
}

// Result is what became of an object.
type Result struct {
	Object  map[string]any
	Deleted bool // a merge patch deleted the whole object
	PerNode bool // the outcome depends on what a placeholder will be filled with
}

// Apply applies the patch to an object of the Go type t, which is nil for a
// kind that Kubernetes has no Go type for. The object may be changed; only the
// result counts. A patch may not change what an object is: its version, kind,
// name and namespace.
func (p *Patch) Apply(object map[string]any, t reflect.Type) (Result, error) {
	before := identityOf(object)
	r, err := p.body.apply(object, t)
	if err == nil && !r.Deleted {
		err = sameIdentity(before, identityOf(r.Object))
	}
	if err == nil {
		return r, nil
	}
	at := p.Place
	var oe *operationError
	var fe *fieldError
	switch {
	case errors.As(err, &oe) && oe.o.line > 0:
		at.Line = oe.o.line
	case errors.As(err, &fe):
		at = p.Locate(fe.field)
	}
	return r, problem.Problem{Place: at, Message: fmt.Sprintf("%s: %v", p.Name, err), Hint: hintOf(err)}
}

// hinted is an error that knows what to do.
type hinted struct {
	error
	hint string
}

func hintOf(err error) string {
	var h hinted
	var f *fieldError
	switch {
	case errors.As(err, &h):
		return h.hint
	case errors.As(err, &f):
		return f.hint
	}
	return ""
}

// fieldError is an error about a field of a merge patch.
type fieldError struct {
	field string // to find it in the patch
	text  string
	hint  string
}

func (e *fieldError) Error() string { return e.text }

func (b body) apply(object map[string]any, t reflect.Type) (Result, error) {
	if b.engine == jsonPatch {
		v, perNode, err := applyOperations(object, b.ops)
		if err != nil {
			return Result{PerNode: perNode}, err
		}
		m, ok := v.(map[string]any)
		if !ok {
			return Result{PerNode: perNode}, fmt.Errorf("the result is %s, no object", manifest.Describe(v))
		}
		return Result{Object: m, PerNode: perNode}, nil
	}
	if b.engine == flagArgs {
		return Result{Object: object}, b.flags.apply(object)
	}
	v, err := b.value(t)
	if err != nil {
		return Result{}, err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return Result{}, fmt.Errorf("the patch is %s, no mapping", manifest.Describe(v))
	}
	var r Result
	switch b.engine {
	case jsonMerge:
		r.Object = mergePatch(object, m).(map[string]any)
	case typedMerge:
		if t == nil {
			return r, fmt.Errorf("a strategic merge patch needs a kind that Kubernetes has a Go type for, and %v is none: use type: merge or type: json", object["kind"])
		}
		if err := checkKeys(m, t, "", false); err != nil {
			return r, err
		}
		r.Object, r.Deleted, err = mergeTyped(object, m, t)
	case kustomizeMerge:
		if err := checkKeys(m, t, "", true); err != nil {
			return r, err
		}
		if err := dropIdentity(m, object); err != nil {
			return r, err
		}
		r.Object, r.Deleted, err = mergeKustomize(object, m, t, "")
	}
	return r, err
}

// value is a merge patch as a plain value, for an object of the Go type t. Only
// kustomize's patches look at the type: there a scalar for a text keeps its
// spelling; elsewhere it is what YAML says.
func (b body) value(t reflect.Type) (any, error) {
	if b.engine != kustomizeMerge {
		t = nil
	}
	return manifest.Value(b.doc.Place.File, b.doc.Node, t)
}

// dropIdentity takes out of a kustomize patch what only says which object it
// is for.
func dropIdentity(patch, object map[string]any) error {
	delete(patch, "apiVersion")
	delete(patch, "kind")
	meta, _ := patch["metadata"].(map[string]any)
	delete(meta, "name")
	if ns, ok := meta["namespace"]; ok && ns == identityOf(object)[3] {
		delete(meta, "namespace")
	}
	return nil
}

func identityOf(o map[string]any) [4]any {
	meta, _ := o["metadata"].(map[string]any)
	return [4]any{o["apiVersion"], o["kind"], meta["name"], meta["namespace"]}
}

func sameIdentity(before, after [4]any) error {
	for i, what := range []string{"apiVersion", "kind", "metadata.name", "metadata.namespace"} {
		if !manifest.Equal(before[i], after[i]) {
			return fmt.Errorf("a patch cannot change %s of an object: from %v to %v", what, before[i], after[i])
		}
	}
	return nil
}

// Sets returns the leaves that a merge patch gives a value, by their paths as
// Flatten has them. Of an RFC 6902 patch it knows nothing.
func (p *Patch) Sets(t reflect.Type) map[string]string {
	if p.body.doc.Node == nil {
		return nil
	}
	v, err := p.body.value(t)
	if err != nil {
		return nil // Apply has said so
	}
	return Flatten(v, t)
}

// Locate returns where the patch says something of one of some fields: the line
// of the last key of that name, or of an operation whose path ends in it, else
// the patch's own place.
func (p *Patch) Locate(fields ...string) problem.Place {
	for _, field := range fields {
		for _, d := range p.body.docs {
			if line := findKey(d.Node, field); line > 0 {
				return problem.Place{File: d.Place.File, Line: line}
			}
		}
	}
	return p.Place
}

func findKey(n *yaml.Node, key string) int {
	found := 0
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			if k.Value == key || k.Value == "path" && strings.HasSuffix(v.Value, "/"+key) {
				found = k.Line
			}
		}
	}
	for _, c := range n.Content {
		if line := findKey(c, key); line > 0 {
			found = line
		}
	}
	return found
}
