package registrar_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linstor-cmp/linstor-cmp/registrar"
	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

// TestThousandNodes counts the requests of a thousand registrars at rest.
func TestThousandNodes(t *testing.T) {
	const nodes, intervals = 1000, 10
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var stops []func()
		for i := range nodes {
			name := fmt.Sprintf("node-%04d", i)
			address := netip.AddrFrom4([4]byte{10, 1, byte(i / 250), byte(1 + i%250)})
			w.server.Start(name, linstortest.Satellite{
				Address: address.String(), Port: 3366, Encryption: "PLAIN", Backings: map[string]string{"/p": "FILE"},
			})
			config := filepath.Join(t.TempDir(), "node.json")
			data, err := json.Marshal(m{
				"name": name, "properties": m{"Aux/x": "1"}, "storagePools": []any{pool("pool", "filePool", m{"directory": "/p"})},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(config, data, 0o600); err != nil {
				t.Fatal(err)
			}
			w.node = &registrar.NodeKeeper{Client: w.client(), NodeName: name, Addresses: []netip.Addr{address}}
			w.config, w.state = config, &registrar.State{}
			w.begin()
			stops = append(stops, w.stop)
		}
		w.after(3 * interval)
		if n := w.log.lines("makes known storage pool"); n != nodes {
			t.Errorf("%d pools, want %d", n, nodes)
		}
		before := len(w.server.Calls())
		w.after(intervals * interval)
		made := w.server.Calls()[before:]
		// An interval is up to a tenth shorter, and the window cuts one in two.
		if most := nodes * intervals * 112 / 100; len(made) > most || len(made) < nodes*intervals*88/100 {
			t.Errorf("%d requests at rest, want %d: one for each node and interval", len(made), nodes*intervals)
		}
		for _, c := range made {
			if c.Method != "GET" {
				t.Fatalf("at rest: %v", c)
			}
		}
		for _, stop := range stops {
			stop()
		}
	})
}

// TestState asks for what people and probes see.
func TestState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.git(pools(pool("pool", "lvmPool", m{"volumeGroup": "vg0"})))
		if code, _ := get(w, "/healthz"); code != 200 {
			t.Errorf("/healthz before the first pass: %d", code)
		}
		if code, body := get(w, "/readyz"); code != 503 || !strings.Contains(body, "not ready: the node has not been registered and online yet") {
			t.Errorf("/readyz at first: %d %s", code, body)
		}
		w.begin()
		w.after(interval)
		if code, body := get(w, "/readyz"); code != 200 || !strings.HasPrefix(body, "ready\n") ||
			!strings.Contains(body, "error: storage pool pool on node a: volume group vg0 is not there\nhint: ") {
			t.Errorf("/readyz with a pool missing: %d %s", code, body)
		}
		w.vg("vg0", "")
		w.satellite(map[string]string{"vg0": "LVM"})
		w.after(2 * interval)
		if code, body := get(w, "/readyz"); code != 200 || body != "ready\nLINSTOR is as git says\n" {
			t.Errorf("/readyz in sync: %d %s", code, body)
		}
		_, metrics := get(w, "/metrics")
		for _, line := range []string{
			"linstor_registrar_in_sync 1\n", "linstor_registrar_ready 1\n", `linstor_registrar_changes_total{step="register"} 1` + "\n",
			`linstor_registrar_changes_total{step="pool"} 1` + "\n", `linstor_registrar_faults_total{step="pool"} `,
			"# TYPE linstor_registrar_last_success_timestamp_seconds gauge\nlinstor_registrar_last_success_timestamp_seconds 9466",
		} {
			if !strings.Contains(metrics, line) {
				t.Errorf("/metrics lacks %q:\n%s", line, metrics)
			}
		}
		w.server.Trouble(linstortest.Trouble{Refused: true})
		w.after(2 * interval)
		if _, metrics := get(w, "/metrics"); !strings.Contains(metrics, "linstor_registrar_in_sync 0\n") || !strings.Contains(metrics, "linstor_registrar_ready 1\n") {
			t.Errorf("/metrics while the controller is away:\n%s", metrics)
		}
		w.stop()
		w.after(time.Hour)
		if code, _ := get(w, "/healthz"); code != 503 {
			t.Errorf("/healthz of a loop that has been silent for an hour: %d", code)
		}
	})
}

// TestSilence holds the log to its promise: a line for a change, none without.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.git(m{})
		w.begin()
		w.after(time.Hour)
		w.stop()
		if n := w.log.lines(""); n != 1 {
			t.Errorf("%d lines for one change in an hour:\n%s", n, w.log)
		}
	})
}

// get asks the registrar's state.
func get(w *world, path string) (int, string) {
	recorder := httptest.NewRecorder()
	w.state.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
	return recorder.Code, recorder.Body.String()
}
