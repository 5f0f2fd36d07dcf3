package kube

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// quick are the limits of tests, which wait for nobody.
var quick = limits{
	total:    5 * time.Second,
	request:  500 * time.Millisecond,
	tries:    5,
	pause:    time.Millisecond,
	longest:  20 * time.Millisecond,
	restarts: 3,
	page:     2,
}

// answer is one of a fake API server.
type answer struct {
	code   int // 0 is 200
	header map[string]string
	body   []byte
	cut    bool          // the connection breaks before the end of the body
	delay  time.Duration // before the answer
}

// fakeServer is an API server that answers from a script. It keeps what it was
// asked.
type fakeServer struct {
	*httptest.Server
	mu      sync.Mutex
	script  []answer // what is asked beyond it gets the last one again
	asked   []string // path and query
	headers []http.Header
}

func serve(t *testing.T, script ...answer) *fakeServer {
	t.Helper()
	f := &fakeServer{script: script}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	a := f.script[min(len(f.asked), len(f.script)-1)]
	f.asked = append(f.asked, r.URL.RequestURI())
	f.headers = append(f.headers, r.Header.Clone())
	f.mu.Unlock()
	if a.delay > 0 {
		select {
		case <-time.After(a.delay):
		case <-r.Context().Done():
			return
		}
	}
	for k, v := range a.header {
		w.Header().Set(k, v)
	}
	if a.cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)+10))
	}
	if a.code != 0 {
		w.WriteHeader(a.code)
	}
	_, _ = w.Write(a.body)
}

// times returns how often the server was asked.
func (f *fakeServer) times() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.asked)
}

func (f *fakeServer) config() *rest.Config { return &rest.Config{Host: f.URL, BearerToken: token} }

// token must not be in anything that a person reads.
const token = "very-secret-token"

// page is a page of a list of nodes.
func page(next string, names ...string) *corev1.NodeList {
	list := &corev1.NodeList{}
	list.APIVersion, list.Kind = "v1", "NodeList"
	list.ResourceVersion, list.Continue = "7", next
	for _, name := range names {
		n := corev1.Node{}
		n.Name, n.UID = name, "uid-1"
		n.Labels = map[string]string{"zone": "a"}
		n.Annotations = map[string]string{"note": strings.Repeat("x", 200)}
		n.Spec.Taints = []corev1.Taint{{Key: "k", Value: "v", Effect: "NoSchedule"}}
		n.Spec.ProviderID = "not kept"
		n.Status.NodeInfo = corev1.NodeSystemInfo{OSImage: "Debian", KernelVersion: "6.1", Architecture: "amd64"}
		list.Items = append(list.Items, n)
	}
	return list
}

// kept is what is to be left of the nodes of a page.
func kept(names ...string) []nodes.Node {
	var out []nodes.Node
	for _, name := range names {
		out = append(out, nodes.Node{
			Name: name, UID: "uid-1",
			Labels:      map[string]string{"zone": "a"},
			Annotations: map[string]string{"note": strings.Repeat("x", 200)},
			Taints:      []corev1.Taint{{Key: "k", Value: "v", Effect: "NoSchedule"}},
			OSImage:     "Debian", KernelVersion: "6.1", Architecture: "amd64",
		})
	}
	return out
}

func asJSON(t *testing.T, v any) answer {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return answer{body: body, header: map[string]string{"Content-Type": "application/json"}}
}

func asProtobuf(t *testing.T, obj runtime.Object) answer {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	codecs := serializer.NewCodecFactory(scheme)
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	if !ok {
		t.Fatal("no protobuf")
	}
	var b bytes.Buffer
	if err := codecs.EncoderForVersion(info.Serializer, corev1.SchemeGroupVersion).Encode(obj, &b); err != nil {
		t.Fatal(err)
	}
	return answer{body: b.Bytes(), header: map[string]string{"Content-Type": runtime.ContentTypeProtobuf}}
}

// refusal is an answer with a Status, as API servers give it.
func refusal(code int, message string, header ...string) answer {
	a := answer{code: code, header: map[string]string{"Content-Type": "application/json"}}
	a.body = fmt.Appendf(nil, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":%q,"code":%d}`, message, code)
	for i := 0; i+1 < len(header); i += 2 {
		a.header[header[i]] = header[i+1]
	}
	return a
}
