package main

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/registrar"
)

// TestKubernetes: with a service account faults become Events, the CSI driver
// is restarted and labels are read; each only where it is wanted.
func TestKubernetes(t *testing.T) {
	var requests []string
	var event struct{ Reason, Message string }
	api := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Method+" "+r.URL.Path)
		if r.Method == http.MethodPost {
			if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
				t.Error(err)
			}
		}
		_, _ = io.WriteString(w, `{"items":[]}`)
	}))
	defer api.Close()
	u, err := url.Parse(api.URL)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: api.Certificate().Raw})
	for name, text := range map[string]string{"token": "t", "ca.crt": string(ca), "namespace": "ns"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{
		"LS_CONTROLLERS": "http://c:3370", "POD_IPS": "10.0.0.1", "LB_FORCE_NODE_NAME": "a",
		"KUBERNETES_SERVICE_HOST": u.Hostname(), "KUBERNETES_SERVICE_PORT": u.Port(),
	}
	loop := func(args ...string) *registrar.Loop {
		t.Helper()
		s, err := parse(append(args, "--service-account", dir), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		l, err := newLoop(s, func(name string) string { return env[name] }, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}

	l := loop()
	fault := registrar.Fault{Kind: registrar.KindPoolRemoval, Problem: problem.Problem{Subject: "storage pool p", Message: "it stays", Hint: "do it"}}
	if err := l.Tell(t.Context(), fault); err != nil || event.Reason != "LinstorPoolRemoval" || event.Message != "storage pool p: it stays (do it)" {
		t.Errorf("event %+v, %v", event, err)
	}
	if err := l.Keeper.(*registrar.NodeKeeper).RestartCSI(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	l = loop("--events=false", "--restart-csi-node=false")
	if l.Tell != nil || l.Keeper.(*registrar.NodeKeeper).RestartCSI != nil {
		t.Error("what is turned off is on")
	}
	l = loop("--controller")
	if !l.State.AlwaysReady || l.Config != "/etc/linstor/cluster.json" {
		t.Errorf("always ready: %t, file %s", l.State.AlwaysReady, l.Config)
	}
	if _, err := l.Keeper.(*registrar.ClusterKeeper).Labels(t.Context(), []string{"k"}); err != nil {
		t.Error(err)
	}
	want := "POST /api/v1/namespaces/default/events, GET /api/v1/namespaces/ns/pods, GET /api/v1/nodes"
	if got := strings.Join(requests, ", "); got != want {
		t.Errorf("requests %s, want %s", got, want)
	}
}
