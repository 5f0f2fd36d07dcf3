package kube

import (
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// cluster is an API server that a pod with a service account talks to.
func cluster(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer token" {
			t.Errorf("Authorization: %q", got)
		}
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	for name, text := range map[string]string{"token": "token\n", "ca.crt": string(ca), "namespace": "storage\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(u.Host)
	client, err := InCluster(func(name string) string {
		return map[string]string{"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port}[name]
	}, dir)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestInCluster(t *testing.T) {
	none := func(string) string { return "" }
	if _, err := InCluster(none, t.TempDir()); !errors.Is(err, ErrNoCluster) {
		t.Errorf("outside of a cluster: %v", err)
	}
	some := func(string) string { return "1" }
	if _, err := InCluster(some, t.TempDir()); !errors.Is(err, ErrNoCluster) {
		t.Errorf("in a pod without a service account: %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "token"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := InCluster(some, dir); err == nil || errors.Is(err, ErrNoCluster) {
		t.Errorf("with half a service account: %v", err)
	}
}

func TestTellNode(t *testing.T) {
	var event corev1.Event
	client := cluster(t, func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Method != http.MethodPost || r.URL.Path != "/api/v1/namespaces/default/events" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		dec := json.NewDecoder(strings.NewReader(string(data)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&event); err != nil {
			t.Errorf("no Event: %v in %s", err, data)
		}
		w.WriteHeader(http.StatusCreated)
	})
	if err := client.TellNode(t.Context(), "node-a", "LinstorPool", strings.Repeat("ü", 2000)); err != nil {
		t.Fatal(err)
	}
	if len(event.Message) > 1024 || !strings.HasSuffix(event.Message, "ü…") {
		t.Errorf("message of %d bytes: %q", len(event.Message), event.Message)
	}
	want := corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-a", UID: "node-a"}
	if diff := cmp.Diff(want, event.InvolvedObject); diff != "" || event.Type != "Warning" || event.Reason != "LinstorPool" ||
		!strings.HasPrefix(event.Name, "node-a.") || event.Namespace != "default" || event.FirstTimestamp.IsZero() {
		t.Errorf("event %+v\nobject (-want +got):\n%s", event, diff)
	}
}

func TestNodeLabels(t *testing.T) {
	page := func(next string, nodes ...string) metav1.PartialObjectMetadataList {
		l := metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{Continue: next}}
		for _, n := range nodes {
			l.Items = append(l.Items, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
				Name: n, Labels: map[string]string{"rack": n, "other": "x"},
			}})
		}
		return l
	}
	client := cluster(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadataList") || r.URL.Path != "/api/v1/nodes" {
			t.Errorf("%s %s, Accept %q", r.Method, r.URL, r.Header.Get("Accept"))
		}
		l := page("more", "a", "b")
		if r.URL.Query().Get("continue") == "more" {
			l = page("", "c")
		}
		data, err := json.Marshal(l)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(data)
	})
	got, err := client.NodeLabels(t.Context(), []string{"rack", "row"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]map[string]string{"a": {"rack": "a"}, "b": {"rack": "b"}, "c": {"rack": "c"}}, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// TestRestartCSINode: nothing but pods of the CSI driver on that node goes, and
// only the very pods that were seen.
func TestRestartCSINode(t *testing.T) {
	var calls []string
	answer := http.StatusOK
	client := cluster(t, func(w http.ResponseWriter, r *http.Request) {
		calls = append(calls, r.Method+" "+r.URL.RequestURI())
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, `{"items":[
				{"metadata":{"name":"linstor-csi-node-1","uid":"u1","labels":{"app.kubernetes.io/component":"linstor-csi-node"}}},
				{"metadata":{"name":"something-else","uid":"u2","labels":{"app.kubernetes.io/component":"linstor-satellite"}}}]}`)
			return
		}
		var options metav1.DeleteOptions
		if err := json.NewDecoder(r.Body).Decode(&options); err != nil || options.Preconditions == nil || *options.Preconditions.UID != "u1" {
			t.Errorf("options %+v, %v", options, err)
		}
		w.WriteHeader(answer)
		_, _ = io.WriteString(w, `{"message":"because"}`)
	})
	for _, tt := range []struct {
		answer int
		fails  string
	}{{http.StatusOK, ""}, {http.StatusNotFound, ""}, {http.StatusConflict, ""}, {http.StatusForbidden, "Kubernetes answers 403: because"}} {
		calls, answer = nil, tt.answer
		err := client.RestartCSINode(t.Context(), "node-a")
		if (err == nil) != (tt.fails == "") || (err != nil && !strings.Contains(err.Error(), tt.fails)) {
			t.Errorf("%d: error %v, want %q", tt.answer, err, tt.fails)
		}
		if diff := cmp.Diff([]string{
			"GET /api/v1/namespaces/storage/pods?fieldSelector=spec.nodeName%3Dnode-a&labelSelector=app.kubernetes.io%2Fcomponent%3Dlinstor-csi-node",
			"DELETE /api/v1/namespaces/storage/pods/linstor-csi-node-1",
		}, calls); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	}
	calls = nil
	if err := client.RestartCSINode(t.Context(), ""); err == nil || calls != nil {
		t.Errorf("no node: %v, %v", err, calls)
	}
}

func TestHostileAnswers(t *testing.T) {
	body := ""
	client := cluster(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	for _, body = range []string{"", "<html>", `{"items": 1}`, strings.Repeat(" ", mostAnswer+1)} {
		if _, err := client.NodeLabels(t.Context(), nil); err == nil {
			t.Errorf("%.20q is taken for a list", body)
		}
	}
}
