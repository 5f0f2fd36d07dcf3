package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kustomizeModule = "sigs.k8s.io/kustomize/kustomize/v5"

var buildFlags = []string{"build", "--enable-alpha-plugins", "--enable-exec", "."}

// The function as a generator of a real kustomization: the same objects as from
// the command line, for every case that renders.
func TestKustomizeFunction(t *testing.T) {
	kustomize := Part(t, "kustomize", "kustomize", kustomizeModule)
	for _, c := range RenderedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			dir := t.TempDir()
			copyTree(t, filepath.Join(c.Folder, "source"), filepath.Join(dir, "source"))
			copyFile(t, filepath.Join(c.Folder, "nodes.yaml"), filepath.Join(dir, "nodes.yaml"))
			want := c.Generate(t, filepath.Join(dir, "source"))

			spec := settings(t, c.Args)
			spec["path"], spec["nodes"] = "source", "nodes.yaml"
			writeKustomization(t, dir, spec)
			got := MustRun(t, dir, Env(t, c.Env...), kustomize, buildFlags...)
			Compare(t, want, FromYAML(t, got))
		})
	}
}

// The examples of the function print what they promise, and fail where kustomize
// leaves the function out without a word.
func TestFunctionExamples(t *testing.T) {
	kustomize := Part(t, "kustomize", "kustomize", kustomizeModule)
	root, folders := FunctionExamples(t)
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			dir := filepath.Join(root, folder)
			want, err := os.ReadFile(filepath.Join(dir, "want.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			got := MustRun(t, dir, Env(t), kustomize, buildFlags...)
			if !bytes.Equal(want, got) {
				Compare(t, FromYAML(t, want), FromYAML(t, got))
				t.Errorf("not the bytes of want.yaml")
			}
			if without := Run(t, dir, Env(t), kustomize, "build", "--enable-alpha-plugins", "."); without.Exit == 0 {
				t.Errorf("builds without the function: %d bytes of output", len(without.Stdout))
			}
		})
	}
}

// A fault fails the build, with the message that the command line has: an empty
// result would look like an installation to be removed.
func TestKustomizeFunctionFails(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, filepath.Join(Root(t), "examples", "faults", "misspelt-field"), filepath.Join(dir, "source"))
	want := Run(t, dir, Env(t), Binary(t, "linstor-cmp"), "generate", "source")
	message, _, _ := strings.Cut(string(want.Stderr), "\n")
	if want.Exit != 1 || !strings.HasPrefix(message, "error: ") {
		t.Fatalf("the example of a fault: exit %d, %q", want.Exit, want.Stderr)
	}
	writeKustomization(t, dir, map[string]any{"path": "source"})
	got := Run(t, dir, Env(t), Part(t, "kustomize", "kustomize", kustomizeModule), buildFlags...)
	if got.Exit == 0 || len(got.Stdout) > 0 {
		t.Errorf("exit %d, %d bytes of output", got.Exit, len(got.Stdout))
	}
	if _, place, _ := strings.Cut(message, "error: "); !strings.Contains(string(got.Stderr), place) {
		t.Errorf("kustomize says\n%s\nwant\n%s", got.Stderr, place)
	}
}

// writeKustomization writes a kustomization whose only input is our function.
func writeKustomization(t *testing.T, dir string, spec map[string]any) {
	t.Helper()
	config := map[string]any{
		"apiVersion": "linstor-cmp.io/v1alpha1",
		"kind":       "GeneratorConfig",
		"metadata": map[string]any{
			"name": "linstor",
			"annotations": map[string]any{
				"config.kubernetes.io/function": "exec: {path: " + Binary(t, "linstor-cmp-fn") + "}",
			},
		},
		"spec": spec,
	}
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "generator.yaml"), string(text))
	writeFile(t, filepath.Join(dir, "kustomization.yaml"), "generators: [generator.yaml]\n")
}

// settings turns flags into the fields of the function's configuration, which
// have the flags' names.
func settings(t *testing.T, args []string) map[string]any {
	t.Helper()
	spec := map[string]any{}
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "--")
		if !isFlag {
			t.Fatalf("%q of %q is not a flag", args[i], args)
		}
		name, value, given := strings.Cut(name, "=")
		switch {
		case !given && i+1 < len(args) && !strings.HasPrefix(args[i+1], "--"):
			i++
			spec[name] = args[i]
		case !given || value == "true":
			spec[name] = true
		case value == "false":
			spec[name] = false
		default:
			spec[name] = value
		}
	}
	return spec
}
