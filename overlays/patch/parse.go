package patch

import (
	"fmt"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// The object that overlays are mostly about, and the pod name by which Piraeus
// lets patches address its pod template.
const (
	satellite = "linstor-satellite"
	barePod   = "satellite"
)

// FromCustomize parses a patch of customizeComponents.
func FromCustomize(name string, place problem.Place, p api.CustomizePatch) (*Patch, error) {
	out := &Patch{
		Name: name, Place: place, AllowNoMatch: p.Options["allowNoMatch"],
		selects: custom{p.ResourceType, p.ResourceName},
	}
	if len(p.NodeSelectorTerms) > 0 {
		sel, err := nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: p.NodeSelectorTerms})
		if err != nil {
			return nil, out.wrap(err)
		}
		out.Nodes = sel
	}
	docs, err := textDocuments(p.Patch)
	if err != nil {
		return nil, err
	}
	out.body.docs = docs
	if p.Type == "json" {
		out.body.engine = jsonPatch
		out.body.ops, err = operations(docs)
		return out, out.wrap(err)
	}
	out.body.engine = typedMerge
	if p.Type == "merge" {
		out.body.engine = jsonMerge
	}
	switch {
	case len(docs) > 1:
		return nil, out.wrap(fmt.Errorf("a merge patch is one document, and here are %d", len(docs)))
	case len(docs) == 0:
		return nil, out.wrap(fmt.Errorf("the patch is empty"))
	case docs[0].Node.Kind != yaml.MappingNode:
		return nil, out.wrap(hinted{fmt.Errorf("a merge patch is a mapping"), "for a list of operations say type: json"})
	}
	out.body.doc = docs[0]
	_, err = manifest.Value(docs[0].Place.File, docs[0].Node, nil)
	return out, out.wrap(err)
}

// FromPodTemplate makes the patch that a podTemplate stands for, of the object
// with the given kind and name.
func FromPodTemplate(name, kind, object string, raw manifest.Raw) (*Patch, error) {
	node := mapping("spec", mapping("template", raw.Node))
	p := &Patch{Name: name, Place: raw.Place(), selects: exact{"apps/v1", kind, object}}
	p.body.doc = manifest.Document{Node: node, Place: raw.Place()}
	p.body.docs = []manifest.Document{p.body.doc}
	_, err := manifest.Value(raw.File, raw.Node, nil)
	return p, p.wrap(err)
}

// FromKustomize parses a kustomize-style patch, whose text may hold several
// patches; text is that of p or of the file that it names.
func FromKustomize(name string, place problem.Place, p api.Patch, text manifest.Text) ([]*Patch, error) {
	base := Patch{Name: name, Place: place, AllowNoMatch: p.Options["allowNoMatch"]}
	docs, err := textDocuments(text)
	if err != nil {
		return nil, err
	}
	aimed := p.Target != nil && *p.Target != api.Selector{}
	if aimed {
		t, err := parseTarget(p.Target)
		if err != nil {
			return nil, base.wrap(err)
		}
		base.selects = t
	}
	bare := aimed && p.Target.Kind == "Pod" && p.Target.Name == barePod
	if bare {
		base.selects = exact{"apps/v1", "DaemonSet", satellite}
	}
	if len(docs) > 0 && docs[0].Node.Kind == yaml.SequenceNode {
		return base.operationsPatch(docs, aimed, bare)
	}
	if aimed && len(docs) > 1 {
		return nil, base.wrap(fmt.Errorf("several merge patches in one text cannot share a target"))
	}
	var list []*Patch
	for i, d := range docs {
		one := base
		if len(docs) > 1 {
			one.Name = fmt.Sprintf("%s, document %d", name, i+1)
		}
		if err := one.mergeDocument(d, aimed, bare); err != nil {
			return nil, one.wrap(err)
		}
		list = append(list, &one)
	}
	return list, nil
}

func (p Patch) operationsPatch(docs []manifest.Document, aimed, bare bool) ([]*Patch, error) {
	if !aimed {
		return nil, p.wrap(hinted{fmt.Errorf("an RFC 6902 patch needs a target"), "say which object: target: {kind: DaemonSet, name: linstor-satellite}"})
	}
	ops, err := operations(docs)
	if err != nil {
		return nil, p.wrap(err)
	}
	if bare {
		for i := range ops {
			ops[i].path = append(pointer{"spec", "template"}, ops[i].path...)
			if ops[i].from != nil {
				ops[i].from = append(pointer{"spec", "template"}, ops[i].from...)
			}
		}
	}
	p.body = body{engine: jsonPatch, ops: ops, docs: docs}
	return []*Patch{&p}, nil
}

