package convert

import (
	"bytes"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// kind is what a file of the output holds, and the field that says which nodes
// it is for.
type kind struct{ apiVersion, kind, placement string }

var (
	clusterKind = kind{api.PiraeusVersion, api.KindCluster, "nodeAffinity"}
	overlayKind = kind{api.OwnVersion, api.KindNodeConfiguration, "nodeSelectorTerms"}
)

// target is a file of the output in the making.
type target struct {
	file, name string
	kind       kind
	section    *section // that an overlay is made of
	spec       map[string]any
	origin     map[string]*node // by field of the spec
	patches    []*piece
	pools      []*piece
	flags      map[string]any
	terms      []any // of node selectors; none: every node
}

// piece is an element of a list of the output, and the keys of the input that
// it stands for.
type piece struct {
	value any
	from  []*node
}

func newTarget(file string, k kind) *target {
	return &target{file: file, name: "linstor", kind: k, spec: map[string]any{}, origin: map[string]*node{}, flags: map[string]any{}}
}

// set sets a field of the spec.
func (t *target) set(key string, value any, from field) {
	t.spec[key] = value
	t.origin[key] = from.n
}

// patch adds a patch of customizeComponents.
func (t *target) patch(kind, name, typ string, body any, from ...field) {
	value := map[string]any{"resourceType": kind, "resourceName": name, "patch": yamlOf(body)}
	if typ != "" {
		value["type"] = typ
	}
	t.patches = append(t.patches, &piece{value, nodesOf(from)})
}

func nodesOf(fields []field) []*node {
	var list []*node
	for _, f := range fields {
		if f.n != nil {
			list = append(list, f.n)
		}
	}
	return list
}

// variant says for whom a target is encoded.
type variant int

const (
	asWritten variant = iota
	everyNode         // without what says which nodes it is for, to look at what every node would get
)

// encode writes the file.
func (t *target) encode(v variant) File {
	spec := map[string]any{}
	for key, value := range t.spec {
		spec[key] = value
	}
	custom := map[string]any{}
	if list := values(t.patches); len(list) > 0 {
		custom["patches"] = list
	}
	if len(t.flags) > 0 {
		custom["flags"] = t.flags
	}
	if len(custom) > 0 {
		spec["customizeComponents"] = custom
	}
	if list := values(t.pools); len(list) > 0 {
		spec["storagePools"] = list
	}
	if len(t.terms) > 0 && v == asWritten {
		spec[t.kind.placement] = any(t.terms)
		if t.kind == clusterKind {
			spec[t.kind.placement] = map[string]any{"nodeSelectorTerms": t.terms}
		}
	}
	doc := map[string]any{
		"apiVersion": t.kind.apiVersion, "kind": t.kind.kind,
		"metadata": map[string]any{"name": t.name}, "spec": spec,
	}
	return File{t.file, []byte(yamlOf(doc))}
}

func values(list []*piece) []any {
	out := make([]any, len(list))
	for i, p := range list {
		out[i] = p.value
	}
	return out
}

// remove takes a piece out of the target.
func (t *target) remove(p *piece) {
	is := func(o *piece) bool { return o == p }
	t.patches = slices.DeleteFunc(t.patches, is)
	t.pools = slices.DeleteFunc(t.pools, is)
}

// yamlOf writes a plain value as YAML, without the line that begins a document.
func yamlOf(v any) string {
	text := manifest.Compile(v, manifest.YAML).Append(nil, nil)
	return string(bytes.TrimPrefix(text, []byte("---\n")))
}
