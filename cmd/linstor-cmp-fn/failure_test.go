package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// TestNoList hands over what is no ResourceList: there is nothing to answer
// with, so stdout is empty.
func TestNoList(t *testing.T) {
	const v1 = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	for name, c := range map[string]struct{ stdin, fault string }{
		"nothing":             {"", "standard input is empty"},
		"only a comment":      {"# nothing\n---\n", "standard input is empty"},
		"a text":              {"hello", "it is no object"},
		"a bare object":       {clusterDoc, `it is a LinstorCluster of "piraeus.io/v1"`},
		"a version to come":   {strings.Replace(v1, "v1", "v2", 1), `it is a ResourceList of "config.kubernetes.io/v2"`},
		"two documents":       {listDoc(clusterDoc) + "---\n" + listDoc(clusterDoc), "has 2 documents"},
		"no YAML":             {v1 + "items: [", "standard input:3: not YAML"},
		"UTF-16":              {"\xff\xfea\x00", "standard input: the file is UTF-16"},
		"items of no list":    {v1 + "items: {}\n", "standard input:3: items of the ResourceList is no list"},
		"an item of no kind":  {v1 + "items: [a]\n", "standard input:3: items[0] is no object"},
		"an empty item":       {v1 + "items:\n-\n", "items[0] is no object"},
		"a configuration":     {v1 + "functionConfig: []\n", "the functionConfig is no object"},
		"items twice":         {v1 + "items: []\nitems: []\n", `standard input:4: the ResourceList has "items" twice`},
		"an alias to outside": {v1 + "items:\n- {a: &x 1}\n- {b: *x}\n", "items[1] has an alias (*x) of an anchor outside of it"},
		"an odd result":       {v1 + "results: [1]\n", "results[0] is no object"},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, nil)
			got := call(t, c.stdin)
			if got.code != exitFault || got.stdout != "" || !strings.Contains(got.stderr, c.fault) {
				t.Errorf("exit %d, stdout %q, and stderr should have %q:\n%s", got.code, got.stdout, c.fault, got.stderr)
			}
		})
	}
}

