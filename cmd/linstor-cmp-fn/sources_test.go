package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// TestSources shows where objects and nodes come from, and who wins.
func TestSources(t *testing.T) {
	const own = "kustomization.yaml"
	sawn := func(path string) []string {
		return []string{"annotations:", "  internal.config.kubernetes.io/path: " + path}
	}
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
	for name, c := range map[string]struct {
		reason string
		files  map[string]string
		env    map[string]string
		config string
		items  []string
		want   map[string][]string
		fault  string // in stderr, of a run that fails
	}{
		"everything in items": {
			reason: "a transformer or a package hands over all objects",
			config: clusterDoc,
			items:  []string{markDoc("one", "items"), nodeDoc("a"), nodeDoc("b")},
			want:   map[string][]string{"a": {"one=items"}, "b": {"one=items"}},
		},
		"copy of the functionConfig": {
			reason: "kustomize hands the configuration of a generator over as an item too, which is no second LinstorCluster",
			config: clusterDoc,
			items:  []string{clusterDoc + "  annotations:\n    config.kubernetes.io/local-config: 'true'\n", nodeDoc("a")},
			want:   map[string][]string{"a": {}},
		},
		"copy that is none": {
			reason: "a LinstorCluster of the same name that says something else is a mistake, not a copy",
			config: clusterDoc,
			items:  []string{clusterDoc + "spec:\n  repository: x\n", nodeDoc("a")},
			fault:  "items[0]: LinstorCluster/linstor is the functionConfig",
		},
		"second cluster": {
			reason: "one installation for one function",
			config: clusterDoc,
			items:  []string{strings.Replace(clusterDoc, "linstor", "other", 1), nodeDoc("a")},
			fault:  "a second LinstorCluster; the first is at functionConfig",
		},
		"files beside the kustomization": {
			reason: "with a LinstorCluster, files of our kinds and nodes.yaml are read, and nothing that kustomize itself reads",
			config: clusterDoc,
			files: map[string]string{
				own:                           "generators: [linstor.yaml]\nresources: [named.yaml, sub]\npatches: [{path: patch.yaml}]\n",
				"linstor.yaml":                clusterDoc,
				"named.yaml":                  markDoc("named", "file"),
				"patch.yaml":                  "kind: LinstorCluster\napiVersion: piraeus.io/v1\n",
				"nodes.yaml":                  nodeDoc("a"),
				"groups/deep/one.yaml":        markDoc("one", "file"),
				"sub/two.yaml":                markDoc("two", "file"),
				"other/kustomization.yaml":    "resources: [three.yaml]\n",
				"other/three.yaml":            markDoc("three", "file"),
				".hidden/four.yaml":           markDoc("four", "file"),
				"charts/templates/chart.yaml": "{{- if .Values.on }}\n",
				"secret.yaml":                 "apiVersion: v1\nkind: Secret\nmetadata: {name: linstor-cmp.io}\n",
			},
			want: map[string][]string{"a": {"one=file"}},
		},
		"the configuration's own document": {
			reason: "where the configuration is inline, a file may hold the same LinstorCluster",
			config: clusterDoc,
			files:  map[string]string{own: "{}", "linstor.yaml": clusterDoc + "spec:\n  repository: old\n", "nodes.yaml": nodeDoc("a")},
			want:   map[string][]string{"a": {}},
		},
		"items from files, no kustomization": {
			reason: "whoever reads files for the function has read them all; its folder may be any",
			config: clusterDoc,
			files:  map[string]string{"one.yaml": markDoc("one", "file")},
			items:  []string{markDoc("two", "item", sawn("pkg/two.yaml")...), nodeDoc("a")},
			want:   map[string][]string{"a": {"two=item"}},
		},
		"kpt package": {
			reason: "a package is its items, whatever folder kpt was called in",
			config: configDoc + "spec: {}\n",
			files:  map[string]string{own: "{}", "linstor.yaml": clusterDoc, "one.yaml": markDoc("one", "file"), "nodes.yaml": nodeDoc("b")},
			items:  []string{kptfile, clusterDoc, markDoc("two", "item"), nodeDoc("a")},
			want:   map[string][]string{"a": {"two=item"}},
		},
		"GeneratorConfig with files": {
			reason: "path is a folder as the command line has it, below the function's own",
			config: configDoc + "spec:\n  path: ./src/\n",
			files:  map[string]string{"src/linstor.yaml": clusterDoc, "src/o/one.yaml": markDoc("one", "file"), "src/nodes.yaml": nodeDoc("a"), "two.yaml": markDoc("two", "file"), "nodes.yaml": nodeDoc("b")},
			want:   map[string][]string{"a": {"one=file"}},
		},
		"GeneratorConfig in its own folder": {
			reason: "the default path is the function's folder",
			config: configDoc,
			files:  map[string]string{own: "generators: [generator.yaml]\n", "generator.yaml": configDoc, "linstor.yaml": clusterDoc, "one.yaml": markDoc("one", "file"), "nodes.yaml": nodeDoc("a")},
			want:   map[string][]string{"a": {"one=file"}},
		},
		"path of a kustomization": {
			reason: "a folder with a kustomization is built, as on the command line",
			config: configDoc + "spec:\n  path: envs/prod\n  nodes: n.yaml\n",
			files: map[string]string{
				own:                            "{}",
				"envs/prod/kustomization.yaml": "resources: [../../base]\nnamePrefix: ''\n",
				"envs/prod/not-listed.yaml":    markDoc("two", "file"),
				"base/kustomization.yaml":      "resources: [all.yaml]\n",
				"base/all.yaml":                clusterDoc + "---\n" + markDoc("one", "built"),
				"n.yaml":                       nodeDoc("a"),
			},
			want: map[string][]string{"a": {"one=built"}},
		},
		"inline items": {
			reason: "spec.items holds what is too small for a file",
			config: configDoc + "spec:\n  items:\n" + "  - " + strings.TrimPrefix(lines("    ", clusterDoc), "    ") + "  - " + strings.TrimPrefix(lines("    ", markDoc("one", "inline")), "    ") + "  - " + strings.TrimPrefix(lines("    ", nodeDoc("a")), "    "),
			want:   map[string][]string{"a": {"one=inline"}},
		},
		"equal doubles": {
			reason: "the same overlay twice is one",
			config: clusterDoc,
			files:  map[string]string{own: "{}", "one.yaml": markDoc("one", "same")},
			items:  []string{markDoc("one", "same", "labels: {a: b}"), nodeDoc("a")},
			want:   map[string][]string{"a": {"one=same"}},
		},
		"different doubles": {
			reason: "of two overlays that differ nobody can say which is meant",
			config: clusterDoc,
			files:  map[string]string{own: "{}", "sub/one.yaml": markDoc("one", "file")},
			items:  []string{markDoc("one", "item"), nodeDoc("a")},
			fault:  "sub/one.yaml:4: LinstorNodeConfiguration/one is also in items[0], and the two differ",
		},
		"item of that file": {
			reason: "an item is the present state of the file that it was read from",
			config: clusterDoc,
			files:  map[string]string{own: "{}", "sub/one.yaml": markDoc("one", "file")},
			items:  []string{markDoc("one", "item", sawn("sub/one.yaml")...), nodeDoc("a")},
			want:   map[string][]string{"a": {"one=item"}},
		},
		"doubles among the items": {
			reason: "two objects of one name in one source are a mistake",
			config: clusterDoc,
			items:  []string{markDoc("one", "item"), markDoc("one", "item"), nodeDoc("a")},
			fault:  "items[1]: LinstorNodeConfiguration/one is already at items[0]\n",
		},
		"Nodes beat nodes.yaml": {
			reason: "what is handed over is nearer than what lies around",
			config: clusterDoc,
			files:  map[string]string{own: "{}", "nodes.yaml": nodeDoc("b")},
			items:  []string{nodeDoc("a")},
			want:   map[string][]string{"a": {}},
		},
		"a setting beats Nodes": {
			reason: "a source that is set comes first, as on the command line",
			config: configDoc + "spec:\n  nodes: n.yaml\n",
			files:  map[string]string{"linstor.yaml": clusterDoc, "n.yaml": nodeDoc("b")},
			items:  []string{nodeDoc("a")},
			want:   map[string][]string{"b": {}},
		},
		"variable": {
			reason: "the variables of the command line count",
			config: clusterDoc,
			files:  map[string]string{"n.yaml": nodeDoc("b")},
			env:    map[string]string{"LINSTOR_CMP_NODES": "n.yaml"},
			want:   map[string][]string{"b": {}},
		},
		"configuration beats variable": {
			reason: "a setting of the configuration is as good as a flag",
			config: configDoc + "spec:\n  nodes: m.yaml\n",
			files:  map[string]string{"linstor.yaml": clusterDoc, "n.yaml": nodeDoc("n"), "m.yaml": nodeDoc("m")},
			env:    map[string]string{"LINSTOR_CMP_NODES": "n.yaml"},
			want:   map[string][]string{"m": {}},
		},
		"NodeList": {
			reason: "a list of nodes is nodes",
			config: clusterDoc,
			items:  []string{"apiVersion: v1\nkind: NodeList\nitems:\n" + "- " + strings.TrimPrefix(lines("  ", nodeDoc("a")), "  ")},
			want:   map[string][]string{"a": {}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, c.files)
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			got := call(t, listDoc(c.config, c.items...))
			if c.fault != "" {
				if got.code != exitFault || !strings.Contains(got.stderr, c.fault) {
					t.Errorf("%s\nexit %d, and stderr lacks %q:\n%s", c.reason, got.code, c.fault, got.stderr)
				}
				return
			}
			if got.code != exitDone {
				t.Fatalf("%s\nexit %d:\n%s", c.reason, got.code, got.stderr)
			}
			if diff := cmp.Diff(c.want, got.satellites()); diff != "" {
				t.Errorf("%s\nsatellites and their marks (-want +got):\n%s\n%s", c.reason, diff, got.stderr)
			}
		})
	}
}
