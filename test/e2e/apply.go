package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// appNamespace is the destination namespace of the tests' Applications.
const appNamespace = "storage-e2e"

// Applier applies objects as Argo CD does with ServerSideApply=true, and more
// strictly: an unknown or duplicate field is an error. An object that was passed
// through without a namespace goes to the Application's, as there.
type Applier struct {
	client   dynamic.Interface
	mapper   *restmapper.DeferredDiscoveryRESTMapper
	warnings *warnings
}

// NewApplier returns an applier for the API server of config.
func NewApplier(t testing.TB, config *rest.Config) *Applier {
	t.Helper()
	applier := &Applier{warnings: &warnings{}}
	config = rest.CopyConfig(config)
	config.WarningHandler = applier.warnings
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	discoverer, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	applier.client = client
	applier.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoverer))
	return applier
}

// Apply applies an object and returns the version that is then stored. A
// warning of the API server is an error. The object's namespace has to be there,
// its kind need not (see defineKind).
func (a *Applier) Apply(ctx context.Context, object Object) (resourceVersion string, err error) {
	resource, err := a.resource(ctx, object)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(object)
	if err != nil {
		return "", err
	}
	a.warnings.take()
	force := true
	applied, err := resource.Patch(ctx, fmt.Sprint(object.meta("name")), types.ApplyPatchType, body, metav1.PatchOptions{
		FieldManager:    "e2e",
		FieldValidation: metav1.FieldValidationStrict,
		Force:           &force,
	})
	if err != nil {
		return "", err
	}
	if said := a.warnings.take(); len(said) > 0 {
		return "", fmt.Errorf("the API server warns: %s", strings.Join(said, "; "))
	}
	return applied.GetResourceVersion(), nil
}

// Delete removes an object that was applied.
func (a *Applier) Delete(ctx context.Context, object Object) error {
	resource, err := a.resource(ctx, object)
	if err != nil {
		return err
	}
	background := metav1.DeletePropagationBackground
	return resource.Delete(ctx, fmt.Sprint(object.meta("name")), metav1.DeleteOptions{PropagationPolicy: &background})
}

func (a *Applier) resource(ctx context.Context, object Object) (dynamic.ResourceInterface, error) {
	kind := schema.FromAPIVersionAndKind(fmt.Sprint(object["apiVersion"]), fmt.Sprint(object["kind"]))
	mapping, err := a.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if meta.IsNoMatchError(err) {
		mapping, err = a.defineKind(ctx, kind, object.meta("namespace") != "")
	}
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() != meta.RESTScopeNameNamespace {
		return a.client.Resource(mapping.Resource), nil
	}
	namespace := fmt.Sprint(object.meta("namespace"))
	if namespace == "" {
		namespace = appNamespace
	}
	return a.client.Resource(mapping.Resource).Namespace(namespace), nil
}

// defineKind teaches the API server a kind of somebody else's (cert-manager's
// Certificate, say): any fields, so only its name and place are checked.
func (a *Applier) defineKind(ctx context.Context, kind schema.GroupVersionKind, namespaced bool) (*meta.RESTMapping, error) {
	singular := strings.ToLower(kind.Kind)
	plural := singular + "s"
	scope := "Cluster"
	if namespaced {
		scope = "Namespaced"
	}
	definition := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": plural + "." + kind.Group},
		"spec": map[string]any{
			"group": kind.Group,
			"scope": scope,
			"names": map[string]any{"kind": kind.Kind, "plural": plural, "singular": singular},
			"versions": []any{map[string]any{
				"name": kind.Version, "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object", "x-kubernetes-preserve-unknown-fields": true,
				}},
			}},
		},
	}}
	if strings.HasSuffix(kind.Group, ".k8s.io") {
		// The API server keeps these groups for approved definitions.
		definition.SetAnnotations(map[string]string{"api-approved.kubernetes.io": "unapproved, for a test"})
	}
	definitions := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	if _, err := a.client.Resource(definitions).Create(ctx, definition, metav1.CreateOptions{}); err != nil {
		return nil, fmt.Errorf("define %s: %w", kind, err)
	}
	// Served a moment after it is stored, and before that to nobody.
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	served := schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: plural}
	for {
		_, err := a.client.Resource(served).List(ctx, metav1.ListOptions{Limit: 1})
		if err == nil {
			a.mapper.Reset()
			var mapping *meta.RESTMapping
			if mapping, err = a.mapper.RESTMapping(kind.GroupKind(), kind.Version); err == nil {
				return mapping, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s is not served: %w", kind, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// warnings keeps the Warning headers of the responses.
type warnings struct {
	mu   sync.Mutex
	said []string
}

// HandleWarningHeader implements rest.WarningHandler.
func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, text)
}

// take returns what was said since it was last called.
func (w *warnings) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	said := w.said
	w.said = nil
	return said
}
