package overlays

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Files reads the files that patches name.
type Files struct {
	// Read returns the content of a file of the application path, given its
	// slash-separated path below it.
	Read func(name string) ([]byte, error)
	// FromRoot says that patch files are named relative to the application
	// path, and not to the file that names them.
	FromRoot bool
}

// Read interprets documents. Documents of files that are named by patches are
// patches, not input. The error is a problem.List of all faults.
func Read(docs []manifest.Document, files Files) (*Input, error) {
	r := &reader{files: files, patchFiles: map[string]bool{}, names: map[string]problem.Place{}}
	var rest []manifest.Document
	for _, d := range docs {
		if isOurs(d) {
			r.faults.Merge(r.ours(d))
		} else {
			rest = append(rest, d)
		}
	}
	for _, d := range rest {
		if !r.patchFiles[d.Place.File] {
			r.other(d)
		}
	}
	if r.clusters == 0 && len(r.faults.Errors()) == 0 {
		r.faults.Add(problem.Problem{
			Message: "there is no LinstorCluster in the application path",
			Hint:    "add one: apiVersion: piraeus.io/v1, kind: LinstorCluster, metadata: {name: linstor}, spec: {}",
		})
	}
	if err := r.faults.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.in.Overlays, func(a, b *Overlay) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortStableFunc(r.in.Images, func(a, b Images) int { return cmp.Compare(a.Name, b.Name) })
	return &r.in, nil
}

type reader struct {
	files      Files
	in         Input
	faults     problem.List
	patchFiles map[string]bool
	clusters   int
	names      map[string]problem.Place // of our objects, to find doubles
}

// typeOf returns the apiVersion and kind of a document, if it has them.
func typeOf(d manifest.Document) (apiVersion, kind string) {
	n := d.Node
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case "apiVersion":
			apiVersion = n.Content[i+1].Value
		case "kind":
			kind = n.Content[i+1].Value
		}
	}
	return apiVersion, kind
}

func isOurs(d manifest.Document) bool {
	apiVersion, _ := typeOf(d)
	group, _, _ := strings.Cut(apiVersion, "/")
	return group == "piraeus.io" || group == "linstor-cmp.io"
}

// ours reads a document of our API groups.
func (r *reader) ours(d manifest.Document) error {
	apiVersion, kind := typeOf(d)
	switch apiVersion + " " + kind {
	case api.PiraeusVersion + " " + api.KindCluster:
		return r.cluster(d)
	case api.PiraeusVersion + " " + api.KindSatelliteConfiguration:
		return r.satelliteConfiguration(d)
	case api.OwnVersion + " " + api.KindNodeConfiguration:
		return r.nodeConfiguration(d)
	case api.PiraeusVersion + " " + api.KindNodeConnection:
		var c api.LinstorNodeConnection
		err := r.decode(d, &c, &c.Metadata, c.Validate)
		r.in.Connections = append(r.in.Connections, Connection{c.Metadata.Name, d.Place, c.Spec})
		return err
	case api.OwnVersion + " " + api.KindImageConfiguration:
		var c api.LinstorImageConfiguration
		err := r.decode(d, &c, &c.Metadata, c.Validate)
		r.in.Images = append(r.in.Images, Images{c.Metadata.Name, d.Place, d, c.Spec})
		return err
	}
	return problem.Problem{
		Place:   d.PlaceOf("kind"),
		Message: fmt.Sprintf("there is no kind %s of %s", kind, apiVersion),
		Hint: fmt.Sprintf("the kinds are %s, %s, %s of %s and %s, %s of %s",
			api.KindCluster, api.KindSatelliteConfiguration, api.KindNodeConnection, api.PiraeusVersion,
			api.KindNodeConfiguration, api.KindImageConfiguration, api.OwnVersion),
	}
}

// decode fills into from a document, strictly, and validates it.
func (r *reader) decode(d manifest.Document, into any, meta *api.Metadata, validate func(manifest.Document) problem.List) error {
	if err := manifest.Decode(d.Place.File, d.Node, into); err != nil {
		return err
	}
	faults := validate(d)
	_, kind := typeOf(d)
	id := kind + "/" + meta.Name
	if first, dup := r.names[id]; dup {
		faults.Errorf(d.PlaceOf("metadata", "name"), "%s is already at %s", id, first)
	}
	r.names[id] = d.Place
	return faults.Err()
}

func (r *reader) cluster(d manifest.Document) error {
	var c api.LinstorCluster
	err := r.decode(d, &c, &c.Metadata, c.Validate)
	if r.clusters++; r.clusters > 1 {
		var faults problem.List
		faults.Merge(err)
		faults.Errorf(d.Place, "a second LinstorCluster; the first is at %s", r.in.Cluster.Place)
		return faults
	}
	r.in.Cluster = Cluster{Name: c.Metadata.Name, Place: d.Place, Spec: c.Spec}
	if err != nil {
		return err
	}
	var terms []corev1.NodeSelectorTerm
	if c.Spec.NodeAffinity != nil {
		terms = c.Spec.NodeAffinity.NodeSelectorTerms
	}
	if r.in.Cluster.nodes, err = newNodeRule(c.Spec.NodeSelector, terms); err != nil {
		return err
	}
	p := patchReader{r: r, doc: d, owner: "LinstorCluster"}
	r.in.Cluster.Templates = p.components(&c.Spec)
	r.in.Cluster.Customize = p.customize(c.Spec.CustomizeComponents)
	r.in.Cluster.Patches = p.kustomize(c.Spec.Patches)
	r.in.Cluster.Flags = p.flags(c.Spec.CustomizeComponents)
	return p.faults.Err()
}

