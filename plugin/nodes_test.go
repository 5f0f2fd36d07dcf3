package plugin_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

func nodeText(name string) string {
	return "apiVersion: v1\nkind: Node\nmetadata:\n  name: " + name + "\n"
}

func TestNodeListOfFiles(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	app := t.TempDir()
	for file, text := range map[string]string{
		outside:                            nodeText("outside"),
		filepath.Join(app, "nodes.yaml"):   nodeText("default"),
		filepath.Join(app, "given.yaml"):   nodeText("given"),
		filepath.Join(app, "-"):            nodeText("dash"),
		filepath.Join(app, "in/deep.yaml"): nodeText("deep"),
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(app, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../given.yaml", filepath.Join(app, "in/link.yaml")); err != nil {
		t.Fatal(err)
	}

	cases := map[string]struct {
		reason  string
		options plugin.Options
		want    []string
		wantErr string
	}{
		"nothing is given":                {"nodes.yaml of the application path", plugin.Options{}, []string{"default"}, ""},
		"a file":                          {"as a person names it", plugin.Options{Nodes: outside}, []string{"outside"}, ""},
		"a file beats a cluster":          {"the first source that is set", plugin.Options{Nodes: outside, Cluster: "west", Context: "c"}, []string{"outside"}, ""},
		"standard input":                  {"- is what is piped", plugin.Options{Nodes: "-"}, []string{"piped"}, ""},
		"guarded, a file of the path":     {"an Application's own file", plugin.Options{Nodes: "given.yaml", Guarded: true}, []string{"given"}, ""},
		"guarded, a dash":                 {"an Application has no standard input; - is a file", plugin.Options{Nodes: "-", Guarded: true}, []string{"dash"}, ""},
		"guarded, a folder below":         {"below is below", plugin.Options{Nodes: "./in/deep.yaml", Guarded: true}, []string{"deep"}, ""},
		"guarded, up and down again":      {"it stays below", plugin.Options{Nodes: "in/../given.yaml", Guarded: true}, []string{"given"}, ""},
		"guarded, a link that stays":      {"links inside the repository are usual", plugin.Options{Nodes: "in/link.yaml", Guarded: true}, []string{"given"}, ""},
		"guarded, an absolute path":       {"the sidecar's files are not the Application's", plugin.Options{Nodes: outside, Guarded: true}, nil, "escapes"},
		"guarded, a path that leads out":  {"nor by dots", plugin.Options{Nodes: "../outside.yaml", Guarded: true}, nil, "escapes"},
		"guarded, a link that leads out":  {"nor by a link", plugin.Options{Nodes: "link.yaml", Guarded: true}, nil, "escapes"},
		"guarded, a file that is missing": {"a misspelt name is told, not replaced by the default", plugin.Options{Nodes: "missing.yaml", Guarded: true}, nil, "missing.yaml"},
		"a file that is missing":          {"likewise", plugin.Options{Nodes: filepath.Join(app, "missing.yaml")}, nil, "missing.yaml"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			list, err := c.options.NodeList(t.Context(), app, strings.NewReader(nodeText("piped")), func(string) {})
			if c.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), c.wantErr) {
					t.Fatalf("%s: error %v, want one with %q", c.reason, err, c.wantErr)
				}
				if strings.Contains(c.wantErr, "missing") && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: error %v is no fs.ErrNotExist", c.reason, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", c.reason, err)
			}
			var names []string
			for _, n := range list {
				names = append(names, n.Name)
			}
			if diff := cmp.Diff(c.want, names); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
