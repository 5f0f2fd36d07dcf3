package generator

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
)

// nodeFile is what node.json holds.
type nodeFile struct {
	Name         string           `json:"name"`
	Properties   map[string]any   `json:"properties"`
	StoragePools []map[string]any `json:"storagePools"`
}

func nodeFileOf(t *testing.T, r rendered, node string) nodeFile {
	t.Helper()
	text, _ := r.at("ConfigMap/satellite-config-"+node, "data,node.json").(string)
	var f nodeFile
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		t.Fatalf("node.json: %v\n%s", err, text)
	}
	return f
}

func TestProperties(t *testing.T) {
	node := []nodes.Node{{
		Name: "a", UID: "u-1", OSImage: "Ubuntu 22.04.5 LTS",
		Labels: map[string]string{
			"kubernetes.io/hostname": "host-a", "empty": "", "rack": "0012",
			"disk.example.com/b": "ssd", "disk.example.com/a": "hdd", "disk.example.com/": "bare",
		},
		Annotations: map[string]string{"note/x": "1, 2", "note/y": "z\n\"<&>", "other": string(manifest.Mark) + "a"},
	}}
	const host, linbit = "Aux/topology/kubernetes.io/hostname", "Aux/topology/linbit.com/hostname"
	for _, c := range []struct {
		reason, properties string
		want               map[string]any // besides the two that every node has
	}{
		{"none", "", nil},
		{"a value as it is written", `{name: p, value: "007"}`, map[string]any{"p": "007"}},
		{"an empty value", `{name: p, value: ""}`, map[string]any{"p": ""}},
		{"a label", `{name: p, valueFrom: {nodeFieldRef: "metadata.labels['rack']"}}`, map[string]any{"p": "0012"}},
		{"an annotation", `{name: p, valueFrom: {nodeFieldRef: "metadata.annotations['note/x']"}}`, map[string]any{"p": "1, 2"}},
		{"what an annotation holds cannot break the text", `{name: p, valueFrom: {nodeFieldRef: "metadata.annotations['note/y']"}}`, map[string]any{"p": "z\n\"<&>"}},
		{"nor pass for a placeholder", `{name: p, valueFrom: {nodeFieldRef: "metadata.annotations['other']"}}`, map[string]any{"p": "\ufffda"}},
		{"the name", `{name: p, valueFrom: {nodeFieldRef: metadata.name}}`, map[string]any{"p": "a"}},
		{"the UID", `{name: p, valueFrom: {nodeFieldRef: metadata.uid}}`, map[string]any{"p": "u-1"}},
		{"the namespace, which a node has not", `{name: p, valueFrom: {nodeFieldRef: metadata.namespace}}`, map[string]any{"p": ""}},
		{"a label that is not there", `{name: p, valueFrom: {nodeFieldRef: "metadata.labels['none']"}}`, map[string]any{"p": ""}},
		{"an optional one that is not there", `{name: p, optional: true, valueFrom: {nodeFieldRef: "metadata.labels['none']"}}`, nil},
		{"an optional one that is empty", `{name: p, optional: true, valueFrom: {nodeFieldRef: "metadata.labels['empty']"}}`, map[string]any{"p": ""}},
		{"a default one replaced", `{name: ` + host + `, value: mine}`, map[string]any{host: "mine"}},
		{
			"a property for each label with a prefix", `{name: Aux/, expandFrom: {nodeFieldRef: "metadata.labels['disk.example.com/*']", nameTemplate: "disk-$1", valueTemplate: "$2 at $1"}}`,
			map[string]any{"Aux/disk-a": "hdd at a", "Aux/disk-b": "ssd at b", "Aux/disk-": "bare at "},
		},
		{
			"without a name of its own", `{expandFrom: {nodeFieldRef: "metadata.labels['disk.example.com/*']", nameTemplate: "disk-$1", valueTemplate: "$2"}}`,
			map[string]any{"disk-a": "hdd", "disk-b": "ssd", "disk-": "bare"},
		},
		{
			"one property of all, in the order of their keys", `{name: p, expandFrom: {nodeFieldRef: "metadata.labels['disk.example.com/*']", valueTemplate: "$1=$2", delimiter: "; "}}`,
			map[string]any{"p": "=bare; a=hdd; b=ssd"},
		},
		{"without a delimiter", `{name: p, expandFrom: {nodeFieldRef: "metadata.labels['disk.example.com/*']", valueTemplate: $2}}`, map[string]any{"p": "barehddssd"}},
		{"nothing matches: an empty value", `{name: p, optional: true, expandFrom: {nodeFieldRef: "metadata.labels['none*']", valueTemplate: $2}}`, map[string]any{"p": ""}},
		{"nothing matches: no property", `{name: p, expandFrom: {nodeFieldRef: "metadata.labels['none*']", nameTemplate: $1, valueTemplate: $2}}`, nil},
		{
			"all annotations", `{name: n/, expandFrom: {nodeFieldRef: metadata.annotations, nameTemplate: $1, valueTemplate: "<$2>"}}`,
			map[string]any{"n/note/x": "<1, 2>", "n/note/y": "<z\n\"<&>>", "n/other": "<\ufffda>"},
		},
		{"annotations with a prefix", `{name: p, expandFrom: {nodeFieldRef: "metadata.annotations['note/*']", valueTemplate: $1, delimiter: "+"}}`, map[string]any{"p": "x+y"}},
		{"one key, expanded", `{name: p, expandFrom: {nodeFieldRef: "metadata.labels['rack']", valueTemplate: "[$1|$2]"}}`, map[string]any{"p": "[|0012]"}},
	} {
		want := nodeFile{Name: "a", Properties: map[string]any{host: "host-a", linbit: "a"}, StoragePools: []map[string]any{}}
		for k, v := range c.want {
			want.Properties[k] = v
		}
		r := render(t, onlySatellites+overlay("o", "{properties: ["+c.properties+"]}"), node)
		if diff := cmp.Diff(want, nodeFileOf(t, r, "a")); diff != "" {
			t.Errorf("%s (-want +got): %s", c.reason, diff)
		}
	}
}

