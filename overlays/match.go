package overlays

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// OptInAnnotation is the annotation by which a node names the overlays that it
// chooses, separated by commas, among those that allow it.
const OptInAnnotation = "linstor-cmp.io/overlays"

// nodeRule says which nodes something is for: all of its parts must hold. The
// zero rule is for every node.
type nodeRule struct {
	labels   map[string]string
	affinity *nodeaffinity.NodeSelector
	// optIn is the name by which a node may choose the rule's overlay in its
	// annotation, instead of what the other parts say.
	optIn string
}

func newNodeRule(labels map[string]string, terms []corev1.NodeSelectorTerm) (nodeRule, error) {
	r := nodeRule{labels: labels}
	if len(terms) == 0 {
		return r, nil
	}
	var err error
	r.affinity, err = nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: terms})
	return r, err
}

func (r nodeRule) matches(n *nodes.Node) bool {
	if r.optIn != "" {
		chosen := strings.Split(n.Annotations[OptInAnnotation], ",")
		if slices.ContainsFunc(chosen, func(s string) bool { return strings.TrimSpace(s) == r.optIn }) {
			return true
		}
		if r.affinity == nil {
			return false
		}
	}
	for k, v := range r.labels {
		if have, ok := n.Labels[k]; !ok || have != v {
			return false
		}
	}
	return r.affinity == nil || r.affinity.Match(AsNode(n))
}

// AsNode returns a node as the selectors of Kubernetes want it.
func AsNode(n *nodes.Node) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}}
}

// Matches reports whether the overlay is for a node.
func (o *Overlay) Matches(n *nodes.Node) bool { return o.nodes.matches(n) }

// Chooses reports whether the LinstorCluster's nodeSelector and nodeAffinity
// choose a node.
func (c *Cluster) Chooses(n *nodes.Node) bool { return c.nodes.matches(n) }

// Untolerated returns the first taint that keeps the node out, as Piraeus 2.10
// does it: every NoSchedule and NoExecute taint must be tolerated by the
// cluster's tolerations, except DRBD's own two and the state taints that
// Kubernetes itself sets (a cordoned node keeps its satellite).
func (c *Cluster) Untolerated(n *nodes.Node) (corev1.Taint, bool) {
	for _, t := range n.Taints {
		if t.Effect != corev1.TaintEffectNoSchedule && t.Effect != corev1.TaintEffectNoExecute || statusTaint(t.Key) {
			continue
		}
		if !slices.ContainsFunc(c.Spec.Tolerations, func(o corev1.Toleration) bool { return tolerates(o, t) }) {
			return t, true
		}
	}
	return corev1.Taint{}, false
}

func statusTaint(key string) bool {
	return key == "drbd.linbit.com/lost-quorum" || key == "drbd.linbit.com/force-io-error" || strings.HasPrefix(key, "node.kubernetes.io/")
}

func tolerates(o corev1.Toleration, t corev1.Taint) bool {
	if o.Effect != "" && o.Effect != t.Effect || o.Key != "" && o.Key != t.Key {
		return false
	}
	return o.Operator == corev1.TolerationOpExists || o.Value == t.Value
}
