package e2e

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// nodeCount is more than one page of a list, which is 500 nodes.
const nodeCount = 600

// A cluster's nodes come in pages, in the API server's own encoding, and are the
// same nodes that a person saves with kubectl.
func TestNodesInPages(t *testing.T) {
	config := StartAPIServer(t)
	createNodes(t, config)
	recorder := StartRecorder(t, config)
	source, err := filepath.Abs(filepath.Join("testdata", "many-nodes"))
	if err != nil {
		t.Fatal(err)
	}
	command := Binary(t, "linstor-cmp")

	live := MustRun(t, t.TempDir(), Env(t), command,
		"generate", source, "--kubeconfig", Kubeconfig(t, recorder.Config), "--output", "json")

	satellites := 0
	for _, object := range FromJSON(t, live) {
		labels, _ := object.meta("labels").(map[string]any)
		if object["kind"] == "DaemonSet" && labels["app.kubernetes.io/component"] == "linstor-satellite" {
			satellites++
		}
	}
	if satellites != nodeCount {
		t.Errorf("%d satellites, want one for each of %d nodes", satellites, nodeCount)
	}

	t.Run("lists in pages", func(t *testing.T) {
		requests := recorder.Requests("/api/v1/nodes")
		continued := 0
		for _, request := range requests {
			query := request.URL.Query()
			if query.Get("limit") == "" {
				t.Errorf("%s has no limit", request.URL)
			}
			if query.Get("continue") != "" {
				continued++
			}
			if accept := request.Header.Get("Accept"); !strings.Contains(accept, "application/vnd.kubernetes.protobuf") {
				t.Errorf("%s accepts %q, not protobuf", request.URL, accept)
			}
		}
		if len(requests) == 0 || continued != len(requests)-1 || continued == 0 {
			t.Errorf("%d requests for nodes, %d of them continued another; want several pages of one list", len(requests), continued)
		}
	})

	for _, format := range []string{"yaml", "json"} {
		t.Run("as kubectl saves them in "+format, func(t *testing.T) {
			kubectl := Part(t, "kubectl", "kube-apiserver", "k8s.io/kubernetes")
			saved := MustRun(t, t.TempDir(), Env(t), kubectl,
				"--kubeconfig", Kubeconfig(t, config), "get", "nodes", "--output", format)
			file := filepath.Join(t.TempDir(), "nodes."+format)
			writeFile(t, file, string(saved))
			got := MustRun(t, t.TempDir(), Env(t), command, "generate", source, "--nodes", file, "--output", "json")
			if !bytes.Equal(live, got) {
				Compare(t, FromJSON(t, live), FromJSON(t, got))
				t.Errorf("%d bytes from the API server, %d from the file", len(live), len(got))
			}
		})
	}
}

func createNodes(t *testing.T, config *rest.Config) {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for i := range numbers {
				if _, err := client.CoreV1().Nodes().Create(t.Context(), node(i), metav1.CreateOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range nodeCount {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// node is one of many: some tainted, of several systems and zones.
func node(i int) *corev1.Node {
	systems := []corev1.NodeSystemInfo{
		{OSImage: "Ubuntu 22.04.4 LTS", KernelVersion: "5.15.0-107-generic"},
		{OSImage: "Debian GNU/Linux 12 (bookworm)", KernelVersion: "6.1.0-21-amd64"},
		{OSImage: "AlmaLinux 9.4 (Seafoam Ocelot)", KernelVersion: "5.14.0-427.16.1.el9_4.x86_64"},
	}
	info := systems[i%len(systems)]
	info.Architecture, info.OperatingSystem = "amd64", "linux"
	made := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("node-%03d", i),
			Labels: map[string]string{
				"topology.kubernetes.io/zone": fmt.Sprintf("zone-%d", i%3),
				"example.net/number":          fmt.Sprintf("%03d", i),
			},
		},
		Status: corev1.NodeStatus{NodeInfo: info},
	}
	if i%7 == 0 {
		made.Spec.Taints = append(made.Spec.Taints,
			corev1.Taint{Key: "example.net/storage", Value: "only", Effect: corev1.TaintEffectNoSchedule})
	}
	if i%11 == 0 {
		made.Spec.Unschedulable = true
	}
	return made
}
