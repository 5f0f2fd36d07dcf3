package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// adminToken is the bearer token of the API server's administrator.
const adminToken = "e2e-admin"

// StartAPIServer starts a kube-apiserver with an etcd of its own and returns
// how its administrator reaches it. There is no controller, scheduler or
// kubelet: objects are admitted, defaulted and stored, and nothing acts on them.
func StartAPIServer(t testing.TB) *rest.Config {
	t.Helper()
	ports := FreePorts(t, 3)
	etcd := startEtcd(t, ports[0], ports[1])

	dir := t.TempDir()
	certs := filepath.Join(dir, "certs")
	key := filepath.Join(dir, "service-account.key")
	writeKey(t, key)
	tokens := filepath.Join(dir, "tokens.csv")
	writeFile(t, tokens, adminToken+`,admin,admin,"system:masters"`+"\n")

	path := Part(t, "kube-apiserver", "kube-apiserver", "k8s.io/kubernetes")
	server := StartServer(t, "kube-apiserver", Env(t), path,
		"--etcd-servers="+etcd,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port="+ports[2],
		"--cert-dir="+certs,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+key, "--service-account-signing-key-file="+key,
		"--token-auth-file="+tokens,
		"--authorization-mode=RBAC",
		// As kubeadm and every distribution that CSI drivers run on have it.
		"--allow-privileged=true",
		"--service-cluster-ip-range=10.0.0.0/24",
		// Needs the controller that makes every namespace's default account.
		"--disable-admission-plugins=ServiceAccount",
	)

	config := &rest.Config{
		Host:        "https://127.0.0.1:" + ports[2],
		BearerToken: adminToken,
		// The tests decide how many requests run at once, not the client.
		QPS: -1,
	}
	server.Await(t, func(ctx context.Context) error {
		// The server writes its own certificate, and the authority's behind it.
		authority, err := os.ReadFile(filepath.Join(certs, "apiserver.crt"))
		if err != nil {
			return err
		}
		config.CAData = authority
		client, err := discovery.NewDiscoveryClientForConfig(config)
		if err != nil {
			return err
		}
		return client.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
	return config
}

func startEtcd(t testing.TB, clientPort, peerPort string) (url string) {
	t.Helper()
	url, peer := "http://127.0.0.1:"+clientPort, "http://127.0.0.1:"+peerPort
	server := StartServer(t, "etcd", Env(t), Command(t, "etcd"),
		"--data-dir="+t.TempDir(), "--unsafe-no-fsync",
		"--listen-client-urls="+url, "--advertise-client-urls="+url,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer,
		"--initial-cluster=default="+peer,
	)
	server.Await(t, func(ctx context.Context) error { return answersHTTP(ctx, url+"/health") })
	return url
}

// Kubeconfig writes a kubeconfig file for config and returns its path.
func Kubeconfig(t testing.TB, config *rest.Config) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	err := clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{
			"e2e": {Server: config.Host, CertificateAuthorityData: config.CAData},
		},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"admin": {Token: config.BearerToken}},
		Contexts:       map[string]*clientcmdapi.Context{"e2e": {Cluster: "e2e", AuthInfo: "admin"}},
		CurrentContext: "e2e",
	}, path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func writeKey(t testing.TB, path string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})))
}
