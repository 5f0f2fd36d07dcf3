package linstortest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Server is a controller with its satellites. The zero Server is not usable;
// see New.
type Server struct {
	t         testing.TB
	mux       *http.ServeMux
	documents validator

	mu          sync.Mutex
	nodes       map[string]*node
	pools       map[string][]storagePool // by node
	controller  map[string]string
	connections map[[2]string]map[string]string
	secret      string // the master passphrase; empty: unset
	unlocked    bool
	satellites  map[string]*Satellite
	users       map[string][]string // "node/pool" → resources
	calls       []Call
	bodies      []string
	troubles    []*Trouble
}

// Call is a request that was made: its method and the pattern of its path.
type Call struct{ Method, Pattern string }

// Satellite is a node as it is, whether LINSTOR knows of it or not.
type Satellite struct {
	Address    string            // where it listens
	Port       int               //
	Encryption string            // PLAIN or SSL
	Status     string            // instead of ONLINE, once it is reached
	Providers  []string          // kinds it can do; nil: all
	Empty      []string          // devices without anything on them
	Backings   map[string]string // VG, thin pool, zpool or directory → kind
}

// New returns an empty controller that fails the test when it is asked for
// anything that a registrar has no business to ask for.
func New(t testing.TB) *Server {
	s := &Server{t: t, mux: http.NewServeMux(), satellites: map[string]*Satellite{}, users: map[string][]string{}}
	s.documents = documented(t)
	s.clear()
	s.routes()
	return s
}

func (s *Server) clear() {
	s.nodes, s.pools = map[string]*node{}, map[string][]storagePool{}
	s.controller, s.connections = map[string]string{}, map[[2]string]map[string]string{}
	s.secret, s.unlocked = "", false
}

// handle adds a request. The handler holds the lock and returns a status and
// what to answer.
func (s *Server) handle(pattern string, do func(r *http.Request, body []byte) (int, any)) {
	method, path, _ := strings.Cut(pattern, " ")
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			s.t.Errorf("%s: reading the body: %v", pattern, err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls = append(s.calls, Call{method, path})
		s.bodies = append(s.bodies, string(body))
		status, answer := do(r, body)
		out, err := json.Marshal(answer)
		if err != nil {
			s.t.Errorf("%s: %v", pattern, err)
		}
		w.Header().Set("Content-Type", "application/json")
		s.documents.check(r, body, status, out)
		w.WriteHeader(status)
		_, _ = w.Write(out)
	})
}

// ServeHTTP answers requests that come over a network.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := s.mux.Handler(r); pattern == "" {
		s.t.Errorf("nobody should ask for %s %s", r.Method, r.URL)
		http.NotFound(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// decode reads a body strictly. Every field of required must be there.
func (s *Server) decode(what string, body []byte, into any, required ...string) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		s.t.Errorf("%s: %v in %s", what, err, body)
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(body, &fields) // not every body is an object
	for _, f := range required {
		if len(fields[f]) == 0 || string(fields[f]) == `""` || string(fields[f]) == "null" {
			s.t.Errorf("%s: %s is missing in %s", what, f, body)
		}
	}
}

func fail(status, number int, format string, args ...any) (int, any) {
	return status, []rc{{Code: maskError | int64(number), Message: fmt.Sprintf(format, args...)}}
}

func done(status int, format string, args ...any) (int, any) {
	return status, []rc{{Code: 1 << 40, Message: fmt.Sprintf(format, args...)}}
}

func (s *Server) modify(what string, body []byte, props *map[string]string) {
	var change propsModify
	s.decode(what, body, &change)
	if len(change.Override)+len(change.Delete) == 0 || len(change.Namespace) > 0 {
		s.t.Errorf("%s: nothing, or a whole namespace, is changed: %s", what, body)
	}
	if *props == nil {
		*props = map[string]string{}
	}
	maps.Copy(*props, change.Override)
	for _, name := range change.Delete {
		if _, ok := (*props)[name]; !ok {
			s.t.Errorf("%s: %q is deleted and was not there", what, name)
		}
		delete(*props, name)
	}
}

// status returns what the controller says of its connection to a node.
func (s *Server) status(n *node) string {
	satellite := s.satellites[n.Name]
	i := slices.IndexFunc(n.NetInterfaces, func(i netInterface) bool { return i.Active != nil && *i.Active })
	if satellite == nil || i < 0 {
		return "OFFLINE"
	}
	active := n.NetInterfaces[i]
	switch {
	case active.Address != satellite.Address || active.Port != satellite.Port || !strings.EqualFold(active.Encryption, satellite.Encryption):
		return "OFFLINE"
	case satellite.Status != "":
		return satellite.Status
	}
	return "ONLINE"
}
