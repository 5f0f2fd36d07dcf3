package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// checkSteady checks what came of the installation: all that is rendered and
// nothing else, in one operation, and nothing since.
func (i *installation) checkSteady(t *testing.T) {
	t.Log(i.reason)
	versions := i.application.Versions(t)
	last := versions[len(versions)-1]
	var want, got []string
	for _, object := range i.objects {
		want = append(want, object.ID())
	}
	for _, resource := range last.Status.Resources {
		// Argo CD's own doing, for the labels that the example asks for.
		if resource.Kind != "Namespace" {
			got = append(got, resourceID(resource))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the Application's objects (-rendered +synced):\n%s", diff)
	}
	if operations := len(last.Status.History); operations != 1 {
		t.Errorf("%d sync operations, want 1", operations)
	}
	if compared := steady(t, versions[i.synced:], nil); compared < 3 {
		t.Errorf("compared only %d times", compared)
	}
}

// steady reports what happened to an Application that had nothing left to do:
// objects out of sync (but those in left), operations, conditions, whether they
// lasted or not. It returns how often Argo CD compared it.
func steady(t *testing.T, versions []*v1alpha1.Application, left []string) (compared int) {
	t.Helper()
	faults := map[string]bool{}
	comparisons := map[string]bool{}
	for _, version := range versions {
		status := version.Status
		comparisons[fmt.Sprint(status.ReconciledAt)] = true
		if status.Sync.Status != v1alpha1.SyncStatusCodeSynced {
			faults[fmt.Sprintf("sync status %s", status.Sync.Status)] = true
		}
		for _, resource := range status.Resources {
			if resource.Status == v1alpha1.SyncStatusCodeOutOfSync && slices.Contains(left, resourceID(resource)) && resource.RequiresPruning {
				continue
			}
			if resource.Status != v1alpha1.SyncStatusCodeSynced {
				faults[fmt.Sprintf("%s: %s", resourceID(resource), resource.Status)] = true
			}
		}
		for _, condition := range status.Conditions {
			faults[fmt.Sprintf("condition %s: %s", condition.Type, condition.Message)] = true
		}
		first := versions[0].Status.OperationState
		// Neither state nor operation is there for a moment when one begins.
		if operation := status.OperationState; version.Operation != nil || operation == nil || !operation.StartedAt.Equal(&first.StartedAt) {
			faults["another sync operation"] = true
		}
	}
	if len(faults) > 0 {
		report(t, "not steady", slices.Sorted(maps.Keys(faults)))
	}
	return len(comparisons)
}

// explain logs, of a test that failed, which fields of objects that are out of
// sync are not as they were rendered. It is for the end of the test.
func (i *installation) explain(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	rendered := map[string]Object{}
	for _, object := range i.objects {
		rendered[object.ID()] = object
	}
	applier := NewApplier(t, i.cluster)
	versions := i.application.Versions(t)
	for _, resource := range versions[len(versions)-1].Status.Resources {
		object, found := rendered[resourceID(resource)]
		if !found || resource.Status == v1alpha1.SyncStatusCodeSynced {
			continue
		}
		stored, err := applier.stored(ctx, object)
		if err != nil {
			t.Log(err)
			continue
		}
		t.Logf("%s of %s is out of sync:\n%s", object.ID(), i.name,
			strings.Join(differences("", map[string]any(object), stored.Object), "\n"))
	}
}

func resourceID(resource v1alpha1.ResourceStatus) string {
	version := schema.GroupVersion{Group: resource.Group, Version: resource.Version}
	return fmt.Sprintf("%s %s %s/%s", version, resource.Kind, resource.Namespace, resource.Name)
}

// changeNodes commits a node file in which one node has gone and another has
// come. The new one's objects arrive; the gone one's stay, because a satellite
// is not to vanish by a slip in git, and block nothing.
func (i *installation) changeNodes(t *testing.T) {
	const gone, come = "worker-2", "worker-3"
	nodes := filepath.Join(i.folder, "app", "nodes.yaml")
	text, err := os.ReadFile(nodes)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, nodes, strings.ReplaceAll(string(text), gone, come))
	before := i.objects
	i.objects = i.rendered(t)
	left, arrived := onlyIn(before, i.objects), onlyIn(i.objects, before)
	if satellites(left) != 1 || satellites(arrived) != 1 {
		t.Fatalf("%d satellites go and %d come, want 1 and 1", satellites(left), satellites(arrived))
	}

	_, revision := GitRepository(t, i.folder)
	committed := time.Now()
	i.application.Refresh(t, v1alpha1.RefreshTypeNormal)
	synced := i.application.Await(t, committed.Add(30*time.Second), syncedTo(revision))
	t.Logf("in sync %s after the commit", time.Since(committed).Round(time.Second))
	i.application.Refresh(t, v1alpha1.RefreshTypeHard)
	time.Sleep(5 * time.Second)

	versions := i.application.Versions(t)
	var names []string
	for _, object := range left {
		names = append(names, object.ID())
	}
	steady(t, versions[synced:], names)
	pruning := map[string]bool{}
	for _, resource := range versions[len(versions)-1].Status.Resources {
		pruning[resourceID(resource)] = resource.RequiresPruning
	}
	for _, object := range left {
		if !pruning[object.ID()] {
			t.Errorf("%s is not known as what git no longer has", object.ID())
		}
	}
	i.checkStored(t, append(left, arrived...))
}

// checkStored checks that the cluster has the objects, and for good: without
// Kubernetes' garbage collector, one that Argo CD has deleted is still there.
func (i *installation) checkStored(t *testing.T, objects []Object) {
	t.Helper()
	applier := NewApplier(t, i.cluster)
	for _, object := range objects {
		stored, err := applier.stored(t.Context(), object)
		switch {
		case err != nil:
			t.Errorf("%s: %v", object.ID(), err)
		case stored.GetDeletionTimestamp() != nil:
			t.Errorf("%s is deleted", object.ID())
		}
	}
}

// onlyIn returns the objects of one set that another has not.
func onlyIn(one, other []Object) []Object {
	has := map[string]bool{}
	for _, object := range other {
		has[object.ID()] = true
	}
	return slices.DeleteFunc(slices.Clone(one), func(object Object) bool { return has[object.ID()] })
}

// satellites returns how many of the objects are a satellite's.
func satellites(objects []Object) (found int) {
	for _, object := range objects {
		labels, _ := object.meta("labels").(map[string]any)
		if object["kind"] == "DaemonSet" && labels["app.kubernetes.io/component"] == "linstor-satellite" {
			found++
		}
	}
	return found
}
