package patch

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// base is a DaemonSet with what merges by key and what does not.
const base = `
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: ds
  labels: {tier: gold, keep: "1"}
  annotations: {note: x}
  finalizers: [a/b]
spec:
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 10%}}
  template:
    spec:
      terminationGracePeriodSeconds: 9007199254740993
      tolerations: [{key: a, operator: Exists}]
      initContainers:
      - {name: a, image: a}
      - {name: b, image: b}
      - {name: c, image: c}
      containers:
      - name: one
        image: one
        args: [x]
        env: [{name: A, value: a}, {name: B, value: b}]
        ports: [{containerPort: 80, name: web}, {containerPort: 81, protocol: UDP}]
        volumeMounts: [{name: v, mountPath: /a}, {name: v, mountPath: /b}]
      - {name: two, image: two}
      volumes: [{name: v, emptyDir: {}}, {name: w, configMap: {name: cm}}]
`

var daemonSet = reflect.TypeFor[appsv1.DaemonSet]()

func text(s string) manifest.Text {
	return manifest.Text{Value: s, Place: problem.Place{File: "p.yaml", Line: 1}, Block: true}
}

func kustomize(t *testing.T, patch string, target *api.Selector) (*Patch, error) {
	t.Helper()
	list, err := FromKustomize("patches[0]", problem.Place{File: "p.yaml", Line: 1}, api.Patch{Target: target}, text(patch))
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

func customized(kind, patch string) (*Patch, error) {
	return FromCustomize("patches[0]", problem.Place{File: "p.yaml", Line: 1}, api.CustomizePatch{ResourceType: "DaemonSet", ResourceName: "ds", Type: kind, Patch: text(patch)})
}

const head = "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ds}\n"

// Each case is a patch of the pod spec, in both strategic dialects unless said,
// and the JSON pointer of what to look at afterwards, or an error.
var strategicCases = []struct {
	reason  string
	pod     string
	at      string
	want    string
	wantErr string
	only    string // kustomize or typed
}{
	{reason: "a patched init container keeps its place", pod: `initContainers: [{name: b, image: new}]`, at: "initContainers", want: `[{name: a, image: a}, {name: b, image: new}, {name: c, image: c}]`},
	{reason: "a new container comes after the others", pod: `containers: [{name: zero, image: zero}, {name: two, image: two!}]`, at: "containers/2", want: `{name: zero, image: zero}`},
	{reason: "init containers run in order: a new one goes where the patch puts it", pod: `initContainers: [{name: new, image: nn}, {name: b}]`, at: "initContainers", want: `[{name: a, image: a}, {name: new, image: nn}, {name: b, image: b}, {name: c, image: c}]`},
	{reason: "a new init container alone comes last", pod: `initContainers: [{name: new, image: nn}]`, at: "initContainers/3", want: `{name: new, image: nn}`},
	{reason: "env merges by name and keeps its order", pod: `containers: [{name: one, env: [{name: C, value: c}, {name: B, value: bb}]}]`, at: "containers/0/env", want: `[{name: A, value: a}, {name: B, value: bb}, {name: C, value: c}]`},
	{reason: "an element without its merge key", pod: `containers: [{image: z}]`, wantErr: "containers[0] has no name"},
	{reason: "a deletion without its merge key", pod: `containers: [{name: one, volumeMounts: [{name: v, $patch: delete}]}]`, wantErr: "has no mountPath"},
	{reason: "a deletion by key takes one mount", pod: `containers: [{name: one, volumeMounts: [{mountPath: /a, $patch: delete}]}]`, at: "containers/0/volumeMounts", want: `[{name: v, mountPath: /b}]`},
	{reason: "one element named twice", pod: `containers: [{name: one, image: a}, {name: one, image: b}]`, wantErr: "one twice"},
	{reason: "tolerations are replaced", pod: `tolerations: [{key: b}]`, at: "tolerations", want: `[{key: b}]`},
	{reason: "args are replaced", pod: `containers: [{name: one, args: [v, z]}]`, at: "containers/0/args", want: `[v, z]`},
	{reason: "an empty merged list changes nothing", pod: `containers: []`, at: "containers/1", want: `{name: two, image: two}`},
	{reason: "null takes a field away", pod: `tolerations: null`, at: "tolerations", want: ``},
	{reason: "a source is switched by null", pod: `volumes: [{name: w, configMap: null, emptyDir: {}}]`, at: "volumes/1", want: `{name: w, emptyDir: {}}`},
	{reason: "an untouched integer beyond 2^53 keeps its digits", pod: `hostNetwork: true`, at: "terminationGracePeriodSeconds", want: `9007199254740993`},
	{reason: "a port is its number and its protocol, TCP by default", pod: `containers: [{name: one, ports: [{containerPort: 80, protocol: UDP, name: u}, {containerPort: 81, name: t}]}]`, at: "containers/0/ports", want: `[{containerPort: 80, name: web}, {containerPort: 81, protocol: UDP}, {containerPort: 80, protocol: UDP, name: u}, {containerPort: 81, name: t}]`, only: "kustomize"},
	{reason: "$patch: replace alone replaces the list", pod: `volumes: [{$patch: replace}, {name: x, emptyDir: {}}]`, at: "volumes", want: `[{name: x, emptyDir: {}}]`},
	{reason: "$patch: replace in an element empties the list in Kubernetes' engine", pod: `volumes: [{name: w, $patch: replace, emptyDir: {}}]`, wantErr: "must be an element of its own", only: "typed"},
	{reason: "$patch: replace in an element replaces the element", pod: `volumes: [{name: w, $patch: replace, emptyDir: {}}]`, at: "volumes/1", want: `{name: w, emptyDir: {}}`, only: "kustomize"},
	{reason: "$retainKeys works in one dialect", pod: `volumes: [{name: w, emptyDir: {}, $retainKeys: [name, emptyDir]}]`, at: "volumes/1", want: `{name: w, emptyDir: {}}`, only: "typed"},
	{reason: "and points there from the other", pod: `volumes: [{name: w, emptyDir: {}, $retainKeys: [name, emptyDir]}]`, wantErr: "customizeComponents", only: "kustomize"},
	{reason: "so does $setElementOrder", pod: "containers: [{name: two}, {name: one}]\n$setElementOrder/containers: [{name: two}, {name: one}]", wantErr: "customizeComponents", only: "kustomize"},
	{reason: "$setElementOrder orders", pod: "containers: [{name: two}, {name: one}]\n$setElementOrder/containers: [{name: two}, {name: one}]", at: "containers/0/name", want: `two`, only: "typed"},
	{reason: "an unknown directive", pod: `volumes: [{name: w, $patch: frob}]`, wantErr: "frob"},
	{reason: "a directive in a list that is replaced would leak", pod: `tolerations: [{key: a, $patch: delete}]`, wantErr: "replaced as a whole", only: "kustomize"},
	{reason: "a mapping for a list", pod: `containers: {name: one}`, wantErr: "containers", only: "kustomize"},
	{reason: "duplicate keys", pod: "hostNetwork: true\nhostNetwork: false", wantErr: "duplicate key"},
	{reason: "an unquoted scalar for a text keeps its spelling", pod: `containers: [{name: one, args: [0644, 1.10, on, 22:30], env: [{name: A, value: 010}]}]`, at: "containers/0/args", want: `["0644", "1.10", "on", "22:30"]`, only: "kustomize"},
	{reason: "and stays a number for a number", pod: `volumes: [{name: w, configMap: {defaultMode: 0644}}]`, at: "volumes/1/configMap/defaultMode", want: `420`},
}

func TestStrategicMerge(t *testing.T) {
	for _, c := range strategicCases {
		for _, dialect := range []string{"kustomize", "typed"} {
			if c.only != "" && c.only != dialect {
				continue
			}
			body := "spec:\n  template:\n    spec:\n" + indent(c.pod, "      ")
			var p *Patch
			var err error
			if dialect == "kustomize" {
				p, err = kustomize(t, head+body, nil)
			} else {
				p, err = customized("strategic", body)
			}
			check(t, c.reason+" ("+dialect+")", p, err, "/spec/template/spec/"+c.at, c.want, c.wantErr)
		}
	}
}

func indent(s, by string) string {
	return by + strings.ReplaceAll(s, "\n", "\n"+by)
}

// check applies a patch to the base and looks at one place of the result.
func check(t *testing.T, reason string, p *Patch, err error, at, want, wantErr string) {
	t.Helper()
	var r Result
	if err == nil {
		r, err = p.Apply(plain(t, []byte(base)).(map[string]any), daemonSet)
	}
	if wantErr != "" {
		if err == nil || !strings.Contains(err.Error(), wantErr) {
			t.Errorf("%s: want an error with %q, got %v", reason, wantErr, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", reason, err)
		return
	}
	ptr, _ := parsePointer(at)
	got, err := get(r.Object, ptr)
	if want == "" {
		if err == nil {
			t.Errorf("%s: %s is still there: %v", reason, at, got)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", reason, err)
	} else if diff := cmp.Diff(plain(t, []byte(want)), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

func TestKustomizePatches(t *testing.T) {
	ds := &api.Selector{Kind: "DaemonSet"}
	for _, c := range []struct {
		reason, patch     string
		target            *api.Selector
		at, want, wantErr string
	}{
		{"null removes a label with a target", head + "spec: {}\n", ds, "/metadata/labels/tier", "gold", ""},
		{"null removes a label", "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: any, labels: {tier: null}, annotations: {note: ~}}", ds, "/metadata/labels/tier", "", ""},
		{"names in the body are placeholders with a target", "apiVersion: v1\nkind: Other\nmetadata: {name: other}\nspec: {minReadySeconds: 3}", ds, "/metadata/name", "ds", ""},
		{"the later patch's type wins", head + "spec: {updateStrategy: {rollingUpdate: {maxUnavailable: 1}}}", nil, "/spec/updateStrategy/rollingUpdate/maxUnavailable", "1", ""},
		{"an unquoted label keeps its spelling", head + "", nil, "/metadata/labels/keep", `"1"`, ""},
		{"primitive merge lists are joined", "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ds, finalizers: [c/d]}", nil, "/metadata/finalizers", "[a/b, c/d]", ""},
		{"both documents of an RFC 6902 patch apply", "- {op: add, path: /metadata/labels/a, value: \"1\"}\n---\n- {op: add, path: /metadata/labels/b, value: \"2\"}", ds, "/metadata/labels/b", `"2"`, ""},
		{"an RFC 6902 patch without a target", "- {op: remove, path: /spec}", nil, "", "", "needs a target"},
		{"target: {} is no target", "- {op: remove, path: /spec}", &api.Selector{}, "", "", "needs a target"},
		{"a namespace cannot be changed", "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ds, namespace: other}", nil, "", "", "metadata.namespace"},
		{"nor a name by an operation", "- {op: replace, path: /metadata/name, value: other}", ds, "", "", "metadata.name"},
		{"a merge patch without a name", "apiVersion: apps/v1\nkind: DaemonSet\nspec: {}", ds, "", "", "metadata.name is missing"},
		{"an operation that is not in a list", "op: add\npath: /a\nvalue: b", ds, "", "", "is a list of operations"},
		{"an RFC 7386 patch is none", "data: {a: b}", nil, "", "", "apiVersion"},
		{"several merge patches cannot share a target", head + "---\n" + head, ds, "", "", "cannot share a target"},
		{"a bad regular expression", head, &api.Selector{Name: "d("}, "", "", "no regular expression"},
		{"a bad label selector", head, &api.Selector{LabelSelector: "a in"}, "", "", "labelSelector"},
		{"a syntax error has its line", head + "spec: [", nil, "", "", "not YAML"},
	} {
		p, err := kustomize(t, c.patch, c.target)
		check(t, c.reason, p, err, c.at, c.want, c.wantErr)
	}
}

func TestWholeObjectIsDeleted(t *testing.T) {
	p, err := kustomize(t, "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: ds}\n$patch: delete", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Apply(plain(t, []byte(base)).(map[string]any), daemonSet)
	if err != nil || !r.Deleted {
		t.Errorf("want the object deleted, got %+v, %v", r, err)
	}
}

func TestPatchIsNotUsedUp(t *testing.T) {
	p, err := kustomize(t, head+"spec: {template: {spec: {volumes: [{name: w, $patch: delete}]}}}", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := p.Apply(plain(t, []byte(base)).(map[string]any), daemonSet)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := get(r.Object, pointer{"spec", "template", "spec", "volumes"}); len(got.([]any)) != 1 {
			t.Errorf("a second use of the patch does something else: %v", got)
		}
		r.Object["spec"] = nil
	}
}

func TestSelects(t *testing.T) {
	subject := Subject{APIVersion: "apps/v1", Kind: "DaemonSet", Base: "linstor-satellite", Final: "linstor-satellite-a", Namespace: "ns", Object: map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"x": "1", "node": manifest.Placeholder(0)}},
	}}
	for _, c := range []struct {
		reason        string
		sel           selector
		want, perNode bool
	}{
		{"a kind without regard to case", custom{"daemonset", "linstor-satellite"}, true, false},
		{"a final name", custom{"DaemonSet", "LINSTOR-satellite-A"}, true, false},
		{"no glob but the whole star", custom{"DaemonSet", "linstor-*"}, false, false},
		{"not the plural", custom{"daemonsets", "*"}, false, false},
		{"kustomize regards case", mustTarget(t, api.Selector{Kind: "daemonset"}), false, false},
		{"kustomize anchors", mustTarget(t, api.Selector{Name: "linstor"}), false, false},
		{"and has alternatives", mustTarget(t, api.Selector{Name: "a|linstor-satellite"}), true, false},
		{"targets are base names", mustTarget(t, api.Selector{Name: "linstor-satellite-a"}), false, false},
		{"group and version", mustTarget(t, api.Selector{Group: "apps", Version: "v1"}), true, false},
		{"the namespace that it gets", mustTarget(t, api.Selector{Namespace: "ns"}), true, false},
		{"labels", mustTarget(t, api.Selector{LabelSelector: "x in (1,2),!y"}), true, false},
		{"a label that is the node's", mustTarget(t, api.Selector{LabelSelector: "node=a"}), false, true},
	} {
		if got, perNode := c.sel.selects(subject); got != c.want || perNode != c.perNode {
			t.Errorf("%s: want %t, %t, got %t, %t", c.reason, c.want, c.perNode, got, perNode)
		}
	}
}

func mustTarget(t *testing.T, s api.Selector) selector {
	t.Helper()
	sel, err := parseTarget(&s)
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

func TestCustomizeNeedsAGoTypeForStrategic(t *testing.T) {
	p, err := FromCustomize("patches[0]", problem.Place{}, api.CustomizePatch{ResourceType: "*", ResourceName: "*", Patch: text("spec: {a: b}")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Apply(map[string]any{"kind": "Certificate"}, nil)
	if err == nil || !strings.Contains(err.Error(), "type: merge or type: json") {
		t.Errorf("want an error that names merge and json, got %v", err)
	}
}

func TestCustomizeListGivenAsStrategic(t *testing.T) {
	_, err := customized("strategic", `[{"op": "remove", "path": "/spec"}]`)
	var list problem.List
	list.Merge(err)
	if len(list) != 1 || !strings.Contains(list[0].Hint, "type: json") {
		t.Errorf("want a hint at type: json, got %v", list)
	}
}
