package registrar

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
)

func TestParseNode(t *testing.T) {
	got, err := ParseNode([]byte(`{
		"name": "a", "properties": {"Aux/x": "1"}, "encryption": "ssl", "ipFamilies": ["IPv6", "IPv4"],
		"removedStoragePools": ["old"],
		"storagePools": [
			{"name": "thin", "lvmThinPool": {"volumeGroup": "vg", "thinPool": "thin", "physicalVolumeCreateArguments": ["--a"]},
			 "source": {"hostDevices": ["/dev/sdb"]}, "properties": [{"name": "PrefNic", "value": "default-ipv6"}]},
			{"name": "files", "filePool": {"directory": "/var/lib/p"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Node{
		Name: "a", Properties: map[string]string{"Aux/x": "1"}, Encryption: SSL, Families: []string{"IPv6", "IPv4"}, Removed: []string{"old"},
		Pools: []Pool{
			{
				Name: "thin", Kind: LVMThin, Backing: "vg/thin", Devices: []string{"/dev/sdb"},
				Properties: map[string]string{"PrefNic": "default-ipv6"}, Arguments: Arguments{PV: []string{"--a"}},
			},
			{Name: "files", Kind: File, Backing: "/var/lib/p", Properties: map[string]string{}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("node (-want +got):\n%s", diff)
	}
}

func TestParseNodeFaults(t *testing.T) {
	pool := func(s string) string { return `{"name": "a", "storagePools": [` + s + `]}` }
	tests := []struct{ text, says, reason string }{
		{``, "no usable JSON", "an empty file"},
		{`[]`, "no usable JSON", "another shape"},
		{`{"name": "a"} {"name": "b"}`, "there is more after the JSON object", "two documents"},
		{`{"name": "a", "storagePool": []}`, `unknown field "storagePool"`, "a typo"},
		{`{}`, "name is missing", "no name"},
		{`{"name": "a", "encryption": "TLS"}`, "want PLAIN or SSL", "no encryption"},
		{`{"name": "a", "ipFamilies": ["IPv4", "IPv4"]}`, "each at most once", "twice"},
		{`{"name": "a", "ipFamilies": ["ipv4"]}`, `ipFamilies: "ipv4"`, "no family"},
		{`{"name": "a", "properties": {"Aux/linstor-cmp.io/applied": "[]"}}`, "not for git to set", "our own memory"},
		{`{"name": "a", "properties": {"": "x"}}`, "not for git to set", "no name"},
		{pool(`{"name": "ab", "lvmPool": {"volumeGroup": "vg"}}`), "no name of a storage pool", "too short for LINSTOR"},
		{pool(`{"name": "abc"}`), "has 0 kinds", "no kind"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg"}, "zfsPool": {"zPool": "z"}}`), "has 2 kinds", "two kinds"},
		{pool(`{"name": "abc", "lvmPool": {}}`), "no backing of kind LVM", "no backing"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg/x"}}`), "no backing of kind LVM", "a thin pool is not asked for"},
		{pool(`{"name": "abc", "lvmThinPool": {"volumeGroup": "vg"}}`), "no backing of kind LVM_THIN", "half a backing"},
		{pool(`{"name": "abc", "lvmThinPool": {"volumeGroup": "vg", "thinPool": "../x y"}}`), "no backing of kind LVM_THIN", "a hostile name"},
		{pool(`{"name": "abc", "filePool": {"directory": "/"}}`), "no clean absolute path", "the root"},
		{pool(`{"name": "abc", "filePool": {"directory": "/a/../b"}}`), "no clean absolute path", "not clean"},
		{pool(`{"name": "abc", "filePool": {"directory": "/a"}, "source": {"hostDevices": ["/dev/sdb"]}}`), "takes no devices", "a directory is of no device"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg"}, "source": {"hostDevices": []}}`), "hostDevices is empty", "no device"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg"}, "source": {"hostDevices": ["sdb"]}}`), "no clean path below /dev/", "no path"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg"}, "source": {"hostDevices": ["/dev/../etc"]}}`), "no clean path below /dev/", "another place"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg"}}, {"name": "abc", "lvmPool": {"volumeGroup": "vg"}}`), "is listed twice", "twice"},
		{`{"name": "a", "removedStoragePools": ["abc"], "storagePools": [{"name": "abc", "lvmPool": {"volumeGroup": "vg"}}]}`, "in storagePools and in removedStoragePools", "both"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg"}, "properties": [{"name": "StorDriver/StorPoolName", "value": "other"}]}`), "not for properties to change", "a pool must not be moved"},
		{pool(`{"name": "abc", "lvmPool": {"volumeGroup": "vg"}, "properties": [{"name": "Aux/x", "value": "1"}, {"name": "Aux/x", "value": "2"}]}`), "is set twice", "twice"},
	}
	for _, tt := range tests {
		_, err := ParseNode([]byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "node.json: ") {
			t.Errorf("%s: %s: error %v, want one that says %q", tt.reason, tt.text, err, tt.says)
		}
	}
}

