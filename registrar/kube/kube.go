// Package kube is the little that a registrar asks of Kubernetes, over plain
// HTTP with the pod's service account: tell a fault as an Event on a node, read
// labels of nodes, restart the CSI driver's pod of a node. It has no caches and
// no watches, so that a registrar stays small.
package kube

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ServiceAccount is where Kubernetes mounts a pod's service account.
const ServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

// ErrNoCluster says that this is no pod with a service account.
var ErrNoCluster = errors.New("no service account is mounted here")

// Client asks the API server of the cluster that the pod runs in.
type Client struct {
	URL       string       // of the API server
	TokenFile string       // read for every request: Kubernetes renews it
	HTTP      *http.Client //
	Namespace string       // of the pod
}

// InCluster returns a client with the pod's service account in dir, usually
// ServiceAccount. The error is ErrNoCluster where there is none.
func InCluster(getenv func(string) string, dir string) (*Client, error) {
	host, port := getenv("KUBERNETES_SERVICE_HOST"), getenv("KUBERNETES_SERVICE_PORT")
	token := filepath.Join(dir, "token")
	if _, err := os.Stat(token); host == "" || port == "" || err != nil {
		return nil, ErrNoCluster
	}
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return nil, fmt.Errorf("service account: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("service account: %s/ca.crt holds no certificate", dir)
	}
	namespace, err := os.ReadFile(filepath.Join(dir, "namespace"))
	if err != nil {
		return nil, fmt.Errorf("service account: %w", err)
	}
	return &Client{
		URL:       "https://" + net.JoinHostPort(host, port),
		TokenFile: token,
		Namespace: strings.TrimSpace(string(namespace)),
		HTTP: &http.Client{
			Timeout: 20 * time.Second,
			Transport: &http.Transport{
				TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
				IdleConnTimeout:        15 * time.Second,
				MaxIdleConns:           1,
				MaxResponseHeaderBytes: 64 << 10,
			},
		},
	}, nil
}

// mostAnswer bounds an answer; lists are asked for in pages.
const mostAnswer = 8 << 20

// do sends one request. into may be nil.
func (c *Client) do(ctx context.Context, method, path string, query url.Values, body, into any) error {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(data)
	}
	target := c.URL + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, target, payload)
	if err != nil {
		return err
	}
	token, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return fmt.Errorf("service account: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	req.Header.Set("User-Agent", "linstor-registrar")
	// Names, labels and no more, where a list is asked for.
	req.Header.Set("Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", method, path, err)
	case len(data) > mostAnswer:
		return fmt.Errorf("%s %s: the answer is too large", method, path)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return &statusError{method + " " + path, resp.StatusCode, message(data)}
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// statusError is what the API server refused.
type statusError struct {
	request string
	code    int
	message string
}

func (e *statusError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("%s: Kubernetes answers %d: %s", e.request, e.code, e.message), ": ")
}

// message returns the message of a Status object.
func message(data []byte) string {
	var status struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(data, &status) // anything else has no message
	return status.Message
}
