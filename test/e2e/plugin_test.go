package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	repoclient "github.com/argoproj/argo-cd/v2/reposerver/apiclient"
	"sigs.k8s.io/yaml"
)

const pluginName = "linstor-cmp"

// The plugin as most people install it: Argo CD's own server in the sidecar, our
// plugin.yaml, and the command.
func TestClassicPluginDirect(t *testing.T) {
	server := StartPluginServer(t, pluginName, pluginYAML(t))
	root, apps := Examples(t)

	for _, app := range apps {
		t.Run(app, func(t *testing.T) {
			want := Generate(t, filepath.Join(root, app), nil, "--namespace", appNamespace)
			manifests, err := server.Generate(t, root, app, requestEnv(t, app, nil))
			if err != nil {
				t.Fatal(err)
			}
			Compare(t, want, fromManifests(t, manifests))
		})
	}

	first := apps[0]
	parameters := v1alpha1.ApplicationSourcePluginParameters{stringParameter("namespace", "from-a-parameter")}

	t.Run("parameters arrive", func(t *testing.T) {
		want := Generate(t, filepath.Join(root, first), nil, "--namespace", "from-a-parameter")
		manifests, err := server.Generate(t, root, first, requestEnv(t, first, parameters))
		if err != nil {
			t.Fatal(err)
		}
		Compare(t, want, fromManifests(t, manifests))
	})

	t.Run("parameters are announced", func(t *testing.T) {
		announced := map[string]bool{}
		for _, parameter := range server.Parameters(t, root, first, announcementEnv(t, first)) {
			announced[parameter.Name] = true
		}
		static, dynamic := ownParameters(t, filepath.Join(root, first))
		for _, name := range append(append(static, dynamic...), "namespace") {
			if !announced[name] {
				t.Errorf("parameter %s is not announced", name)
			}
		}
	})

	t.Run("an error is readable", func(t *testing.T) {
		broken, _ := Examples(t)
		writeFile(t, filepath.Join(broken, first, "overlays", "broken.yaml"), strings.Join([]string{
			"apiVersion: linstor-cmp.io/v1alpha1",
			"kind: LinstorNodeConfiguration",
			"metadata:",
			"  name: broken",
			"spec:",
			"  nodeSelectorTrems: []",
		}, "\n")+"\n")
		_, err := server.Generate(t, broken, first, requestEnv(t, first, nil))
		if err == nil {
			t.Fatal("an overlay with a misspelt field renders")
		}
		text := err.Error()
		if !regexp.MustCompile(`error: overlays/broken\.yaml:6\b`).MatchString(text) || !strings.Contains(text, "nodeSelectorTrems") {
			t.Errorf("the message names neither place nor field: %s", text)
		}
		if len(text) >= 1024 {
			t.Errorf("the message has %d bytes, too many to show: %s", len(text), text)
		}
	})
}

func pluginYAML(t testing.TB) string {
	t.Helper()
	return filepath.Join(Root(t), "plugin", "plugin.yaml")
}

// requestEnv is what a repository server sends for GenerateManifest.
func requestEnv(t testing.TB, app string, parameters v1alpha1.ApplicationSourcePluginParameters) []string {
	t.Helper()
	given, err := parameters.Environ()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{
		"ARGOCD_APP_NAME=" + app,
		"ARGOCD_APP_NAMESPACE=" + appNamespace,
		"ARGOCD_APP_REVISION=0123456789012345678901234567890123456789",
		"ARGOCD_APP_SOURCE_REPO_URL=https://git.example.net/clusters.git",
		"ARGOCD_APP_SOURCE_PATH=" + app,
		"ARGOCD_APP_SOURCE_TARGET_REVISION=main",
		"KUBE_VERSION=1.34.4",
		"KUBE_API_VERSIONS=v1,apps/v1",
	}, given...)
}

// announcementEnv is what a repository server sends for
// GetParametersAnnouncement: neither namespace nor revision nor Kubernetes.
func announcementEnv(t testing.TB, app string) []string {
	t.Helper()
	return []string{
		"ARGOCD_APP_NAME=" + app,
		"ARGOCD_APP_SOURCE_REPO_URL=https://git.example.net/clusters.git",
		"ARGOCD_APP_SOURCE_PATH=" + app,
		"ARGOCD_APP_SOURCE_TARGET_REVISION=main",
		"ARGOCD_APP_PARAMETERS=null",
	}
}

func stringParameter(name, value string) v1alpha1.ApplicationSourcePluginParameter {
	return v1alpha1.ApplicationSourcePluginParameter{Name: name, String_: &value}
}

// ownParameters returns the names that our plugin.yaml gives and that its
// command prints for the application in folder app; there must be both.
func ownParameters(t testing.TB, app string) (static, dynamic []string) {
	t.Helper()
	text, err := os.ReadFile(pluginYAML(t))
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Spec struct {
			Parameters struct {
				Static  []struct{ Name string }
				Dynamic struct{ Command, Args []string }
			}
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	parameters := config.Spec.Parameters
	for _, parameter := range parameters.Static {
		static = append(static, parameter.Name)
	}
	command := append(parameters.Dynamic.Command, parameters.Dynamic.Args...)
	if len(static) == 0 || len(command) == 0 {
		t.Fatalf("plugin.yaml: %d static parameters, dynamic command %q; want both", len(static), command)
	}
	env := Env(t, announcementEnv(t, filepath.Base(app))...)
	var printed []repoclient.ParameterAnnouncement
	output := MustRun(t, app, env, Binary(t, command[0]), command[1:]...)
	if err := json.Unmarshal(output, &printed); err != nil {
		t.Fatalf("%q: %v\n%s", command, err, output)
	}
	for _, parameter := range printed {
		dynamic = append(dynamic, parameter.Name)
	}
	return static, dynamic
}

func fromManifests(t testing.TB, manifests []string) []Object {
	t.Helper()
	return FromJSON(t, []byte(strings.Join(manifests, "\n")))
}
