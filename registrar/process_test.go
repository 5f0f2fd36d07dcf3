package registrar_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

// binary builds the command as it is shipped.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "linstor-registrar")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", path, "../cmd/linstor-registrar")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// process is the command as a container runs it.
type process struct {
	*exec.Cmd
	url string // of its state

	mu  sync.Mutex
	log bytes.Buffer
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

func (p *process) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

func start(t *testing.T, path string, env []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(path, append(args, "--listen", "127.0.0.1:0")...)}
	p.Env, p.Stderr = env, p
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	address := regexp.MustCompile(`address=(\S+)`)
	eventually(t, "the state is served", func() bool {
		m := address.FindStringSubmatch(p.text())
		if m != nil {
			p.url = "http://" + m[1]
		}
		return m != nil
	})
	return p
}

// get returns what the process says of its state.
func (p *process) get(path string) string {
	resp, err := http.Get(p.url + path)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %s", resp.StatusCode, body)
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("not in 20 s: %s", what)
}

// TestProcess runs the shipped binary against a controller over a network:
// registered, kept, small, and gone when it is told to.
func TestProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	controller := linstortest.New(t)
	api := httptest.NewServer(controller)
	defer api.Close()
	// The satellite's port may be taken on this machine: then it is listened to.
	satellite, err := net.Listen("tcp", "127.0.0.1:3366")
	if err == nil {
		defer func() { _ = satellite.Close() }()
	}
	controller.Start("node-a", linstortest.Satellite{Address: "127.0.0.1", Port: 3366, Encryption: "PLAIN", Backings: map[string]string{"/p": "FILE"}})
	config := filepath.Join(t.TempDir(), "node.json")
	git := func(text string) {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git(`{"name":"node-a","properties":{"Aux/x":"1"},"storagePools":[{"name":"pool","filePool":{"directory":"/p"}}]}`)
	p := start(t, binary(t), []string{"LS_CONTROLLERS=http://127.0.0.1:1," + api.URL, "POD_IPS=127.0.0.1", "LB_FORCE_NODE_NAME=node-a"},
		"--config", config, "--interval", "1s", "--poll", "50ms")
	eventually(t, "in sync", func() bool { return strings.Contains(p.get("/readyz"), "200 ready\nLINSTOR is as git says") })
	git(`{"name":"node-a","properties":{"Aux/y":"22"},"storagePools":[{"name":"pool","filePool":{"directory":"/p"}}]}`)
	eventually(t, "the change of the file", func() bool {
		props := controller.Node("node-a").Props
		return props["Aux/y"] == "22" && props["Aux/x"] == ""
	})
	passes := len(controller.Calls())
	eventually(t, "some more passes", func() bool { return len(controller.Calls()) > passes+4 })
	if kib := resident(t, p.Process.Pid); kib > 25<<10 {
		t.Errorf("%d KiB are resident at rest, want less than 25 MiB", kib)
	} else {
		t.Logf("%d KiB are resident at rest", kib)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, p.text())
	}
}

// TestClusterProcess: the registrar of the controller's pod stays small with a
// thousand nodes.
func TestClusterProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	controller := linstortest.New(t)
	controller.Register(1000)
	api := httptest.NewServer(controller)
	defer api.Close()
	config := filepath.Join(t.TempDir(), "cluster.json")
	if err := os.WriteFile(config, []byte(`{"name":"c","properties":{"Aux/x":"1"},"nodeConnections":[{"name":"r",
		"selector":[{"matchLabels":[{"key":"rack","op":"Same"},{"key":"rack"}]}],"properties":[{"name":"Aux/y","value":"1"}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, binary(t), []string{"LS_CONTROLLERS=" + api.URL, "MASTER_PASSPHRASE=secret"},
		"--controller", "--config", config, "--interval", "1s")
	eventually(t, "in sync", func() bool { return strings.Contains(p.get("/readyz"), "LINSTOR is as git says") })
	passes := len(controller.Calls())
	eventually(t, "some more passes", func() bool { return len(controller.Calls()) > passes+8 })
	if kib := resident(t, p.Process.Pid); kib > 25<<10 {
		t.Errorf("%d KiB are resident with 1,000 nodes, want less than 25 MiB", kib)
	} else {
		t.Logf("%d KiB are resident with 1,000 nodes", kib)
	}
	if got := controller.Connection("node-0000", "node-0010")["Aux/y"]; got != "1" {
		t.Errorf("connection of two nodes of a rack: %q", got)
	}
	if strings.Contains(p.text(), "secret") {
		t.Errorf("the passphrase is in the log:\n%s", p.text())
	}
}

// resident returns the resident memory of a process in KiB.
func resident(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skipf("memory cannot be measured here: %v", err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmRSS in:\n%s", status)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n
}
