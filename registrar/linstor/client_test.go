package linstor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// roundTrip is a network of hosts.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func response(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// TestSeveralControllers: which controllers are asked, by what each does.
func TestSeveralControllers(t *testing.T) {
	refused := func() (*http.Response, error) { return nil, &net.OpError{Op: "dial", Err: errors.New("refused")} }
	reset := func() (*http.Response, error) { return nil, &net.OpError{Op: "read", Err: errors.New("reset")} }
	ok := func() (*http.Response, error) { return response(200, `[]`), nil }
	code := func(status int) func() (*http.Response, error) {
		return func() (*http.Response, error) {
			return response(status, `[{"ret_code":-4611686018427387604,"message":"m"}]`), nil
		}
	}
	type network map[string]func() (*http.Response, error)
	tests := []struct {
		network network
		change  bool
		asked   string
		fails   string
		reason  string
	}{
		{network: network{"a": ok, "b": ok}, asked: "a", reason: "the first that answers"},
		{network: network{"a": refused, "b": ok}, asked: "a b", reason: "nobody listens at the first"},
		{network: network{"a": reset, "b": ok}, asked: "a b", reason: "a look may be repeated"},
		{network: network{"a": code(503), "b": ok}, asked: "a b", reason: "a stand-by"},
		{network: network{"a": code(500), "b": ok}, asked: "a", fails: "500", reason: "a controller that answers is the controller"},
		{network: network{"a": code(404), "b": ok}, asked: "a", fails: "404", reason: "the same"},
		{network: network{"a": refused, "b": refused}, asked: "a b", fails: "refused", reason: "nobody"},
		{network: network{"a": refused, "b": ok}, change: true, asked: "a b", reason: "a change that reached nobody"},
		{network: network{"a": reset, "b": ok}, change: true, asked: "a", fails: "reset", reason: "a change that may have been made is not made again"},
		{network: network{"a": code(503), "b": ok}, change: true, asked: "a", fails: "503", reason: "the same"},
		{network: network{"a": code(403), "b": ok}, change: true, asked: "a", fails: "403", reason: "denied is denied"},
	}
	for _, tt := range tests {
		var asked []string
		client, err := New(Config{URLs: []string{"http://a:3370", "http://b:3370"}, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.Hostname())
			return tt.network[r.URL.Hostname()]()
		})})
		if err != nil {
			t.Fatal(err)
		}
		if tt.change {
			err = client.Apply(t.Context(), ModifyController(Properties{}))
		} else {
			_, err = client.Pools(t.Context(), "n")
		}
		if got := strings.Join(asked, " "); got != tt.asked {
			t.Errorf("%s: asked %q, want %q", tt.reason, got, tt.asked)
		}
		if (err == nil) != (tt.fails == "") || (err != nil && !strings.Contains(err.Error(), tt.fails)) {
			t.Errorf("%s: error %v, want %q", tt.reason, err, tt.fails)
		}
	}
}

