package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"k8s.io/client-go/rest"
)

const (
	// syncWithin is how long the first sync may take.
	syncWithin = 90 * time.Second
	// steadyFor is how long nothing may happen after it.
	steadyFor = time.Minute
)

// installation is a full installation that Argo CD brings to a cluster.
type installation struct {
	name       string
	reason     string
	tracking   string // Argo CD's method, "" is its default
	serverSide bool
	source     func(t *testing.T, folder string)
	change     bool // whether its nodes change in the end

	folder      string // the repository
	revision    string
	objects     []Object // what is rendered of it
	cluster     *rest.Config
	application *Application
	synced      int // number of the version that was the first in sync
}

// Argo CD brings a full installation to Synced, with one operation, and has
// nothing more to do afterwards: what we render is what it compares as equal,
// however it applies and tracks it. Each installation has a cluster of its own;
// every two choices of what, how applied and how tracked meet in one of them.
func TestSyncedAndStaysSo(t *testing.T) {
	installations := []*installation{
		{
			name: "minimal, server-side, by label", source: minimal, serverSide: true, change: true,
			reason: "what somebody has who follows the examples with Argo CD as it comes",
		},
		{
			name: "everything, client-side, by label", source: everything,
			reason: "every field that we write is compared with the last-applied annotation",
		},
		{
			name: "minimal, client-side, by annotation", source: minimal, tracking: "annotation", change: true,
			reason: "removed nodes are found by annotation too",
		},
		{
			name: "everything, server-side, by annotation", source: everything, tracking: "annotation", serverSide: true,
			reason: "every field that we write is compared with its managed fields",
		},
	}
	install(t, installations)

	created := time.Now()
	for _, i := range installations {
		i.synced = i.application.Await(t, created.Add(syncWithin), syncedTo(i.revision))
	}
	t.Logf("all in sync %s after they were created", time.Since(created).Round(time.Second))

	time.Sleep(steadyFor / 2)
	for _, i := range installations {
		i.application.Refresh(t, v1alpha1.RefreshTypeHard)
	}
	time.Sleep(steadyFor / 2)
	for _, i := range installations {
		t.Run(i.name, func(t *testing.T) { i.checkSteady(t) })
	}
	for _, i := range installations {
		if i.change {
			t.Run(i.name+", other nodes", func(t *testing.T) { i.changeNodes(t) })
		}
	}
}

// install makes the installations' clusters and repositories, an Argo CD for
// each tracking method, and last the Applications.
func install(t *testing.T, installations []*installation) {
	t.Helper()
	plugin := StartPluginServer(t, pluginName, pluginYAML(t))
	renderer := StartRenderer(t, plugin.Sockets)
	argocds := map[string]ArgoCD{}
	var create []func()
	for number, i := range installations {
		i.folder = t.TempDir()
		i.source(t, filepath.Join(i.folder, "app"))
		url, revision := GitRepository(t, i.folder)
		i.revision = revision
		i.cluster = StartAPIServer(t)
		i.objects = i.rendered(t)
		defineOthers(t, i.cluster, i.objects)
		home, found := argocds[i.tracking]
		if !found {
			home = StartArgoCD(t, i.cluster, renderer, i.tracking)
			argocds[i.tracking] = home
		}
		name := fmt.Sprintf("linstor-%d", number)
		home.AddCluster(t, name, i.cluster)
		application := NewApplication(t, name, url, "app", i.cluster.Host, i.serverSide)
		create = append(create, func() {
			i.application = home.CreateApplication(t, application)
			t.Cleanup(func() {
				if t.Failed() {
					i.explain(t)
				}
			})
		})
	}
	for _, f := range create {
		f()
	}
}

// minimal is the example of the least that is an installation.
func minimal(t *testing.T, folder string) {
	t.Helper()
	copyTree(t, filepath.Join(Root(t), "examples", "minimal", "app"), folder)
}

// everything is the generator's own case with all of the cluster-wide things,
// and all that a node can have.
func everything(t *testing.T, folder string) {
	t.Helper()
	from := filepath.Join(Root(t), "generator", "testdata", "everything-switched-on")
	copyFile(t, filepath.Join(from, "in.yaml"), filepath.Join(folder, "linstor.yaml"))
	copyFile(t, filepath.Join(from, "nodes.yaml"), filepath.Join(folder, "nodes.yaml"))
	copyTree(t, filepath.Join("testdata", "everything"), filepath.Join(folder, "overlays"))
}

// rendered is what Argo CD is to make of the installation.
func (i *installation) rendered(t *testing.T) []Object {
	t.Helper()
	return Generate(t, filepath.Join(i.folder, "app"), nil, "--namespace", appNamespace, "--kube-version", "1.34.4")
}

// defineOthers teaches the API server the objects' kinds that it does not know.
func defineOthers(t *testing.T, config *rest.Config, objects []Object) {
	t.Helper()
	applier := NewApplier(t, config)
	for _, object := range objects {
		if _, err := applier.resource(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
}
