package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// What we render is what an API server takes, without a complaint, and takes
// again without a change.
func TestApplied(t *testing.T) {
	root, apps := Examples(t)
	applier := NewApplier(t, StartAPIServer(t))
	for _, app := range apps {
		t.Run(app, func(t *testing.T) {
			applyTwice(t, applier, Generate(t, filepath.Join(root, app), nil))
		})
	}
	root, folders := FunctionExamples(t)
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			kustomize := Part(t, "kustomize", "kustomize", kustomizeModule)
			built := MustRun(t, filepath.Join(root, folder), Env(t), kustomize, buildFlags...)
			applyTwice(t, applier, FromYAML(t, built))
		})
	}
	for _, c := range RenderedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			applyTwice(t, applier, c.Generate(t, filepath.Join(c.Folder, "source")))
		})
	}
}

func applyTwice(t *testing.T, applier *Applier, objects []Object) {
	t.Helper()
	ctx := t.Context()
	makeNamespaces(t, applier, objects)
	versions := make(map[string]string, len(objects))
	for _, object := range objects {
		version, err := applier.Apply(ctx, object)
		if err != nil {
			t.Errorf("%s: %v", object.ID(), err)
			continue
		}
		versions[object.ID()] = version
	}
	for _, object := range objects {
		first, applied := versions[object.ID()]
		if !applied {
			continue
		}
		switch second, err := applier.Apply(ctx, object); {
		case err != nil:
			t.Errorf("%s, applied again: %v", object.ID(), err)
		case first != second:
			t.Errorf("%s changes when applied again: version %s, then %s", object.ID(), first, second)
		}
	}
	// The next example may say something else of the same names. Namespaces
	// stay: nothing here finishes their deletion.
	for _, object := range objects {
		if _, applied := versions[object.ID()]; applied && object["kind"] != "Namespace" {
			if err := applier.Delete(ctx, object); err != nil {
				t.Errorf("%s, deleted: %v", object.ID(), err)
			}
		}
	}
}

// makeNamespaces makes the namespaces that the objects are in, as Argo CD's
// option CreateNamespace=true does.
func makeNamespaces(t *testing.T, applier *Applier, objects []Object) {
	t.Helper()
	names := []string{appNamespace}
	for _, object := range objects {
		if name := fmt.Sprint(object.meta("namespace")); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		namespace := Object{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}
		if _, err := applier.Apply(t.Context(), namespace); err != nil {
			t.Fatalf("namespace %s: %v", name, err)
		}
	}
}
