package overlays

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each input has one fault; the error has its line and says what is wrong.
func TestFaultsHaveTheirPlace(t *testing.T) {
	lsc := "apiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfiguration\nmetadata: {name: s}\nspec:\n  "
	for _, c := range []struct{ reason, text, want string }{
		{"a typo in a kind must not vanish", clusterText + "apiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfig\nmetadata: {name: a}", "in.yaml:7: there is no kind LinstorSatelliteConfig of piraeus.io/v1"},
		{"a kind of another version", clusterText + "apiVersion: piraeus.io/v2\nkind: LinstorCluster\nmetadata: {name: a}", "there is no kind LinstorCluster of piraeus.io/v2"},
		{"an unknown field", clusterText + lsc + "nodeSelektor: {}", `in.yaml:10: unknown field "nodeSelektor" in spec`},
		{"duplicate keys", clusterText + lsc + "nodeSelector: {a: b}\n  nodeSelector: {c: d}", `in.yaml:11: duplicate key "nodeSelector", first on line 10`},
		{"a mapping for a text", clusterText + lsc + "nodeSelector: {matchLabels: {a: b}}", "in.yaml:10: spec.nodeSelector.matchLabels: want a text, found a mapping"},
		{"a number for a text", clusterText + lsc + "nodeSelector: {a: 5}", "in.yaml:10: spec.nodeSelector.a: want a text, found the number 5"},
		{"no name", clusterText + "apiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfiguration\nspec: {}", "metadata.name: every object needs a name"},
		{"a second cluster", clusterText + clusterText, "in.yaml:6: a second LinstorCluster; the first is at in.yaml:1"},
		{"no cluster", lsc + "nodeSelector: {}", "there is no LinstorCluster"},
		{"two of one name", clusterText + lsc + "podTemplate: {}\n---\n" + lsc + "podTemplate: {}", "LinstorSatelliteConfiguration/s is already at in.yaml:6"},
		{"a document that is no object", clusterText + "just: text", "in.yaml:6: this document is no Kubernetes object"},
		{"a scalar document", clusterText + "hello", "in.yaml:6: this document is no Kubernetes object"},
		{"YAML that is none", clusterText + "a: [", "not YAML"},
		{"an alias bomb", clusterText + "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]", "expands to more than"},
		{"an alias in itself", clusterText + "a: &a [*a]", "nested more than"},
		{"a pool of two kinds", clusterText + lsc + "storagePools: [{name: abc, filePool: {}, lvmPool: {}}]", "needs exactly one of"},
		{"a pool of no kind", clusterText + lsc + "storagePools: [{name: abc}]", "needs exactly one of"},
		{"a pool with a short name", clusterText + lsc + "storagePools: [{name: ab, filePool: {}}]", "no name of a storage pool"},
		{"a device twice", clusterText + lsc + "storagePools: [{name: abc, lvmPool: {}, source: {hostDevices: [/dev/a, /dev/a]}}]", "device /dev/a is used twice"},
		{"a device that is none", clusterText + lsc + "storagePools: [{name: abc, lvmPool: {}, source: {hostDevices: [/dev/../etc]}}]", "want a clean path below /dev/"},
		{"a file pool with a source", clusterText + lsc + "storagePools: [{name: abc, filePool: {}, source: {hostDevices: [/dev/a]}}]", "takes no source"},
		{"a directory that is not clean", clusterText + lsc + "storagePools: [{name: abc, filePool: {directory: /a/../b}}]", "absolute, clean path"},
		{"a property with two sources", clusterText + lsc + "properties: [{name: a, value: b, valueFrom: {nodeFieldRef: metadata.name}}]", "exactly one of value"},
		{"a wildcard in valueFrom", clusterText + lsc + "properties: [{name: a, valueFrom: {nodeFieldRef: \"metadata.labels['a*']\"}}]", "use expandFrom"},
		{"a field that a node has not", clusterText + lsc + "properties: [{name: a, valueFrom: {nodeFieldRef: status.phase}}]", "no field of a node"},
		{"nameTemplate and delimiter", clusterText + lsc + "properties: [{name: a, expandFrom: {nodeFieldRef: metadata.labels, nameTemplate: $1, delimiter: x}}]", "not both"},
		{"an unknown deletion policy", clusterText + lsc + "deletionPolicy: Keep", "want one of Evacuate, Retain, Delete"},
		{"a patch with neither text nor path", clusterText + lsc + "patches: [{target: {kind: X}}]", "needs a patch or a path"},
		{"a patch file outside", clusterText + lsc + "patches: [{path: ../../etc/passwd, target: {kind: X}}]", "outside the application path"},
		{"an unknown option", clusterText + lsc + "patches: [{patch: 'a: b', options: {alowNoMatch: true}}]", "allowNoMatch"},
		{"a bad regular expression of an OS", clusterText + "apiVersion: linstor-cmp.io/v1alpha1\nkind: LinstorImageConfiguration\nmetadata: {name: i}\nspec: {components: {linstor-satellite: {match: [{osImage: '('}]}}}", "no regular expression"},
		{"an invalid operator of the cluster", strings.Replace(clusterText, "spec: {}", "spec: {nodeAffinity: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Is}]}]}}", 1), "spec.nodeAffinity.nodeSelectorTerms[0].matchExpressions[0].operator"},
		{"a text that would pass for a placeholder", clusterText + lsc + `podTemplate: {metadata: {annotations: {a: "\uFDD0"}}}`, "U+FDD0"},
		{"a kustomization below the root", clusterText + "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []", "is not built"},
	} {
		_, err := readText(t, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v", c.reason, c.want, err)
		}
	}
}

