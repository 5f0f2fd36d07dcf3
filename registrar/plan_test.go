package registrar

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// outline is a plan as a list of lines: a step with its request and body, or a
// fault.
func outline(p Plan) []string {
	out := []string{}
	for _, s := range p.Steps {
		body, err := json.Marshal(s.Change.Body())
		if err != nil {
			panic(err)
		}
		out = append(out, fmt.Sprintf("%s: %s %s", s.Says, s.Change, body))
	}
	for _, f := range p.Faults {
		out = append(out, f.Severity.String()+": "+f.Error())
	}
	if p.Waiting != "" {
		out = append(out, "waiting: "+p.Waiting)
	}
	return out
}

var (
	v4, v6 = netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fd00::1")
	yes    = true
)

func TestPlanNode(t *testing.T) {
	wanted := Node{Name: "a", Encryption: Plain, Properties: map[string]string{"Aux/x": "1"}}
	known := linstor.Node{
		Name: "a", Type: "SATELLITE", ConnectionStatus: "ONLINE",
		Props:      map[string]string{"Aux/x": "1", Remembered: `["Aux/x"]`, "Aux/foreign": "1"},
		Interfaces: []linstor.Interface{{Name: "default-ipv4", Address: "10.0.0.1", Port: 3366, Encryption: "Plain", Active: &yes}},
	}
	node := func(change func(*linstor.Node)) *linstor.Node {
		n := known
		n.Interfaces = slices.Clone(n.Interfaces)
		change(&n)
		return &n
	}
	tests := []struct {
		name      string
		want      Node
		addresses []netip.Addr
		seen      Seen
		plan      []string
		reason    string
	}{
		{
			name: "new", want: wanted, addresses: []netip.Addr{v4, v6},
			plan: []string{`registers node a with default-ipv4 10.0.0.1:3366 PLAIN and default-ipv6 [fd00::1]:3366 PLAIN: POST /v1/nodes ` +
				`{"name":"a","type":"Satellite","props":{"Aux/linstor-cmp.io/applied":"[\"Aux/x\"]","Aux/x":"1"},"net_interfaces":[` +
				`{"name":"default-ipv4","address":"10.0.0.1","satellite_port":3366,"satellite_encryption_type":"PLAIN","is_active":true},` +
				`{"name":"default-ipv6","address":"fd00::1","satellite_port":3366,"satellite_encryption_type":"PLAIN"}]}`},
			reason: "all is told in one request",
		},
		{
			name: "same", want: wanted, addresses: []netip.Addr{v4}, seen: Seen{Node: &known},
			reason: "LINSTOR spells PLAIN and SATELLITE in its own way, and foreign properties are nobody's business",
		},
		{
			name: "encryption", want: Node{Name: "a", Encryption: SSL, Properties: wanted.Properties}, addresses: []netip.Addr{v4}, seen: Seen{Node: &known},
			plan: []string{`changes default-ipv4 10.0.0.1:3366 PLAIN of node a to default-ipv4 10.0.0.1:3367 SSL: PUT /v1/nodes/a/net-interfaces/default-ipv4 ` +
				`{"name":"default-ipv4","address":"10.0.0.1","satellite_port":3367,"satellite_encryption_type":"SSL"}`},
			reason: "port and encryption belong together; which interface is active stays",
		},
		{
			name: "foreign interface", want: wanted, addresses: []netip.Addr{v4},
			seen: Seen{Node: node(func(n *linstor.Node) {
				n.Interfaces = append(n.Interfaces, linstor.Interface{Name: "fast", Address: "192.168.0.1"})
			})},
			reason: "an interface that somebody else made stays",
		},
		{
			name: "same address in another spelling", want: Node{Name: "a", Encryption: Plain, Properties: wanted.Properties}, addresses: []netip.Addr{v6},
			seen: Seen{Node: node(func(n *linstor.Node) {
				n.Interfaces = []linstor.Interface{{Name: "default-ipv6", Address: "FD00:0:0:0:0:0:0:1", Port: 3366, Encryption: "plain"}}
			})},
			reason: "IPv6 addresses have many spellings",
		},
		{
			name: "topology", want: Node{Name: "a", Encryption: Plain, Properties: map[string]string{"Aux/topology/zone": "z"}}, addresses: []netip.Addr{v4},
			seen: Seen{Node: &known},
			plan: []string{`sets Aux/topology/zone and removes Aux/x on node a: PUT /v1/nodes/a ` +
				`{"override_props":{"Aux/linstor-cmp.io/applied":"[\"Aux/topology/zone\"]","Aux/topology/zone":"z"},"delete_props":["Aux/x"]}`},
			reason: "what git sets and what it no longer has go in one request",
		},
		{
			name: "not online", want: wanted, addresses: []netip.Addr{v4},
			seen: Seen{Node: node(func(n *linstor.Node) { n.ConnectionStatus = "" })},
			plan: []string{"waiting: LINSTOR says that node a is UNKNOWN, connecting through default-ipv4 10.0.0.1:3366 PLAIN"}, reason: "no status is no ONLINE",
		},
		{
			name: "combined", want: wanted, addresses: []netip.Addr{v4},
			seen: Seen{Node: node(func(n *linstor.Node) { n.Type = "Combined" })}, reason: "a combined node has a satellite",
		},
		{
			name: "names that need escaping", want: Node{Name: "a/../b", Encryption: Plain}, addresses: []netip.Addr{v4},
			seen:   Seen{Node: node(func(n *linstor.Node) { n.Props = nil })},
			plan:   []string{`remembers which properties git sets on node a/../b: PUT /v1/nodes/a%2F..%2Fb {"override_props":{"Aux/linstor-cmp.io/applied":"[]"}}`},
			reason: "a name must not lead to another path",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan := PlanNode(tt.want, tt.addresses, tt.seen)
			if tt.plan == nil {
				tt.plan = []string{}
			}
			if diff := cmp.Diff(tt.plan, outline(plan)); diff != "" {
				t.Errorf("%s: plan (-want +got):\n%s", tt.reason, diff)
			}
			if got, want := plan.InSync(), len(tt.plan) == 0; got != want {
				t.Errorf("in sync: %t, want %t", got, want)
			}
		})
	}
}

