package generator

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// shuffled documents and nodes, whose order must not matter: every kind of
// input, conflicts, an unknown system, nodes of several classes.
func unordered() (documents []string, list []nodes.Node) {
	text := strings.TrimSuffix(onlySatellites, "  nfsServer: {enabled: false}\n") + "  properties: [{name: z, value: 1a}, {name: a, value: z}]\n" +
		overlay("zeta", `{podTemplate: {metadata: {annotations: {a: zeta}}}, storagePools: [{name: zzz, filePool: {}}, {name: aaa, filePool: {}}], properties: [{name: p, value: zeta}]}`) +
		overlay("alpha", `{podTemplate: {metadata: {annotations: {a: alpha, b: alpha}}}, storagePools: [{name: mmm, fileThinPool: {}}], properties: [{name: p, value: alpha}]}`) +
		nodeOverlay("own", `{nodeSelectorTerms: [{matchExpressions: [{key: is, operator: In, values: [a, c, e]}]}], customizeComponents: {flags: {satellite: {z: "", a: ""}}}}`) +
		nodeOverlay("nobody", `{nodeSelectorTerms: [{matchExpressions: [{key: none, operator: Exists}]}]}`) +
		imagesAre(`{components: {pause: {tag: v1}, ktls-utils: {tag: v2}}}`) +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: ns}\n" +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns}\n" +
		"---\napiVersion: piraeus.io/v1\nkind: LinstorNodeConnection\nmetadata: {name: b}\nspec: {paths: [{name: x, interface: i}]}\n" +
		"---\napiVersion: piraeus.io/v1\nkind: LinstorNodeConnection\nmetadata: {name: a}\nspec: {paths: [{name: x, interface: i}]}\n"
	list = nodesNamed("a", "b", "c", "d", "e", "f.g")
	list[1].OSImage, list[4].OSImage = "Arch Linux", "Talos (v1)"
	return strings.Split(text, "---\n"), list
}

// lineless is what is told, without the lines, which do depend on the order.
func lineless(r rendered) []string {
	seen := map[string]bool{}
	for _, p := range r.notes {
		p.Place.Line = 0
		text := strings.Join(p.Lines(), "\n")
		for {
			before, after, found := strings.Cut(text, "in.yaml:")
			if !found {
				break
			}
			text = before + strings.TrimLeft(after, "0123456789")
		}
		seen[text] = true
	}
	return manifest.SortedKeys(seen)
}

// The same input in another order gives the same bytes, and the same is told.
func TestOrderDoesNotMatter(t *testing.T) {
	docs, list := unordered()
	first := render(t, strings.Join(docs, "---\n"), list)
	if len(first.notes) < 5 {
		t.Errorf("only %d notes: the test proves little: %s", len(first.notes), first.told(nil))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		again := render(t, strings.Join(docs, "---\n"), list)
		if diff := cmp.Diff(first.text, again.text); diff != "" {
			t.Fatalf("the stream differs: %s\n%s", diff, strings.Join(docs, "---\n"))
		}
		if diff := cmp.Diff(lineless(first), lineless(again)); diff != "" {
			t.Fatalf("what is told differs: %s", diff)
		}
	}
}

// The same input again gives the same errors, word for word.
func TestErrorsAreTheSameEachTime(t *testing.T) {
	text := onlySatellites +
		overlay("a", `{podTemplate: {spec: {bad: 1, worse: 2, hostNetwork: "no", volumes: [{name: dev, emptyDir: {}}], containers: [{name: x}, {name: linstor-satellite, env: [{name: LB_FORCE_NODE_NAME, value: v}]}]}}}`) +
		overlay("b", `{nodeSelector: {is: b}, patches: [{target: {name: nothing}, patch: '[{op: add, path: /a, value: b}]'}]}`)
	_, err := tryRender(text, nodesNamed("a", "b", "c"))
	first := told(err)
	for range 20 {
		_, err := tryRender(text, nodesNamed("c", "a", "b"))
		if diff := cmp.Diff(first, told(err)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Generating does not use its input up: a second run of it is the same, as a
// server needs it.
func TestInputIsNotChanged(t *testing.T) {
	docs, list := unordered()
	in, err := load(t, strings.Join(docs, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, loader := range []Loader{LoaderDaemonSet, LoaderInitContainer, LoaderDaemonSet} {
		result, err := Generate(in, list, Settings{Namespace: "ns", Loader: loader})
		if err != nil {
			t.Fatal(err)
		}
		text, err := stream(result)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if diff := cmp.Diff(texts[0], texts[2]); diff != "" {
		t.Error(diff)
	}
	if texts[0] == texts[1] {
		t.Error("the loader's place makes no difference: the test proves nothing")
	}
}
