package registrar_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linstor-cmp/linstor-cmp/registrar"
	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// world is a controller, a node and its registrar, in fake time.
type world struct {
	*testing.T
	server    *linstortest.Server
	state     *registrar.State
	node      *registrar.NodeKeeper
	cluster   *registrar.ClusterKeeper // instead of node
	config    string
	backup    string // LVM's metadata
	log       *log
	told      chan registrar.Fault
	restarted atomic.Int32 // how often the CSI driver was
	listens   atomic.Bool
	stop      func()
}

const interval = time.Minute

// address is where the pod of the tests is.
const address = "10.0.0.1"

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	w := &world{
		T: t, server: linstortest.New(t), state: &registrar.State{}, log: &log{}, told: make(chan registrar.Fault, 1000),
		config: filepath.Join(dir, "node.json"), backup: filepath.Join(dir, "backup"),
	}
	if err := os.Mkdir(w.backup, 0o755); err != nil {
		t.Fatal(err)
	}
	w.node = &registrar.NodeKeeper{
		Client: w.client(), NodeName: "a", Addresses: []netip.Addr{netip.MustParseAddr(address)},
		Probe: registrar.Probe{LVMBackup: w.backup, Sys: filepath.Join(dir, "sys"), Proc: filepath.Join(dir, "proc")},
		Listening: func(context.Context, string, int) error {
			if !w.listens.Load() {
				return errors.New("connection refused")
			}
			return nil
		},
		RestartCSI: func(context.Context, string) error { w.restarted.Add(1); return nil },
	}
	w.listens.Store(true)
	w.server.Start("a", linstortest.Satellite{Address: address, Port: 3366, Encryption: "PLAIN"})
	return w
}

func (w *world) client() *linstor.Client {
	c, err := linstor.New(linstor.Config{URLs: []string{"http://linstor:3370"}, Transport: w.server.Transport()})
	if err != nil {
		w.Fatal(err)
	}
	return c
}

// git says something of node a.
func (w *world) git(n map[string]any) {
	w.Helper()
	if n["name"] == nil {
		n["name"] = "a"
	}
	w.write(n)
}

func (w *world) write(v any) {
	w.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		w.Fatal(err)
	}
	w.text(string(data))
}

// text changes the file as Kubernetes does: another file takes its place.
func (w *world) text(text string) {
	w.Helper()
	if err := os.WriteFile(w.config+".new", []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
	if err := os.Rename(w.config+".new", w.config); err != nil {
		w.Fatal(err)
	}
}

// vg makes a volume group, with a thin pool if thin is not empty.
func (w *world) vg(vg, thin string) {
	w.Helper()
	text := "contents = \"Text Format Volume Group\"\n" + vg + " {\n\tid = \"x\"\n\tlogical_volumes {\n"
	if thin != "" {
		text += "\t\t" + thin + " {\n\t\t\tsegment1 {\n\t\t\t\ttype = \"thin-pool\"\n\t\t\t}\n\t\t}\n"
	}
	if err := os.WriteFile(filepath.Join(w.backup, vg), []byte(text+"\t}\n}\n"), 0o600); err != nil {
		w.Fatal(err)
	}
}

// begin starts the registrar; it ends with the test or with w.stop.
func (w *world) begin() {
	var keeper registrar.Keeper = w.node
	if w.cluster != nil {
		keeper = w.cluster
	}
	loop := &registrar.Loop{
		Keeper: keeper, Config: w.config, Interval: interval, Poll: 2 * time.Second, State: w.state,
		Log:  slog.New(slog.NewTextHandler(w.log, nil)),
		Tell: func(_ context.Context, f registrar.Fault) error { w.told <- f; return nil },
	}
	ctx, cancel := context.WithCancel(w.Context())
	ended := make(chan struct{})
	go func() { loop.Run(ctx); close(ended) }()
	w.stop = func() { cancel(); <-ended }
}

// after lets time pass.
func (w *world) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// ready fails the test if the registrar is not as ready as want.
func (w *world) ready(want bool, reason string) {
	w.Helper()
	if got, why := w.state.Ready(); got != want {
		w.Errorf("%s: ready = %t (%s), want %t", reason, got, why, want)
	}
}

// logs fails the test if no line of the log holds the text.
func (w *world) logs(text string) {
	w.Helper()
	if !strings.Contains(w.log.String(), text) {
		w.Errorf("the log does not say %q:\n%s", text, w.log)
	}
}

// log is a log that the test and the loop may use at the same time.
type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// lines counts the lines that hold the text.
func (l *log) lines(text string) int {
	n := 0
	for line := range strings.SplitSeq(l.String(), "\n") {
		if line != "" && strings.Contains(line, text) {
			n++
		}
	}
	return n
}
