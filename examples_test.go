// Package linstorcmp_test holds what the repository shows to people against
// the program: every example gives the objects beside it, every transcript in a
// page is what the program prints, every link leads somewhere, and every field
// of an input has its words.
//
// `go test . -update` rewrites the objects and the transcripts; the difference
// in git is the review.
package linstorcmp_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

var update = flag.Bool("update", false, "rewrite what the examples give and the transcripts in the pages")

// wantFile holds the objects of the application path beside it, which is
// called app since every YAML file of an application path is input. Where a
// kustomization says what is input, it stands in the application path itself.
const wantFile = "want.yaml"

// applicationPath is the application path that a file of wanted objects is of.
func applicationPath(file string) string {
	dir := filepath.Dir(file)
	if info, err := os.Stat(filepath.Join(dir, "app")); err == nil && info.IsDir() {
		return filepath.Join(dir, "app")
	}
	return dir
}

// files returns the files below dir whose base name matches a pattern.
func files(t *testing.T, dir, pattern string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if ok, _ := filepath.Match(pattern, filepath.Base(path)); ok {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// generate renders an application path and its nodes.yaml, and returns the
// stream and what is told beside it.
func generate(dir string) ([]byte, problem.List, error) {
	in, err := overlays.Load(dir)
	if err != nil {
		return nil, nil, err
	}
	list, err := nodes.ReadFile(filepath.Join(dir, overlays.NodesFile))
	if err != nil {
		return nil, nil, err
	}
	result, err := generator.Generate(in, list, generator.Settings{Namespace: "piraeus-datastore", Loader: generator.LoaderDaemonSet})
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	_, err = result.WriteTo(&out, manifest.YAML)
	return out.Bytes(), result.Notes, err
}

// TestExamples renders every folder that has a file of wanted objects.
func TestExamples(t *testing.T) {
	wanted := files(t, "examples", wantFile)
	if len(wanted) == 0 {
		t.Fatal("no example found")
	}
	for _, file := range wanted {
		dir := applicationPath(file)
		if strings.HasPrefix(filepath.ToSlash(file), "examples/kustomize-function/") {
			continue // what the function gives, which is tested with it
		}
		t.Run(filepath.ToSlash(dir), func(t *testing.T) {
			got, notes, err := generate(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range notes {
				if !strings.HasPrefix(n.Message, "these fields need a live LINSTOR API") {
					t.Errorf("an example gives no warning but the one of pools and properties; this one says: %s", strings.Join(n.Lines(), " | "))
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				want = got
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("objects (-want +got); `go test . -update` rewrites them:\n%s", diff)
			}
		})
	}
}

// TestNoExampleIsForgotten asks that every folder of examples has a page that
// the index names, and is tested: it has wanted objects, or it holds faults,
// whose transcripts are in the README.
func TestNoExampleIsForgotten(t *testing.T) {
	index := read(t, "examples/README.md")
	folders, err := filepath.Glob("examples/*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range folders {
		dir := filepath.Dir(page)
		name := filepath.Base(dir)
		if !strings.Contains(index, "("+name+"/README.md)") {
			t.Errorf("examples/README.md does not name %s", name)
		}
		if name == "faults" || name == "kustomize-function" { // the latter is tested with the function
			continue
		}
		if len(files(t, dir, wantFile)) == 0 {
			t.Errorf("%s has no %s", dir, wantFile)
		}
	}
	readme := read(t, "README.md")
	faults, err := filepath.Glob("examples/faults/*/linstor.yaml")
	if err != nil || len(faults) == 0 {
		t.Fatalf("no faults found: %v", err)
	}
	for _, file := range faults {
		if dir := filepath.ToSlash(filepath.Dir(file)); !strings.Contains(readme, "$ linstor-cmp generate "+dir+"\n") {
			t.Errorf("README.md does not show %s", dir)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// applicationSpec has the fields of an Application that the examples use.
type applicationSpec struct {
	Project string `json:"project"`
	Source  struct {
		RepoURL        string `json:"repoURL"`
		TargetRevision string `json:"targetRevision"`
		Path           string `json:"path"`
		Plugin         struct {
			Name       string `json:"name"`
			Parameters []struct {
				Name   string `json:"name"`
				String string `json:"string"`
			} `json:"parameters"`
		} `json:"plugin"`
	} `json:"source"`
	Destination map[string]string `json:"destination"`
	SyncPolicy  struct {
		Automated struct {
			Prune    bool `json:"prune"`
			SelfHeal bool `json:"selfHeal"`
		} `json:"automated"`
		ManagedNamespaceMetadata struct {
			Labels map[string]string `json:"labels"`
		} `json:"managedNamespaceMetadata"`
		SyncOptions []string `json:"syncOptions"`
	} `json:"syncPolicy"`
}

type argoObject[S any] struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   map[string]string `json:"metadata"`
	Spec       S                 `json:"spec"`
}

// TestArgoCDExamples reads the manifests for Argo CD strictly: they name the
// plugin, settings that there are, and self-healing.
func TestArgoCDExamples(t *testing.T) {
	var app argoObject[applicationSpec]
	var set argoObject[struct {
		GoTemplate        bool             `json:"goTemplate"`
		GoTemplateOptions []string         `json:"goTemplateOptions"`
		Generators        []map[string]any `json:"generators"`
		Template          struct {
			Metadata map[string]string `json:"metadata"`
			Spec     applicationSpec   `json:"spec"`
		} `json:"template"`
	}]
	for file, into := range map[string]any{"application.yaml": &app, "applicationset.yaml": &set} {
		if err := yaml.UnmarshalStrict([]byte(read(t, filepath.Join("examples/argocd-application", file))), into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	for kind, spec := range map[string]applicationSpec{app.Kind: app.Spec, set.Kind: set.Spec.Template.Spec} {
		if spec.Source.Plugin.Name != "linstor-cmp" {
			t.Errorf("%s: source.plugin.name is %q", kind, spec.Source.Plugin.Name)
		}
		if !spec.SyncPolicy.Automated.SelfHeal {
			t.Errorf("%s: no selfHeal, so a new node would wait for a commit", kind)
		}
		for _, p := range spec.Source.Plugin.Parameters {
			if !strings.Contains(read(t, "plugin/parameters.go"), fmt.Sprintf("Name: %q", p.Name)) {
				t.Errorf("%s: there is no setting %q", kind, p.Name)
			}
		}
	}
	if _, err := os.Stat(app.Spec.Source.Path); err != nil {
		t.Errorf("the Application's path: %v", err)
	}
}