// Devices are the one thing that costs data, so the whole table of what git
// says, what LINSTOR calls empty and what is on the node is here.
func TestPlanDevices(t *testing.T) {
	const (
		makes = `makes volume group vg0 of the empty devices /dev/sdb on node a: POST /v1/physical-storage/a {"provider_kind":"LVM","device_paths":["/dev/sdb"],"pool_name":"vg0"}`
		known = `makes known storage pool pool on node a (LVM vg0): POST /v1/nodes/a/storage-pools {"storage_pool_name":"pool","provider_kind":"LVM","props":{"Aux/linstor-cmp.io/applied":"[]","StorDriver/StorPoolName":"vg0"}}`
		none  = "error: storage pool pool on node a: LINSTOR does not report device "
		keep  = " as empty; nothing is written to"
	)
	tests := []struct {
		devices  []string
		empty    []string
		real     map[string]string
		evidence Evidence
		plan     []string
		reason   string
	}{
		{devices: []string{"/dev/sdb"}, empty: []string{"/dev/sdb"}, evidence: Absent, plan: []string{makes, known}, reason: "the one case in which a device is written to"},
		{devices: []string{"/dev/sdb"}, empty: []string{"/dev/sdb"}, evidence: Unknown, plan: []string{makes, known}, reason: "LINSTOR's word counts; an old volume group of that name makes it refuse"},
		{devices: []string{"/dev/disk/by-id/x"}, empty: []string{"/dev/sdb"}, real: map[string]string{"/dev/disk/by-id/x": "/dev/sdb"}, evidence: Absent, plan: []string{makes, known}, reason: "a link is what it leads to, and LINSTOR is told its own name for it"},
		{devices: []string{"/dev/sdb"}, evidence: Present, plan: []string{known}, reason: "it was used before"},
		{devices: []string{"/dev/sdb"}, evidence: Absent, plan: []string{none + "/dev/sdb" + keep}, reason: "something else is on it"},
		{devices: []string{"/dev/sdb"}, evidence: Unknown, plan: []string{none + "/dev/sdb" + keep}, reason: "in doubt nothing is done"},
		{devices: []string{"/dev/sdb", "/dev/sdc"}, empty: []string{"/dev/sdb"}, evidence: Absent, plan: []string{none + "/dev/sdc" + keep}, reason: "all of them or none"},
		{devices: []string{"/dev/sdb"}, empty: []string{"/dev/sdbc", "/dev/sd"}, evidence: Absent, plan: []string{none + "/dev/sdb" + keep}, reason: "names are compared whole"},
		{devices: []string{"/dev/sdb"}, empty: []string{"/dev/sdb"}, evidence: Present, plan: []string{"error: storage pool pool on node a: volume group vg0 is there, and yet LINSTOR calls /dev/sdb empty; nothing is written to"}, reason: "two answers that do not fit"},
		{evidence: Present, empty: []string{"/dev/sdb"}, plan: []string{known}, reason: "without a source no device is looked at"},
		{evidence: Absent, empty: []string{"/dev/sdb"}, plan: []string{"error: storage pool pool on node a: volume group vg0 is not there"}, reason: "without a source nothing is made"},
		{evidence: Unknown, plan: []string{"error: storage pool pool on node a: whether volume group vg0 is there cannot be told"}, reason: "LINSTOR would keep a broken pool"},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := Node{Name: "a", Encryption: Plain, Pools: []Pool{{Name: "pool", Kind: LVM, Backing: "vg0", Devices: tt.devices}}}
			plan := PlanNode(want, []netip.Addr{v4}, Seen{
				Node: onlineNode(), Empty: tt.empty, Real: tt.real, Backing: map[string]Evidence{"pool": tt.evidence},
			})
			if diff := cmp.Diff(tt.plan, outline(plan)); diff != "" {
				t.Errorf("%s: plan (-want +got):\n%s", tt.reason, diff)
			}
		})
	}
}

