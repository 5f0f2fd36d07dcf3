package e2e

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// Recorder stands between a client and the API server and keeps what was asked.
type Recorder struct {
	// Config reaches the API server through the recorder.
	Config *rest.Config

	mu       sync.Mutex
	requests []*http.Request
}

// StartRecorder starts a TLS proxy in front of the API server of config.
func StartRecorder(t testing.TB, config *rest.Config) *Recorder {
	t.Helper()
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: tlsConfig, ForceAttemptHTTP2: true}
	proxy := &httputil.ReverseProxy{
		Transport: transport,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
	}
	recorder := &Recorder{Config: rest.CopyConfig(config)}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder.mu.Lock()
		recorder.requests = append(recorder.requests, r.Clone(t.Context()))
		recorder.mu.Unlock()
		proxy.ServeHTTP(w, r)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(func() {
		server.Close()
		transport.CloseIdleConnections()
	})
	recorder.Config.Host = server.URL
	recorder.Config.CAData = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return recorder
}

// Requests returns what was asked for path so far, oldest first.
func (r *Recorder) Requests(path string) []*http.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []*http.Request
	for _, request := range r.requests {
		if request.URL.Path == path {
			found = append(found, request)
		}
	}
	return found
}
