package generator

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// oddNames are names that other programs take for numbers, booleans or dates,
// or that are not fit for a label.
var oddNames = []string{
	"123", "1e3", "true", "null", "0x10", "off", "2024-01-01", "a.b", "a-b", "node-a", "node-b", "node-c", "Node-C",
	strings.Repeat("long-", 20) + "x", strings.Repeat("long.", 20) + "x", "0", "y", "no", "1.5",
}

// specs are pieces of overlays. NAME is filled with a node's name, FINAL with
// what comes after a base name of its objects.
var specs = []string{
	`podTemplate: {spec: {hostNetwork: true}}`,
	`podTemplate: {metadata: {annotations: {a: NAME}}, spec: {containers: [{name: side, image: "x:1", env: [{name: N, value: "NAME"}]}]}}`,
	`patches: [{target: {kind: DaemonSet}, patch: "[{op: add, path: /metadata/annotations/x, value: \"1\"}]"}]`,
	`patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: "[{op: test, path: /metadata/annotations/linstor-cmp.io~1node, value: \"NAME\"}, {op: add, path: /spec/minReadySeconds, value: 3}]"}]`,
	`patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: "[{op: copy, from: /metadata/annotations/linstor-cmp.io~1node, path: /metadata/annotations/copied}]"}]`,
	`patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: "[{op: move, from: /metadata/labels/linstor-cmp.io~1node, path: /metadata/labels/moved}]"}]`,
	`patches: [{target: {labelSelector: "linstor-cmp.io/node=NAME"}, options: {allowNoMatch: true}, patch: "[{op: add, path: /metadata/annotations/mine, value: \"1\"}]"}]`,
	`patches: [{target: {annotationSelector: "linstor-cmp.io/node in (NAME)"}, options: {allowNoMatch: true}, patch: "[{op: add, path: /metadata/annotations/ours, value: \"1\"}]"}]`,
	`patches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: satellite-config}, data: {extra: \"NAME\"}}"}]`,
	`patches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: reactor-config}, $patch: delete}"}]`,
	`patches: [{target: {kind: DaemonSet, name: linstor-satellite}, patch: "[{op: remove, path: /spec/template/spec/affinity}, {op: add, path: /metadata/labels, value: {}}]"}]`,
	`patches: [{target: {kind: ConfigMap, name: satellite-config}, patch: "[{op: replace, path: /data/node.json, value: \"{}\"}]"}]`,
	`customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: linstor-satelliteFINAL, options: {allowNoMatch: true}, patch: "{spec: {minReadySeconds: 7}}"}]}`,
	`customizeComponents: {patches: [{resourceType: "*", resourceName: satellite-config, type: merge, patch: "{data: {b: \"2\"}}"}]}`,
	`customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: "*", nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: ["NAME"]}]}], patch: "{metadata: {annotations: {only: \"this\"}}}"}]}`,
	`customizeComponents: {patches: [{resourceType: DaemonSet, resourceName: drbd-module-loader, options: {allowNoMatch: true}, patch: "{$patch: delete}"}]}`,
	`customizeComponents: {flags: {satellite: {debug: "", level: "2"}}}`,
	`internalTLS: {certManager: {name: ca}}`,
	`internalTLS: {tlsHandshakeDaemon: true}`,
	`resourceNameSuffixSeparator: "."`,
	`storagePools: [{name: files, filePool: {}}, {name: Thin_1, lvmThinPool: {volumeGroup: vg}}]`,
	`properties: [{name: p, valueFrom: {nodeFieldRef: "metadata.labels['rack']"}}, {name: all, expandFrom: {nodeFieldRef: metadata.annotations, nameTemplate: /$1, valueTemplate: $2}}]`,
	`profile: Talos`,
	`profile: Flatcar`,
	`priority: 5`,
}

type source struct{ *rand.Rand }

func (r source) pick(list []string) string { return list[r.IntN(len(list))] }

