package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "rewrite the scripts and what the examples give")

// TestMain puts the program into PATH, for kustomize and the scripts to run.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"linstor-cmp-fn": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true})
}

// The inputs that most tests share.
const (
	clusterDoc = `apiVersion: piraeus.io/v1
kind: LinstorCluster
metadata:
  name: linstor
`
	configDoc = `apiVersion: linstor-cmp.io/v1alpha1
kind: GeneratorConfig
metadata:
  name: generator
`
)

// nodeDoc is a Node.
func nodeDoc(name string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata:\n  name: %s\nstatus:\n  nodeInfo:\n    osImage: Ubuntu 24.04.3 LTS\n", name)
}

// markDoc is an overlay that leaves a mark on every satellite. Extra lines
// belong to its metadata.
func markDoc(name, value string, metadata ...string) string {
	return fmt.Sprintf(`apiVersion: linstor-cmp.io/v1alpha1
kind: LinstorNodeConfiguration
metadata:
  name: %s
%sspec:
  customizeComponents:
    patches:
    - resourceType: DaemonSet
      resourceName: linstor-satellite
      patch: |
        metadata:
          annotations:
            mark/%[1]s: %[3]s
`, name, lines("  ", metadata...), value)
}

// lines indents lines.
func lines(indent string, list ...string) string {
	var b strings.Builder
	for _, text := range list {
		for line := range strings.Lines(text) {
			b.WriteString(indent + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}

// listDoc is a ResourceList.
func listDoc(config string, items ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n")
	if config != "" {
		b.WriteString("functionConfig:\n" + lines("  ", config))
	}
	b.WriteString("items:\n")
	for _, item := range items {
		b.WriteString("- " + strings.TrimPrefix(lines("  ", item), "  "))
	}
	if len(items) == 0 {
		b.WriteString("  []\n")
	}
	return b.String()
}

// inFolder makes the given files the function's folder, and takes away the
// environment of whoever runs the test.
func inFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	cleanEnvironment(t)
	return dir
}

func cleanEnvironment(t *testing.T) {
	t.Helper()
	for _, e := range os.Environ() {
		if k, _, _ := strings.Cut(e, "="); strings.HasPrefix(k, "ARGOCD_") || strings.HasPrefix(k, "LINSTOR_CMP_") || strings.HasPrefix(k, "KUBE") {
			t.Setenv(k, "") // so that it comes back
			if err := os.Unsetenv(k); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// outcome is what a run left.
type outcome struct {
	code           int
	stdout, stderr string

	APIVersion     string           `json:"apiVersion"`
	Kind           string           `json:"kind"`
	Items          []map[string]any `json:"items"`
	FunctionConfig map[string]any   `json:"functionConfig"`
	Results        []map[string]any `json:"results"`
}

// call runs the function.
func call(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	out := outcome{code: run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)}
	out.stdout, out.stderr = stdout.String(), stderr.String()
	decode(t, out.stdout, &out)
	return out
}

func decode(t *testing.T, text string, into *outcome) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// titles lists the items as Kind/name.
func (o outcome) titles() []string {
	list := []string{}
	for _, item := range o.Items {
		list = append(list, fmt.Sprintf("%v/%v", item["kind"], at(item, "metadata", "name")))
	}
	return list
}

// satellites returns the satellites by node, each with its marks.
func (o outcome) satellites() map[string][]string {
	found := map[string][]string{}
	for _, item := range o.Items {
		name, _ := at(item, "metadata", "name").(string)
		annotations, _ := at(item, "metadata", "annotations").(map[string]any)
		if item["kind"] != "DaemonSet" || !strings.HasPrefix(name, "linstor-satellite-") {
			continue
		}
		marks := []string{}
		for _, k := range sortedKeys(annotations) {
			if mark, ok := strings.CutPrefix(k, "mark/"); ok {
				marks = append(marks, fmt.Sprintf("%s=%v", mark, annotations[k]))
			}
		}
		found[strings.TrimPrefix(name, "linstor-satellite-")] = marks
	}
	return found
}

func at(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}
