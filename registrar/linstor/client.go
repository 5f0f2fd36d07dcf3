package linstor

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// Config says where controllers are and how to speak to them.
type Config struct {
	URLs      []string          // at least one; of several, all lead to the one active controller
	TLS       *tls.Config       // nil: the system's authorities, no certificate of our own
	Username  string            // with Password: HTTP basic authentication
	Password  string            //
	Timeout   time.Duration     // for a look; changes have more. Default 20 s
	UserAgent string            // default linstor-registrar
	Transport http.RoundTripper // instead of the network, for tests
}

// Client asks the first controller that answers. It is safe for concurrent use.
type Client struct {
	urls    []*url.URL
	config  Config
	http    *http.Client
	current atomic.Int32 // index of the address that answered last
}

// New returns a client. It does not connect. An error names the URL at fault.
func New(config Config) (*Client, error) {
	c := &Client{config: config}
	for _, text := range config.URLs {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, fmt.Errorf("no URL of a LINSTOR controller: %q; want http://HOST:3370 or https://HOST:3371", text)
		}
		c.urls = append(c.urls, u)
	}
	if len(c.urls) == 0 {
		return nil, errors.New("no URL of a LINSTOR controller is given")
	}
	if c.config.Timeout <= 0 {
		c.config.Timeout = 20 * time.Second
	}
	if c.config.UserAgent == "" {
		c.config.UserAgent = "linstor-registrar"
	}
	transport := config.Transport
	if transport == nil {
		transport = &http.Transport{
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSClientConfig:     config.TLS,
			TLSHandshakeTimeout: 10 * time.Second,
			MaxIdleConns:        2,
			// Shorter than an interval: a thousand registrars must not hold a
			// thousand connections open to say something once a minute.
			IdleConnTimeout:        15 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		}
	}
	c.http = &http.Client{
		Transport: transport,
		// A redirect from http to https would be followed without the
		// certificates it needs; it is told instead.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// Apply makes a change. Only where no controller was reached another one is
// asked: a change is never sent twice.
func (c *Client) Apply(ctx context.Context, ch Change) error {
	ctx, cancel := context.WithTimeout(ctx, max(ch.patience, 3*c.config.Timeout))
	defer cancel()
	answer, err := c.ask(ctx, ch.method, ch.path, ch.body)
	if err != nil {
		return err
	}
	defer answer.close()
	codes, err := answer.returnCodes()
	if err != nil {
		return answer.fault(codes, err)
	}
	for _, code := range codes {
		if code.IsError() {
			return answer.fault(codes, nil)
		}
	}
	return nil
}

// ask sends a request to the controllers in turn, beginning with the one that
// answered last, and returns the first answer that is a success.
func (c *Client) ask(ctx context.Context, method, path string, body any) (*answer, error) {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
	var last error
	start := int(c.current.Load())
	for i := range c.urls {
		index := (start + i) % len(c.urls)
		answer, err := c.askOne(ctx, c.urls[index], method, path, payload)
		if err == nil {
			c.current.Store(int32(index))
			return answer, nil
		}
		// The answer of a controller says more than the silence of the next.
		if last == nil || !IsAway(err) {
			last = err
		}
		if ctx.Err() != nil || !IsAway(err) || (method != http.MethodGet && !unsent(err)) {
			break
		}
	}
	return nil, last
}

func (c *Client) askOne(ctx context.Context, base *url.URL, method, path string, payload []byte) (*answer, error) {
	fault := &Error{Request: method + " " + path, URL: base.Scheme + "://" + base.Host}
	var body io.Reader
	if payload != nil {
		body = bytes.NewReader(payload)
	}
	// The path is escaped already, and may have a query.
	req, err := http.NewRequestWithContext(ctx, method, base.Scheme+"://"+base.Host+path, body)
	if err != nil {
		fault.Err = err
		return nil, fault
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.config.UserAgent)
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.config.Username != "" {
		req.SetBasicAuth(c.config.Username, c.config.Password)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // the request is named by fault
		}
		fault.Err = err
		return nil, fault
	}
	fault.Status = resp.StatusCode
	a := &answer{body: resp.Body, template: *fault}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return a, nil
	}
	defer a.close()
	if to := resp.Header.Get("Location"); resp.StatusCode < 400 {
		return nil, a.fault(nil, fmt.Errorf("it points to %s; give that address and its certificates", to))
	}
	codes, err := a.returnCodes()
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // an answer that is empty or not LINSTOR's has no codes
	}
	return nil, a.fault(codes, err)
}

// unsent tells whether a request surely reached nobody.
func unsent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}