func TestTheOneThatAnsweredLast(t *testing.T) {
	var asked []string
	away := "a"
	client, err := New(Config{URLs: []string{"http://a:1", "http://b:1"}, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.Hostname())
		if r.URL.Hostname() == away {
			return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
		}
		return response(200, `{}`), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := client.Node(t.Context(), "n"); err != nil {
			t.Fatal(err)
		}
	}
	away = "b"
	if _, err := client.Node(t.Context(), "n"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "b", "b", "a"}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestErrors(t *testing.T) {
	body := func(number int) string {
		return fmt.Sprintf(`[{"ret_code":%d,"message":"m\n\tx"},{"ret_code":1,"message":"info"}]`, -0x4000000000000000|int64(number))
	}
	tests := []struct {
		status                                          int
		body                                            string
		notFound, exists, unsupported, denied, away, ok bool
		says                                            string
	}{
		{status: 404, body: body(300), notFound: true, says: "GET /v1/nodes/n at http://c:3370: LINSTOR answers 404 Not Found: m x"},
		{status: 404, body: "<html>", unsupported: true, says: "the answer is 404 Not Found"},
		{status: 405, body: "", unsupported: true, says: "the answer is 405 Method Not Allowed"},
		{status: 500, body: body(501), exists: true, says: "LINSTOR answers 500"},
		{status: 401, body: body(1), denied: true, says: "401"},
		{status: 403, body: "", denied: true, says: "403"},
		{status: 502, body: "", away: true, says: "502"},
		{status: 503, body: "", away: true, says: "503"},
		{status: 504, body: "", away: true, says: "504"},
		{status: 200, body: `{"name":"n"}`, ok: true},
		{status: 200, body: `{"name":"n"`, says: "the answer is cut off"},
		{status: 200, body: ``, says: "the answer is cut off"},
		{status: 200, body: `{} {}`, says: "there is more than one value"},
		{status: 200, body: `"text"`, says: "the answer is not LINSTOR's"},
		{status: 200, body: `{"name":"` + strings.Repeat("x", mostSingle) + `"}`, says: "the answer is too large"},
		{status: 500, body: `[{"ret_code":-1,"message":"` + strings.Repeat("x", 1000) + `"}]`, says: strings.Repeat("x", 300) + "…"},
	}
	for _, tt := range tests {
		client, err := New(Config{URLs: []string{"http://c:3370"}, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return response(tt.status, tt.body), nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.Node(t.Context(), "n")
		name := fmt.Sprintf("%d %.40s", tt.status, tt.body)
		if got := err == nil; got != tt.ok {
			t.Errorf("%s: error %v", name, err)
			continue
		}
		if err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %.200q, want %q in it", name, err, tt.says)
		}
		for what, pair := range map[string][2]bool{
			"IsNotFound": {IsNotFound(err), tt.notFound}, "IsExists": {IsExists(err), tt.exists},
			"IsUnsupported": {IsUnsupported(err), tt.unsupported}, "IsDenied": {IsDenied(err), tt.denied}, "IsAway": {IsAway(err), tt.away},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s = %t", name, what, pair[0])
			}
		}
	}
}

func TestLists(t *testing.T) {
	body := `[{"name":"a","unknown":{"x":[1]}},{"name":"b"}]`
	client, err := New(Config{URLs: []string{"http://c:3370"}, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return response(200, body), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := client.EachNode(t.Context(), func(n Node) error { names = append(names, n.Name); return nil }); err != nil || len(names) != 2 {
		t.Errorf("%v, %v", names, err)
	}
	own := errors.New("enough")
	if err := client.EachNode(t.Context(), func(Node) error { return own }); !errors.Is(err, own) {
		t.Errorf("the caller's error became %v", err)
	}
	for _, body = range []string{`{}`, `[{"name":"a"}`, `[1]`, ``, `[{"name":"a"},`} {
		var e *Error
		if err := client.EachNode(t.Context(), func(Node) error { return nil }); !errors.As(err, &e) || e.Request != "GET /v1/nodes" {
			t.Errorf("%q: error %v", body, err)
		}
	}
}

// TestPatience: a look may take as long as the timeout, a change longer.
func TestPatience(t *testing.T) {
	var until time.Duration
	client, err := New(Config{URLs: []string{"http://c:3370"}, Timeout: 30 * time.Second, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		deadline, _ := r.Context().Deadline()
		until = time.Until(deadline).Round(time.Second)
		return response(200, `[]`), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		do   func() error
		want time.Duration
	}{
		{func() error { _, err := client.Pools(t.Context(), "n"); return err }, 30 * time.Second},
		{func() error { return client.EachNode(t.Context(), func(Node) error { return nil }) }, 3 * time.Minute},
		{func() error { return client.Apply(t.Context(), ModifyController(Properties{})) }, 90 * time.Second},
		{func() error { return client.Apply(t.Context(), CreateDevicePool("n", DevicePool{})) }, 15 * time.Minute},
	} {
		if err := tt.do(); err != nil || until != tt.want {
			t.Errorf("patience %v, want %v; error %v", until, tt.want, err)
		}
	}
}

func TestRequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		body, _ := io.ReadAll(r.Body)
		if user != "u" || password != "p" || r.UserAgent() != "agent" || r.Header.Get("Content-Type") != "application/json" ||
			r.URL.EscapedPath() != "/v1/nodes/a%2Fb" || string(body) != `{"delete_props":["x"]}` {
			t.Errorf("%s %s %q %v %s", r.Method, r.URL, r.UserAgent(), r.Header, body)
		}
		_, _ = io.WriteString(w, `[]`)
	}))
	defer server.Close()
	client, err := New(Config{URLs: []string{server.URL}, Username: "u", Password: "p", UserAgent: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Apply(context.Background(), ModifyNode("a/b", Properties{Delete: []string{"x"}})); err != nil {
		t.Error(err)
	}
}
