package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/yaml"
)

// Application is an Application in an API server, and everything that was
// stored of it since it was created: a state that lasts for a moment counts.
type Application struct {
	argocd ArgoCD
	name   string

	mu       sync.Mutex
	versions []*v1alpha1.Application
	ended    error
}

// NewApplication is the example of an Application, for a folder of a git
// repository of the test's and the cluster at server.
func NewApplication(t testing.TB, name, url, path, server string, serverSide bool) *v1alpha1.Application {
	t.Helper()
	const option = "ServerSideApply=true"
	text, err := os.ReadFile(filepath.Join(Root(t), "examples", "argocd-application", "application.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	application := &v1alpha1.Application{}
	if err := yaml.UnmarshalStrict(text, application); err != nil {
		t.Fatal(err)
	}
	policy := application.Spec.SyncPolicy
	if automated := policy.Automated; automated == nil || !automated.Prune || !automated.SelfHeal || !policy.SyncOptions.HasOption(option) {
		t.Fatalf("the example's sync policy is not the one to test: %v", policy)
	}
	application.Name, application.Namespace = name, argocdNamespace
	application.Spec.Source.RepoURL, application.Spec.Source.Path = url, path
	application.Spec.Destination = v1alpha1.ApplicationDestination{Server: server, Namespace: appNamespace}
	if !serverSide {
		policy.SyncOptions = policy.SyncOptions.RemoveOption(option)
	}
	return application
}

// CreateApplication creates an Application and follows it until the test ends.
func (a ArgoCD) CreateApplication(t testing.TB, application *v1alpha1.Application) *Application {
	t.Helper()
	created, err := a.Create(t.Context(), application, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// Until the test's cleanups have seen how it was in the end.
	changes, err := a.Watch(context.WithoutCancel(t.Context()), metav1.ListOptions{
		FieldSelector:   "metadata.name=" + created.Name,
		ResourceVersion: created.ResourceVersion,
	})
	if err != nil {
		t.Fatal(err)
	}
	followed := &Application{argocd: a, name: created.Name, versions: []*v1alpha1.Application{created}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for change := range changes.ResultChan() {
			followed.keep(change)
		}
	}()
	t.Cleanup(func() {
		changes.Stop()
		<-done
	})
	return followed
}

func (a *Application) keep(change watch.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	version, ok := change.Object.(*v1alpha1.Application)
	if !ok || change.Type != watch.Modified {
		a.ended = fmt.Errorf("%s %v", change.Type, change.Object)
		return
	}
	a.versions = append(a.versions, version)
}

// Versions returns what was stored so far, oldest first.
func (a *Application) Versions(t testing.TB) []*v1alpha1.Application {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended != nil {
		t.Fatalf("application %s can no longer be followed: %v", a.name, a.ended)
	}
	return append([]*v1alpha1.Application(nil), a.versions...)
}

// Await waits until the Application's last version is as reached says, and
// returns how many versions there were before it.
func (a *Application) Await(t testing.TB, until time.Time, reached func(*v1alpha1.Application) error) (before int) {
	t.Helper()
	for {
		versions := a.Versions(t)
		last := len(versions) - 1
		err := reached(versions[last])
		if err == nil {
			return last
		}
		if time.Now().After(until) {
			t.Fatalf("application %s: %v\n%s", a.name, err, describe(versions[last]))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Refresh has Argo CD compare the Application now: rendered anew when hard, else
// where git has changed.
func (a *Application) Refresh(t testing.TB, refresh v1alpha1.RefreshType) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"annotations": map[string]any{v1alpha1.AnnotationKeyRefresh: refresh},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.argocd.Patch(t.Context(), a.name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

// syncedTo says whether the Application is what revision holds, and the sync
// operation that brought it there has ended well.
func syncedTo(revision string) func(*v1alpha1.Application) error {
	return func(application *v1alpha1.Application) error {
		status := application.Status
		switch operation := status.OperationState; {
		case status.Sync.Status != v1alpha1.SyncStatusCodeSynced:
			return fmt.Errorf("sync status %q", status.Sync.Status)
		case status.Sync.Revision != revision:
			return fmt.Errorf("compared with revision %s, not %s", status.Sync.Revision, revision)
		case operation == nil || application.Operation != nil:
			return fmt.Errorf("no sync operation has ended")
		case string(operation.Phase) != "Succeeded":
			return fmt.Errorf("sync operation %s: %s", operation.Phase, operation.Message)
		case operation.SyncResult == nil || operation.SyncResult.Revision != revision:
			return fmt.Errorf("the last sync operation is not of revision %s", revision)
		}
		return nil
	}
}

// describe shows what an Application's status says is wrong.
func describe(application *v1alpha1.Application) string {
	status := application.Status
	text := fmt.Sprintf("sync status %s", status.Sync.Status)
	for _, condition := range status.Conditions {
		text += fmt.Sprintf("\ncondition %s: %s", condition.Type, condition.Message)
	}
	if operation := status.OperationState; operation != nil {
		text += fmt.Sprintf("\noperation %s: %s", operation.Phase, operation.Message)
		if operation.SyncResult != nil {
			for _, result := range operation.SyncResult.Resources {
				if result.Status != "Synced" {
					text += fmt.Sprintf("\n%s %s/%s: %s %s", result.Kind, result.Namespace, result.Name, result.Status, result.Message)
				}
			}
		}
	}
	for _, resource := range status.Resources {
		if resource.Status != v1alpha1.SyncStatusCodeSynced {
			text += fmt.Sprintf("\n%s %s/%s: %s", resource.Kind, resource.Namespace, resource.Name, resource.Status)
		}
	}
	return text
}

// await calls ready until it returns no error, for a quarter of a minute.
func await(t testing.TB, otherwise string, ready func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	for {
		err := ready(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: %v", otherwise, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
