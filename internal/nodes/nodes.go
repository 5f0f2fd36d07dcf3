// Package nodes says what a node of the cluster is to us, and reads nodes from
// a file. It holds the few fields of a v1 Node that rendering reads and nothing
// else, so that ten thousand nodes fit in little memory.
//
// It does not talk to a cluster: package kube below it does.
package nodes

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Node is one node of the cluster. Its texts come from the cluster and are
// hostile until checked.
type Node struct {
	Name        string
	UID         string
	Labels      map[string]string
	Annotations map[string]string
	Taints      []corev1.Taint // key, value and effect only

	// From status.nodeInfo.
	OSImage       string
	KernelVersion string
	Architecture  string
}

// Sort orders nodes by name, bytewise.
func Sort(list []Node) {
	slices.SortStableFunc(list, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
}
