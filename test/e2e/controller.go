package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	argocd "github.com/argoproj/argo-cd/v2/pkg/client/clientset/versioned"
	typed "github.com/argoproj/argo-cd/v2/pkg/client/clientset/versioned/typed/application/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// argocdNamespace is where the tests' Argo CDs keep their own objects.
const argocdNamespace = "argocd"

// Renderer is what the application controllers of a test share: a repository
// server and the redis behind it.
type Renderer struct {
	repoServer, redis string
}

// StartRenderer starts argocd-repo-server for application controllers, which
// find it by its address. StartRepoServer is for a test that asks it itself.
func StartRenderer(t testing.TB, sockets string) Renderer {
	t.Helper()
	ports := FreePorts(t, 3)
	renderer := Renderer{redis: "127.0.0.1:" + ports[0], repoServer: "127.0.0.1:" + ports[1]}
	startRedis(t, ports[0])
	server := StartServer(t, "argocd-repo-server",
		Env(t,
			"ARGOCD_BINARY_NAME=argocd-repo-server",
			"ARGOCD_PLUGINSOCKFILEPATH="+sockets,
			"ARGOCD_GPG_ENABLED=false",
			"ARGOCD_ASK_PASS_SOCK="+filepath.Join(socketDir(t), "askpass.sock"),
			"ARGOCD_TLS_DATA_PATH="+t.TempDir(),
			"ARGOCD_SSH_DATA_PATH="+t.TempDir(),
		),
		Part(t, "argocd", "argocd-v2", argocdModule),
		"--disable-tls", "--redis", renderer.redis,
		"--address", "127.0.0.1", "--port", ports[1],
		"--metrics-address", "127.0.0.1", "--metrics-port", ports[2])
	server.Await(t, func(ctx context.Context) error { return accepts(ctx, "tcp", renderer.repoServer) })
	return renderer
}

// ArgoCD is an Argo CD without its user interface: what reads Applications and
// brings clusters to what they say.
type ArgoCD struct {
	client kubernetes.Interface
	typed.ApplicationInterface
}

// StartArgoCD makes the API server of config the home of an Argo CD that tracks
// its objects by the given method, "" for its default, and starts the
// application controller there. It compares every Application again every 15 s.
func StartArgoCD(t testing.TB, config *rest.Config, renderer Renderer, tracking string) ArgoCD {
	t.Helper()
	defineApplications(t, config)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	applications, err := argocd.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	made := ArgoCD{client, applications.ArgoprojV1alpha1().Applications(argocdNamespace)}
	made.configure(t, tracking)
	projects := applications.ArgoprojV1alpha1().AppProjects(argocdNamespace)
	// A kind is served a moment after its definition is stored.
	await(t, "AppProjects are not served", func(ctx context.Context) error {
		_, err := projects.Create(ctx, &v1alpha1.AppProject{
			ObjectMeta: metav1.ObjectMeta{Name: "default"},
			Spec: v1alpha1.AppProjectSpec{
				SourceRepos:              []string{"*"},
				Destinations:             []v1alpha1.ApplicationDestination{{Server: "*", Namespace: "*"}},
				ClusterResourceWhitelist: []metav1.GroupKind{{Group: "*", Kind: "*"}},
			},
		}, metav1.CreateOptions{})
		return err
	})
	await(t, "Applications are not served", func(ctx context.Context) error {
		_, err := made.List(ctx, metav1.ListOptions{Limit: 1})
		return err
	})

	metrics := FreePorts(t, 1)[0]
	server := StartServer(t, "argocd-application-controller-"+cmp.Or(tracking, "default"),
		Env(t,
			"ARGOCD_BINARY_NAME=argocd-application-controller",
			"ARGOCD_GPG_ENABLED=false",
			"ARGOCD_TLS_DATA_PATH="+t.TempDir(),
			"ARGOCD_SSH_DATA_PATH="+t.TempDir(),
		),
		Part(t, "argocd", "argocd-v2", argocdModule),
		"--kubeconfig", Kubeconfig(t, config), "--namespace", argocdNamespace,
		"--repo-server", renderer.repoServer, "--repo-server-plaintext",
		"--redis", renderer.redis, "--metrics-port", metrics,
		"--app-resync", "15")
	server.Await(t, func(ctx context.Context) error { return answersHTTP(ctx, "http://127.0.0.1:"+metrics+"/healthz") })
	return made
}

// configure makes the settings that every installation of Argo CD has.
func (a ArgoCD) configure(t testing.TB, tracking string) {
	t.Helper()
	ctx := t.Context()
	core := a.client.CoreV1()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: argocdNamespace}}
	if _, err := core.Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	part := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Name: name, Labels: map[string]string{"app.kubernetes.io/part-of": "argocd"}}
	}
	settings := map[string]map[string]string{
		"argocd-cm":                 {},
		"argocd-rbac-cm":            nil,
		"argocd-gpg-keys-cm":        nil,
		"argocd-tls-certs-cm":       nil,
		"argocd-ssh-known-hosts-cm": nil,
	}
	if tracking != "" {
		settings["argocd-cm"]["application.resourceTrackingMethod"] = tracking
	}
	for name, data := range settings {
		config := &corev1.ConfigMap{ObjectMeta: part(name), Data: data}
		if _, err := core.ConfigMaps(argocdNamespace).Create(ctx, config, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	secret := &corev1.Secret{ObjectMeta: part("argocd-secret"), StringData: map[string]string{"server.secretkey": "e2e"}}
	if _, err := core.Secrets(argocdNamespace).Create(ctx, secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// AddCluster tells Argo CD of a cluster, whose server's URL Applications name.
func (a ArgoCD) AddCluster(t testing.TB, name string, cluster *rest.Config) {
	t.Helper()
	access, err := json.Marshal(v1alpha1.ClusterConfig{
		BearerToken:     cluster.BearerToken,
		TLSClientConfig: v1alpha1.TLSClientConfig{CAData: cluster.CAData},
	})
	if err != nil {
		t.Fatal(err)
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Name:   "cluster-" + name,
			Labels: map[string]string{"argocd.argoproj.io/secret-type": "cluster"},
		},
		StringData: map[string]string{"name": name, "server": cluster.Host, "config": string(access)},
	}
	if _, err := a.client.CoreV1().Secrets(argocdNamespace).Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// defineApplications applies the definitions of Argo CD's kinds, as the module
// has them that its programs are built from.
func defineApplications(t testing.TB, config *rest.Config) {
	t.Helper()
	module := MustRun(t, filepath.Join("parts", "argocd-v2"), os.Environ(), Command(t, "go"),
		"list", "-m", "-f", "{{.Dir}}", argocdModule)
	applier := NewApplier(t, config)
	for _, kind := range []string{"application", "appproject"} {
		file := filepath.Join(strings.TrimSpace(string(module)), "manifests", "crds", kind+"-crd.yaml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, definition := range FromYAML(t, text) {
			if _, err := applier.Apply(t.Context(), definition); err != nil {
				t.Fatalf("%s: %v", definition.ID(), err)
			}
		}
	}
}
