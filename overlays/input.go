// Package overlays reads what git says: one LinstorCluster, overlays per group
// of nodes, images, and any other Kubernetes objects, strictly and with the
// place of everything; and it says which overlays are for which node.
//
// It renders nothing and asks no cluster.
package overlays

import (
	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays/patch"
)

// Input is everything that an application path says.
type Input struct {
	Cluster     Cluster
	Overlays    []*Overlay // in the order in which they apply: by priority, then name
	Images      []Images   // by name
	Connections []Connection
	Objects     []Object // passed through
}

// Cluster is the LinstorCluster.
type Cluster struct {
	Name  string
	Place problem.Place
	Spec  api.LinstorClusterSpec
	nodes nodeRule

	Templates []*patch.Patch // podTemplates of components
	Customize []*patch.Patch // for every generated object
	Patches   []*patch.Patch // for cluster-wide objects
	Flags     []*patch.Patch // for every generated object, after all others of the cluster
}

// Overlay is a LinstorSatelliteConfiguration or LinstorNodeConfiguration.
type Overlay struct {
	Name     string
	Kind     string
	Priority int
	Place    problem.Place
	Profile  string
	Spec     api.SatelliteSpec
	Patches  []*patch.Patch // podTemplate, customizeComponents, patches and flags, in that order
	nodes    nodeRule
}

// Images is a LinstorImageConfiguration.
type Images struct {
	Name  string
	Place problem.Place
	Doc   manifest.Document
	Spec  api.ImageConfigurationSpec
}

// Connection is a LinstorNodeConnection.
type Connection struct {
	Name  string
	Place problem.Place
	Spec  api.NodeConnectionSpec
}

// Object is a Kubernetes object that is none of ours.
type Object struct {
	Value map[string]any
	Place problem.Place
}
