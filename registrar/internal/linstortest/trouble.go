package linstortest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
)

// Trouble is something wrong with the way to the controller, or with it.
type Trouble struct {
	Request string        // a method, or the beginning of "METHOD /path"; empty: all
	Times   int           // how often; 0: until Mend
	Refused bool          // nobody listens
	Hangs   bool          // no answer ever comes
	Slow    time.Duration // it comes late
	Lost    bool          // the request is done, the connection breaks before the answer
	Cut     bool          // half of the answer comes
	Status  int           // instead of the answer
	Body    string        // with Status
	Header  http.Header   // with Status
}

// Trouble begins to happen.
func (s *Server) Trouble(t Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.troubles = append(s.troubles, &t)
}

// Mend ends all trouble.
func (s *Server) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.troubles = nil
}

func (s *Server) troubleWith(r *http.Request) Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, t := range s.troubles {
		if !strings.HasPrefix(r.Method+" "+r.URL.Path, t.Request) {
			continue
		}
		if t.Times > 0 {
			if t.Times--; t.Times == 0 {
				s.troubles = slices.Delete(s.troubles, i, i+1)
			}
		}
		return *t
	}
	return Trouble{}
}

// Transport leads to the controller without a network, so that tests may run
// in a bubble of package testing/synctest.
func (s *Server) Transport() http.RoundTripper { return transport{s} }

type transport struct{ s *Server }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	trouble := t.s.troubleWith(r)
	switch {
	case trouble.Refused:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	case trouble.Hangs:
		<-r.Context().Done()
		return nil, r.Context().Err()
	case trouble.Slow > 0:
		select {
		case <-time.After(trouble.Slow):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	case trouble.Status > 0:
		header := trouble.Header
		if header == nil {
			header = http.Header{"Content-Type": {"application/json"}}
		}
		return &http.Response{
			StatusCode: trouble.Status, Header: header, Request: r,
			Body: io.NopCloser(strings.NewReader(trouble.Body)),
		}, nil
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	recorder := httptest.NewRecorder()
	t.s.ServeHTTP(recorder, r)
	resp := recorder.Result()
	resp.Request = r
	switch {
	case trouble.Lost:
		return nil, errors.New("connection reset by peer")
	case trouble.Cut:
		data := recorder.Body.Bytes()
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(data[:len(data)/2]), broken{}))
	}
	return resp, nil
}

// broken is the end of an answer that breaks off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
