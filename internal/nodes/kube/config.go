package kube

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	_ "k8s.io/client-go/plugin/pkg/client/auth/oidc" // for kubeconfigs that have it
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// sources is the hint where nothing says where the nodes are.
const sources = "name a source of nodes: --nodes FILE, --kubeconfig FILE (or --context), --cluster NAME, a file nodes.yaml beside the LinstorCluster, or run in the cluster with a service account"

// rest returns how to reach the cluster.
func (c Config) rest(ctx context.Context, l limits) (*rest.Config, error) {
	home, err := c.home(l)
	if err != nil || c.Cluster == "" {
		return home, err
	}
	return c.argocd(ctx, home, l)
}

// home returns how to reach the cluster of the kubeconfig or, without one, the
// cluster that the program runs in.
func (c Config) home(l limits) (*rest.Config, error) {
	if c.Kubeconfig == "" && c.Context == "" {
		return inCluster(l.accountDir)
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.Kubeconfig
	rules.WarnIfAllMissing = false
	where := "kubeconfig " + c.Kubeconfig
	if c.Kubeconfig == "" {
		where = "kubeconfig " + strings.Join(rules.Precedence, string(filepath.ListSeparator))
	}
	loaded, err := rules.Load()
	if err != nil {
		return nil, faultf(err, "", "cannot load %s: %s", where, withoutValues(err))
	}
	// The loader that kubectl uses would turn to the cluster around it if there
	// is nothing in the files. Naming one cluster must never lead to another.
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.Context}
	cfg, err := clientcmd.NewNonInteractiveClientConfig(*loaded, c.Context, overrides, rules).ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, faultf(err, "set its current-context, or name one with --context", "%s names no cluster", where)
	}
	if err != nil {
		return nil, faultf(err, "kubectl config get-contexts lists what it has", "%s is of no use: %s", where, withoutValues(err))
	}
	return cfg, nil
}

var numberValue = regexp.MustCompile(`number \S+ into`)

// withoutValues is the text of an error about a kubeconfig without the values
// that a parser quotes: a password may be a number.
func withoutValues(err error) string {
	return short(numberValue.ReplaceAllString(err.Error(), "number into"))
}

// inCluster returns how a pod reaches the API server of its cluster. The
// function of this name in client-go logs on its own and goes on without the
// certificate authority if it is missing; this one does not.
func inCluster(dir string) (*rest.Config, error) {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	if host == "" || port == "" {
		return nil, faultf(rest.ErrNotInCluster, sources, "nothing says where the nodes are, and this is no pod of a cluster")
	}
	const hint = "mount a projected volume there with a serviceAccountToken and the ConfigMap kube-root-ca.crt, or set automountServiceAccountToken; or "
	token, ca := filepath.Join(dir, "token"), filepath.Join(dir, "ca.crt")
	text, err := os.ReadFile(token)
	if err == nil && len(strings.TrimSpace(string(text))) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, faultf(err, hint+sources, "the pod has no service account token: %v", err)
	}
	if _, err := os.Stat(ca); err != nil {
		return nil, faultf(err, hint+sources, "the pod has no certificate authority of the API server: %v", err)
	}
	return &rest.Config{
		Host:            "https://" + net.JoinHostPort(host, port),
		BearerToken:     string(text),
		BearerTokenFile: token, // read again when it is renewed
		TLSClientConfig: rest.TLSClientConfig{CAFile: ca},
	}, nil
}
