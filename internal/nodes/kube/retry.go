package kube

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// errGone is a list that cannot be continued: the server has forgotten the
// state that its first page was of.
var errGone = errors.New("the server has forgotten the state that the list began with")

// fetch makes a request until it succeeds, fails for good, or has been tried
// often enough. The error is errGone or a fault.
func (c *client) fetch(ctx context.Context, what string, path []string, query url.Values) (runtime.Object, error) {
	pause := c.pause
	last := c.fault(nil, "", "cannot %s: no answer", what)
	for try := 1; ; try++ {
		obj, err := c.get(ctx, path, query)
		if err == nil {
			return obj, nil
		}
		if ctx.Err() != nil {
			return nil, c.late(ctx, last)
		}
		again, wait, f := c.judge(what, err)
		last = f
		switch {
		case isStatus(err, http.StatusGone):
			return nil, errGone
		case !again || try == c.tries || try == 2 && isStatus(err, http.StatusUnauthorized):
			if try > 1 {
				f.Message += fmt.Sprintf(" (tried %d times)", try)
			}
			return nil, f
		}
		wait = min(max(wait, pause), c.longest)
		pause *= 2
		c.say(fmt.Sprintf("%s: %s; trying again in %v", c.cluster, f.Message, wait.Round(time.Millisecond)))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, c.late(ctx, f)
		}
	}
}

// late is the fault of running out of time, with what took it.
func (c *client) late(ctx context.Context, last *fault) error {
	why := "the time for it is over"
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errTotal):
		why = fmt.Sprintf("gave up after %v", c.total)
	case errors.Is(cause, context.Canceled):
		why = "the run was ended"
	}
	return c.fault(errors.Join(context.Cause(ctx), ctx.Err(), last.cause), last.Hint, "%s; the last try: %s", why, last.Message)
}

func isStatus(err error, code int) bool {
	var s *statusError
	return errors.As(err, &s) && s.code == code
}

// judge says what an error is to people, whether another try may help, and how
// long the server wants to be left alone.
func (c *client) judge(what string, err error) (again bool, wait time.Duration, f *fault) {
	var status *statusError
	if errors.As(err, &status) {
		return c.judgeStatus(what, status)
	}
	const network = "check that the address is right and that the network lets this program reach it"
	reason, hint, again := "", network, true
	var (
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		verify    *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		dns       *net.DNSError
		decode    *decodeError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		reason = fmt.Sprintf("no answer within %v", c.request)
	case errors.As(err, &authority), errors.As(err, &hostname), errors.As(err, &verify):
		again, hint = false, "give the certificate authority of the API server (certificate-authority-data, caData), or the server name that its certificate has"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		again, hint = false, "the address begins with https, and what answers there is no TLS: check address and port"
	case errors.As(err, &dns) && dns.IsNotFound:
		again = false
	case strings.Contains(err.Error(), "getting credentials:"):
		again, hint = false, "run the program that fetches the credentials by hand, with the same user and environment"
	case errors.As(err, &decode):
		hint = "check that the address is that of an API server, not of a login page or proxy before it"
	}
	if reason == "" {
		reason = short(withoutURL(err))
	}
	return again, 0, c.fault(err, hint, "cannot %s: %s", what, reason)
}

func (c *client) judgeStatus(what string, s *statusError) (again bool, wait time.Duration, f *fault) {
	hint := ""
	switch {
	case s.code == http.StatusUnauthorized:
		// A token may just have been renewed.
		again, hint = true, "the credentials are not valid (any more): renew them"
		hint += "; " + c.rule(what)
	case s.code == http.StatusForbidden:
		hint = c.rule(what)
	case s.code == http.StatusNotFound:
		hint = "check that the address is that of an API server"
	case s.code == http.StatusTooManyRequests, s.code == http.StatusRequestTimeout, s.code >= 500:
		again, hint = true, "the API server is overloaded or down: look at its health"
	case s.code >= 300 && s.code < 400:
		hint = "the address is not that of an API server: it redirects to another one"
	}
	return again, s.wait, c.fault(s, hint, "cannot %s: %v", what, s)
}

// rule names the RBAC rule that a request needs.
func (c *client) rule(what string) string {
	if what == readSecrets {
		return `bind the account, in that namespace, to a Role with the rule apiGroups [""], resources [secrets], verbs [get, list]`
	}
	return `bind the account to a ClusterRole with the rule apiGroups [""], resources [nodes], verbs [get, list, watch]`
}

// withoutURL is the text of an error without the request that it is about.
func withoutURL(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}
