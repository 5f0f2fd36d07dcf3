package linstor

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ReturnCode is one entry of LINSTOR's answer to a request.
type ReturnCode struct {
	Code       int64    `json:"ret_code"` // a masked number; see IsError and Number
	Message    string   `json:"message"`
	Cause      string   `json:"cause,omitempty"`
	Details    string   `json:"details,omitempty"`
	Correction string   `json:"correction,omitempty"`
	Reports    []string `json:"error_report_ids,omitempty"` // for `linstor error-reports show`
}

// The two highest bits of a return code tell how bad it is.
const severity = uint64(0xC000000000000000)

// IsError tells whether the entry is an error; others inform or warn.
func (r ReturnCode) IsError() bool { return uint64(r.Code)&severity == severity }

// Number returns LINSTOR's number of the fault without what it is about.
func (r ReturnCode) Number() int { return int(uint64(r.Code) & 0xFFFF) }

// String returns the entry for people, on one line.
func (r ReturnCode) String() string {
	text := clip(r.Message)
	var more []string
	for _, part := range []struct{ name, text string }{
		{"cause", r.Cause},
		{"details", r.Details},
		{"correction", r.Correction},
		{"error report", strings.Join(r.Reports, ", ")},
	} {
		if part.text != "" {
			more = append(more, part.name+": "+clip(part.text))
		}
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, "; ") + ")"
	}
	return text
}

// clip keeps a text from outside short enough for a log line.
func clip(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// Error is a request that did not do what it should.
type Error struct {
	Request string       // method and path
	URL     string       // the controller that was asked, without credentials
	Status  int          // of HTTP; 0 if there was no answer
	Codes   []ReturnCode // what LINSTOR said; empty if the answer was not LINSTOR's
	Err     error        // why there is no usable answer; nil if there is one
}

// Error returns the request and LINSTOR's own words where there are any.
func (e *Error) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s at %s: ", e.Request, e.URL)
	switch {
	case e.Status == 0:
		text.WriteString("no answer")
	case len(e.Codes) > 0:
		text.WriteString("LINSTOR answers " + status(e.Status))
	default:
		text.WriteString("the answer is " + status(e.Status))
	}
	for _, c := range e.Codes {
		if c.IsError() || len(e.Codes) == 1 {
			text.WriteString(": " + c.String())
		}
	}
	if e.Err != nil {
		text.WriteString(": " + clip(e.Err.Error()))
	}
	return text.String()
}

// Unwrap returns why there is no usable answer.
func (e *Error) Unwrap() error { return e.Err }

func status(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// The ranges that LINSTOR sorts its error numbers into.
const (
	firstNotFound, lastNotFound = 300, 399
	firstExists, lastExists     = 500, 599
)

// IsNotFound tells whether LINSTOR itself said that an object is not there. A
// bare 404, as a proxy in between sends it, is not that.
func IsNotFound(err error) bool { return says(err, firstNotFound, lastNotFound) }

// IsExists tells whether LINSTOR refused to make what is there already.
func IsExists(err error) bool { return says(err, firstExists, lastExists) }

func says(err error, first, last int) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	for _, c := range e.Codes {
		if c.IsError() && c.Number() >= first && c.Number() <= last {
			return true
		}
	}
	return false
}

// IsUnsupported tells whether the controller is too old to know the request.
func IsUnsupported(err error) bool {
	var e *Error
	return errors.As(err, &e) && len(e.Codes) == 0 &&
		(e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed)
}

// IsDenied tells whether the controller wants other credentials.
func IsDenied(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden)
}

// IsUntrusted tells whether one side did not trust the other's certificate, so
// that nothing could be asked.
func IsUntrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var alert tls.AlertError
	return errors.As(err, &verification) || errors.As(err, &alert)
}

// IsAway tells whether no controller answered that is able to.
func IsAway(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case 0, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
