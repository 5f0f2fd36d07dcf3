package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// accept asks for protobuf, which is a third of JSON in size and time.
const accept = "application/vnd.kubernetes.protobuf, application/json;q=0.9"

// maxAnswer bounds one answer, in bytes. A page of nodes has a tenth of it.
const maxAnswer = 256 << 20

// client asks one API server. Of client-go it has what reaches the server:
// transport and credentials. The requests are its own, because their retries,
// logs and defaults are not to be had otherwise.
type client struct {
	limits
	http    *http.Client
	base    *url.URL
	cluster string // the name of it for people
	say     func(string)
	decoder runtime.Decoder
	close   func()
}

func newClient(cfg *rest.Config, name string, say func(string), l limits) (*client, error) {
	base, _, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return nil, faultf(err, "", "the address of the cluster%s is no URL", named(name))
	}
	c := &client{limits: l, base: base, cluster: "cluster " + base.Host, say: say, close: func() {}}
	if name != "" {
		c.cluster = fmt.Sprintf("cluster %q (%s)", name, base.Host)
	}
	cfg = rest.CopyConfig(cfg)
	cfg.UserAgent = "linstor-cmp"
	cfg.Timeout = 0 // each request has its own
	if c.http, err = rest.HTTPClientFor(cfg); err != nil {
		return nil, c.fault(err, "", "its credentials are of no use: %s", short(err.Error()))
	}
	if cfg.Proxy != nil {
		// Such a transport is not shared with later ones, so nobody else ends it.
		c.close = func() { utilnet.CloseIdleConnectionsFor(c.http.Transport) }
	}
	// Credentials are added to every request: none may lead elsewhere.
	c.http = &http.Client{Transport: c.http.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("registering the core types: %w", err)
	}
	c.decoder = serializer.NewCodecFactory(scheme).UniversalDeserializer()
	return c, nil
}

func named(cluster string) string {
	if cluster == "" {
		return ""
	}
	return fmt.Sprintf(" %q", cluster)
}

// fault returns a fault with the cluster as its subject.
func (c *client) fault(cause error, hint, format string, args ...any) *fault {
	f := faultf(cause, hint, format, args...)
	f.Subject = c.cluster
	return f
}

// statusError is an answer other than 200.
type statusError struct {
	code    int
	message string        // of the API server; empty if it is not one that answers
	wait    time.Duration // asked for by the server
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%d %s", e.code, http.StatusText(e.code))
	if e.message != "" {
		text += ": " + e.message
	}
	return text
}

// get makes one request and decodes its answer.
func (c *client) get(ctx context.Context, path []string, query url.Values) (runtime.Object, error) {
	ctx, cancel := context.WithTimeout(ctx, c.request)
	defer cancel()
	at := c.base.JoinPath(path...)
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept)
	// A program that fetches credentials knows nothing of the context.
	return await(ctx, func() (runtime.Object, error) { return c.do(req) })
}

// await returns what f returns, or the error of the context if that comes first.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func (c *client) do(req *http.Request) (runtime.Object, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // only read from
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("an answer of more than %d MiB", maxAnswer>>20)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, c.status(resp, body)
	}
	if err != nil {
		return nil, fmt.Errorf("the answer is cut off: %w", err)
	}
	obj, _, err := c.decoder.Decode(body, nil, nil)
	if err == nil {
		err = whole(obj, body)
	}
	if err != nil {
		return nil, &decodeError{err}
	}
	return obj, nil
}

// whole refuses a list in protobuf without a resource version. Every list of
// an API server has one, and it comes first: without it, the answer is the
// beginning of one, cut off where protobuf cannot tell.
func whole(obj runtime.Object, body []byte) error {
	list, ok := obj.(metav1.ListMetaAccessor)
	if ok && list.GetListMeta().GetResourceVersion() == "" && bytes.HasPrefix(body, []byte("k8s\x00")) {
		return errors.New("a list without resource version")
	}
	return nil
}

// decodeError is an answer that is nothing an API server answers. Its text
// does not have the parser's: that may quote the answer.
type decodeError struct{ err error }

func (*decodeError) Error() string   { return "the answer is not one of a Kubernetes API server" }
func (e *decodeError) Unwrap() error { return e.err }

// status reads an answer that says what is wrong.
func (c *client) status(resp *http.Response, body []byte) error {
	e := &statusError{code: resp.StatusCode, wait: retryAfter(resp.Header.Get("Retry-After"))}
	obj, _, err := c.decoder.Decode(body, nil, nil)
	if status, ok := obj.(*metav1.Status); ok && err == nil {
		e.message = short(status.Message)
		if d := status.Details; d != nil && e.wait == 0 {
			e.wait = time.Duration(d.RetryAfterSeconds) * time.Second
		}
	}
	return e
}

// retryAfter reads a header that has seconds or a date.
func retryAfter(text string) time.Duration {
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
