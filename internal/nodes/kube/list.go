package kube

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

const listNodes = "list the nodes"

// maxNodes bounds the nodes of a cluster, twenty times what Kubernetes is
// built for.
const maxNodes = 100_000

// nodes lists all nodes. A list that is broken off, or is found not to be one,
// is begun again.
func (c *client) nodes(ctx context.Context) ([]nodes.Node, error) {
	c.say("listing the nodes of " + c.cluster)
	for begun := 1; ; begun++ {
		l := lister{client: c, seen: map[string]bool{}}
		err := l.all(ctx)
		var broken *brokenError
		switch {
		case err == nil:
			nodes.Sort(l.found)
			return l.found, nil
		case !errors.Is(err, errGone) && !errors.As(err, &broken):
			return nil, err
		case begun > c.restarts:
			return nil, c.fault(err, "look at the health of the API server, and at what stands between it and this program",
				"cannot %s: %v (begun %d times)", listNodes, err, begun)
		}
		c.say(fmt.Sprintf("%s: %v; beginning the list again", c.cluster, err))
	}
}

// brokenError is a list that contradicts itself.
type brokenError struct{ text string }

func (e *brokenError) Error() string { return e.text }

func brokenf(format string, args ...any) error {
	return &brokenError{fmt.Sprintf(format, args...)}
}

// lister collects the pages of one list.
type lister struct {
	*client
	texts nodes.Interner
	found []nodes.Node
	seen  map[string]bool
}

// all fetches page after page, and keeps of each what a node is to us.
func (l *lister) all(ctx context.Context) error {
	query := url.Values{"limit": {strconv.Itoa(l.page)}}
	for {
		obj, err := l.fetch(ctx, listNodes, []string{"api", "v1", "nodes"}, query)
		if err != nil {
			return err
		}
		page, ok := obj.(*corev1.NodeList)
		if !ok {
			return brokenf("the server answers with a %T", obj)
		}
		if err := l.add(page); err != nil {
			return err
		}
		next := page.Continue
		switch {
		case next == "" && page.RemainingItemCount != nil && *page.RemainingItemCount > 0:
			return brokenf("the list ends where %d nodes are left", *page.RemainingItemCount)
		case next == "":
			return nil
		case next == query.Get("continue"):
			return brokenf("the list goes on with the page that it has just had")
		}
		query.Set("continue", next)
		l.say(fmt.Sprintf("%s: %d nodes so far", l.cluster, len(l.found)))
	}
}

func (l *lister) add(page *corev1.NodeList) error {
	for i := range page.Items {
		n := &page.Items[i]
		switch {
		case nodes.CheckName(n.Name) != nil:
			return brokenf("a node has the name %.80q: %v", n.Name, nodes.ErrName)
		case l.seen[n.Name]:
			return brokenf("node %s is in the list twice", n.Name)
		case !isText(n):
			return brokenf("node %s has text that is not UTF-8", n.Name)
		case len(l.found) == maxNodes:
			return l.fault(nil, "", "more than %d nodes", maxNodes)
		}
		l.seen[n.Name] = true
		l.found = append(l.found, l.node(n))
	}
	return nil
}

// node keeps what a node is to us.
func (l *lister) node(n *corev1.Node) nodes.Node {
	out := nodes.Node{
		Name:          n.Name,
		UID:           string(n.UID),
		Labels:        l.textMap(n.Labels),
		Annotations:   l.textMap(n.Annotations),
		OSImage:       l.texts.Text(n.Status.NodeInfo.OSImage),
		KernelVersion: l.texts.Text(n.Status.NodeInfo.KernelVersion),
		Architecture:  l.texts.Text(n.Status.NodeInfo.Architecture),
	}
	for _, t := range n.Spec.Taints {
		out.Taints = append(out.Taints, corev1.Taint{
			Key:    l.texts.Text(t.Key),
			Value:  l.texts.Text(t.Value),
			Effect: corev1.TaintEffect(l.texts.Text(string(t.Effect))),
		})
	}
	return out
}

func (l *lister) textMap(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	const shared = 128 // longer values are hardly those of another node
	out := make(map[string]string, len(m))
	for k, v := range m {
		if len(v) <= shared {
			v = l.texts.Text(v)
		}
		out[l.texts.Text(k)] = v
	}
	return out
}

// isText reports whether all that is kept of a node is UTF-8, which protobuf
// leaves open.
func isText(n *corev1.Node) bool {
	info := &n.Status.NodeInfo
	ok := utf8.ValidString(string(n.UID)) && utf8.ValidString(info.OSImage) &&
		utf8.ValidString(info.KernelVersion) && utf8.ValidString(info.Architecture)
	for _, m := range []map[string]string{n.Labels, n.Annotations} {
		for k, v := range m {
			ok = ok && utf8.ValidString(k) && utf8.ValidString(v)
		}
	}
	for _, t := range n.Spec.Taints {
		ok = ok && utf8.ValidString(t.Key) && utf8.ValidString(t.Value) && utf8.ValidString(string(t.Effect))
	}
	return ok
}