// TestParseEveryField holds the types here against those of the input kinds,
// of which node.json is made.
func TestParseEveryField(t *testing.T) {
	args := []string{"--x"}
	properties := []api.ControllerProperty{{Name: "Aux/x", Value: "1"}}
	source := &api.PoolSource{HostDevices: []string{"/dev/sdb"}}
	for _, p := range []api.StoragePool{
		{Name: "pool", Properties: properties, Source: source, LvmPool: &api.LvmPool{VolumeGroup: "vg", SharedSpace: "s", ExternalLocking: true, PhysicalVolumeCreateArguments: args, VolumeGroupCreateArguments: args}},
		{Name: "pool", Properties: properties, Source: source, LvmThinPool: &api.LvmThinPool{VolumeGroup: "vg", ThinPool: "t", PhysicalVolumeCreateArguments: args, VolumeGroupCreateArguments: args, LogicalVolumeCreateArguments: args}},
		{Name: "pool", Properties: properties, Source: source, ZfsPool: &api.ZfsPool{ZPool: "z", ZPoolCreateArguments: args}},
		{Name: "pool", Properties: properties, Source: source, ZfsThinPool: &api.ZfsPool{ZPool: "z", ZPoolCreateArguments: args}},
		{Name: "pool", Properties: properties, FilePool: &api.FilePool{Directory: "/d"}},
		{Name: "pool", Properties: properties, FileThinPool: &api.FilePool{Directory: "/d"}},
	} {
		data, err := json.Marshal(map[string]any{"name": "a", "properties": map[string]string{}, "storagePools": []api.StoragePool{p}})
		if err != nil {
			t.Fatal(err)
		}
		n, err := ParseNode(data)
		if err != nil || len(n.Pools) != 1 || n.Pools[0].Kind == "" {
			t.Errorf("%s: %+v, %v", data, n, err)
		}
	}
}

// TestParseExamples reads what the generator makes of the examples.
func TestParseExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/want.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	nodes, clusters := 0, 0
	for _, file := range files {
		stream, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(stream, []byte("\n---\n")) {
			var object struct {
				Kind string            `json:"kind"`
				Data map[string]string `json:"data"`
			}
			if err := yaml.Unmarshal(doc, &object); err != nil || object.Kind != "ConfigMap" {
				continue // other kinds have other data
			}
			if text, ok := object.Data["node.json"]; ok {
				nodes++
				if _, err := ParseNode([]byte(text)); err != nil {
					t.Errorf("%s: %v\n%s", file, err, text)
				}
			}
			if text, ok := object.Data["cluster.json"]; ok {
				clusters++
				if _, err := ParseCluster([]byte(text)); err != nil {
					t.Errorf("%s: %v\n%s", file, err, text)
				}
			}
		}
	}
	if nodes == 0 || clusters == 0 {
		t.Errorf("%d node.json and %d cluster.json in the examples", nodes, clusters)
	}
}

func TestParseClusterFaults(t *testing.T) {
	rule := func(s string) string { return `{"name": "c", "nodeConnections": [{"name": "r", ` + s + `}]}` }
	for _, tt := range []struct{ text, says string }{
		{`{"propertie": {}}`, "unknown field"},
		{rule(`"selector": [{"matchLabels": [{"key": ""}]}]`), "needs a key"},
		{rule(`"selector": [{"matchLabels": [{"key": "k", "op": "Equal"}]}]`), `no operator: "Equal"`},
		{rule(`"selector": [{"matchLabels": [{"key": "k", "op": "In"}]}]`), "values go with In and NotIn"},
		{rule(`"selector": [{"matchLabels": [{"key": "k", "values": ["x"]}]}]`), "values go with In and NotIn"},
		{rule(`"paths": [{"name": "p"}]`), "needs a name and an interface"},
		{`{"properties": {"Aux/linstor-cmp.io/applied": ""}}`, "not for git to set"},
	} {
		if _, err := ParseCluster([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %v, want one that says %q", tt.text, err, tt.says)
		}
	}
}

func TestParseAddresses(t *testing.T) {
	got, err := ParseAddresses(" 10.0.0.1, fd00::1,::ffff:10.0.0.2,")
	if err != nil || len(got) != 3 || got[2].String() != "10.0.0.2" {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", " , ", "10.0.0", "node-a"} {
		if got, err := ParseAddresses(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

// FuzzParseNode looks for input that breaks the promise of a checked node.
func FuzzParseNode(f *testing.F) {
	f.Add([]byte(`{"name": "a", "storagePools": [{"name": "abc", "lvmPool": {"volumeGroup": "vg"}, "source": {"hostDevices": ["/dev/sdb"]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := ParseNode(data)
		if err != nil {
			return
		}
		for _, p := range n.Pools {
			for _, d := range p.Devices {
				if !cleanDevice(d) {
					t.Errorf("device %q", d)
				}
			}
			if p.Kind == "" || p.Backing == "" {
				t.Errorf("pool %+v", p)
			}
		}
	})
}
