package overlays

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
)

// TestWithin shows which files of a folder are input while kustomize builds the
// folder around the program.
func TestWithin(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	const cluster = "apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: linstor}\n"
	for name, text := range map[string]string{
		"kustomization.yaml":      "resources: [./named.yaml, folder]\nconfigMapGenerator:\n- name: x\n  files: [key=keyed.yaml]\nnamespace: kept\n",
		"linstor.yaml":            cluster,
		"named.yaml":              cluster,
		"keyed.yaml":              cluster,
		"folder/deep/a.yaml":      cluster,
		"kept/class.yaml":         "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\n",
		"built/kustomization.yml": "resources: [linstor.yaml]\n",
		"built/linstor.yaml":      cluster,
		"built/other.yaml":        cluster,
		"chart/template.yaml":     "{{- if .Values.on }}\n",
		"../outside/linstor.yaml": cluster,
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../outside", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		reason string
		within Within
		want   []string // files of the documents
		fails  bool
	}{
		"own folder, ours": {
			reason: "what the kustomization names is its own, and a namespace is no file",
			within: Within{Path: ".", OnlyOurs: true}, want: []string{"linstor.yaml"},
		},
		"own folder, all": {
			reason: "whoever names the folder as input gets told of files that are none",
			within: Within{Path: "."}, fails: true,
		},
		"folder without kustomization": {
			reason: "a folder below is read as a whole",
			within: Within{Path: "kept"}, want: []string{"class.yaml"},
		},
		"folder with kustomization": {
			reason: "a folder below is built, if it is to be",
			within: Within{Path: "built"}, want: []string{"linstor.yaml"},
		},
		"nothing": {within: Within{}},
		"outside": {within: Within{Path: "../outside"}, fails: true},
		"link":    {within: Within{Path: "link"}, fails: true},
		"file":    {within: Within{Path: "linstor.yaml"}, fails: true},
		"nowhere": {within: Within{Path: "nowhere"}, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			c.within.Root = root
			stop := errors.New("enough")
			var got []string
			_, err := c.within.Load(func(docs []manifest.Document) ([]manifest.Document, error) {
				for _, d := range docs {
					got = append(got, d.Place.File)
				}
				return nil, stop
			})
			if errors.Is(err, stop) == c.fails {
				t.Fatalf("%s: error %v", c.reason, err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: documents (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// TestWithinReads asks that what amend returns is what is interpreted.
func TestWithinReads(t *testing.T) {
	docs, err := manifest.ReadDocuments("given", []byte("apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: given}\nspec: {patches: [{path: p.yaml}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	give := func([]manifest.Document) ([]manifest.Document, error) { return docs, nil }
	if _, err := (Within{}).Load(give); err == nil || !strings.Contains(err.Error(), "no files are read here") {
		t.Errorf("a patch file without a folder: %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.yaml"), []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: linstor-controller}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := Within{Root: dir, Path: "."}.Load(give)
	if err != nil || in.Cluster.Name != "given" || len(in.Cluster.Patches) != 1 {
		t.Errorf("with a folder: %v", err)
	}
}
