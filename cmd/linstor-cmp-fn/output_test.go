package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPassThrough asks that items of others go on as they are, to the letter,
// in their order, and that ours do not.
func TestPassThrough(t *testing.T) {
	const foreign = `apiVersion: config.kubernetes.io/v1beta1
kind: ResourceList
items:
- # what this is for
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: z # last, and first
    annotations:
      config.kubernetes.io/index: '3'
      internal.config.kubernetes.io/index: '3'
      internal.config.kubernetes.io/path: 'deep/z.yaml'
      internal.config.kubernetes.io/id: '1'
      kustomize.config.k8s.io/id: |
        kind: ConfigMap
        name: z
  data:
    mode: 0644
    on: "yes"
    big: 12345678901234567890
    folded: >-
      some words

      and more
    list: &list [a, 'b', "c"]
    again: *list
- {apiVersion: example.com/v1, kind: Odd, metadata: {name: flow}, none: null} # odd
`
	const ours = `- apiVersion: linstor-cmp.io/v1alpha1
  kind: LinstorNodeConfiguration
  metadata: {name: one}
- apiVersion: v1
  kind: Node
  metadata: {name: a}
- apiVersion: linstor-cmp.io/v1alpha1
  kind: GeneratorConfig
  metadata: {name: of-another-function}
`
	const after = `- apiVersion: v1
  kind: Secret
  metadata:
    name: local
    annotations: {config.kubernetes.io/local-config: "true"}
`
	const config = `functionConfig:
  apiVersion: piraeus.io/v1
  kind: LinstorCluster
  metadata:
    name: linstor # mine
`
	inFolder(t, nil)
	got := call(t, strings.Replace(foreign, "none: null", "none: ", 1)+ours+after+config+"results:\n- message: of a function before\n  severity: info\n")
	if got.code != exitDone {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	if !strings.HasPrefix(got.stdout, foreign+after) {
		t.Errorf("items (-want +got):\n%s", cmp.Diff(foreign+after, got.stdout[:min(len(got.stdout), len(foreign+after))]))
	}
	if !strings.Contains(got.stdout, "\n"+config+"results:\n- message: of a function before\n  severity: info\n") {
		t.Errorf("the functionConfig or the results are not what they were:\n%s", got.stdout[len(got.stdout)-500:])
	}
	for _, title := range got.titles() {
		if strings.HasPrefix(title, "Linstor") || strings.HasPrefix(title, "Node/") || strings.HasPrefix(title, "GeneratorConfig") {
			t.Errorf("%s is passed on", title)
		}
	}
}

// TestPositions asks that everything generated says where in a package it
// belongs, and nothing to two places.
func TestPositions(t *testing.T) {
	inFolder(t, nil)
	got := call(t, listDoc(clusterDoc, nodeDoc("cluster"), nodeDoc("b.c")))
	if got.code != exitDone {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	files := map[string]bool{}
	taken := map[string]string{}
	for i, item := range got.Items {
		annotations, _ := at(item, "metadata", "annotations").(map[string]any)
		title := got.titles()[i]
		path, index := annotations["internal.config.kubernetes.io/path"], annotations["internal.config.kubernetes.io/index"]
		if path != annotations["config.kubernetes.io/path"] || index != annotations["config.kubernetes.io/index"] || path == nil || index == nil {
			t.Errorf("%s: annotations %v", title, annotations)
		}
		place := fmt.Sprintf("%v %v", path, index)
		if other := taken[place]; other != "" {
			t.Errorf("%s and %s are both at %s", title, other, place)
		}
		taken[place] = title
		files[fmt.Sprint(path)] = true
	}
	if diff := cmp.Diff([]string{"linstor-cmp/b.c.yaml", "linstor-cmp/cluster.yaml"}, sortedKeys(files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestPackage runs the function again and again on what it gave before, as kpt
// does: its input stays, its output is replaced, and what it no longer makes
// stays with a warning.
func TestPackage(t *testing.T) {
	inFolder(t, nil)
	file := func(doc, path string, more ...string) string {
		doc = strings.TrimSuffix(doc, "\n") + "\n"
		head := "metadata:\n  annotations:\n    internal.config.kubernetes.io/path: " + path + "\n" + lines("    ", more...)
		return strings.Replace(doc, "metadata:\n", head, 1)
	}
	local := "config.kubernetes.io/local-config: 'true'"
	first := listDoc(clusterDoc,
		file(clusterDoc, "linstor.yaml", local), file(markDoc("one", "x"), "one.yaml"), file(nodeDoc("a"), "nodes.yaml", local), nodeDoc("b"))

	once := call(t, first)
	if diff := cmp.Diff([]string{"LinstorCluster/linstor", "Node/a"}, once.titles()[:2]); once.code != exitDone || diff != "" {
		t.Fatalf("exit %d: what is marked as local and has a file stays, and nothing else of ours (-want +got):\n%s\n%s", once.code, diff, once.stderr)
	}

	inPackage := strings.Replace(first, "items:\n", "items:\n- apiVersion: kpt.dev/v1\n  kind: Kptfile\n  metadata: {name: p}\n", 1)
	once = call(t, inPackage)
	if diff := cmp.Diff([]string{"Kptfile/p", "LinstorCluster/linstor", "LinstorNodeConfiguration/one", "Node/a"}, once.titles()[:4]); once.code != exitDone || diff != "" {
		t.Fatalf("exit %d: every file of a kpt package stays (-want +got):\n%s\n%s", once.code, diff, once.stderr)
	}

	// Node b had no file, so it is not in the package any more.
	again := call(t, once.stdout)
	if again.code != exitDone || !strings.Contains(again.stderr, "warning: 4 items of an earlier run are not generated any more") {
		t.Errorf("exit %d: the objects of node b\n%s", again.code, again.stderr)
	}
	sorted := func(o outcome) []string { return slices.Sorted(slices.Values(o.titles())) }
	if diff := cmp.Diff(sorted(once), sorted(again)); diff != "" {
		t.Errorf("the second run (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(again.Items, call(t, again.stdout).Items); diff != "" {
		t.Errorf("a third run gives something else (-second +third):\n%s", diff)
	}
}

// TestSameObject asks that an object is never there twice: neither from the
// items and a file, nor from the items and the generator.
func TestSameObject(t *testing.T) {
	const class = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: fast\nprovisioner: x\n"
	files := map[string]string{"linstor.yaml": clusterDoc, "class.yaml": class, "nodes.yaml": nodeDoc("a")}
	for name, c := range map[string]struct {
		item  string
		fault string
	}{
		"equal":         {item: class + "# the same, with a comment\n"},
		"different":     {item: class + "reclaimPolicy: Retain\n", fault: "items[0]: StorageClass/fast is among the items"},
		"generated one": {item: "apiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  name: linstor-satellite-a\n  namespace: piraeus-datastore\n", fault: "items[0]: DaemonSet/linstor-satellite-a is among the items"},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, files)
			got := call(t, listDoc(configDoc, c.item))
			if c.fault != "" {
				if got.code != exitFault || !strings.Contains(got.stderr, c.fault) {
					t.Errorf("exit %d, and stderr lacks %q:\n%s", got.code, c.fault, got.stderr)
				}
				return
			}
			titles := got.titles()
			count := len(slices.DeleteFunc(slices.Clone(titles), func(s string) bool { return s != "StorageClass/fast" }))
			if got.code != exitDone || count != 1 || titles[0] != "StorageClass/fast" {
				t.Errorf("exit %d, StorageClass/fast is there %d times: %v\n%s", got.code, count, titles, got.stderr)
			}
		})
	}
}
