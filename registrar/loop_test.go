package registrar

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// TestKeyOfAFault: one fault is logged once, whatever numbers are in its text.
func TestKeyOfAFault(t *testing.T) {
	fault := func(kind Kind, subject, message string) string {
		return Fault{kind, problem.Problem{Subject: subject, Message: message}}.key()
	}
	if fault(KindLook, "node a", "read tcp 10.0.0.1:43210: reset (error report: 68B5F2A1-00000-000012)") !=
		fault(KindLook, "node a", "read tcp 10.0.0.1:43999: reset (error report: 68B5F2A1-00000-000013)") {
		t.Error("a port and the number of an error report make another fault")
	}
	one := fault(KindPool, "storage pool p1", "it is not there")
	for reason, other := range map[string]string{
		"another pool":    fault(KindPool, "storage pool p2", "it is not there"),
		"another step":    fault(KindDevices, "storage pool p1", "it is not there"),
		"another message": fault(KindPool, "storage pool p1", "it is in use"),
	} {
		if one == other {
			t.Errorf("%s is taken for the same fault", reason)
		}
	}
}

func TestHintsOfALook(t *testing.T) {
	for want, err := range map[string]error{
		"compare LS_ROOT_CA": &linstor.Error{Err: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}},
		"client certificate": fmt.Errorf("x: %w", &linstor.Error{Status: 401}),
		"it is tried again":  &linstor.Error{Err: errors.New("refused")},
	} {
		r := lookFailed("node a", err)
		if got := r.Faults[0].Hint; !strings.Contains(got, want) || !r.Failed || r.Known {
			t.Errorf("%v: hint %q, want %q", err, got, want)
		}
	}
}

func TestBackoff(t *testing.T) {
	b := backoff{least: time.Second, most: time.Minute}
	for i, most := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		most *= time.Second
		if d := b.next(); d < most/2 || d > most {
			t.Errorf("pause %d: %v, want %v to %v", i, d, most/2, most)
		}
	}
	for range 100 {
		_ = b.next()
	}
	if d := b.next(); d < 30*time.Second || d > time.Minute {
		t.Errorf("after a hundred failures: %v", d)
	}
	b.reset()
	if d := b.next(); d > time.Second {
		t.Errorf("after a success: %v", d)
	}
}

func TestRepeats(t *testing.T) {
	var r repeats
	change := Result{Changes: []Step{{Object: "node a", Says: "changes it"}}}
	for pass := range 30 {
		result := Result{}
		if pass%3 == 0 && pass < 15 {
			result = change
		}
		faults := r.count(result)
		// The fourth change within twelve passes is one too many, until the
		// first of four leaves the window.
		if want := pass >= 9 && pass < 15; (len(faults) == 1) != want {
			t.Errorf("pass %d: %d faults, want one: %t", pass, len(faults), want)
		}
	}
	if len(r.made) != 0 {
		t.Errorf("what is long past is remembered: %v", r.made)
	}
}
