package linstortest

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// recorder is a test that only remembers what is wrong.
type recorder struct {
	testing.TB
	faults []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

func (r *recorder) Error(args ...any) { r.faults = append(r.faults, fmt.Sprint(args...)) }

// TestStrictness: a controller for tests that lets a mistake pass proves
// nothing.
func TestStrictness(t *testing.T) {
	const good = `{"name":"a","type":"Satellite","net_interfaces":[{"name":"default-ipv4","address":"10.0.0.1","satellite_port":3366,"satellite_encryption_type":"PLAIN","is_active":true}]}`
	tests := []struct {
		request, body string
		says          string
		document      bool // only the document knows
	}{
		{request: "POST /v1/nodes", body: good},
		{request: "POST /v1/nodes", body: strings.Replace(good, "name", "nome", 1), says: "unknown field"},
		{request: "POST /v1/nodes", body: strings.Replace(good, "3366", "3367", 1), says: "no interface for a satellite"},
		{request: "POST /v1/nodes", body: strings.Replace(good, "Satellite", "Controller", 1), says: "type Satellite"},
		{request: "POST /v1/nodes", body: strings.Replace(good, `"PLAIN"`, `"plain"`, 1), says: "not as documented", document: true},
		{request: "DELETE /v1/nodes/a", says: "nobody should ask"},
		{request: "PUT /v1/nodes/a/evacuate", says: "nobody should ask"},
		{request: "DELETE /v1/nodes/a/lost", says: "nobody should ask"},
		{request: "PUT /v1/encryption/passphrase", body: `{}`, says: "nobody should ask"},
	}
	for _, tt := range tests {
		if tt.document && os.Getenv(Document) == "" {
			continue
		}
		r := &recorder{TB: t}
		s := New(r)
		method, path, _ := strings.Cut(tt.request, " ")
		request := httptest.NewRequest(method, path, strings.NewReader(tt.body))
		request.Header.Set("Content-Type", "application/json")
		s.ServeHTTP(httptest.NewRecorder(), request)
		if got := strings.Join(r.faults, "\n"); (tt.says == "") != (got == "") || !strings.Contains(got, tt.says) {
			t.Errorf("%s %s: faults %q, want %q", tt.request, tt.body, got, tt.says)
		}
	}
}
