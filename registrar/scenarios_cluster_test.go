package registrar_test

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar"
	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// cluster gives the world a registrar beside the controller, and nodes.
func (w *world) clusterOf(nodes map[string]string) {
	for name, zone := range nodes {
		w.register(name, zone)
	}
	w.cluster = &registrar.ClusterKeeper{Client: w.client()}
	w.state.AlwaysReady = true
}

// register makes a node known by hand.
func (w *world) register(name, zone string) {
	active := true
	err := w.client().Apply(context.Background(), linstor.RegisterNode(linstor.Node{
		Name: name, Type: "Satellite", Props: map[string]string{"Aux/topology/zone": zone},
		Interfaces: []linstor.Interface{{
			Name: "default-ipv4", Address: netip.AddrFrom4([4]byte{10, 0, 1, name[0]}).String(), Port: 3366, Encryption: "PLAIN", Active: &active,
		}},
	}))
	if err != nil {
		w.Fatal(err)
	}
}

func connections(rules ...any) m {
	return m{"name": "linstorcluster", "properties": m{}, "nodeConnections": rules}
}

// clusterScenarios: what is of no single node.
var clusterScenarios = map[string]scenario{
	"controller properties": {run: func(w *world) {
		w.clusterOf(nil)
		w.write(m{"name": "c", "properties": m{"DrbdOptions/AutoEvictAllowEviction": "false", "Aux/x": "1"}, "nodeConnections": []any{}, "maxConcurrentEvacuations": 2})
		w.begin()
		w.after(10 * time.Second)
		w.server.SetController("Aux/foreign", "stays")
		w.server.SetController("DrbdOptions/AutoEvictAllowEviction", "true")
		w.after(3 * interval)
		w.write(m{"name": "c", "properties": m{"DrbdOptions/AutoEvictAllowEviction": "false"}, "nodeConnections": []any{}})
		w.after(5 * time.Second)
		if diff := cmp.Diff(map[string]string{
			"DrbdOptions/AutoEvictAllowEviction": "false", "Aux/foreign": "stays", applied: `["DrbdOptions/AutoEvictAllowEviction"]`,
		}, w.server.Controller()); diff != "" {
			w.Errorf("properties of the controller (-want +got):\n%s", diff)
		}
		w.ready(true, "a registrar in the controller's pod must not take it out of its Service")
	}},
	"the passphrase, from the first start on": {run: func(w *world) {
		w.clusterOf(nil)
		w.cluster.Passphrase = "correct horse"
		w.write(connections())
		w.begin()
		w.after(10 * time.Second)
		w.server.Restart(false) // locked now
		w.after(2 * interval)
		if secret, unlocked := w.server.Passphrase(); secret != "correct horse" || !unlocked {
			w.Errorf("passphrase = %q, unlocked = %t", secret, unlocked)
		}
		w.logs("sets the controller's master passphrase")
		w.logs("enters the controller's master passphrase")
		if w.log.lines("correct horse") > 0 {
			w.Error("the passphrase is in the log")
		}
	}},
	"a passphrase that is wrong": {run: func(w *world) {
		w.clusterOf(nil)
		w.cluster.Passphrase = "right"
		w.write(connections())
		w.begin()
		w.after(10 * time.Second)
		w.stop()
		w.server.Restart(false)
		w.cluster = &registrar.ClusterKeeper{Client: w.client(), Passphrase: "wrong"}
		w.begin()
		w.after(3 * interval)
		w.logs("The passphrase is wrong.")
		if secret, unlocked := w.server.Passphrase(); secret != "right" || unlocked {
			w.Errorf("passphrase = %q, unlocked = %t", secret, unlocked)
		}
	}},
	"a controller that does not know of passphrases' states": {run: func(w *world) {
		w.clusterOf(nil)
		w.cluster.Passphrase = "secret"
		w.server.Trouble(only("GET /v1/encryption", html(405)))
		w.write(connections())
		w.begin()
		w.after(3 * interval)
		w.logs("LINSTOR does not say whether it is set and entered; nothing is done")
	}},
	"connections between the nodes of a zone": {run: func(w *world) {
		w.clusterOf(map[string]string{"a": "z1", "b": "z1", "c": "z2"})
		w.write(connections(m{
			"name": "same-zone", "selector": []any{m{"matchLabels": []any{m{"key": "zone", "op": "Same"}}}},
			"properties": []any{m{"name": "DrbdOptions/Net/protocol", "value": "C"}},
			"paths":      []any{m{"name": "lan", "interface": "default-ipv4"}},
		}))
		w.begin()
		w.after(10 * time.Second)
		ab := map[string]string{
			"DrbdOptions/Net/protocol": "C", "Paths/lan/a": "default-ipv4", "Paths/lan/b": "default-ipv4",
			applied: `["DrbdOptions/Net/protocol","Paths/lan/a","Paths/lan/b"]`,
		}
		if diff := cmp.Diff(ab, w.server.Connection("a", "b")); diff != "" {
			w.Errorf("connection of a and b (-want +got):\n%s", diff)
		}
		if c := w.server.Connection("a", "c"); len(c) > 0 {
			w.Errorf("connection of a and c: %v", c)
		}
		w.register("d", "z2")
		w.after(2 * interval)
		if c := w.server.Connection("c", "d"); c["Paths/lan/d"] != "default-ipv4" {
			w.Errorf("connection of c and the new node d: %v", c)
		}
		w.write(connections())
		w.after(5 * time.Second)
		if c := w.server.Connection("a", "b"); len(c) > 0 {
			w.Errorf("connection of a and b, of which git says nothing any more: %v", c)
		}
	}},
	"labels come from Kubernetes": {run: func(w *world) {
		w.clusterOf(map[string]string{"a": "z1", "b": "z2"})
		w.cluster.Labels = func(_ context.Context, keys []string) (map[string]map[string]string, error) {
			if diff := cmp.Diff([]string{"rack"}, keys); diff != "" {
				w.Errorf("labels asked for (-want +got):\n%s", diff)
			}
			return map[string]map[string]string{"a": {"rack": "1"}, "b": {"rack": "2"}}, nil
		}
		w.write(connections(m{
			"name": "racks", "selector": []any{m{"matchLabels": []any{m{"key": "rack", "op": "In", "values": []string{"1", "2"}}}}},
			"properties": []any{m{"name": "Aux/x", "value": "1"}},
		}))
		w.begin()
		w.after(10 * time.Second)
		if got := w.server.Connection("a", "b")["Aux/x"]; got != "1" {
			w.Errorf("Aux/x = %q", got)
		}
	}},
	"a path over an interface that is not there": {run: func(w *world) {
		w.clusterOf(map[string]string{"a": "z1", "b": "z1"})
		w.write(connections(m{"name": "fast", "paths": []any{m{"name": "fast", "interface": "fast-nic"}}}))
		w.begin()
		w.after(3 * interval)
		w.logs(`node a has no interface \"fast-nic\"; its connections stay as they are`)
	}},
	"half of the list of connections": {run: func(w *world) {
		w.clusterOf(map[string]string{"a": "z1", "b": "z1"})
		w.server.Trouble(linstortest.Trouble{Request: "GET /v1/node-connections", Cut: true, Times: 3})
		w.write(connections(m{"name": "all", "properties": []any{m{"name": "Aux/x", "value": "1"}}}))
		w.begin()
		w.after(3 * interval)
		w.logs("the answer is cut off")
		if got := w.server.Connection("a", "b")["Aux/x"]; got != "1" {
			w.Errorf("Aux/x = %q", got)
		}
	}},
}
