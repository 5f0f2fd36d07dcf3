package kube

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// ask lists the nodes of a server.
func ask(t *testing.T, ctx context.Context, cfg *rest.Config, l limits) ([]nodes.Node, error) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(ctx, l.total, errTotal)
	defer cancel()
	api, err := newClient(cfg, "", func(string) {}, l)
	if err != nil {
		t.Fatal(err)
	}
	defer api.close()
	got, err := api.nodes(ctx)
	if err != nil && got != nil {
		t.Errorf("nodes together with an error: %v", got)
	}
	return got, err
}

// isFault checks what holds for every error: it is a problem about the
// cluster, and keeps its secrets.
func isFault(t *testing.T, err error, host, message, hint string) {
	t.Helper()
	var p problem.Problem
	if !errors.As(err, &p) {
		t.Fatalf("got %v, want a problem", err)
	}
	all := strings.Join(p.Lines(), "\n") + err.Error()
	if strings.Contains(all, token) {
		t.Errorf("tells a secret: %s", all)
	}
	if !strings.Contains(p.Error(), host) || !strings.Contains(p.Message, message) || !strings.Contains(p.Hint, hint) {
		t.Errorf("got %q (hint %q), want %q, %q (hint %q)", p.Error(), p.Hint, host, message, hint)
	}
}

func hostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

