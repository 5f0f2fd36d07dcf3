package generator

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
)

// controllerProperties are the properties that Piraeus sets on the controller
// by default; those of a LinstorCluster override them by name.
var controllerProperties = map[string]string{
	"DrbdOptions/AutoEvictAllowEviction":                 "false",
	"DrbdOptions/Net/rr-conflict":                        "retry-connect",
	"DrbdOptions/Resource/on-no-data-accessible":         "suspend-io",
	"DrbdOptions/Resource/on-no-quorum":                  "suspend-io",
	"DrbdOptions/Resource/on-suspended-primary-outdated": "force-secondary",
}

// connection is a LinstorNodeConnection in cluster.json.
type connection struct {
	Name string `json:"name"`
	api.NodeConnectionSpec
}

// clusterJSON is what LINSTOR is to know of the cluster as a whole, as text.
func (g *generation) clusterJSON() string {
	spec := g.in.Cluster.Spec
	doc := struct {
		Name                     string            `json:"name"`
		Properties               map[string]string `json:"properties"`
		NodeConnections          []connection      `json:"nodeConnections"`
		MaxConcurrentEvacuations *int32            `json:"maxConcurrentEvacuations,omitempty"`
	}{g.in.Cluster.Name, map[string]string{}, []connection{}, spec.MaxConcurrentEvacuations}
	for k, v := range controllerProperties {
		doc.Properties[k] = v
	}
	for _, p := range spec.Properties {
		doc.Properties[p.Name] = p.Value
	}
	for _, c := range g.in.Connections {
		doc.NodeConnections = append(doc.NodeConnections, connection{c.Name, c.Spec})
	}
	slices.SortFunc(doc.NodeConnections, func(a, b connection) int { return cmp.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		panic(err) // strings and numbers always encode
	}
	return out.String()
}
