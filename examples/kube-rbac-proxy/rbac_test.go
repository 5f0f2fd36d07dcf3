// Package kuberbacproxy_test holds the example to the letter: two strategic
// patches give the controller's Deployment one container and one volume more,
// and change nothing else of it.
package kuberbacproxy_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// sidecar and volume are what the patches are to add, and nothing more.
const (
	sidecar = `
name: kube-rbac-proxy
image: quay.io/brancz/kube-rbac-proxy:v0.11.0
args:
- --upstream=http://127.0.0.1:3370
- --config-file=/etc/kube-rbac-proxy/linstor-controller.yaml
- --secure-listen-address=$(KUBE_RBAC_PROXY_LISTEN_ADDRESS):3370
- --client-ca-file=/var/run/secrets/kubernetes.io/serviceaccount/ca.crt
- --v=2
- --logtostderr=true
env:
- {name: KUBE_RBAC_PROXY_LISTEN_ADDRESS, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
volumeMounts:
- {name: rbac-proxy-config, mountPath: /etc/kube-rbac-proxy}
`
	volume = "{name: rbac-proxy-config, configMap: {name: piraeus-rbac-proxy}}"
)

// bare is the installation without the patches.
const bare = "{apiVersion: piraeus.io/v1, kind: LinstorCluster, metadata: {name: linstor}}"

func TestSidecar(t *testing.T) {
	in, err := overlays.Load("app")
	if err != nil {
		t.Fatal(err)
	}
	got, want := deployment(t, in), deployment(t, read(t, bare))
	pod := want["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	pod["containers"] = append(pod["containers"].([]any), value(t, sidecar))
	pod["volumes"] = append(pod["volumes"].([]any), value(t, volume))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the Deployment is not the original, the sidecar and the volume (-want +got):\n%s", diff)
	}
}

// TestBeforeItRuns renders the example with the patch that its page adds.
func TestBeforeItRuns(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("README.md has no patch")
	}
	cluster, err := os.ReadFile("app/linstor.yaml")
	if err != nil {
		t.Fatal(err)
	}
	patches := strings.ReplaceAll("\n"+strings.TrimSpace(string(block[1])), "\n", "\n    ")
	got := string(manifest.Compile(deployment(t, read(t, string(cluster)+patches)), manifest.YAML).Append(nil, nil))
	for _, s := range []string{"name: LS_REST_BIND_ADDRESS", "port: 9999", "name: kube-rbac-proxy"} {
		if !strings.Contains(got, s) {
			t.Errorf("the Deployment lacks %s:\n%s", s, got)
		}
	}
	if strings.Contains(got, "/health") {
		t.Errorf("a probe still asks LINSTOR, which only the proxy reaches:\n%s", got)
	}
}

// deployment renders an installation for one node and returns the controller.
func deployment(t *testing.T, in *overlays.Input) map[string]any {
	t.Helper()
	result, err := generator.Generate(in, []nodes.Node{{Name: "worker-1", OSImage: "Ubuntu 24.04"}}, generator.Settings{Namespace: "piraeus-datastore", Loader: generator.LoaderDaemonSet})
	if err != nil {
		t.Fatal(err)
	}
	for o := range result.Objects() {
		if o["kind"] == "Deployment" && o["metadata"].(map[string]any)["name"] == "linstor-controller" {
			return o
		}
	}
	t.Fatal("there is no Deployment linstor-controller")
	return nil
}

func read(t *testing.T, text string) *overlays.Input {
	t.Helper()
	docs, err := manifest.ReadDocuments("linstor.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	in, err := overlays.Read(docs, overlays.Files{})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func value(t *testing.T, text string) any {
	t.Helper()
	docs, err := manifest.ReadDocuments("want.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, err := manifest.Value("want.yaml", docs[0].Node, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
