package plugin_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// What the page shows can be copied: an Application that names our plugin and
// heals, and patches that Kubernetes takes.
func TestInstallPage(t *testing.T) {
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(readFile(t, "install/README.md"), -1)
	seen := map[string]int{}
	for _, block := range blocks {
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(block[1]), &kind); err != nil {
			t.Fatal(err)
		}
		seen[kind.Kind]++
		switch kind.Kind {
		case "Application":
			checkApplication(t, block[1])
		case "Deployment":
			decode(t, []byte(block[1]))
		case "Kustomization":
		default:
			t.Errorf("an example of kind %q", kind.Kind)
		}
	}
	if diff := cmp.Diff(map[string]int{"Application": 1, "Deployment": 1, "Kustomization": 1}, seen); diff != "" {
		t.Errorf("examples of the page (-want +got):\n%s", diff)
	}
}

func checkApplication(t *testing.T, text string) {
	t.Helper()
	var app struct {
		Spec struct {
			Source struct {
				Plugin struct {
					Name       string `json:"name"`
					Parameters []struct {
						Name   string `json:"name"`
						String string `json:"string"`
					} `json:"parameters"`
				} `json:"plugin"`
			} `json:"source"`
			SyncPolicy struct {
				Automated struct {
					SelfHeal bool `json:"selfHeal"`
				} `json:"automated"`
			} `json:"syncPolicy"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal([]byte(text), &app); err != nil {
		t.Fatal(err)
	}
	if got, want := app.Spec.Source.Plugin.Name, readPluginYAML(t).Metadata.Name; got != want {
		t.Errorf("source.plugin.name is %q, want %q", got, want)
	}
	if !app.Spec.SyncPolicy.Automated.SelfHeal {
		t.Error("selfHeal is not true")
	}
	parameters, err := json.Marshal(app.Spec.Source.Plugin.Parameters)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plugin.Resolve(nil, []string{"ARGOCD_APP_PARAMETERS=" + string(parameters)}); err != nil {
		t.Errorf("the parameters are refused: %v", err)
	}
}