// TestFailure asks that a run that fails gives back the items it was given, and
// its problems as results, each with what it is about.
func TestFailure(t *testing.T) {
	type m = map[string]any
	const foreign = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: foreign\n"
	for name, c := range map[string]struct {
		reason string
		files  map[string]string
		config string
		items  []string
		want   []m
	}{
		"no functionConfig": {
			reason: "without a configuration there is nothing to do, and an empty output must not pass for success",
			want:   []m{{"severity": "error", "message": "the ResourceList has no functionConfig (name a LinstorCluster or a GeneratorConfig under generators in kustomization.yaml, or as configPath in a Kptfile)"}},
		},
		"unknown kind of configuration": {
			config: foreign,
			want: []m{{
				"severity": "error", "message": `a ConfigMap of "v1" means nothing as functionConfig (use a LinstorCluster of piraeus.io/v1 or a GeneratorConfig of linstor-cmp.io/v1alpha1)`,
				"resourceRef": m{"apiVersion": "v1", "kind": "ConfigMap", "name": "foreign"}, "field": m{"path": "kind"},
			}},
		},
		"settings": {
			reason: "the configuration is read as strictly as all input; all its faults come together",
			config: configDoc + "spec:\n  strcit: true\n  allow-empty: maybe\n  nmespace-of: x\n  unheard: y\n",
			want: []m{
				fault(`unknown field "strcit" in spec…`, "spec.strcit"),
				fault("spec.allow-empty: want true or false…", "spec.allow-empty"),
				fault(`unknown field "nmespace-of" in spec (the fields are path, items, `+strings.Join(settingNames(), ", ")+")", "spec.nmespace-of"),
				fault(`unknown field "unheard" in spec (the fields are path, items, `+strings.Join(settingNames(), ", ")+")", "spec.unheard"),
			},
		},
		"values": {
			config: configDoc + "spec:\n  loader: Pod\n  path: ../elsewhere\n  items:\n  - apiVersion: v1\n    kind: Secret\n  -\n",
			want: []m{
				fault(`spec.loader is "Pod" (use DaemonSet or InitContainer)`, "spec.loader"),
				fault("spec.path: ../elsewhere is outside the function's folder (name a folder below that of the kustomization)", "spec.path"),
				fault(`spec.items[0] is a Secret of "v1" (only Nodes and objects of piraeus.io/v1 and linstor-cmp.io/v1alpha1 belong here; list others under resources in the kustomization)`, "spec.items[0]"),
				fault("spec.items[1] is empty", "spec.items[1]"),
			},
		},
		"a field of an item": {
			reason: "an item of a file is told by its file, and a line of stdin is told to nobody",
			config: clusterDoc,
			items: []string{
				foreign, nodeDoc("a"),
				markDoc("one", "x", "annotations:", "  config.kubernetes.io/path: sub/one.yaml", "  config.kubernetes.io/index: '2'") + "  optin: true\n",
			},
			want: []m{{
				"severity": "error", "message": `unknown field "optin" in spec…`,
				"resourceRef": m{"apiVersion": "linstor-cmp.io/v1alpha1", "kind": "LinstorNodeConfiguration", "name": "one"},
				"field":       m{"path": "spec.optin"}, "file": m{"path": "sub/one.yaml", "index": 2.0},
			}},
		},
		"a field in a file": {
			config: configDoc + "spec: {path: src}\n",
			files:  map[string]string{"src/linstor.yaml": "---\n---\n" + clusterDoc + "---\n" + markDoc("one", "x") + "  optin: true\n", "src/nodes.yaml": nodeDoc("a")},
			want: []m{{
				"severity": "error", "message": `unknown field "optin" in spec…`,
				"resourceRef": m{"apiVersion": "linstor-cmp.io/v1alpha1", "kind": "LinstorNodeConfiguration", "name": "one"},
				"field":       m{"path": "spec.optin"}, "file": m{"path": "src/linstor.yaml", "index": 1.0},
			}},
		},
		"a broken file": {
			config: configDoc,
			files:  map[string]string{"linstor.yaml": "a: [\n", "nodes.yaml": nodeDoc("a")},
			want:   []m{{"severity": "error", "message": "not YAML: …", "file": m{"path": "linstor.yaml"}}},
		},
		"a Node": {
			config: clusterDoc,
			items:  []string{nodeDoc("a"), "apiVersion: v1\nkind: Node\nmetadata:\n  name: b\n  labels: {x: true}\n"},
			want: []m{{
				"severity": "error", "message": "metadata.labels.x…",
				"resourceRef": m{"apiVersion": "v1", "kind": "Node", "name": "b"},
			}},
		},
		"a node that two objects have": {
			config: clusterDoc,
			items:  []string{nodeDoc("a"), nodeDoc("a")},
			want: []m{{
				"severity": "error", "message": "Node a…",
				"resourceRef": m{"apiVersion": "v1", "kind": "Node", "name": "a"},
			}},
		},
		"no folder": {
			config: configDoc + "spec: {path: src}\n",
			items:  []string{nodeDoc("a")},
			want:   []m{{"severity": "error", "message": "cannot read the folder src: no such file or directory (the path is that of a folder below the kustomization's own)"}},
		},
		"nodes on standard input": {
			config: configDoc + "spec: {nodes: '-'}\n",
			want:   []m{{"severity": "error", "message": "the setting nodes is -, and standard input is the ResourceList (name a file, or hand the Nodes over as items)"}},
		},
		"no node that qualifies": {
			config: clusterDoc + "spec:\n  nodeSelector: {a: b}\n",
			items:  []string{nodeDoc("a")},
			want: []m{{
				"severity": "error", "message": "…",
				"resourceRef": m{"apiVersion": "piraeus.io/v1", "kind": "LinstorCluster", "name": "linstor"},
			}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, c.files)
			stdin := listDoc(c.config, c.items...)
			got := call(t, stdin)
			if got.code != exitFault {
				t.Fatalf("%s\nexit %d", c.reason, got.code)
			}
			shorten(got.Results, c.want)
			if diff := cmp.Diff(c.want, got.Results); diff != "" {
				t.Errorf("%s\nresults (-want +got):\n%s", c.reason, diff)
			}
			var in outcome
			decode(t, stdin, &in)
			if diff := cmp.Diff(in.Items, got.Items); diff != "" {
				t.Errorf("%s\nitems (-in +out):\n%s", c.reason, diff)
			}
			if n := strings.Count(got.stderr, "error: "); n != len(c.want) {
				t.Errorf("%d errors on stderr:\n%s", n, got.stderr)
			}
		})
	}
}