// randomInput makes the documents of an application path and nodes.
func randomInput(r source) (string, []nodes.Node) {
	names := r.Perm(len(oddNames))[:1+r.IntN(6)]
	var list []nodes.Node
	for _, i := range names {
		list = append(list, nodes.Node{
			Name:        oddNames[i],
			Labels:      map[string]string{"rack": r.pick([]string{"0012", "a", ""}), "group": r.pick([]string{"a", "b"})},
			Annotations: map[string]string{"note": r.pick([]string{"", "a\nb", "x: y", string(manifest.Mark) + "a", "\x00", "é"})},
			OSImage:     r.pick([]string{"Ubuntu 22.04", "AlmaLinux 9", "Talos (v1)", "Flatcar 1", "unheard of"}),
		})
		if r.IntN(8) == 0 {
			list[len(list)-1].Taints = []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}}
		}
	}
	fill := func(s string) string {
		n := list[r.IntN(len(list))].Name
		return strings.NewReplacer("NAME", n, "FINAL", "-"+fit(n, maxLabel)).Replace(s)
	}
	var b strings.Builder
	b.WriteString("apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: c}\nspec: {}\n")
	for i := range r.IntN(5) {
		fmt.Fprintf(&b, "---\napiVersion: linstor-cmp.io/v1alpha1\nkind: LinstorNodeConfiguration\nmetadata: {name: o%d}\nspec:\n", i)
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "  nodeSelectorTerms: [{matchExpressions: [{key: group, operator: In, values: [%s]}]}]\n", r.pick([]string{"a", "b"}))
		}
		seen := map[string]bool{}
		for range 1 + r.IntN(4) {
			s := fill(r.pick(specs))
			if key, _, _ := strings.Cut(s, ":"); !seen[key] {
				seen[key] = true
				b.WriteString("  " + s + "\n")
			}
		}
	}
	return b.String(), list
}

func load(t *testing.T, text string) (*overlays.Input, error) {
	t.Helper()
	docs, err := manifest.ReadDocuments("in.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return overlays.Read(docs, overlays.Files{})
}

// bothWays renders class-wise and naively and demands the same bytes, or a
// failure of both. It reports whether there was output.
func bothWays(t *testing.T, text string, list []nodes.Node, s Settings) bool {
	t.Helper()
	in, err := load(t, text)
	if err != nil {
		return false // a long name is no value of a selector, for one
	}
	fast, errFast := generate(in, list, s, false)
	slow, errSlow := generate(in, list, s, true)
	if (errFast == nil) != (errSlow == nil) {
		t.Fatalf("class-wise: %v\nnaively: %v\n%s", errFast, errSlow, text)
	}
	if errFast != nil {
		return false
	}
	for _, format := range []manifest.Format{manifest.YAML, manifest.JSON} {
		var a, b bytes.Buffer
		if _, err := fast.WriteTo(&a, format); err != nil {
			t.Fatal(err)
		}
		if _, err := slow.WriteTo(&b, format); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.String(), a.String()); diff != "" {
			t.Fatalf("class-wise rendering differs (-naive +class-wise):\n%s\n%s", diff, text)
		}
		if bytes.ContainsRune(a.Bytes(), manifest.Mark) {
			t.Fatalf("a placeholder is left in the output of\n%s", text)
		}
	}
	return true
}

func settings(r source) Settings {
	s := Settings{Namespace: "ns", Loader: LoaderDaemonSet, AllowEmpty: true}
	if r.IntN(3) == 0 {
		s.Loader = LoaderInitContainer
	}
	return s
}

func TestClassWiseEqualsNaive(t *testing.T) {
	rendered := 0
	const rounds = 400
	for seed := range uint64(rounds) {
		r := source{rand.New(rand.NewPCG(seed, 1))}
		text, list := randomInput(r)
		if bothWays(t, text, list, settings(r)) {
			rendered++
		}
	}
	if rendered < rounds/3 {
		t.Errorf("only %d of %d random inputs render: they prove little", rendered, rounds)
	}
	t.Logf("%d of %d inputs rendered", rendered, rounds)
}

func FuzzClassWiseEqualsNaive(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := source{rand.New(rand.NewPCG(a, b))}
		text, list := randomInput(r)
		bothWays(t, text, list, settings(r))
	})
}
