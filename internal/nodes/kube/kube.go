// Package kube lists the nodes of a cluster: from the API server that a
// kubeconfig, a cluster Secret of Argo CD or the service account of the pod
// leads to. It is the only package that imports client-go.
//
// It neither watches nor caches, and it writes nothing. A list that is not
// known to be whole is an error.
package kube

import (
	"context"
	"time"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// Config says which cluster to ask. The zero Config is the cluster in which
// the program runs.
type Config struct {
	// Kubeconfig is the path of a kubeconfig file.
	Kubeconfig string
	// Context is a context of the kubeconfig, in place of its current one.
	// Without Kubeconfig, it is looked up where kubectl does: in the files that
	// $KUBECONFIG lists, or ~/.kube/config.
	Context string
	// Cluster is the name of a cluster as Argo CD knows it. The Secret that
	// describes it is read with the credentials that the other fields lead to.
	Cluster string
	// ArgoCDNamespace is where these Secrets are; empty is "argocd".
	ArgoCDNamespace string
	// Progress is told, in a few words, what is being waited for. It may be nil.
	Progress func(string)
}

// limits are how long and how often to try.
type limits struct {
	total      time.Duration // everything together
	request    time.Duration // one request, its answer included
	tries      int           // of one request
	pause      time.Duration // after the first failure; it doubles
	longest    time.Duration // pause, also where the server asks for more
	restarts   int           // of a list that came to nothing
	page       int           // nodes in a request
	accountDir string        // of the service account
}

var defaults = limits{
	total:      time.Minute,
	request:    15 * time.Second,
	tries:      5,
	pause:      500 * time.Millisecond,
	longest:    10 * time.Second,
	restarts:   3,
	page:       500,
	accountDir: "/var/run/secrets/kubernetes.io/serviceaccount",
}

// List returns all nodes of the cluster, sorted by name, or an error that says
// which cluster it is about and what can be done; no credentials are ever part
// of it. A failed request is tried again for up to a minute, or as long as ctx
// allows, unless trying again cannot help.
func List(ctx context.Context, c Config) ([]nodes.Node, error) {
	return list(ctx, c, defaults)
}

func list(ctx context.Context, c Config, l limits) ([]nodes.Node, error) {
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	if c.ArgoCDNamespace == "" {
		c.ArgoCDNamespace = "argocd"
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.total, errTotal)
	defer cancel()
	cfg, err := c.rest(ctx, l)
	if err != nil {
		return nil, err
	}
	api, err := newClient(cfg, c.Cluster, c.Progress, l)
	if err != nil {
		return nil, err
	}
	defer api.close()
	return api.nodes(ctx)
}