// shorten cuts the messages whose wanted ones end in "…": the rest of the text is
// another package's.
func shorten(got, want []map[string]any) {
	for i := range min(len(got), len(want)) {
		wanted, _ := want[i]["message"].(string)
		found, _ := got[i]["message"].(string)
		if head, cut := strings.CutSuffix(wanted, "…"); cut && strings.HasPrefix(found, head) {
			got[i]["message"] = wanted
		}
	}
}

// fault is the result of a fault in the GeneratorConfig of the tests.
func fault(message, field string) map[string]any {
	return map[string]any{
		"severity": "error", "message": message, "field": map[string]any{"path": field},
		"resourceRef": map[string]any{"apiVersion": "linstor-cmp.io/v1alpha1", "kind": "GeneratorConfig", "name": "generator"},
	}
}

func settingNames() []string {
	var names []string
	for _, p := range plugin.Parameters {
		names = append(names, p.Name)
	}
	return names
}

// TestWarnings asks that a run that succeeds tells its warnings both ways.
func TestWarnings(t *testing.T) {
	inFolder(t, map[string]string{"n.yaml": nodeDoc("a"), "linstor.yaml": clusterDoc, "sub/one.yaml": "# a comment\n" + markDoc("one", "x") + "  nodeSelectorTerms:\n  - matchExpressions: [{key: a, operator: Exists}]\n"})
	got := call(t, listDoc(configDoc+"spec: {nodes: n.yaml}\n", nodeDoc("b")))
	type m = map[string]any
	want := []m{
		{
			"severity": "warning", "message": "the settings name a source of nodes, so Node objects on standard input are not read (1 of them)",
			"resourceRef": m{"apiVersion": "v1", "kind": "Node", "name": "b"},
		},
		{
			"severity": "warning", "message": `overlay "one"…`,
			"resourceRef": m{"apiVersion": "linstor-cmp.io/v1alpha1", "kind": "LinstorNodeConfiguration", "name": "one"},
			"file":        m{"path": "sub/one.yaml"},
		},
	}
	shorten(got.Results, want)
	if diff := cmp.Diff(want, got.Results); got.code != exitDone || diff != "" {
		t.Errorf("exit %d, results (-want +got):\n%s", got.code, diff)
	}
	if !strings.Contains(got.stderr, "warning: sub/one.yaml:2: overlay") {
		t.Errorf("stderr:\n%s", got.stderr)
	}
}

// TestNothingGenerated asks that a run without a result is never a success, even
// where having no nodes is allowed and other items would make an output.
func TestNothingGenerated(t *testing.T) {
	inFolder(t, nil)
	const everything = `spec:
  patches:
  - target: {kind: .*}
    patch: |
      apiVersion: v1
      kind: Any
      metadata: {name: any}
      $patch: delete
`
	t.Setenv("LINSTOR_CMP_ALLOW_EMPTY", "true")
	got := call(t, listDoc(clusterDoc+everything, "apiVersion: v1\nkind: NodeList\nitems: []\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: foreign}\n"))
	if got.code != exitFault || !strings.Contains(got.stderr, "error: nothing is generated\n") {
		t.Errorf("exit %d, items %v, stderr:\n%s", got.code, got.titles(), got.stderr)
	}
}
