package plugin_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// pluginConfig is what argocd-cmp-server reads of plugin.yaml, with every field
// that would change how our plugin is found or run. Decoding is strict: Argo CD
// itself ignores what it does not know.
type pluginConfig struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string         `json:"version"`
		Init             map[string]any `json:"init"`
		Generate         command        `json:"generate"`
		Discover         map[string]any `json:"discover"`
		PreserveFileMode bool           `json:"preserveFileMode"`
		ProvideGitCreds  bool           `json:"provideGitCreds"`
		Parameters       struct {
			Static  []announcement `json:"static"`
			Dynamic command        `json:"dynamic"`
		} `json:"parameters"`
	} `json:"spec"`
}

type command struct {
	Command []string `json:"command"`
	Args    []string `json:"args"`
}

// announcement is Argo CD's ParameterAnnouncement.
type announcement struct {
	Name           string            `json:"name"`
	Title          string            `json:"title"`
	Tooltip        string            `json:"tooltip"`
	Required       bool              `json:"required"`
	ItemType       string            `json:"itemType"`
	CollectionType string            `json:"collectionType"`
	String         string            `json:"string"`
	Array          []string          `json:"array"`
	Map            map[string]string `json:"map"`
}

func readPluginYAML(t *testing.T) (config pluginConfig) {
	t.Helper()
	text, err := os.ReadFile("plugin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, &config); err != nil {
		t.Fatalf("plugin.yaml: %v", err)
	}
	return config
}

func TestPluginYAML(t *testing.T) {
	got := readPluginYAML(t)

	var want pluginConfig
	want.APIVersion, want.Kind, want.Metadata.Name = "argoproj.io/v1alpha1", "ConfigManagementPlugin", "linstor-cmp"
	want.Spec.Generate.Command = []string{"linstor-cmp", "generate", "."}
	want.Spec.Parameters.Dynamic.Command = []string{"linstor-cmp", "parameters"}
	want.Spec.Parameters.Static = announced(t)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plugin.yaml (-want +got):\n%s", diff)
	}
}

// The announcement is complete: Argo CD's UI shows nothing else.
func TestAnnouncement(t *testing.T) {
	list := announced(t)
	if len(list) != len(plugin.Parameters) {
		t.Fatalf("%d parameters are announced, want %d", len(list), len(plugin.Parameters))
	}
	for i, p := range plugin.Parameters {
		want := announcement{Name: p.Name, Title: p.Title, Tooltip: p.Help}
		switch {
		case p.Bool:
			want.ItemType, want.String = "boolean", "false"
		case p.Values != nil:
			want.String = p.Default
		}
		if diff := cmp.Diff(want, list[i]); diff != "" {
			t.Errorf("parameter %s (-want +got):\n%s", p.Name, diff)
		}
		if p.Title == "" || p.Help == "" || p.Default == "" {
			t.Errorf("parameter %s lacks a title, a sentence or what its default is", p.Name)
		}
		if want.String != "" {
			// What the UI shows as the default has to be one.
			if _, err := plugin.Resolve(map[string]string{p.Name: want.String}, nil); err != nil {
				t.Errorf("the announced default of %s is refused: %v", p.Name, err)
			}
		}
	}
}

func announced(t *testing.T) (list []announcement) {
	t.Helper()
	if err := json.Unmarshal(plugin.Announce(), &list); err != nil {
		t.Fatal(err)
	}
	return list
}