func (r *reader) satelliteConfiguration(d manifest.Document) error {
	var c api.LinstorSatelliteConfiguration
	if err := r.decode(d, &c, &c.Metadata, c.Validate); err != nil {
		return err
	}
	var terms []corev1.NodeSelectorTerm
	if c.Spec.NodeAffinity != nil {
		terms = c.Spec.NodeAffinity.NodeSelectorTerms
	}
	rule, err := newNodeRule(c.Spec.NodeSelector, terms)
	if err != nil {
		return err
	}
	return r.overlay(d, &Overlay{Name: c.Metadata.Name, Kind: c.Kind, Place: d.Place, Spec: c.Spec.SatelliteSpec, nodes: rule}, nil)
}

func (r *reader) nodeConfiguration(d manifest.Document) error {
	var c api.LinstorNodeConfiguration
	if err := r.decode(d, &c, &c.Metadata, c.Validate); err != nil {
		return err
	}
	rule, err := newNodeRule(nil, c.Spec.NodeSelectorTerms)
	if err != nil {
		return err
	}
	if c.Spec.OptIn {
		rule.optIn = c.Metadata.Name
	}
	return r.overlay(d, &Overlay{
		Name: c.Metadata.Name, Kind: c.Kind, Priority: c.Spec.Priority, Place: d.Place,
		Profile: c.Spec.Profile, Spec: c.Spec.SatelliteSpec, nodes: rule,
	}, c.Spec.CustomizeComponents)
}

func (r *reader) overlay(d manifest.Document, o *Overlay, cc *api.CustomizeComponents) error {
	p := patchReader{r: r, doc: d, owner: fmt.Sprintf("overlay %q", o.Name)}
	o.Patches = append(o.Patches, p.podTemplate("podTemplate of "+p.owner, workloads["satellite"], o.Spec.PodTemplate)...)
	o.Patches = append(o.Patches, p.customize(cc)...)
	o.Patches = append(o.Patches, p.kustomize(o.Spec.Patches)...)
	o.Patches = append(o.Patches, p.flags(cc)...)
	r.in.Overlays = append(r.in.Overlays, o)
	return p.faults.Err()
}

// other takes a document that is not of our API groups: an object to pass on.
func (r *reader) other(d manifest.Document) {
	v, err := manifest.Value(d.Place.File, d.Node, nil)
	if err != nil {
		r.faults.Merge(err)
		return
	}
	m, _ := v.(map[string]any)
	apiVersion, _ := m["apiVersion"].(string)
	kind, _ := m["kind"].(string)
	if apiVersion == "" || kind == "" {
		r.faults.Add(problem.Problem{
			Place:   d.Place,
			Message: "this document is no Kubernetes object: it needs apiVersion and kind",
			Hint:    "every YAML file below the application path is input; move what is none elsewhere, or give it a name that begins with a dot",
		})
		return
	}
	if items, isList := m["items"].([]any); isList && kind == "List" && apiVersion == "v1" {
		r.list(d, items)
		return
	}
	r.pass(m, d.Place)
}

// list takes the objects of a v1 List one by one, as kubectl does.
func (r *reader) list(d manifest.Document, items []any) {
	for i, item := range items {
		m, _ := item.(map[string]any)
		if m["apiVersion"] == nil || m["kind"] == nil {
			r.faults.Errorf(d.PlaceOf("items", i), "items[%d] is no Kubernetes object: it needs apiVersion and kind", i)
			continue
		}
		r.pass(m, d.PlaceOf("items", i))
	}
}

func (r *reader) pass(m map[string]any, at problem.Place) {
	meta, _ := m["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	group, _, _ := strings.Cut(fmt.Sprint(m["apiVersion"]), "/")
	switch {
	case group == "kustomize.config.k8s.io":
		r.faults.Add(problem.Problem{Place: at, Message: "a kustomization below the application path is not built", Hint: "list its folder in the resources of a kustomization.yaml at the root of the application path"})
	case m["apiVersion"] == "v1" && (m["kind"] == "Node" || m["kind"] == "NodeList"):
	case fmt.Sprint(annotations["config.kubernetes.io/local-config"]) == "true":
	default:
		if name, _ := meta["name"].(string); name == "" && meta["generateName"] == nil {
			r.faults.Errorf(at, "this %v has no metadata.name", m["kind"])
			return
		}
		r.in.Objects = append(r.in.Objects, Object{Value: m, Place: at})
	}
}

// patchFile reads a file that a patch names, relative to the file that names
// it and never outside the application path.
func (r *reader) patchFile(from problem.Place, name string) (manifest.Text, error) {
	dir := path.Dir(from.File)
	if r.files.FromRoot {
		dir = "."
	}
	full := path.Join(dir, name)
	if path.IsAbs(name) || full == ".." || strings.HasPrefix(full, "../") {
		return manifest.Text{}, problem.Problem{Place: from, Message: fmt.Sprintf("the patch file %s is outside the application path", name), Hint: "keep patch files below the application path"}
	}
	data, err := r.files.Read(full)
	if err != nil {
		return manifest.Text{}, problem.Problem{Place: from, Message: fmt.Sprintf("the patch file %s: %v", name, err), Hint: "a path is relative to the file that names it, or to the application path if that has a kustomization"}
	}
	r.patchFiles[full] = true
	return manifest.Text{Value: string(data), Place: problem.Place{File: full, Line: 1}, Block: true}, nil
}
