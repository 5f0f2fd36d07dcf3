package generator

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// `go test ./generator -run Golden -update` rewrites the wanted files; the
// difference in git is the review.
var update = flag.Bool("update", false, "rewrite the wanted files of the golden cases")

// The files of a case. Its settings and its wanted files are there where there
// is something to say; of the wanted objects and the wanted error there is one.
const (
	goldenIn       = "in.yaml"
	goldenNodes    = "nodes.yaml"
	goldenSettings = "settings.yaml"
	goldenObjects  = "want.yaml"
	goldenNotes    = "want_notes.txt"
	goldenError    = "want_error.txt"
)

// goldenSetting is what the settings of a case may say.
type goldenSetting struct {
	Namespace   string   `json:"namespace"`
	Strict      bool     `json:"strict"`
	AllowEmpty  bool     `json:"allowEmpty"`
	Loader      Loader   `json:"loader"`
	KubeVersion string   `json:"kubeVersion"`
	APIVersions []string `json:"apiVersions"`
}

// TestGolden renders every case and compares bytes: the stream, and beside it
// what the person is told, or the errors in the place of both.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("testdata", "*", goldenIn))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no case found: %v", err)
	}
	for _, in := range cases {
		dir := filepath.Dir(in)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			got := renderGolden(t, dir)
			for _, name := range []string{goldenObjects, goldenNotes, goldenError} {
				if *update {
					rewrite(t, filepath.Join(dir, name), got[name])
				}
				want, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got[name]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// renderGolden returns what a case gives, by the name of the wanted file.
func renderGolden(t *testing.T, dir string) map[string]string {
	t.Helper()
	s := goldenSetting{Namespace: "piraeus-datastore", Loader: LoaderDaemonSet}
	if data, err := os.ReadFile(filepath.Join(dir, goldenSettings)); err == nil {
		if err := yaml.UnmarshalStrict(data, &s); err != nil {
			t.Fatal(err)
		}
	}
	list, err := nodes.ReadFile(filepath.Join(dir, goldenNodes))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, goldenIn))
	if err != nil {
		t.Fatal(err)
	}
	in, err := readGolden(data)
	if err != nil {
		return map[string]string{goldenError: told(err)}
	}
	result, err := Generate(in, list, Settings(s))
	if err != nil {
		return map[string]string{goldenError: told(err)}
	}
	var out bytes.Buffer
	if _, err := result.WriteTo(&out, manifest.YAML); err != nil {
		t.Fatal(err)
	}
	return map[string]string{goldenObjects: out.String(), goldenNotes: told(result.Notes)}
}

func readGolden(data []byte) (*overlays.Input, error) {
	docs, err := manifest.ReadDocuments(goldenIn, data)
	if err != nil {
		return nil, err
	}
	return overlays.Read(docs, overlays.Files{})
}

// told is what a person reads of problems.
func told(err error) string {
	var list problem.List
	list.Merge(err)
	var out strings.Builder
	for _, p := range list.Sorted() {
		for _, line := range p.Lines() {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

func rewrite(t *testing.T, name, text string) {
	t.Helper()
	write := func() error { return os.WriteFile(name, []byte(text), 0o644) }
	if text == "" {
		write = func() error { return os.Remove(name) }
	}
	if err := write(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}
