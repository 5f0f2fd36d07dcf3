// Package generator is the core: from what git says and the nodes of the
// cluster to Kubernetes objects. The flow is choose nodes → match overlays →
// sort nodes into classes → expand, patch and encode each class once → fill in
// each node.
//
// It is pure: no files, environment, clock, network or client, and the same
// input gives the same bytes. The doors read and write.
package generator

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Loader says where the DRBD kernel-module loader runs.
type Loader string

// The places of the loader.
const (
	LoaderDaemonSet     Loader = "DaemonSet"     // in a DaemonSet of its own, the default
	LoaderInitContainer Loader = "InitContainer" // in the satellite's pod, as Piraeus has it
)

// Settings are what a run may choose beside what git says.
type Settings struct {
	Namespace  string // of every generated namespaced object
	Strict     bool   // conflicts between overlays are errors
	AllowEmpty bool   // no qualifying node is no error
	Loader     Loader

	// KubeVersion is the version of the cluster's API server, such as v1.31.4,
	// v1.31.4k3s1 or 1.31; anything else, and nothing, is the newest.
	KubeVersion string
	// APIVersions are the group versions that it serves, where they are known.
	APIVersions []string
}

// check returns what is wrong with the settings.
func (s Settings) check() problem.List {
	var faults problem.List
	if s.Loader != LoaderDaemonSet && s.Loader != LoaderInitContainer {
		faults.Add(problem.Problem{Message: fmt.Sprintf("the setting loader is %q", s.Loader), Hint: "use DaemonSet or InitContainer"})
	}
	for _, m := range validation.IsDNS1123Label(s.Namespace) {
		faults.Add(problem.Problem{Message: fmt.Sprintf("the setting namespace is %q, no name of a namespace: %s", s.Namespace, m)})
	}
	return faults
}
