package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// clusterConfig is the member "config" of a cluster Secret.
type clusterConfig struct {
	Username        string `json:"username"`
	Password        string `json:"password"`
	BearerToken     string `json:"bearerToken"`
	TLSClientConfig struct {
		Insecure   bool   `json:"insecure"`
		ServerName string `json:"serverName"`
		CertData   []byte `json:"certData"`
		KeyData    []byte `json:"keyData"`
		CAData     []byte `json:"caData"`
	} `json:"tlsClientConfig"`
	AWSAuthConfig *struct {
		ClusterName string `json:"clusterName"`
		RoleARN     string `json:"roleARN"`
		Profile     string `json:"profile"`
	} `json:"awsAuthConfig"`
	ExecProviderConfig *struct {
		Command            string            `json:"command"`
		Args               []string          `json:"args"`
		Env                map[string]string `json:"env"`
		APIVersion         string            `json:"apiVersion"`
		InstallHint        string            `json:"installHint"`
		ProvideClusterInfo bool              `json:"provideClusterInfo"`
		Config             json.RawMessage   `json:"config"`
	} `json:"execProviderConfig"`
	DisableCompression bool   `json:"disableCompression"`
	ProxyURL           string `json:"proxyUrl"`
}

// secretConfig returns how to reach the cluster that a Secret describes, the
// way Argo CD does. No error of it has a value of the Secret.
func secretConfig(s *corev1.Secret, home *rest.Config) (*rest.Config, error) {
	var in clusterConfig
	if text := s.Data["config"]; len(text) > 0 && json.Unmarshal(text, &in) != nil {
		return nil, errors.New("its config is not the JSON that Argo CD writes")
	}
	host, err := url.Parse(server(s))
	if err != nil || host.Host == "" || host.Scheme != "https" && host.Scheme != "http" {
		return nil, errors.New("its server is no URL of an API server")
	}
	cfg, err := in.reach(server(s), home)
	if err != nil {
		return nil, err
	}
	cfg.DisableCompression = in.DisableCompression
	if in.ProxyURL != "" {
		proxy, err := url.Parse(in.ProxyURL)
		if err != nil || !slices.Contains([]string{"http", "https", "socks5"}, proxy.Scheme) {
			return nil, errors.New("its proxyUrl is no URL that begins with http, https or socks5")
		}
		cfg.Proxy = http.ProxyURL(proxy)
	}
	return cfg, nil
}

// reach returns address and credentials. The cluster that Argo CD runs in is
// reached as home is, with other credentials if it has some.
func (in *clusterConfig) reach(host string, home *rest.Config) (*rest.Config, error) {
	if host == localServer {
		if in.Username == "" && in.Password == "" && in.BearerToken == "" {
			return rest.CopyConfig(home), nil
		}
		cfg := rest.AnonymousClientConfig(home)
		cfg.Username, cfg.Password, cfg.BearerToken = in.Username, in.Password, in.BearerToken
		return cfg, nil
	}
	t := &in.TLSClientConfig
	cfg := &rest.Config{Host: host, TLSClientConfig: rest.TLSClientConfig{
		Insecure: t.Insecure, ServerName: t.ServerName, CertData: t.CertData, KeyData: t.KeyData, CAData: t.CAData,
	}}
	var err error
	switch {
	case in.AWSAuthConfig != nil:
		cfg.ExecProvider, err = in.aws()
	case in.ExecProviderConfig != nil:
		cfg.ExecProvider, err = in.program()
	default:
		cfg.Username, cfg.Password, cfg.BearerToken = in.Username, in.Password, in.BearerToken
	}
	return cfg, err
}

// program is the exec credential plugin that a Secret names.
func (in *clusterConfig) program() (*clientcmdapi.ExecConfig, error) {
	p := in.ExecProviderConfig
	out := &clientcmdapi.ExecConfig{
		APIVersion:         p.APIVersion,
		Command:            p.Command,
		Args:               p.Args,
		InstallHint:        p.InstallHint,
		ProvideClusterInfo: p.ProvideClusterInfo,
		InteractiveMode:    clientcmdapi.NeverExecInteractiveMode,
	}
	if len(p.Config) > 0 {
		out.Config = &runtime.Unknown{Raw: p.Config, ContentType: runtime.ContentTypeJSON}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Env)) {
		out.Env = append(out.Env, clientcmdapi.ExecEnvVar{Name: name, Value: p.Env[name]})
	}
	return out, useArgoCD(out)
}

// aws is the exec credential plugin by which Argo CD reaches a cluster of EKS.
func (in *clusterConfig) aws() (*clientcmdapi.ExecConfig, error) {
	a := in.AWSAuthConfig
	args := []string{"aws", "--cluster-name", a.ClusterName}
	if a.RoleARN != "" {
		args = append(args, "--role-arn", a.RoleARN)
	}
	if a.Profile != "" {
		args = append(args, "--profile", a.Profile)
	}
	out := &clientcmdapi.ExecConfig{
		APIVersion:      "client.authentication.k8s.io/v1beta1",
		Command:         argocdAuth,
		Args:            args,
		InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
	}
	return out, useArgoCD(out)
}

const (
	argocdAuth = "argocd-k8s-auth"
	// argocdMount is where a sidecar of Argo CD has its binary from.
	argocdMount = "/var/run/argocd/argocd"
)

// useArgoCD finds the program argocd-k8s-auth. In the image of Argo CD it is a
// link to argocd, which looks at the name that it is called by, or at an
// environment variable; outside of it there is at most argocd.
func useArgoCD(p *clientcmdapi.ExecConfig) error {
	if p.Command != argocdAuth {
		return nil
	}
	if _, err := exec.LookPath(argocdAuth); err == nil {
		return nil
	}
	argocd, err := exec.LookPath("argocd")
	if err != nil {
		if _, err := os.Stat(argocdMount); err != nil {
			return fmt.Errorf("its credentials come from %s, and neither that nor argocd is in $PATH or at %s (mount the volume var-files of the repo-server there)", argocdAuth, argocdMount)
		}
		argocd = argocdMount
	}
	p.Command = argocd
	p.Env = append(p.Env, clientcmdapi.ExecEnvVar{Name: "ARGOCD_BINARY_NAME", Value: argocdAuth})
	return nil
}
