package linstor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestControllers(t *testing.T) {
	tests := []struct {
		text, ca string
		want     []string
		reason   string
	}{
		{text: "http://linstor-controller:3370", want: []string{"http://linstor-controller:3370"}, reason: "as rendered"},
		{text: "https://a:3371, https://b:3371,", want: []string{"https://a:3371", "https://b:3371"}, reason: "several"},
		{text: "a,b:1", want: []string{"http://a:3370", "http://b:1"}, reason: "LINSTOR's port"},
		{text: "linstor://a,linstor+ssl://b", want: []string{"http://a:3370", "https://b:3371"}, reason: "LINSTOR's schemes"},
		{text: "http://[fd00::1]/", want: []string{"http://[fd00::1]:3370"}, reason: "IPv6, and a path that is none"},
		{text: "", reason: "none"},
		{text: " , ", reason: "none"},
		{text: "http://%zz", reason: "no URL"},
	}
	for _, tt := range tests {
		config, err := FromEnvironment(getenv(map[string]string{"LS_CONTROLLERS": tt.text, "LS_ROOT_CA": tt.ca}))
		if diff := cmp.Diff(tt.want, config.URLs); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: error %v, URLs (-want +got):\n%s", tt.reason, err, diff)
		}
	}
	for _, url := range []string{"ftp://a:1", "http://", "a"} {
		if _, err := New(Config{URLs: []string{url}}); err == nil {
			t.Errorf("%q is taken for the URL of a controller", url)
		}
	}
}

func getenv(env map[string]string) func(string) string {
	return func(name string) string { return env[name] }
}

// authority makes certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  string
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	var key string
	a.pem, key = a.issue("authority", true)
	block, _ := pem.Decode([]byte(a.pem))
	keyBlock, _ := pem.Decode([]byte(key))
	var err error
	if a.cert, err = x509.ParseCertificate(block.Bytes); err != nil {
		t.Fatal(err)
	}
	if a.key, err = x509.ParseECPrivateKey(keyBlock.Bytes); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *authority) issue(name string, isCA bool) (cert, key string) {
	a.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: isCA, BasicConstraintsValid: true, DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, private
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &private.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}))
}

// secure starts a controller that answers with the name of the client's
// certificate.
func (a *authority) secure() *httptest.Server {
	cert, key := a.issue("linstor-controller", false)
	pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		a.t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(a.pem))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"name":"`+r.TLS.PeerCertificates[0].Subject.CommonName+`"}`)
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: roots, ClientAuth: tls.RequireAndVerifyClientCert}
	server.Config.ErrorLog = discard
	server.StartTLS()
	a.t.Cleanup(server.Close)
	return server
}

func TestMutualTLS(t *testing.T) {
	ca, other := newAuthority(t), newAuthority(t)
	server := ca.secure()
	cert, key := ca.issue("linstor-csi-node", false)
	foreign, foreignKey := other.issue("intruder", false)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		env    map[string]string
		name   string
		fails  string
		reason string
	}{
		{env: map[string]string{"LS_ROOT_CA": ca.pem, "LS_USER_CERTIFICATE": cert, "LS_USER_KEY": key}, name: "linstor-csi-node", reason: "the older names"},
		{env: map[string]string{"LS_ROOT_CA": ca.pem, "LS_USER_CERTIFICATE_FILE": file("tls.crt", cert), "LS_USER_KEY_FILE": file("tls.key", key)}, name: "linstor-csi-node", reason: "the newer names"},
		{env: map[string]string{"LS_ROOT_CA_FILE": file("ca.crt", ca.pem), "LS_USER_CERTIFICATE": cert, "LS_USER_KEY": key}, name: "linstor-csi-node", reason: "the authority in a file"},
		{env: map[string]string{"LS_ROOT_CA": other.pem, "LS_USER_CERTIFICATE": cert, "LS_USER_KEY": key}, fails: "unknown authority", reason: "another authority"},
		{env: map[string]string{"LS_ROOT_CA": ca.pem}, fails: "certificate", reason: "no certificate of our own"},
		{env: map[string]string{"LS_ROOT_CA": ca.pem, "LS_USER_CERTIFICATE": foreign, "LS_USER_KEY": foreignKey}, fails: "certificate", reason: "a certificate of another authority"},
		{env: map[string]string{"LS_ROOT_CA": ca.pem, "LS_USER_CERTIFICATE_FILE": dir + "/none", "LS_USER_KEY_FILE": dir + "/none"}, fails: "no such file", reason: "files that are not there yet"},
		{env: map[string]string{}, fails: "certificate", reason: "nothing"},
	}
	for _, tt := range tests {
		tt.env["LS_CONTROLLERS"] = server.URL
		config, err := FromEnvironment(getenv(tt.env))
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		client, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		n, err := client.Node(t.Context(), "n")
		if n.Name != tt.name || (err == nil) != (tt.fails == "") || (err != nil && !strings.Contains(err.Error(), tt.fails)) {
			t.Errorf("%s: %q, error %v, want %q, %q", tt.reason, n.Name, err, tt.name, tt.fails)
		}
	}
	for reason, env := range map[string]map[string]string{
		"no certificate authority": {"LS_ROOT_CA": "no PEM"},
		"no such file":             {"LS_ROOT_CA_FILE": dir + "/none"},
		"half a pair":              {"LS_USER_CERTIFICATE": cert},
		"a pair that does not fit": {"LS_USER_CERTIFICATE": cert, "LS_USER_KEY": foreignKey},
	} {
		env["LS_CONTROLLERS"] = server.URL
		if _, err := FromEnvironment(getenv(env)); err == nil {
			t.Errorf("%s: no error", reason)
		}
	}
}

// TestRenewedCertificate: a certificate that is renewed is used without a
// restart.
func TestRenewedCertificate(t *testing.T) {
	ca := newAuthority(t)
	server := ca.secure()
	dir := t.TempDir()
	write := func(name string) {
		cert, key := ca.issue(name, false)
		for file, text := range map[string]string{"tls.crt": cert, "tls.key": key} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("old")
	config, err := FromEnvironment(getenv(map[string]string{
		"LS_CONTROLLERS": server.URL, "LS_ROOT_CA": ca.pem,
		"LS_USER_CERTIFICATE_FILE": filepath.Join(dir, "tls.crt"), "LS_USER_KEY_FILE": filepath.Join(dir, "tls.key"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"old", "new"} {
		write(name)
		server.CloseClientConnections()
		if n, err := client.Node(t.Context(), "n"); err != nil || n.Name != name {
			t.Errorf("%q, %v; want the certificate %q", n.Name, err, name)
		}
	}
}

// discard swallows what a server says of clients that it turned away.
var discard = log.New(io.Discard, "", 0)
