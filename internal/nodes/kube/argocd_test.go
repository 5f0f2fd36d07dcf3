package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// secret is a cluster Secret.
func secret(object, name, server, config string) corev1.Secret {
	s := corev1.Secret{Data: map[string][]byte{"name": []byte(name), "server": []byte(server), "config": []byte(config)}}
	s.APIVersion, s.Kind = "v1", "Secret"
	s.Name, s.Labels = object, map[string]string{secretType: "cluster"}
	return s
}

func secretList(secrets ...corev1.Secret) *corev1.SecretList {
	l := &corev1.SecretList{Items: secrets}
	l.APIVersion, l.Kind, l.ResourceVersion = "v1", "SecretList", "7"
	return l
}

func TestSecretConfig(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	home := &rest.Config{Host: "https://10.0.0.1", BearerToken: "home", BearerTokenFile: "f", TLSClientConfig: rest.TLSClientConfig{CAFile: "ca"}}
	never := clientcmdapi.NeverExecInteractiveMode
	for name, tc := range map[string]struct {
		reason string
		server string
		config string
		want   *rest.Config
		fault  string
	}{
		"token":       {"as argocd cluster add leaves it", "https://a.example/", `{"bearerToken":"t","tlsClientConfig":{"insecure":false,"caData":"Y2E="}}`, &rest.Config{Host: "https://a.example", BearerToken: "t", TLSClientConfig: rest.TLSClientConfig{CAData: []byte("ca")}}, ""},
		"certificate": {"a client certificate, and another server name", "https://a.example:6443/base", `{"tlsClientConfig":{"serverName":"b","certData":"Y3J0","keyData":"a2V5","caData":"Y2E="}}`, &rest.Config{Host: "https://a.example:6443/base", TLSClientConfig: rest.TLSClientConfig{ServerName: "b", CertData: []byte("crt"), KeyData: []byte("key"), CAData: []byte("ca")}}, ""},
		"basic":       {"user and password, no certificate checks", "https://a.example", `{"username":"u","password":"p","tlsClientConfig":{"insecure":true},"disableCompression":true}`, &rest.Config{Host: "https://a.example", Username: "u", Password: "p", DisableCompression: true, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, ""},
		"no config":   {"a server that anybody may ask", "http://a.example", ``, &rest.Config{Host: "http://a.example"}, ""},
		"program": {"a program that fetches credentials; the token beside it is not meant", "https://a.example", `{"bearerToken":"t","execProviderConfig":{"command":"c","args":["-x"],"env":{"B":"2","A":"1"},"apiVersion":"client.authentication.k8s.io/v1","installHint":"h","provideClusterInfo":true,"config":{"a":1}}}`, &rest.Config{Host: "https://a.example", ExecProvider: &clientcmdapi.ExecConfig{
			Command: "c", Args: []string{"-x"}, Env: []clientcmdapi.ExecEnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}, APIVersion: "client.authentication.k8s.io/v1",
			InstallHint: "h", ProvideClusterInfo: true, Config: &runtime.Unknown{Raw: []byte(`{"a":1}`), ContentType: "application/json"}, InteractiveMode: never,
		}}, ""},
		"home":           {"the cluster of Argo CD is reached as it was for the Secret", localServer + "/", `{"tlsClientConfig":{"insecure":false}}`, home, ""},
		"home as other":  {"with its own credentials, if it has some", localServer, `{"bearerToken":"t"}`, &rest.Config{Host: "https://10.0.0.1", BearerToken: "t", TLSClientConfig: rest.TLSClientConfig{CAFile: "ca"}}, ""},
		"proxy":          {"a proxy", "https://a.example", `{"proxyUrl":"socks5://u:p@proxy:1080"}`, &rest.Config{Host: "https://a.example"}, ""},
		"bad proxy":      {"no proxy", "https://a.example", `{"proxyUrl":"ftp://u:` + token + `@proxy"}`, nil, "its proxyUrl is no URL"},
		"odd proxy":      {"no URL", "https://a.example", `{"proxyUrl":"http://u:` + token + `@%zz"}`, nil, "its proxyUrl is no URL"},
		"bad server":     {"no URL either", "https://u:" + token + "@%zz", `{}`, nil, "its server is no URL"},
		"no server":      {"no server", "", `{}`, nil, "its server is no URL"},
		"bad scheme":     {"no API server", "ftp://a", `{}`, nil, "its server is no URL"},
		"bad config":     {"JSON of another shape is not quoted", "https://a.example", `{"bearerToken":4815162342}`, nil, "its config is not the JSON"},
		"bad base64":     {"certificates are base64", "https://a.example", `{"tlsClientConfig":{"keyData":"` + token + `"}}`, nil, "its config is not the JSON"},
		"aws, no argocd": {"a program that only the image of Argo CD has", "https://a.example", `{"awsAuthConfig":{"clusterName":"c"}}`, nil, "its credentials come from argocd-k8s-auth"},
	} {
		t.Run(name, func(t *testing.T) {
			s := secret("cluster-1", "prod", tc.server, tc.config)
			got, err := secretConfig(&s, home)
			if tc.fault != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tc.fault) || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "4815162342") {
					t.Errorf("%s: got %v", tc.reason, err)
				}
				return
			}
			if diff := cmp.Diff(tc.want, got, onlyReach); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
			if name == "proxy" {
				u, err := got.Proxy(&http.Request{URL: &url.URL{Scheme: "https", Host: "a.example"}})
				if err != nil || u.String() != "socks5://u:p@proxy:1080" {
					t.Errorf("%s: %v, %v", tc.reason, u, err)
				}
			}
		})
	}
}

