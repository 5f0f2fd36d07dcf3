package linstor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
)

// FromEnvironment reads the environment of LINSTOR's clients: LS_CONTROLLERS
// (a comma-separated list; http, https, linstor, linstor+ssl or no scheme),
// LS_ROOT_CA (PEM) or LS_ROOT_CA_FILE, LS_USER_CERTIFICATE and LS_USER_KEY
// (PEM) or LS_USER_CERTIFICATE_FILE and LS_USER_KEY_FILE, LS_USERNAME and
// LS_PASSWORD. The files of the certificate and its key are read for every
// connection, so that a renewed one is used without a restart.
func FromEnvironment(getenv func(string) string) (Config, error) {
	config := Config{Username: getenv("LS_USERNAME"), Password: getenv("LS_PASSWORD")}
	tlsConfig, err := tlsFrom(getenv)
	if err != nil {
		return Config{}, err
	}
	config.TLS = tlsConfig
	for text := range strings.SplitSeq(getenv("LS_CONTROLLERS"), ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		u, err := controllerURL(text, tlsConfig != nil)
		if err != nil {
			return Config{}, fmt.Errorf("LS_CONTROLLERS: %w", err)
		}
		config.URLs = append(config.URLs, u)
	}
	if len(config.URLs) == 0 {
		return Config{}, errors.New("LS_CONTROLLERS is not set; want the URL of the LINSTOR controller, such as http://linstor-controller:3370")
	}
	return config, nil
}

// controllerURL completes what a person may leave out: scheme and port.
func controllerURL(text string, secure bool) (string, error) {
	if !strings.Contains(text, "://") {
		scheme := "http"
		if secure {
			scheme = "https"
		}
		text = scheme + "://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", err
	}
	switch u.Scheme {
	case "linstor":
		u.Scheme = "http"
	case "linstor+ssl":
		u.Scheme = "https"
	}
	if u.Port() == "" && u.Hostname() != "" {
		u.Host += map[string]string{"http": ":3370", "https": ":3371"}[u.Scheme]
	}
	return strings.TrimSuffix(u.Scheme+"://"+u.Host, "/"), nil
}

// tlsFrom returns nil if the environment says nothing of TLS.
func tlsFrom(getenv func(string) string) (*tls.Config, error) {
	ca, caFile := getenv("LS_ROOT_CA"), getenv("LS_ROOT_CA_FILE")
	pair := keyPair{
		certFile: getenv("LS_USER_CERTIFICATE_FILE"), keyFile: getenv("LS_USER_KEY_FILE"),
		cert: getenv("LS_USER_CERTIFICATE"), key: getenv("LS_USER_KEY"),
	}
	if ca == "" && caFile == "" && pair == (keyPair{}) {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca == "" && caFile != "" {
		data, err := os.ReadFile(caFile)
		if err != nil {
			return nil, fmt.Errorf("LS_ROOT_CA_FILE: %w", err)
		}
		ca = string(data)
	}
	if ca != "" {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM([]byte(ca)) {
			return nil, errors.New("LS_ROOT_CA holds no certificate in PEM")
		}
	}
	if pair == (keyPair{}) {
		return config, nil
	}
	source := &certificate{pair: pair}
	// A file that is not there yet is told with the request that needs it;
	// text that is wrong stays wrong.
	if _, err := source.load(); err != nil && pair.certFile == "" {
		return nil, err
	}
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		return source.load()
	}
	return config, nil
}

// keyPair is where a client certificate comes from: files before text.
type keyPair struct{ certFile, keyFile, cert, key string }

// certificate loads a key pair, from files anew when their text has changed.
type certificate struct {
	pair keyPair

	mu        sync.Mutex
	cert, key string
	loaded    *tls.Certificate
}

func (c *certificate) load() (*tls.Certificate, error) {
	cert, key := c.pair.cert, c.pair.key
	for _, f := range []struct {
		path string
		text *string
	}{{c.pair.certFile, &cert}, {c.pair.keyFile, &key}} {
		if f.path == "" {
			continue
		}
		data, err := os.ReadFile(f.path)
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		*f.text = string(data)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded != nil && c.cert == cert && c.key == key {
		return c.loaded, nil
	}
	pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		return nil, fmt.Errorf("client certificate (LS_USER_CERTIFICATE, LS_USER_KEY or the same with _FILE): %w", err)
	}
	c.cert, c.key, c.loaded = cert, key, &pair
	return c.loaded, nil
}
