package kube

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"
)

const (
	readSecrets = "read the cluster Secrets of Argo CD"

	secretType  = "argocd.argoproj.io/secret-type"
	localServer = "https://kubernetes.default.svc"
	localName   = "in-cluster"
)

// argocd returns how to reach a cluster that Argo CD knows by name. home is
// the cluster that Argo CD runs in.
func (c Config) argocd(ctx context.Context, home *rest.Config, l limits) (*rest.Config, error) {
	if len(validation.IsDNS1123Label(c.ArgoCDNamespace)) > 0 {
		return nil, faultf(nil, "", "the namespace of Argo CD, %.80q, is no name of one", c.ArgoCDNamespace)
	}
	api, err := newClient(home, "", c.Progress, l)
	if err != nil {
		return nil, err
	}
	defer api.close()
	c.Progress(fmt.Sprintf("looking up cluster %q in namespace %s of %s", c.Cluster, c.ArgoCDNamespace, api.cluster))
	secrets, err := c.secrets(ctx, api)
	if isStatus(err, 403) && c.Cluster == localName {
		// No Secret is needed for this one, so neither is the right to read it.
		return home, nil
	}
	if err != nil {
		return nil, err
	}
	secret, err := c.choose(secrets)
	if err != nil {
		return nil, err
	}
	if secret == nil {
		return home, nil
	}
	cfg, err := secretConfig(secret, home)
	if err != nil {
		return nil, faultf(err, "", "Secret %s/%s of cluster %q: %v", c.ArgoCDNamespace, secret.Name, c.Cluster, err)
	}
	return cfg, nil
}

// secrets returns the cluster Secrets. An account that may not list them may
// have the right to get the one that has the name of the cluster.
func (c Config) secrets(ctx context.Context, api *client) ([]corev1.Secret, error) {
	path := []string{"api", "v1", "namespaces", c.ArgoCDNamespace, "secrets"}
	obj, err := api.fetch(ctx, readSecrets, path, url.Values{"labelSelector": {secretType + "=cluster"}})
	if isStatus(err, 403) && c.Cluster != localName && len(validation.IsDNS1123Subdomain(c.Cluster)) == 0 {
		if one, oneErr := api.fetch(ctx, readSecrets, append(path, c.Cluster), nil); oneErr == nil {
			obj, err = one, nil
		}
	}
	if err != nil {
		if errors.Is(err, errGone) {
			return nil, api.fault(err, "", "cannot %s: %v", readSecrets, err)
		}
		return nil, err
	}
	switch obj := obj.(type) {
	case *corev1.SecretList:
		if obj.Continue == "" {
			return obj.Items, nil
		}
	case *corev1.Secret:
		return []corev1.Secret{*obj}, nil
	}
	return nil, api.fault(nil, "", "cannot %s: the server answers with a part of them, or with something else", readSecrets)
}

// choose returns the Secret of the cluster, or nil if it is the one that Argo
// CD runs in and has none, as is usual.
func (c Config) choose(secrets []corev1.Secret) (*corev1.Secret, error) {
	var found []*corev1.Secret
	localKnown := false
	for i := range secrets {
		s := &secrets[i]
		if s.Labels[secretType] != "cluster" {
			continue
		}
		localKnown = localKnown || server(s) == localServer
		if string(s.Data["name"]) == c.Cluster {
			found = append(found, s)
		}
	}
	switch {
	case !localKnown && c.Cluster == localName:
		return nil, nil
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, faultf(nil, "give each cluster a name of its own", "%d cluster Secrets in namespace %s have the name %q: %s and %s", len(found), c.ArgoCDNamespace, c.Cluster, found[0].Name, found[1].Name)
	}
	return nil, faultf(nil, "argocd cluster list has the names; the Secrets are in the namespace of Argo CD, labelled "+secretType+"=cluster",
		"Argo CD has no cluster %.80q in namespace %s", c.Cluster, c.ArgoCDNamespace)
}

func server(s *corev1.Secret) string { return strings.TrimRight(string(s.Data["server"]), "/") }