func TestArgoCDAuth(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		program string
		config  string
		args    []string
		env     []clientcmdapi.ExecEnvVar
	}{
		"aws":    {"argocd goes by another name", "argocd", `{"awsAuthConfig":{"clusterName":"c","roleARN":"r","profile":"p"}}`, []string{"aws", "--cluster-name", "c", "--role-arn", "r", "--profile", "p"}, []clientcmdapi.ExecEnvVar{{Name: "ARGOCD_BINARY_NAME", Value: "argocd-k8s-auth"}}},
		"gcp":    {"also for the others of its kind", "argocd", `{"execProviderConfig":{"command":"argocd-k8s-auth","args":["gcp"],"apiVersion":"client.authentication.k8s.io/v1beta1","env":{"A":"1"}}}`, []string{"gcp"}, []clientcmdapi.ExecEnvVar{{Name: "A", Value: "1"}, {Name: "ARGOCD_BINARY_NAME", Value: "argocd-k8s-auth"}}},
		"itself": {"unless it is there itself", "argocd-k8s-auth", `{"awsAuthConfig":{"clusterName":"c"}}`, []string{"aws", "--cluster-name", "c"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("PATH", dir)
			path := write(t, filepath.Join(dir, tc.program), "#!/bin/sh\n")
			s := secret("cluster-1", "prod", "https://a.example", tc.config)
			got, err := secretConfig(&s, &rest.Config{})
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			want := &clientcmdapi.ExecConfig{
				Command: path, Args: tc.args, Env: tc.env,
				APIVersion: "client.authentication.k8s.io/v1beta1", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
			}
			if tc.program == argocdAuth {
				want.Command = argocdAuth
			}
			if diff := cmp.Diff(want, got.ExecProvider); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestListOfArgoCDCluster(t *testing.T) {
	outside(t)
	target := serve(t, asProtobuf(t, page("", "t")))
	config := `{"bearerToken":"` + token + `"}`
	prod := secret("cluster-1", "prod", target.URL, config)
	unlabelled := secret("cluster-9", "prod", "https://elsewhere.invalid", config)
	unlabelled.Labels = nil
	homeNodes := asProtobuf(t, page("", "h"))
	secrets := func(s ...corev1.Secret) answer { return asProtobuf(t, secretList(s...)) }
	forbidden := refusal(403, "secrets is forbidden")
	one := asJSON(t, prod)
	part := secretList(prod)
	part.Continue = "x"
	const all = "/api/v1/namespaces/argocd/secrets?labelSelector=argocd.argoproj.io%2Fsecret-type%3Dcluster"

	for name, tc := range map[string]struct {
		reason  string
		cluster string
		script  []answer
		node    string
		asked   []string
		subject string
		message string
		hint    string
	}{
		"found":            {"by its name, not that of the Secret", "prod", []answer{secrets(secret("prod", "other", "https://elsewhere.invalid", ""), prod, unlabelled)}, "t", []string{all}, "", "", ""},
		"unknown":          {"never another cluster", "stage", []answer{secrets(prod)}, "", []string{all}, "", `no cluster "stage" in namespace argocd`, "argocd cluster list"},
		"ambiguous":        {"which of both nobody knows", "prod", []answer{secrets(prod, secret("cluster-2", "prod", "https://b", ""))}, "", []string{all}, "", "cluster-1 and cluster-2", "a name of its own"},
		"in-cluster":       {"usually has no Secret", "in-cluster", []answer{secrets(prod), homeNodes}, "h", []string{all, "/api/v1/nodes?limit=2"}, "", "", ""},
		"in-cluster alone": {"so the right to read them is not needed", "in-cluster", []answer{forbidden, homeNodes}, "h", []string{all, "/api/v1/nodes?limit=2"}, "", "", ""},
		"in-cluster named": {"it may have one, with another name", "in-cluster", []answer{secrets(secret("cluster-3", "hub", localServer, "{}"))}, "", []string{all}, "", `no cluster "in-cluster"`, ""},
		"hub":              {"and goes by that", "hub", []answer{secrets(secret("cluster-3", "hub", localServer, "{}")), homeNodes}, "h", []string{all, "/api/v1/nodes?limit=2"}, "", "", ""},
		"one secret":       {"the right to get one Secret is enough if it has the name", "prod", []answer{forbidden, one}, "t", []string{all, "/api/v1/namespaces/argocd/secrets/prod"}, "", "", ""},
		"forbidden":        {"the rule for the Secrets is named", "prod", []answer{forbidden}, "", []string{all, "/api/v1/namespaces/argocd/secrets/prod"}, "home", "403 Forbidden: secrets is forbidden", "resources [secrets]"},
		"odd name":         {"a name that no Secret has", "a b", []answer{forbidden}, "", []string{all}, "home", "403 Forbidden", "resources [secrets]"},
		"part":             {"a part of them is not enough", "prod", []answer{asProtobuf(t, part)}, "", []string{all}, "home", "a part of them", ""},
		"something else":   {"nor is something else", "prod", []answer{homeNodes}, "", []string{all}, "home", "something else", ""},
		"gone":             {"a list of one page cannot be forgotten", "prod", []answer{refusal(410, "")}, "", []string{all}, "home", "forgotten", ""},
		"bad secret":       {"the Secret is named", "prod", []answer{secrets(secret("cluster-1", "prod", "", ""))}, "", []string{all}, "", `Secret argocd/cluster-1 of cluster "prod": its server is no URL`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			home := serve(t, tc.script...)
			c := Config{Kubeconfig: kubeconfig(t, home.URL, "https://b", "{}"), Cluster: tc.cluster}
			got, err := list(t.Context(), c, quick)
			if tc.message != "" {
				host := ""
				if tc.subject == "home" {
					host = hostOf(t, home.URL)
				}
				isFault(t, err, host, tc.message, tc.hint)
			} else if diff := cmp.Diff(kept(tc.node), got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
			if diff := cmp.Diff(tc.asked, home.asked); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}

	t.Run("namespace", func(t *testing.T) {
		_, err := list(t.Context(), Config{Kubeconfig: kubeconfig(t, target.URL, "https://b", "{}"), Cluster: "prod", ArgoCDNamespace: "../x"}, quick)
		isFault(t, err, "", `"../x"`, "")
	})
	t.Run("nowhere", func(t *testing.T) {
		_, err := list(t.Context(), Config{Cluster: "prod"}, quick)
		isFault(t, err, "", "no pod of a cluster", "--nodes")
	})
	t.Run("proxy", func(t *testing.T) {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(asProtobuf(t, page("", "p")).body)
		}))
		defer proxy.Close()
		home := serve(t, secrets(secret("cluster-1", "prod", "http://nowhere.invalid", fmt.Sprintf(`{"proxyUrl":%q}`, proxy.URL))))
		got, err := list(t.Context(), Config{Kubeconfig: kubeconfig(t, home.URL, "https://b", "{}"), Cluster: "prod"}, quick)
		if diff := cmp.Diff(kept("p"), got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

// TestListWithProgram holds that credentials that a program fetches are used,
// and that a program that fails or hangs does neither hold up nor tell.
func TestListWithProgram(t *testing.T) {
	outside(t)
	f := &fakeServer{script: []answer{asProtobuf(t, page("", "a"))}}
	s := httptest.NewTLSServer(f)
	defer s.Close()
	api := func(script string) *client {
		t.Helper()
		in, err := json.Marshal(map[string]any{
			"tlsClientConfig":    map[string]any{"insecure": true},
			"execProviderConfig": map[string]any{"command": write(t, filepath.Join(t.TempDir(), "auth"), "#!/bin/sh\n"+script), "apiVersion": "client.authentication.k8s.io/v1", "env": map[string]string{"T": token}},
		})
		if err != nil {
			t.Fatal(err)
		}
		object := secret("cluster-1", "prod", s.URL, string(in))
		cfg, err := secretConfig(&object, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := newClient(cfg, "prod", func(string) {}, quick)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	got, err := api(`echo "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"spec\":{\"interactive\":false},\"status\":{\"token\":\"$T\"}}"`).nodes(t.Context())
	if diff := cmp.Diff(kept("a"), got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if len(f.headers) != 1 || f.headers[0].Get("Authorization") != "Bearer "+token {
		t.Errorf("asked with %v", f.headers)
	}

	_, err = api("exit 3").nodes(t.Context())
	isFault(t, err, `cluster "prod" (`+hostOf(t, s.URL), "exit code 3", "by hand")

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err = api("exec sleep 3").nodes(ctx)
	isFault(t, err, hostOf(t, s.URL), "the time for it is over", "")
	if took := time.Since(begin); took > 2*time.Second || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("took %v: %v", took, err)
	}
}
