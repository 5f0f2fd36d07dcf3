package registrar

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// How long a registrar stays ready on what it last knew.
const (
	// Grace is how long a controller may be away without a node being called
	// anything else than what it was.
	Grace = 10 * time.Minute
	// settle is how long a controller that is back may take to find its
	// satellites again.
	settle = 2 * time.Minute
	// alive is the longest silence of a loop that is at work.
	alive = 10 * time.Minute
)

// State is what people and probes may know of a loop. The zero State is of a
// loop that has not passed yet. It is safe for concurrent use.
type State struct {
	// AlwaysReady is for a registrar in the controller's pod: while it were not
	// ready, Kubernetes would send nobody to the controller.
	AlwaysReady bool

	mu       sync.Mutex
	pulse    time.Time // the last sign of life
	patience time.Time // no sign of life is due before
	online   time.Time // LINSTOR last said that the node is online
	back     time.Time // LINSTOR began again to say how it is
	last     Result
	passes   int
	success  time.Time // of the last pass without a failure
	faults   map[Kind]int
	changes  map[Kind]int
}

func (s *State) beat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pulse = time.Now()
}

// busy says that the loop will be silent for up to d.
func (s *State) busy(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.patience = time.Now().Add(d)
}

func (s *State) record(r Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.pulse, s.patience = now, time.Time{}
	s.passes++
	if s.faults == nil {
		s.faults, s.changes = map[Kind]int{}, map[Kind]int{}
	}
	for _, f := range r.Faults {
		s.faults[f.Kind]++
	}
	for _, c := range r.Changes {
		s.changes[c.Kind]++
	}
	if r.Known && !s.last.Known {
		s.back = now
	}
	if r.Known && r.Registered && r.Online {
		s.online = now
	}
	if r.Known && !r.Failed {
		s.success = now
	}
	s.last = r
}

// Ready tells whether the node is registered and online, and why it is not.
func (s *State) Ready() (bool, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	switch {
	case s.AlwaysReady:
		return true, ""
	case s.online.IsZero():
		return false, "the node has not been registered and online yet"
	case s.last.Known && s.last.Registered && s.last.Online:
		return true, ""
	case !s.last.Known && now.Sub(s.online) < Grace:
		return true, ""
	case !s.last.Known:
		return false, "LINSTOR has not said for " + Grace.String() + " how the node is"
	case s.back.After(s.online) && now.Sub(s.back) < settle:
		return true, ""
	case !s.last.Registered:
		return false, "the node is not registered"
	}
	return false, "the node is not online"
}

// Healthy tells whether the loop is at work.
func (s *State) Healthy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	return now.Before(s.patience) || now.Sub(s.pulse) < alive || s.pulse.IsZero()
}

// Handler serves /healthz, /readyz and /metrics.
func (s *State) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if !s.Healthy() {
			http.Error(w, "the loop has been silent for too long", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		ready, why := s.Ready()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if !ready {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "not ready: "+why+"\n")
		} else {
			_, _ = io.WriteString(w, "ready\n")
		}
		_, _ = io.WriteString(w, s.describe())
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = io.WriteString(w, s.metrics())
	})
	return mux
}

// describe returns what the last pass found, for people.
func (s *State) describe() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out strings.Builder
	if s.last.InSync {
		out.WriteString("LINSTOR is as git says\n")
	}
	if s.last.Waiting != "" {
		fmt.Fprintf(&out, "waiting: %s\n", s.last.Waiting)
	}
	for _, f := range s.last.Faults {
		out.WriteString(strings.Join(f.Lines(), "\n") + "\n")
	}
	return out.String()
}

// metrics returns the state in the text format of Prometheus.
func (s *State) metrics() string {
	ready, _ := s.Ready()
	s.mu.Lock()
	defer s.mu.Unlock()
	var out strings.Builder
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(&out, "# HELP linstor_registrar_%[1]s %[3]s\n# TYPE linstor_registrar_%[1]s %[2]s\nlinstor_registrar_%[1]s %[4]v\n", name, kind, help, value)
	}
	one("in_sync", "gauge", "Whether LINSTOR is as git says.", number(s.last.InSync))
	one("ready", "gauge", "Whether the node is registered and online.", number(ready))
	one("last_success_timestamp_seconds", "gauge", "When LINSTOR was last asked and nothing failed; 0: never.", seconds(s.success))
	one("passes_total", "counter", "How often LINSTOR was looked at.", s.passes)
	for _, c := range []struct {
		name, help string
		by         map[Kind]int
	}{
		{"faults_total", "Faults found, by step, once in every pass.", s.faults},
		{"changes_total", "Changes made, by step.", s.changes},
	} {
		fmt.Fprintf(&out, "# HELP linstor_registrar_%[1]s %[2]s\n# TYPE linstor_registrar_%[1]s counter\n", c.name, c.help)
		for _, k := range slices.Sorted(maps.Keys(c.by)) {
			fmt.Fprintf(&out, "linstor_registrar_%s{step=%q} %d\n", c.name, string(k), c.by[k])
		}
	}
	return out.String()
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
