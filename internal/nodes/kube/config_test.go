package kube

import (
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/client-go/rest"
)

// outside makes sure that a test sees no cluster but its own.
func outside(t *testing.T) {
	t.Helper()
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBERNETES_SERVICE_PORT", "")
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("HOME", t.TempDir())
}

// inside makes the test a pod, with an account that has these files.
func inside(t *testing.T, files ...string) limits {
	t.Helper()
	outside(t)
	t.Setenv("KUBERNETES_SERVICE_HOST", "fd00::1")
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	l := quick
	l.accountDir = t.TempDir()
	for i := 0; i+1 < len(files); i += 2 {
		write(t, filepath.Join(l.accountDir, files[i]), files[i+1])
	}
	return l
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// kubeconfig is a file with two contexts, the first of them current.
func kubeconfig(t *testing.T, first, second, user string) string {
	t.Helper()
	return write(t, filepath.Join(t.TempDir(), "config"), fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: first
clusters:
- {name: one, cluster: {server: %q}}
- {name: two, cluster: {server: %q}}
users:
- {name: me, user: %s}
contexts:
- {name: first, context: {cluster: one, user: me}}
- {name: second, context: {cluster: two, user: me}}
`, first, second, user))
}

var onlyReach = cmpopts.IgnoreFields(rest.Config{}, "Proxy", "AuthConfigPersister")

func TestKubeconfig(t *testing.T) {
	outside(t)
	file := kubeconfig(t, "https://one.example", "https://two.example", "{token: "+token+"}")
	other := kubeconfig(t, "https://other.example", "https://two.example", "{username: me, password: "+token+"}")
	for name, tc := range map[string]struct {
		reason string
		config Config
		env    string
		want   *rest.Config
		fault  string
	}{
		"file":            {"its current context", Config{Kubeconfig: file}, "", &rest.Config{Host: "https://one.example", BearerToken: token}, ""},
		"file not env":    {"the file that is named, alone", Config{Kubeconfig: file}, other, &rest.Config{Host: "https://one.example", BearerToken: token}, ""},
		"context":         {"another context of it", Config{Kubeconfig: file, Context: "second"}, "", &rest.Config{Host: "https://two.example", BearerToken: token}, ""},
		"env":             {"a context alone is looked up where kubectl does", Config{Context: "first"}, other + ":" + file, &rest.Config{Host: "https://other.example", Username: "me", Password: token}, ""},
		"no file":         {"a file that is not there", Config{Kubeconfig: file + "x"}, file, nil, "cannot load kubeconfig " + file + "x"},
		"unknown context": {"never the current one instead", Config{Kubeconfig: file, Context: "third"}, "", nil, `context "third" does not exist`},
		"nothing":         {"a context where there is no kubeconfig", Config{Context: "first"}, file + "x", nil, `context "first" does not exist`},
		"empty":           {"a file with nothing in it", Config{Kubeconfig: write(t, filepath.Join(t.TempDir(), "empty"), "")}, "", nil, "names no cluster"},
		"no current":      {"contexts, and none of them current", Config{Kubeconfig: write(t, filepath.Join(t.TempDir(), "c"), strings.Replace(read(t, file), "current-context: first", "", 1))}, "", nil, "names no cluster"},
		"not yaml":        {"no kubeconfig", Config{Kubeconfig: write(t, filepath.Join(t.TempDir(), "c"), "users: ["+token)}, "", nil, "cannot load"},
		"number":          {"a password is not quoted back", Config{Kubeconfig: kubeconfig(t, "https://a", "https://b", "{password: 4815162342}")}, "", nil, "cannot load"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.env != "" {
				t.Setenv("KUBECONFIG", tc.env)
			}
			// The cluster around the program must not be taken instead.
			t.Setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
			t.Setenv("KUBERNETES_SERVICE_PORT", "443")
			got, err := tc.config.rest(t.Context(), quick)
			if tc.fault != "" {
				isFault(t, err, "kubeconfig", tc.fault, "")
				if strings.Contains(err.Error(), "4815162342") {
					t.Errorf("%s: %v", tc.reason, err)
				}
				return
			}
			if diff := cmp.Diff(tc.want, got, onlyReach); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestInCluster(t *testing.T) {
	t.Run("pod", func(t *testing.T) {
		l := inside(t, "token", token, "ca.crt", "x")
		got, err := Config{}.rest(t.Context(), l)
		want := &rest.Config{
			Host: "https://[fd00::1]:443", BearerToken: token, BearerTokenFile: filepath.Join(l.accountDir, "token"),
			TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(l.accountDir, "ca.crt")},
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("no pod", func(t *testing.T) {
		outside(t)
		_, err := List(t.Context(), Config{})
		for _, source := range []string{"--nodes", "--kubeconfig", "--context", "--cluster", "nodes.yaml", "service account"} {
			isFault(t, err, "", "no pod of a cluster", source)
		}
	})
	t.Run("no token", func(t *testing.T) {
		_, err := Config{}.rest(t.Context(), inside(t, "ca.crt", "x"))
		isFault(t, err, "", "no service account token", "serviceAccountToken")
	})
	t.Run("empty token", func(t *testing.T) {
		_, err := Config{}.rest(t.Context(), inside(t, "ca.crt", "x", "token", "\n"))
		isFault(t, err, "", "it is empty", "serviceAccountToken")
	})
	t.Run("no authority", func(t *testing.T) {
		_, err := Config{}.rest(t.Context(), inside(t, "token", token))
		isFault(t, err, "", "no certificate authority", "kube-root-ca.crt")
	})
	t.Run("odd authority", func(t *testing.T) {
		_, err := list(t.Context(), Config{}, inside(t, "token", token, "ca.crt", token))
		isFault(t, err, "[fd00::1]:443", "credentials are of no use", "")
	})
}

func TestListOverTLS(t *testing.T) {
	outside(t)
	f := &fakeServer{script: []answer{asProtobuf(t, page("", "a"))}}
	s := httptest.NewUnstartedServer(f)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of clients that turn away
	s.StartTLS()
	defer s.Close()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	file := func(cluster string) Config {
		text := strings.Replace(read(t, kubeconfig(t, s.URL, s.URL, "{token: "+token+"}")), "cluster: {", "cluster: {"+cluster, 1)
		return Config{Kubeconfig: write(t, filepath.Join(t.TempDir(), "c"), text)}
	}
	got, err := list(t.Context(), file("certificate-authority-data: "+base64.StdEncoding.EncodeToString(authority)+", "), quick)
	if diff := cmp.Diff(kept("a"), got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	_, err = list(t.Context(), file(""), quick)
	isFault(t, err, hostOf(t, s.URL), "certificate", "certificate-authority-data")
	_, err = list(t.Context(), file("tls-server-name: elsewhere, certificate-authority-data: "+base64.StdEncoding.EncodeToString(authority)+", "), quick)
	isFault(t, err, hostOf(t, s.URL), "elsewhere", "server name")

	// A server that speaks no TLS where it is expected.
	bare := serve(t, answer{})
	_, err = list(t.Context(), Config{Kubeconfig: kubeconfig(t, "https://"+hostOf(t, bare.URL), "https://b", "{}")}, quick)
	isFault(t, err, hostOf(t, bare.URL), "HTTP response to HTTPS client", "https")
	if bare.times() > 1 {
		t.Errorf("asked %d times", bare.times())
	}

	_, err = list(t.Context(), Config{Kubeconfig: kubeconfig(t, "https://me:"+token+"@no such host/", "https://b", "{}")}, quick)
	isFault(t, err, "", "no URL", "")
	_, err = list(t.Context(), Config{Kubeconfig: kubeconfig(t, "https://me:"+token+"@no-such-host.invalid", "https://b", "{}")}, quick)
	isFault(t, err, "cluster no-such-host.invalid", "cannot list the nodes", "address")
}