func TestListPages(t *testing.T) {
	for name, as := range map[string]func(*testing.T, *corev1.NodeList) answer{
		"protobuf": func(t *testing.T, l *corev1.NodeList) answer { return asProtobuf(t, l) },
		"json":     func(t *testing.T, l *corev1.NodeList) answer { return asJSON(t, l) },
	} {
		t.Run(name, func(t *testing.T) {
			left := int64(3)
			first := page("c=1&d", "c", "a")
			first.RemainingItemCount = &left
			s := serve(t, as(t, first), as(t, page("two")), as(t, page("", "b")))
			got, err := ask(t, t.Context(), s.config(), quick)
			if diff := cmp.Diff(kept("a", "b", "c"), got); err != nil || diff != "" {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
			want := []string{"/api/v1/nodes?limit=2", "/api/v1/nodes?continue=c%3D1%26d&limit=2", "/api/v1/nodes?continue=two&limit=2"}
			if diff := cmp.Diff(want, s.asked); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, h := range s.headers {
				if !strings.HasPrefix(h.Get("Accept"), "application/vnd.kubernetes.protobuf,") || h.Get("Authorization") != "Bearer "+token {
					t.Errorf("asked with %v", h)
				}
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		got, err := ask(t, t.Context(), serve(t, asProtobuf(t, page(""))).config(), quick)
		if err != nil || len(got) != 0 {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

func TestListFaults(t *testing.T) {
	ok := asProtobuf(t, page("", "a"))
	first := asProtobuf(t, page("next", "a"))
	second := asProtobuf(t, page("", "b"))
	left := int64(5)
	partial := page("", "a")
	partial.RemainingItemCount = &left
	noVersion := page("", "a")
	noVersion.ResourceVersion = ""
	text := func(s string) answer { return answer{body: []byte(s)} }
	notUTF8 := page("", "a")
	notUTF8.Items[0].Labels["x"] = "\xff"

	tests := map[string]struct {
		reason  string
		script  []answer
		want    []nodes.Node
		message string // of the error, if any
		hint    string
		asked   int
	}{
		"429":              {"the server says when to come back", []answer{refusal(429, "slow down", "Retry-After", "0"), refusal(429, "slow down", "Retry-After", "3600"), ok}, kept("a"), "", "", 3},
		"500":              {"a server that stumbles", []answer{refusal(500, "oh"), {code: 503}, ok}, kept("a"), "", "", 3},
		"500 for good":     {"one that does not get up", []answer{refusal(500, "etcd is down")}, nil, "500 Internal Server Error: etcd is down (tried 5 times)", "health", 5},
		"429 for good":     {"one that is never free", []answer{{code: 429, header: map[string]string{"Retry-After": time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}}, nil, "429 Too Many Requests (tried 5 times)", "overloaded", 5},
		"second page":      {"a page is tried again, not the list", []answer{first, {code: 500}, second}, kept("a", "b"), "", "", 3},
		"410":              {"the state is forgotten, so the list begins again", []answer{first, refusal(410, "expired"), first, second}, kept("a", "b"), "", "", 4},
		"410 for good":     {"which ends some time", []answer{first, refusal(410, "expired"), first, refusal(410, "expired"), first, refusal(410, "expired"), first, refusal(410, "expired"), ok}, nil, "forgotten", "health", 8},
		"401":              {"a token may just have been renewed", []answer{refusal(401, "Unauthorized"), ok}, kept("a"), "", "", 2},
		"401 for good":     {"but not for ever", []answer{refusal(401, "Unauthorized")}, nil, "401 Unauthorized", "renew them", 2},
		"403":              {"the rule is named", []answer{refusal(403, `nodes is forbidden: User "x" cannot list`)}, nil, `nodes is forbidden: User "x" cannot list`, `resources [nodes], verbs [get, list, watch]`, 1},
		"404":              {"no API server", []answer{text("<html>" + token)}, nil, "not one of a Kubernetes API server", "login page", 5},
		"not found":        {"another kind of server", []answer{{code: 404, body: []byte(token)}}, nil, "404 Not Found", "API server", 1},
		"redirect":         {"credentials follow nobody elsewhere", []answer{{code: 302, header: map[string]string{"Location": "/login"}}}, nil, "302 Found", "redirects", 1},
		"slow":             {"an answer that does not come", []answer{{delay: time.Hour}, ok}, kept("a"), "", "", 2},
		"slow for good":    {"and never does", []answer{{delay: time.Hour}}, nil, "no answer within", "network", 5},
		"cut":              {"a connection that breaks", []answer{{body: ok.body, cut: true}, ok}, kept("a"), "", "", 2},
		"cut for good":     {"and breaks again", []answer{{body: ok.body, cut: true}}, nil, "cut off", "network", 5},
		"cut silently":     {"a body that is cut without a trace", []answer{text(string(ok.body[:len(ok.body)-20])), text(string(ok.body[:21])), ok}, kept("a"), "", "", 3},
		"cut json":         {"the same in JSON", []answer{text(string(asJSON(t, page("", "a", "b")).body[:100])), ok}, kept("a"), "", "", 2},
		"no version":       {"protobuf without what comes first", []answer{asProtobuf(t, noVersion), ok}, kept("a"), "", "", 2},
		"empty body":       {"nothing is no list", []answer{{}, text("{}"), text("null"), text("[]"), ok}, kept("a"), "", "", 5},
		"no kind":          {"a list that does not say so", []answer{text(`{"items":[]}`)}, nil, "not one of a Kubernetes API server", "", 5},
		"status 200":       {"a refusal that looks like success", []answer{{body: refusal(403, "").body}}, nil, "answers with a *v1.Status", "health", 4},
		"other list":       {"a list of something else", []answer{text(`{"kind":"PodList","apiVersion":"v1","items":[]}`)}, nil, "answers with a *v1.PodList", "", 4},
		"partial":          {"a list that says that it goes on, but not where", []answer{asProtobuf(t, partial), ok}, kept("a"), "", "", 2},
		"partial for good": {"every time", []answer{asProtobuf(t, partial)}, nil, "ends where 5 nodes are left (begun 4 times)", "", 4},
		"twice":            {"the same node on two pages", []answer{first, asProtobuf(t, page("", "a")), first, second}, kept("a", "b"), "", "", 4},
		"twice for good":   {"every time", []answer{first, asProtobuf(t, page("", "a")), first, ok, first, ok, first, ok}, nil, "node a is in the list twice", "", 8},
		"circle":           {"a page that leads to itself", []answer{asProtobuf(t, page("next")), asProtobuf(t, page("next")), ok}, kept("a"), "", "", 3},
		"bad name":         {"which no API server takes", []answer{asProtobuf(t, page("", "a\nb"))}, nil, `a node has the name "a\nb"`, "", 4},
		"no name":          {"nor this", []answer{asProtobuf(t, page("", ""))}, nil, `a node has the name ""`, "", 4},
		"not UTF-8":        {"protobuf does not look at texts", []answer{asProtobuf(t, notUTF8)}, nil, "not UTF-8", "", 4},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			l := quick
			if strings.HasPrefix(name, "slow") {
				l.request = 30 * time.Millisecond
			}
			s := serve(t, tc.script...)
			got, err := ask(t, t.Context(), s.config(), l)
			switch {
			case tc.message != "":
				isFault(t, err, hostOf(t, s.URL), tc.message, tc.hint)
			case err != nil:
				t.Errorf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if s.times() != tc.asked {
				t.Errorf("%s: asked %d times, want %d: %v", tc.reason, s.times(), tc.asked, s.asked)
			}
		})
	}
}

func TestListConnectionRefused(t *testing.T) {
	s := serve(t, answer{})
	s.Close()
	var said []string
	api, err := newClient(s.config(), "prod", func(s string) { said = append(said, s) }, quick)
	if err != nil {
		t.Fatal(err)
	}
	_, err = api.nodes(t.Context())
	isFault(t, err, hostOf(t, s.URL), "connection refused (tried 5 times)", "network")
	isFault(t, err, `cluster "prod"`, "", "")
	if len(said) != 5 || !strings.Contains(said[0], "listing") || !strings.Contains(said[4], "trying again in 8ms") {
		t.Errorf("said %q", said)
	}
}

func TestListTime(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		answer  answer
		total   time.Duration
		ctx     func(context.Context) (context.Context, context.CancelFunc)
		is      error
		message string
	}{
		"total":        {"everything together takes at most so long", answer{delay: time.Hour}, 50 * time.Millisecond, context.WithCancel, context.DeadlineExceeded, "gave up after 50ms; the last try: cannot list the nodes: no answer"},
		"while paused": {"also between tries", answer{code: 429, header: map[string]string{"Retry-After": "9"}}, 50 * time.Millisecond, context.WithCancel, context.DeadlineExceeded, "gave up after 50ms; the last try: cannot list the nodes: 429 Too Many Requests"},
		"deadline": {"the caller may have less time", answer{delay: time.Hour}, time.Hour, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 50*time.Millisecond)
		}, context.DeadlineExceeded, "the time for it is over"},
		"cancelled": {"or lose interest", answer{delay: time.Hour}, time.Hour, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(50*time.Millisecond, cancel)
			return ctx, cancel
		}, context.Canceled, "the run was ended"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, tc.answer)
			ctx, cancel := tc.ctx(t.Context())
			defer cancel()
			l := quick
			l.total, l.request, l.longest = tc.total, time.Hour, time.Hour
			begin := time.Now()
			_, err := ask(t, ctx, s.config(), l)
			isFault(t, err, hostOf(t, s.URL), tc.message, "")
			if !errors.Is(err, tc.is) {
				t.Errorf("%s: %v is not %v", tc.reason, err, tc.is)
			}
			if took := time.Since(begin); took > 3*time.Second {
				t.Errorf("%s: took %v", tc.reason, took)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "x": 0, "-1": 0, "7": 7 * time.Second, "99999999999": 0,
		"Wed, 21 Oct 2015 07:28:00 GMT": 0,
	} {
		if got := retryAfter(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
