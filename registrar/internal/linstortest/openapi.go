package linstortest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Document is the environment variable with the path of the OpenAPI document.
const Document = "LINSTOR_OPENAPI"

// validator holds requests and answers against LINSTOR's OpenAPI document.
type validator interface {
	check(r *http.Request, body []byte, status int, answer []byte)
	strict() bool // whether answers must be as documented, not as they are
}

type unchecked struct{}

func (unchecked) check(*http.Request, []byte, int, []byte) {}
func (unchecked) strict() bool                             { return false }

// documented returns the validator of the test's controller.
func documented(t testing.TB) validator {
	path := os.Getenv(Document)
	if path == "" {
		return unchecked{}
	}
	doc, err := load(path)
	if err != nil {
		t.Fatalf("%s: %v", Document, err)
	}
	return document{t, doc}
}

type document struct {
	t   testing.TB
	doc *openapi3.T
}

var (
	loading sync.Mutex
	loaded  = map[string]*openapi3.T{}
)

// load reads the document once: it is long.
func load(path string) (*openapi3.T, error) {
	loading.Lock()
	defer loading.Unlock()
	if doc := loaded[path]; doc != nil {
		return doc, nil
	}
	doc, err := openapi3.NewLoader().LoadFromFile(path)
	if err != nil {
		return nil, err
	}
	// A controller serves it, and the document's other requests describe what it
	// answers; it is only not listed.
	item := doc.Paths.Value("/v1/nodes/{node}")
	node := doc.Components.Schemas["Node"]
	if item == nil || node == nil {
		return nil, fmt.Errorf("%s is not LINSTOR's document", path)
	}
	if item.Get == nil {
		item.Get = openapi3.NewOperation()
		item.Get.Responses = openapi3.NewResponses(openapi3.WithStatus(http.StatusOK, &openapi3.ResponseRef{
			Value: openapi3.NewResponse().WithDescription("a node").WithJSONSchemaRef(openapi3.NewSchemaRef("", node.Value)),
		}))
	}
	loaded[path] = doc
	return doc, nil
}

func (document) strict() bool { return true }

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// route finds the request in the document by its pattern; the parameters of the
// path may have other names there.
func (d document) route(r *http.Request) (*routers.Route, map[string]string, error) {
	_, pattern, _ := strings.Cut(r.Pattern, " ")
	for _, path := range d.doc.Paths.InMatchingOrder() {
		if parameter.ReplaceAllString(path, "{}") != parameter.ReplaceAllString(pattern, "{}") {
			continue
		}
		item := d.doc.Paths.Value(path)
		operation := item.GetOperation(r.Method)
		if operation == nil {
			continue
		}
		values := map[string]string{}
		own := parameter.FindAllString(pattern, -1)
		for i, name := range parameter.FindAllString(path, -1) {
			values[strings.Trim(name, "{}")] = r.PathValue(strings.Trim(own[i], "{}"))
		}
		return &routers.Route{Spec: d.doc, Path: path, PathItem: item, Method: r.Method, Operation: operation}, values, nil
	}
	return nil, nil, fmt.Errorf("the document has no %s", r.Pattern)
}

func (d document) check(r *http.Request, body []byte, status int, answer []byte) {
	route, values, err := d.route(r)
	if err != nil {
		d.t.Error(err)
		return
	}
	request := r.Clone(context.Background())
	request.Body = io.NopCloser(bytes.NewReader(body))
	input := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: values, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true},
	}
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		d.t.Errorf("%s: the request is not as documented: %v\n%s", r.Pattern, err, body)
	}
	for _, body := range bodies(status, answer) {
		err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: input, Status: status, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(bytes.NewReader(body)), Options: input.Options,
		})
		if err != nil {
			d.t.Errorf("%s: the answer %d is not as documented: %v\n%s", r.Pattern, status, err, body)
		}
	}
}

// bodies returns what is compared with the document. For an operation that has
// failed it documents a single entry, where a controller answers a list of them.
func bodies(status int, answer []byte) []json.RawMessage {
	var list []json.RawMessage
	if status == http.StatusInternalServerError && json.Unmarshal(answer, &list) == nil {
		return list
	}
	return []json.RawMessage{answer}
}
