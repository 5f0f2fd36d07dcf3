package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	repoclient "github.com/argoproj/argo-cd/v2/reposerver/apiclient"
)

const (
	trackingAnnotation = "argocd.argoproj.io/tracking-id"
	trackingLabel      = "app.kubernetes.io/instance"
)

// An Application whose source is a git repository and whose plugin is ours, all
// the way through the repository server: our objects and its tracking.
func TestThroughRepoServer(t *testing.T) {
	server := StartPluginServer(t, pluginName, pluginYAML(t))
	client := StartRepoServer(t, server.Sockets)
	root, apps := Examples(t)
	app := apps[0]
	want := Generate(t, filepath.Join(root, app), nil, "--namespace", "from-a-parameter")
	url, revision := GitRepository(t, root)

	for _, test := range []struct {
		tracking, field, key, value string
	}{
		{"annotation", "annotations", trackingAnnotation, "e2e:"},
		{"label", "labels", trackingLabel, "e2e"},
	} {
		t.Run("tracked by "+test.tracking, func(t *testing.T) {
			response, err := client.GenerateManifest(t.Context(), &repoclient.ManifestRequest{
				Repo:               &v1alpha1.Repository{Repo: url},
				Revision:           revision,
				NoCache:            true,
				AppName:            "e2e",
				AppLabelKey:        trackingLabel,
				TrackingMethod:     test.tracking,
				Namespace:          appNamespace,
				ProjectName:        "default",
				ProjectSourceRepos: []string{"*"},
				KubeVersion:        "1.34.4",
				ApiVersions:        []string{"v1", "apps/v1"},
				ApplicationSource: &v1alpha1.ApplicationSource{
					RepoURL:        url,
					Path:           app,
					TargetRevision: "main",
					Plugin: &v1alpha1.ApplicationSourcePlugin{
						Name: pluginName,
						Parameters: v1alpha1.ApplicationSourcePluginParameters{
							stringParameter("namespace", "from-a-parameter"),
						},
					},
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if response.SourceType != string(v1alpha1.ApplicationSourceTypePlugin) {
				t.Errorf("rendered as %s, not by the plugin", response.SourceType)
			}
			got := fromManifests(t, response.Manifests)
			for _, object := range got {
				removeTracking(t, object, test.field, test.key, test.value)
			}
			Compare(t, want, got)
		})
	}
}

// removeTracking takes out what Argo CD has put on every object, and what was
// not there before with it.
func removeTracking(t *testing.T, object Object, field, key, prefix string) {
	t.Helper()
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata[field].(map[string]any)
	if value, _ := entries[key].(string); !strings.HasPrefix(value, prefix) {
		t.Errorf("%s: %s %s is %q", object.ID(), field, key, value)
	}
	delete(entries, key)
	if len(entries) == 0 {
		delete(metadata, field)
	}
}
