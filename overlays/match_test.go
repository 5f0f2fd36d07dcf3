package overlays

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// readText reads documents that stand in one file.
func readText(t *testing.T, text string) (*Input, error) {
	t.Helper()
	docs, err := manifest.ReadDocuments("in.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	return Read(docs, Files{Read: func(name string) ([]byte, error) { return nil, fmt.Errorf("no file %s", name) }})
}

const clusterText = "apiVersion: piraeus.io/v1\nkind: LinstorCluster\nmetadata: {name: c}\nspec: {}\n---\n"

// overlayWith is an overlay of our own kind with a line of spec.
func overlayWith(line string) string {
	return clusterText + "apiVersion: linstor-cmp.io/v1alpha1\nkind: LinstorNodeConfiguration\nmetadata: {name: o}\nspec:\n  " + line + "\n"
}

// The table of Kubernetes' own node affinity tests, and what Kubernetes
// answers by silence: an error here. The node is called host_1 there; names of
// nodes have no underscore, so it is host-1 here.
func TestNodeSelectorTerms(t *testing.T) {
	node := nodes.Node{Name: "host-1", Labels: map[string]string{
		"foo": "bar", "zone": "a", "cnt": "5", "neg": "-3", "txt": "abc", "empty": "", "GPU": "NVIDIA-GRID-K1", "mem-type": "DDR3", "kernel-version": "0206", "zero": "0",
	}}
	const yes, no = "match", "no match"
	for _, c := range []struct{ reason, terms, want string }{
		{"In with the value", `[{matchExpressions: [{key: foo, operator: In, values: [bar, value2]}]}]`, yes},
		{"In without it", `[{matchExpressions: [{key: foo, operator: In, values: [value1, value2]}]}]`, no},
		{"In on an absent label", `[{matchExpressions: [{key: none, operator: In, values: [""]}]}]`, no},
		{"In with the empty value on an empty label", `[{matchExpressions: [{key: empty, operator: In, values: [""]}]}]`, yes},
		{"NotIn without the value", `[{matchExpressions: [{key: mem-type, operator: NotIn, values: [DDR, DDR2]}]}]`, yes},
		{"NotIn on an absent label", `[{matchExpressions: [{key: none, operator: NotIn, values: [a]}]}]`, yes},
		{"Exists", `[{matchExpressions: [{key: GPU, operator: Exists}]}]`, yes},
		{"DoesNotExist on an absent label", `[{matchExpressions: [{key: none, operator: DoesNotExist}]}]`, yes},
		{"Gt with a leading zero", `[{matchExpressions: [{key: kernel-version, operator: Gt, values: ["0204"]}]}]`, yes},
		{"Gt of a smaller number", `[{matchExpressions: [{key: cnt, operator: Gt, values: ["4"]}]}]`, yes},
		{"Gt of the same number", `[{matchExpressions: [{key: cnt, operator: Gt, values: ["5"]}]}]`, no},
		{"Lt", `[{matchExpressions: [{key: cnt, operator: Lt, values: ["6"]}]}]`, yes},
		{"Lt of a negative label", `[{matchExpressions: [{key: neg, operator: Lt, values: ["0"]}]}]`, yes},
		{"Gt on a text", `[{matchExpressions: [{key: txt, operator: Gt, values: ["1"]}]}]`, no},
		{"Gt on an absent label", `[{matchExpressions: [{key: none, operator: Gt, values: ["1"]}]}]`, no},
		{"two expressions, both hold", `[{matchExpressions: [{key: GPU, operator: Exists}, {key: foo, operator: NotIn, values: [x]}]}]`, yes},
		{"two expressions, one holds", `[{matchExpressions: [{key: GPU, operator: Exists}, {key: foo, operator: In, values: [x]}]}]`, no},
		{"two terms, one holds", `[{matchExpressions: [{key: foo, operator: In, values: [bar, value2]}]}, {matchExpressions: [{key: diffkey, operator: In, values: [wrong]}]}]`, yes},
		{"two terms, none holds", `[{matchExpressions: [{key: foo, operator: In, values: [x]}]}, {matchFields: [{key: metadata.name, operator: In, values: [host-2]}]}]`, no},
		{"the name", `[{matchFields: [{key: metadata.name, operator: In, values: [host-1]}]}]`, yes},
		{"another name", `[{matchFields: [{key: metadata.name, operator: In, values: [host-2]}]}]`, no},
		{"not another name", `[{matchFields: [{key: metadata.name, operator: NotIn, values: [host-2]}]}]`, yes},
		{"the name but not the label", `[{matchFields: [{key: metadata.name, operator: In, values: [host-1]}], matchExpressions: [{key: foo, operator: In, values: [x]}]}]`, no},
		{"the name and the label", `[{matchFields: [{key: metadata.name, operator: In, values: [host-1]}], matchExpressions: [{key: foo, operator: In, values: [bar]}]}]`, yes},
		{"fields miss in one term, expressions hit in another", `[{matchFields: [{key: metadata.name, operator: In, values: [host-2]}]}, {matchExpressions: [{key: foo, operator: In, values: [bar]}]}]`, yes},

		{"no terms", `[]`, "without a term no node ever matches"},
		{"an empty term", `[{}]`, "an empty term matches no node"},
		{"an empty term beside one that matches", `[{matchExpressions: [{key: foo, operator: Exists}]}, {}]`, "an empty term matches no node"},
		{"an operator in lower case", `[{matchExpressions: [{key: foo, operator: in, values: [bar]}]}]`, "Unsupported value"},
		{"an unknown operator beside a term that matches", `[{matchExpressions: [{key: foo, operator: Exists}]}, {matchExpressions: [{key: foo, operator: invalid, values: [bar]}]}]`, "Unsupported value"},
		{"In without values", `[{matchExpressions: [{key: foo, operator: In}]}]`, "values set can't be empty"},
		{"Exists with values", `[{matchExpressions: [{key: foo, operator: Exists, values: [a]}]}]`, "values set must be empty"},
		{"Gt with a fraction", `[{matchExpressions: [{key: cnt, operator: Gt, values: ["4.5"]}]}]`, "integer"},
		{"Gt with two values", `[{matchExpressions: [{key: cnt, operator: Gt, values: ["4", "5"]}]}]`, "exactly one value"},
		{"Gt with a negative value", `[{matchExpressions: [{key: cnt, operator: Gt, values: ["-1"]}]}]`, "Invalid value"},
		{"a bad key", `[{matchExpressions: [{key: "bad key", operator: Exists}]}]`, "Invalid value"},
		{"a bad value", `[{matchExpressions: [{key: foo, operator: In, values: ["invalid value: ___@#$%^"]}]}]`, "Invalid value"},
		{"a long value", `[{matchExpressions: [{key: foo, operator: In, values: [` + strings.Repeat("x", 64) + `]}]}]`, "63"},
		{"two names", `[{matchFields: [{key: metadata.name, operator: In, values: [a, b]}]}]`, "must have one element"},
		{"the name exists", `[{matchFields: [{key: metadata.name, operator: Exists}]}]`, "Unsupported value"},
		{"another field", `[{matchFields: [{key: metadata.namespace, operator: In, values: [a]}]}]`, "the only field to match is metadata.name"},
		{"a misspelt field of a term", `[{matchExpression: [{key: foo, operator: Exists}]}]`, "unknown field"},
	} {
		in, err := readText(t, overlayWith("nodeSelectorTerms: "+c.terms))
		got := no
		switch {
		case err != nil:
			got = err.Error()
		case in.Overlays[0].Matches(&node):
			got = yes
		}
		if !strings.Contains(got, c.want) || c.want == yes && got != yes {
			t.Errorf("%s: want %s, got %s", c.reason, c.want, got)
		}
		if err != nil && !strings.Contains(err.Error(), "in.yaml:") {
			t.Errorf("%s: the error has no place: %v", c.reason, err)
		}
	}
}

func TestOptIn(t *testing.T) {
	for _, c := range []struct {
		reason, spec, annotation string
		labels                   map[string]string
		want                     bool
	}{
		{"without terms and optIn, every node", "priority: 1", "", nil, true},
		{"the annotation alone decides", "optIn: true", "", nil, false},
		{"a node chooses among several", "optIn: true", "a, o ,b", nil, true},
		{"not by a part of the name", "optIn: true", "oo", nil, false},
		{"an overlay that does not allow it cannot be chosen", "nodeSelectorTerms: [{matchExpressions: [{key: x, operator: Exists}]}]", "o", nil, false},
		{"terms or the annotation: the terms", "optIn: true\n  nodeSelectorTerms: [{matchExpressions: [{key: x, operator: Exists}]}]", "", map[string]string{"x": ""}, true},
		{"terms or the annotation: the annotation", "optIn: true\n  nodeSelectorTerms: [{matchExpressions: [{key: x, operator: Exists}]}]", "o", nil, true},
		{"terms or the annotation: neither", "optIn: true\n  nodeSelectorTerms: [{matchExpressions: [{key: x, operator: Exists}]}]", "", nil, false},
	} {
		in, err := readText(t, overlayWith(c.spec))
		if err != nil {
			t.Fatal(err)
		}
		n := &nodes.Node{Name: "n", Labels: c.labels, Annotations: map[string]string{OptInAnnotation: c.annotation}}
		if got := in.Overlays[0].Matches(n); got != c.want {
			t.Errorf("%s: want %t, got %t", c.reason, c.want, got)
		}
	}
}

func TestUntolerated(t *testing.T) {
	taint := func(key, value string, effect corev1.TaintEffect) corev1.Taint {
		return corev1.Taint{Key: key, Value: value, Effect: effect}
	}
	for _, c := range []struct {
		reason, tolerations string
		taint               corev1.Taint
		out                 bool
	}{
		{"control plane nodes are out", "[]", taint("node-role.kubernetes.io/control-plane", "", "NoSchedule"), true},
		{"unless tolerated", "[{key: node-role.kubernetes.io/control-plane, operator: Exists}]", taint("node-role.kubernetes.io/control-plane", "", "NoSchedule"), false},
		{"NoExecute counts", "[]", taint("a", "", "NoExecute"), true},
		{"PreferNoSchedule does not", "[]", taint("a", "", "PreferNoSchedule"), false},
		{"a toleration of another effect", "[{key: a, operator: Exists, effect: NoSchedule}]", taint("a", "", "NoExecute"), true},
		{"a toleration of another value", "[{key: a, value: x}]", taint("a", "y", "NoSchedule"), true},
		{"of the value", "[{key: a, value: x}]", taint("a", "x", "NoSchedule"), false},
		{"of everything", "[{operator: Exists}]", taint("a", "x", "NoExecute"), false},
		{"a cordoned node keeps its satellite", "[]", taint("node.kubernetes.io/unschedulable", "", "NoSchedule"), false},
		{"so does an unreachable one", "[]", taint("node.kubernetes.io/unreachable", "", "NoExecute"), false},
		{"and one without quorum", "[]", taint("drbd.linbit.com/lost-quorum", "", "NoSchedule"), false},
		{"and one with forced errors", "[]", taint("drbd.linbit.com/force-io-error", "", "NoSchedule"), false},
		{"a key that only begins so", "[]", taint("node.kubernetes.iox/a", "", "NoSchedule"), true},
	} {
		in, err := readText(t, strings.Replace(clusterText, "spec: {}", "spec: {tolerations: "+c.tolerations+"}", 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, out := in.Cluster.Untolerated(&nodes.Node{Name: "n", Taints: []corev1.Taint{c.taint}}); out != c.out {
			t.Errorf("%s: want out %t, got %t", c.reason, c.out, out)
		}
	}
}

// asProblems is the problems of an error.
func asProblems(err error) problem.List {
	var list problem.List
	list.Merge(err)
	return list
}