func TestFaultsComeTogether(t *testing.T) {
	_, err := readText(t, "apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: c}\nspec: {nodeSelektor: {}, repository: 5}\n---\napiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfiguration\nmetadata: {name: s}\nspec: {storagePools: [{name: x}]}\n")
	if got := len(asProblems(err).Errors()); got < 4 {
		t.Errorf("want all faults at once, got %d: %v", got, err)
	}
}

func TestOrderOfOverlays(t *testing.T) {
	in, err := readText(t, clusterText+`
apiVersion: piraeus.io/v1
kind: LinstorSatelliteConfiguration
metadata: {name: b}
---
apiVersion: linstor-cmp.io/v1alpha1
kind: LinstorNodeConfiguration
metadata: {name: z}
spec: {priority: -1}
---
apiVersion: linstor-cmp.io/v1alpha1
kind: LinstorNodeConfiguration
metadata: {name: a}
spec: {priority: 1}
---
apiVersion: piraeus.io/v1
kind: LinstorSatelliteConfiguration
metadata: {name: B}
`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range in.Overlays {
		names = append(names, o.Name)
	}
	if diff := cmp.Diff([]string{"z", "B", "b", "a"}, names); diff != "" {
		t.Errorf("priority, then name bytewise: %s", diff)
	}
}

func TestPassThrough(t *testing.T) {
	in, err := readText(t, clusterText+`
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: sc}
parameters: {big: "9007199254740993", n: 9007199254740993}
---
apiVersion: v1
kind: Node
metadata: {name: n}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: local, annotations: {config.kubernetes.io/local-config: "true"}}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Namespace, metadata: {name: ns}}
- {apiVersion: v1, kind: Node, metadata: {name: m}}
`)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []any
	for _, o := range in.Objects {
		kinds = append(kinds, o.Value["kind"])
	}
	if diff := cmp.Diff([]any{"StorageClass", "Namespace"}, kinds); diff != "" {
		t.Error(diff)
	}
	if n := in.Objects[0].Value["parameters"].(map[string]any)["n"]; n != int64(9007199254740993) {
		t.Errorf("an integer lost digits: %v", n)
	}
}

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const lscWithPath = "apiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfiguration\nmetadata: {name: s}\nspec:\n  patches: [{path: PATH, target: {kind: DaemonSet}}]\n"

func TestLoad(t *testing.T) {
	secret := filepath.Join(write(t, map[string]string{"secret.yaml": "- {op: remove, path: /a}"}), "secret.yaml")
	for _, c := range []struct {
		reason string
		files  map[string]string
		links  map[string]string
		want   string // an error; empty: none
	}{
		{"files below dots are left out", map[string]string{"c.yaml": clusterText, ".github/x.yml": "on: push", ".argocd-source.yaml": "a: b"}, nil, ""},
		{"a patch file beside the overlay is no document", map[string]string{"c.yaml": clusterText, "o/s.yaml": strings.ReplaceAll(lscWithPath, "PATH", "p/x.yaml"), "o/p/x.yaml": "- {op: remove, path: /a}"}, nil, ""},
		{"a patch file above it", map[string]string{"c.yaml": clusterText, "o/s.yaml": strings.ReplaceAll(lscWithPath, "PATH", "../x.yaml"), "x.yaml": "- {op: remove, path: /a}"}, nil, ""},
		{"a patch file that is not there", map[string]string{"c.yaml": clusterText, "s.yaml": strings.ReplaceAll(lscWithPath, "PATH", "x.yaml")}, nil, "s.yaml:5: the patch file x.yaml"},
		{"a link out of the application path", map[string]string{"c.yaml": clusterText, "s.yaml": strings.ReplaceAll(lscWithPath, "PATH", "x.txt")}, map[string]string{"x.txt": secret}, "the patch file x.txt"},
		{"a linked document", map[string]string{"c.yaml": clusterText}, map[string]string{"x.yaml": secret}, "x.yaml: cannot read"},
		{"with a kustomization only its result is input", map[string]string{"kustomization.yaml": "resources: [a.yaml]", "a.yaml": clusterText, "b.yaml": "just: text"}, nil, ""},
		{"a path is relative to the root then", map[string]string{"kustomization.yaml": "resources: [o]", "p.yaml": "- {op: remove, path: /a}", "o/kustomization.yaml": "resources: [a.yaml]", "o/a.yaml": clusterText + strings.ReplaceAll(lscWithPath, "PATH", "p.yaml")}, nil, ""},
		{"an error names the object's file", map[string]string{"kustomization.yaml": "resources: [o]", "o/kustomization.yaml": "resources: [a.yaml]", "o/a.yaml": clusterText + "apiVersion: piraeus.io/v1\nkind: LinstorSatelliteConfiguration\nmetadata: {name: s}\nspec: {nodeSelektor: {}}"}, nil, "o/a.yaml: unknown field"},
		{"nothing remote", map[string]string{"kustomization.yaml": "resources:\n- https://example.org/x//y?ref=v1", "a.yaml": clusterText}, nil, "kustomization.yaml:2: https://example.org/x//y?ref=v1 is remote"},
		{"nothing remote in a base", map[string]string{"kustomization.yaml": "resources: [o]", "o/kustomization.yaml": "components: [github.com/a/b]"}, nil, "github.com/a/b is remote"},
		{"nothing remote in an inline transformer", map[string]string{"kustomization.yaml": "resources: [a.yaml]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: p}\n  path: https://example.org/p.yaml\n", "a.yaml": clusterText}, nil, "is remote"},
		{"nothing remote in a transformer's file", map[string]string{"kustomization.yaml": "resources: [a.yaml]\ntransformers: [t.yaml]", "t.yaml": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\npath: https://example.org/p.yaml\n", "a.yaml": clusterText}, nil, "is remote"},
		{"no program is run", map[string]string{"kustomization.yaml": "resources: [a.yaml]\ngenerators: [g.yaml]", "g.yaml": "apiVersion: x/v1\nkind: G\nmetadata: {name: g, annotations: {config.kubernetes.io/function: \"exec: {path: ./x}\"}}", "a.yaml": clusterText}, nil, "kustomize cannot build it"},
	} {
		dir := write(t, c.files)
		for name, to := range c.links {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Load(dir)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.reason, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: want an error with %q, got %v", c.reason, c.want, err)
		}
	}
}
