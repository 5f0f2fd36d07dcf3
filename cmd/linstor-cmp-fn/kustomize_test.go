package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// functionNote is the annotation that makes an object a function of kustomize.
const functionNote = "  annotations:\n    config.kubernetes.io/function: 'exec: {path: linstor-cmp-fn}'\n"

// build builds a kustomization as `kustomize build` does with both flags, or
// without the one that lets functions run.
func build(t *testing.T, dir string, exec bool) (resmap.ResMap, error) {
	t.Helper()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionLegacy // as the command does by itself
	options.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
	options.PluginConfig.FnpLoadingOptions.EnableExec = exec
	return krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
}

// TestExamples builds the kustomizations of the example.
func TestExamples(t *testing.T) {
	cleanEnvironment(t)
	example := filepath.Join("..", "..", "examples", "kustomize-function")
	wanted, err := filepath.Glob(filepath.Join(example, "overlays", "*", "want.yaml"))
	if err != nil || len(wanted) == 0 {
		t.Fatalf("no example: %v", err)
	}
	for _, file := range append(wanted, filepath.Join(example, "want.yaml")) {
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			built, err := build(t, filepath.Dir(file), true)
			if err != nil {
				t.Fatal(err)
			}
			got, err := built.AsYaml()
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil { //nolint:gosec // for everybody, as the rest of the example
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("objects (-want +got); `go test ./cmd/linstor-cmp-fn -run TestExamples -update` rewrites them:\n%s", diff)
			}
			if _, err := build(t, filepath.Dir(file), false); err == nil {
				t.Error("the example does not notice that its function did not run")
			}
		})
	}
}

// TestSameAsCommandLine asks that kustomize puts out the objects that the
// command line gives, to the last field.
func TestSameAsCommandLine(t *testing.T) {
	files := map[string]string{
		"src/linstor.yaml":   clusterDoc,
		"src/class.yaml":     "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: fast\nprovisioner: x\n",
		"src/one.yaml":       markDoc("one", `"0644"`),
		"nodes.yaml":         nodeDoc("a") + "---\n" + nodeDoc("b.c"),
		"generator.yaml":     strings.Replace(configDoc, "metadata:\n", "metadata:\n"+functionNote, 1) + "spec: {path: src, nodes: nodes.yaml, loader: InitContainer}\n",
		"kustomization.yaml": "generators: [generator.yaml]\n",
	}
	dir := inFolder(t, files)
	in, err := overlays.Load("src")
	if err != nil {
		t.Fatal(err)
	}
	list, err := nodes.ReadFile("nodes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	result, err := generator.Generate(in, list, generator.Settings{Namespace: "piraeus-datastore", Loader: generator.LoaderInitContainer})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{}
	for v := range result.Objects() {
		want[ofValue(v).id()] = plain(t, v)
	}
	built, err := build(t, dir, true)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, r := range built.Resources() {
		v, err := r.Map()
		if err != nil {
			t.Fatal(err)
		}
		got[ofValue(v).id()] = plain(t, v)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects (-command line +kustomize):\n%s", diff)
	}
}

// plain is the value as JSON says it, whatever Go types it had.
func plain(t *testing.T, v any) (out any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestKustomize runs the function in kustomizations of other shapes.
func TestKustomize(t *testing.T) {
	cluster := strings.Replace(clusterDoc, "metadata:\n", "metadata:\n"+functionNote, 1)
	for name, c := range map[string]struct {
		reason string
		files  map[string]string
		want   map[string][]string
		fault  bool
	}{
		"transformer": {
			reason: "the input is among the resources, kustomize's own patches on it included, and does not reach the output",
			files: map[string]string{
				"kustomization.yaml": "resources: [all.yaml]\ntransformers: [linstor.yaml]\npatches:\n- patch: |-\n    apiVersion: linstor-cmp.io/v1alpha1\n    kind: LinstorNodeConfiguration\n    metadata: {name: one}\n    spec: {optIn: true}\n",
				"linstor.yaml":       cluster,
				"all.yaml":           markDoc("one", "x") + "---\n" + markDoc("two", "z") + "---\n" + nodeDoc("a"),
			},
			want: map[string][]string{"a": {"two=z"}}, // no node opts in to one
		},
		"in a base": {
			reason: "the function's folder is that of the kustomization that names it",
			files: map[string]string{
				"kustomization.yaml":      "resources: [base]\n",
				"base/kustomization.yaml": "generators: [linstor.yaml]\n",
				"base/linstor.yaml":       cluster,
				"base/nodes.yaml":         nodeDoc("a"),
				"nodes.yaml":              nodeDoc("b"),
			},
			want: map[string][]string{"a": {}},
		},
		"built configuration": {
			reason: "a generator may itself be built by kustomize",
			files: map[string]string{
				"kustomization.yaml":     "generators: [gen]\n",
				"gen/kustomization.yaml": "resources: [linstor.yaml]\n",
				"gen/linstor.yaml":       cluster,
				"one.yaml":               markDoc("one", "x"),
				"nodes.yaml":             nodeDoc("a"),
			},
			want: map[string][]string{"a": {"one=x"}},
		},
		"a fault": {
			reason: "an error of the function is one of the build",
			files:  map[string]string{"kustomization.yaml": "generators: [linstor.yaml]\n", "linstor.yaml": cluster + "spec: {x: y}\n", "nodes.yaml": nodeDoc("a")},
			fault:  true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			built, err := build(t, inFolder(t, c.files), true)
			if (err != nil) != c.fault {
				t.Fatalf("%s: error %v", c.reason, err)
			}
			if c.fault {
				return
			}
			var out outcome
			for _, r := range built.Resources() {
				v, err := r.Map()
				if err != nil {
					t.Fatal(err)
				}
				out.Items = append(out.Items, v)
				if kind := fmt.Sprint(v["kind"]); kind == "Node" || strings.HasPrefix(kind, "Linstor") {
					t.Errorf("%s: a %s in the output", c.reason, kind)
				}
			}
			if diff := cmp.Diff(c.want, out.satellites()); diff != "" {
				t.Errorf("%s: satellites and their marks (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