func onlineNode() *linstor.Node {
	return &linstor.Node{
		Name: "a", Type: "Satellite", ConnectionStatus: "ONLINE", Props: map[string]string{Remembered: "[]"},
		Interfaces: []linstor.Interface{{Name: "default-ipv4", Address: "10.0.0.1", Port: 3366, Encryption: "PLAIN"}},
	}
}

func TestPlanSharedDevice(t *testing.T) {
	want := Node{Name: "a", Encryption: Plain, Pools: []Pool{
		{Name: "one", Kind: LVM, Backing: "vg0", Devices: []string{"/dev/sdb"}},
		{Name: "two", Kind: LVM, Backing: "vg1", Devices: []string{"/dev/disk/by-id/x"}},
	}}
	plan := PlanNode(want, []netip.Addr{v4}, Seen{
		Node: onlineNode(), Empty: []string{"/dev/sdb"}, Real: map[string]string{"/dev/disk/by-id/x": "/dev/sdb"},
	})
	if len(plan.Steps) != 2 || len(plan.Faults) != 1 || plan.Steps[0].Object != subjectOf("one", "a") {
		t.Errorf("a device under two names goes to the first pool only: %q", outline(plan))
	}
}

func TestPlanOlderPools(t *testing.T) {
	tests := []struct {
		kind, backing string
		props         map[string]string
		same          bool
	}{
		{LVMThin, "vg/thin", map[string]string{"StorDriver/LvmVg": "vg", "StorDriver/ThinPool": "thin"}, true},
		{LVM, "vg", map[string]string{"StorDriver/LvmVg": "vg"}, true},
		{ZFS, "tank", map[string]string{"StorDriver/ZPool": "tank"}, true},
		{ZFSThin, "tank", map[string]string{"StorDriver/ZPoolThin": "tank"}, true},
		{File, "/p", map[string]string{"StorDriver/FileDir": "/p"}, true},
		{LVM, "vg", map[string]string{"StorDriver/LvmVg": "other", "StorDriver/StorPoolName": "vg"}, true},
		{LVM, "vg", map[string]string{}, false},
		{LVMThin, "vg/thin", map[string]string{"StorDriver/LvmVg": "vg"}, false},
	}
	for _, tt := range tests {
		want := Node{Name: "a", Encryption: Plain, Pools: []Pool{{Name: "pool", Kind: tt.kind, Backing: tt.backing}}}
		have := linstor.Pool{Name: "POOL", Kind: tt.kind, Props: tt.props}
		tt.props[Remembered] = `["StorDriver/LvmVg","StorDriver/StorPoolName"]` // by somebody's hand
		plan := PlanNode(want, []netip.Addr{v4}, Seen{Node: onlineNode(), Pools: []linstor.Pool{have}})
		if same := len(plan.Faults) == 0; same != tt.same {
			t.Errorf("%s on %s, LINSTOR has %v: same = %t, want %t", tt.kind, tt.backing, tt.props, same, tt.same)
		}
		for _, s := range plan.Steps {
			if p := s.Change.Body().(linstor.Properties); len(p.Delete) > 0 {
				t.Errorf("what a pool is made of is never deleted: %v", p.Delete)
			}
		}
	}
}