func (p *Patch) mergeDocument(d manifest.Document, aimed, bare bool) error {
	v, err := manifest.Value(d.Place.File, d.Node, nil)
	if err != nil {
		return err
	}
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("want a merge patch (a mapping) or a list of operations, found %s", manifest.Describe(v))
	}
	if _, isOp := m["op"]; isOp {
		return hinted{fmt.Errorf("an RFC 6902 patch is a list of operations"), "begin the operation with a dash: - op: …"}
	}
	meta, _ := m["metadata"].(map[string]any)
	id := exact{}
	for _, f := range []struct {
		name string
		from any
		into *string
	}{{"apiVersion", m["apiVersion"], &id.apiVersion}, {"kind", m["kind"], &id.kind}, {"metadata.name", meta["name"], &id.name}} {
		s, ok := f.from.(string)
		if !ok || s == "" {
			return hinted{fmt.Errorf("a merge patch needs apiVersion, kind and metadata.name; %s is missing", f.name), "they say which object is meant, and with a target they are placeholders"}
		}
		*f.into = s
	}
	if !aimed {
		bare = id.kind == "Pod" && id.name == barePod
		p.selects = id
		if bare {
			p.selects = exact{"apps/v1", "DaemonSet", satellite}
		}
	}
	if bare {
		d.Node = barePodBody(d.Node)
	}
	p.body = body{engine: kustomizeMerge, doc: d, docs: []manifest.Document{d}}
	return nil
}

// barePodBody turns a patch of Piraeus's bare pod into one of the pod template.
func barePodBody(n *yaml.Node) *yaml.Node {
	tmpl := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch k.Value {
		case "metadata":
			v = without(v, "name", "namespace")
			fallthrough
		case "spec", directive:
			tmpl.Content = append(tmpl.Content, k, v)
		}
	}
	return mapping("spec", mapping("template", tmpl))
}

func without(n *yaml.Node, keys ...string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	out := *n
	out.Content = nil
next:
	for i := 0; i+1 < len(n.Content); i += 2 {
		for _, k := range keys {
			if n.Content[i].Value == k {
				continue next
			}
		}
		out.Content = append(out.Content, n.Content[i], n.Content[i+1])
	}
	return &out
}

func mapping(key string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: value.Line, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: value.Line}, value,
	}}
}

// operations reads the operations of all documents of an RFC 6902 patch.
func operations(docs []manifest.Document) ([]operation, error) {
	var all []operation
	for _, d := range docs {
		if d.Node.Kind != yaml.SequenceNode {
			return nil, fmt.Errorf("an RFC 6902 patch is a list of operations, found a document that is none")
		}
		v, err := manifest.Value(d.Place.File, d.Node, nil)
		if err != nil {
			return nil, err
		}
		ops, err := parseOperations(v.([]any))
		if err != nil {
			return nil, err
		}
		for i := range ops {
			ops[i].line = d.Node.Content[i].Line
		}
		all = append(all, ops...)
	}
	return all, nil
}

// textDocuments parses the text of a patch; lines are those of the file that
// the text stands in.
func textDocuments(text manifest.Text) ([]manifest.Document, error) {
	docs, err := manifest.ReadDocuments(text.Place.File, []byte(text.Value))
	if err != nil {
		var p problem.List
		p.Merge(err)
		for i := range p {
			p[i].Place = text.PlaceOf(p[i].Place.Line)
			p[i].Message = "the patch is " + p[i].Message
		}
		return nil, p
	}
	for i := range docs {
		relocate(docs[i].Node, text)
		docs[i].Place.Line = docs[i].Node.Line
	}
	return docs, nil
}

func relocate(n *yaml.Node, text manifest.Text) {
	n.Line = text.PlaceOf(n.Line).Line
	for _, c := range n.Content {
		relocate(c, text)
	}
}

// wrap gives an error the patch's place and name, unless it has a place of its own.
func (p *Patch) wrap(err error) error {
	switch err.(type) {
	case nil:
		return nil
	case problem.List, problem.Problem:
		return err
	}
	return problem.Problem{Place: p.Place, Message: fmt.Sprintf("%s: %v", p.Name, err), Hint: hintOf(err)}
}