// A property of a later overlay takes the place of an earlier one's.
func TestPropertiesOfSeveralOverlays(t *testing.T) {
	text := onlySatellites +
		overlay("b", `{properties: [{name: p, valueFrom: {nodeFieldRef: "metadata.labels['none']"}}, {name: q, value: b}]}`) +
		overlay("a", `{properties: [{name: p, value: a}, {name: r, value: a}]}`)
	f := nodeFileOf(t, render(t, text, nodesNamed("x")), "x")
	got := map[string]any{}
	for _, k := range []string{"p", "q", "r"} {
		got[k] = f.Properties[k]
	}
	if diff := cmp.Diff(map[string]any{"p": "", "q": "b", "r": "a"}, got); diff != "" {
		t.Error(diff)
	}
}

// Topology, which CSI needs, is there without anybody's asking.
func TestTopology(t *testing.T) {
	list := nodesNamed("a")
	list[0].Labels = map[string]string{"topology.kubernetes.io/region": "eu", "topology.kubernetes.io/zone": ""}
	want := map[string]any{
		"Aux/topology/linbit.com/hostname": "a", "Aux/topology/kubernetes.io/hostname": "",
		"Aux/topology/topology.kubernetes.io/region": "eu", "Aux/topology/topology.kubernetes.io/zone": "",
	}
	if diff := cmp.Diff(want, nodeFileOf(t, render(t, onlySatellites, list), "a").Properties); diff != "" {
		t.Error(diff)
	}
}

func TestPoolsOfSeveralOverlays(t *testing.T) {
	text := onlySatellites +
		overlay("a", `{storagePools: [{name: one, lvmPool: {volumeGroup: x}, properties: [{name: p, value: a}]}, {name: two, zfsPool: {}}]}`) +
		overlay("b", `{storagePools: [{name: one, lvmThinPool: {thinPool: t}}]}`)
	want := []map[string]any{
		{"name": "one", "lvmThinPool": map[string]any{"thinPool": "t", "volumeGroup": "linstor_t"}},
		{"name": "two", "zfsPool": map[string]any{"zPool": "two", "zpoolCreateArguments": []any{"-o", "failmode=continue"}}},
	}
	if diff := cmp.Diff(want, nodeFileOf(t, render(t, text, nodesNamed("a")), "a").StoragePools); diff != "" {
		t.Errorf("pools are replaced whole by name, and sorted (-want +got): %s", diff)
	}
}
