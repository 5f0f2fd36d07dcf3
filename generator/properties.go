package generator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// defaultProperties tell CSI and LINSTOR where a node is.
var defaultProperties = []api.NodeProperty{
	{Name: "Aux/topology/linbit.com/hostname", ValueFrom: &api.PropertySource{NodeFieldRef: "metadata.name"}},
	{Name: "Aux/topology/kubernetes.io/hostname", ValueFrom: &api.PropertySource{NodeFieldRef: "metadata.labels['kubernetes.io/hostname']"}},
	{Name: "Aux/topology/topology.kubernetes.io/region", ValueFrom: &api.PropertySource{NodeFieldRef: "metadata.labels['topology.kubernetes.io/region']"}, Optional: true},
	{Name: "Aux/topology/topology.kubernetes.io/zone", ValueFrom: &api.PropertySource{NodeFieldRef: "metadata.labels['topology.kubernetes.io/zone']"}, Optional: true},
}

// nodeJSON is what LINSTOR is to know of a node, as text.
func nodeJSON(n *nodes.Node, properties []api.NodeProperty, pools []api.StoragePool) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	doc := struct {
		Name         string            `json:"name"`
		Properties   map[string]string `json:"properties"`
		StoragePools []api.StoragePool `json:"storagePools"`
	}{n.Name, resolveProperties(n, properties), pools}
	if doc.StoragePools == nil {
		doc.StoragePools = []api.StoragePool{}
	}
	if err := enc.Encode(doc); err != nil {
		panic(err) // strings, numbers and booleans always encode
	}
	// A node's annotations may hold anything, and must not pass for a placeholder.
	return strings.ReplaceAll(out.String(), string(manifest.Mark), "\ufffd")
}

// resolveProperties reads the fields of a node that properties refer to, as
// Piraeus does: a missing field gives an empty value, or none if optional.
func resolveProperties(n *nodes.Node, list []api.NodeProperty) map[string]string {
	out := map[string]string{}
	for _, p := range list {
		switch {
		case p.Value != nil:
			out[p.Name] = *p.Value
		case p.ValueFrom != nil:
			ref, _ := api.ParseFieldRef(p.ValueFrom.NodeFieldRef, false)
			if v, ok := fieldOf(n, ref); ok || !p.Optional {
				out[p.Name] = v
			}
		case p.ExpandFrom != nil:
			expand(n, p, out)
		}
	}
	return out
}

// expand makes one property for each matching key, or one of all of them.
func expand(n *nodes.Node, p api.NodeProperty, out map[string]string) {
	ref, _ := api.ParseFieldRef(p.ExpandFrom.NodeFieldRef, true)
	found := map[string]string{}
	if !ref.Prefix {
		if v, ok := fieldOf(n, ref); ok {
			found[""] = v
		}
	} else {
		for k, v := range mapOf(n, ref.Field) {
			if rest, ok := strings.CutPrefix(k, ref.Key); ok {
				found[rest] = v
			}
		}
	}
	var values []string
	for _, key := range manifest.SortedKeys(found) {
		fill := strings.NewReplacer("$1", key, "$2", found[key])
		value := fill.Replace(p.ExpandFrom.ValueTemplate)
		if p.ExpandFrom.NameTemplate != "" {
			out[p.Name+fill.Replace(p.ExpandFrom.NameTemplate)] = value
		}
		values = append(values, value)
	}
	if p.ExpandFrom.NameTemplate == "" {
		out[p.Name] = strings.Join(values, p.ExpandFrom.Delimiter)
	}
}

func mapOf(n *nodes.Node, field string) map[string]string {
	if field == "metadata.annotations" {
		return n.Annotations
	}
	return n.Labels
}

func fieldOf(n *nodes.Node, ref api.FieldRef) (string, bool) {
	switch ref.Field {
	case "metadata.name":
		return n.Name, true
	case "metadata.uid":
		return n.UID, n.UID != ""
	case "metadata.namespace": // a node has none
		return "", true
	}
	v, ok := mapOf(n, ref.Field)[ref.Key]
	return v, ok
}

// byName returns list with a later element in the place of an earlier one of
// the same name, sorted by name.
func byName[T any](list []T, name func(T) string) []T {
	last := map[string]T{}
	for _, e := range list {
		last[name(e)] = e
	}
	var out []T
	for _, e := range last {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b T) int { return cmp.Compare(name(a), name(b)) })
	return out
}
