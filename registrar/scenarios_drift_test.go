package registrar_test

import (
	"net/netip"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar"
	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

// driftScenarios: what was right becomes wrong.
var driftScenarios = map[string]scenario{
	"the pod comes back with another address": {run: func(w *world) {
		w.git(map[string]any{})
		w.begin()
		w.after(10 * time.Second)
		w.stop()
		w.server.Start("a", linstortest.Satellite{Address: "10.0.0.9", Port: 3366, Encryption: "PLAIN"})
		w.node.Addresses = []netip.Addr{netip.MustParseAddr("10.0.0.9")}
		w.state = &registrar.State{}
		w.begin()
		w.after(10 * time.Second)
		w.ready(true, "the address was changed")
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE", Props: map[string]string{applied: "[]"},
			Interfaces: map[string]string{"default-ipv4": "10.0.0.9 PLAIN *"},
		})
		w.logs("changes default-ipv4 10.0.0.1:3366 PLAIN of node a to default-ipv4 10.0.0.9:3366 PLAIN")
	}},
	"the pod loses a family": {run: func(w *world) {
		v6 := netip.MustParseAddr("fd00::1")
		w.node.Addresses = append(w.node.Addresses, v6)
		w.git(map[string]any{})
		w.begin()
		w.after(10 * time.Second)
		w.stop()
		w.server.Start("a", linstortest.Satellite{Address: "fd00::1", Port: 3366, Encryption: "PLAIN"})
		w.node.Addresses = []netip.Addr{v6}
		w.begin()
		w.after(10 * time.Second)
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE", Props: map[string]string{applied: "[]"},
			Interfaces: map[string]string{"default-ipv4": address + " PLAIN", "default-ipv6": "fd00::1 PLAIN *"},
		})
		w.logs("interface default-ipv4 (10.0.0.1) is none of the pod's any more; it is left as it is")
	}},
	"the pod gains a family": {run: func(w *world) {
		w.git(map[string]any{})
		w.begin()
		w.after(10 * time.Second)
		w.stop()
		w.node.Addresses = append(w.node.Addresses, netip.MustParseAddr("fd00::1"))
		w.begin()
		w.after(10 * time.Second)
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE", Props: map[string]string{applied: "[]"},
			Interfaces: map[string]string{"default-ipv4": address + " PLAIN *", "default-ipv6": "fd00::1 PLAIN"},
		})
		w.logs("adds default-ipv6 [fd00::1]:3366 PLAIN to node a")
	}},
	"somebody else registers the node at the same moment": {run: func(w *world) {
		w.git(map[string]any{})
		w.begin()
		w.after(2 * interval)
		missing := refusal(404, 300, "Node 'a' not found.")
		missing.Request, missing.Times = "GET /v1/nodes/a", 3
		w.server.Trouble(missing)
		w.after(3 * interval)
		w.ready(true, "it is there")
		if w.log.lines("level=ERROR") > 0 || w.log.lines("step=register") != 1 {
			w.Errorf("that it exists is no fault and no change:\n%s", w.log)
		}
	}},
	"the controller restarts with its database": {run: func(w *world) {
		w.git(map[string]any{})
		w.begin()
		w.after(10 * time.Second)
		before := len(w.server.Calls())
		w.server.Trouble(linstortest.Trouble{Refused: true})
		w.after(3 * time.Minute)
		w.ready(true, "a controller that is away changes nothing")
		w.server.Restart(false)
		w.server.Mend()
		w.after(2 * interval)
		w.ready(true, "it is back")
		if n := w.log.lines("step=register"); n != 1 {
			w.Errorf("registered %d times, want once:\n%s", n, w.log)
		}
		if len(w.server.Calls()) == before {
			w.Error("the controller was not asked again")
		}
	}},
	"the controller restarts without its database": {run: func(w *world) {
		w.vg("vg0", "")
		w.server.Start("a", linstortest.Satellite{
			Address: address, Port: 3366, Encryption: "PLAIN", Backings: map[string]string{"vg0": "LVM"},
		})
		w.git(map[string]any{
			"properties":   map[string]string{"Aux/x": "1"},
			"storagePools": []any{map[string]any{"name": "pool", "lvmPool": map[string]any{"volumeGroup": "vg0"}}},
		})
		w.begin()
		w.after(20 * time.Second)
		before := w.server.Node("a")
		w.server.Restart(true)
		w.after(3 * interval)
		if diff := cmp.Diff(before, w.server.Node("a")); diff != "" {
			w.Errorf("after the loss (-before +now):\n%s", diff)
		}
		if got := before.Pools["pool"]; got != "LVM vg0" {
			w.Errorf("pool: %q", got)
		}
	}},
	"properties and interfaces changed by hand": {run: func(w *world) {
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1", "Aux/y": "2"}})
		w.begin()
		w.after(10 * time.Second)
		w.server.SetNode("a", "Aux/x", "changed")
		w.server.SetNode("a", "Aux/y", "")
		w.server.SetNode("a", "Aux/foreign", "stays")
		w.server.SetInterface("a", "default-ipv4", "10.9.9.9")
		w.after(3 * interval)
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE",
			Props:      map[string]string{"Aux/x": "1", "Aux/y": "2", "Aux/foreign": "stays", applied: `["Aux/x","Aux/y"]`},
			Interfaces: map[string]string{"default-ipv4": address + " PLAIN *"},
		})
	}},
	"git drops a property": {run: func(w *world) {
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1", "Aux/y": "2"}})
		w.begin()
		w.after(10 * time.Second)
		w.server.SetNode("a", "Aux/foreign", "stays")
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1"}})
		w.after(5 * time.Second) // a change of the file is seen at once
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE",
			Props:      map[string]string{"Aux/x": "1", "Aux/foreign": "stays", applied: `["Aux/x"]`},
			Interfaces: map[string]string{"default-ipv4": address + " PLAIN *"},
		})
		w.logs("removes Aux/y on node a")
	}},
	"the memory of what was set is damaged": {run: func(w *world) {
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1"}})
		w.begin()
		w.after(10 * time.Second)
		w.server.SetNode("a", applied, "{not a list")
		w.git(map[string]any{"properties": map[string]string{"Aux/z": "1"}})
		w.after(5 * time.Second)
		if diff := cmp.Diff(map[string]string{"Aux/x": "1", "Aux/z": "1", applied: `["Aux/z"]`}, w.server.Node("a").Props); diff != "" {
			w.Errorf("what is not known to be ours stays (-want +got):\n%s", diff)
		}
	}},
	"the topology of a node changes": {run: func(w *world) {
		w.git(map[string]any{"properties": map[string]string{"Aux/topology/zone": "z1"}})
		w.begin()
		w.after(10 * time.Second)
		if n := w.restarted.Load(); n != 0 {
			w.Errorf("the CSI driver was restarted %d times at the first start", n)
		}
		w.git(map[string]any{"properties": map[string]string{"Aux/topology/zone": "z2"}})
		w.after(10 * time.Minute)
		if n := w.restarted.Load(); n != 1 {
			w.Errorf("the CSI driver was restarted %d times, want once", n)
		}
		w.logs("restarts the CSI driver of node a, whose topology has changed")
	}},
	"at rest": {run: func(w *world) {
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1"}})
		w.begin()
		w.after(2 * interval)
		calls, lines := len(w.server.Calls()), w.log.lines("")
		w.after(100 * interval)
		made := w.server.Calls()[calls:]
		// The interval may be a tenth shorter.
		if len(made) < 90 || len(made) > 112 {
			w.Errorf("%d requests in 100 intervals, want one in each", len(made))
		}
		for _, c := range made {
			if c.Method != "GET" {
				w.Errorf("at rest: %v", c)
			}
		}
		if now := w.log.lines(""); now != lines {
			w.Errorf("something was logged at rest:\n%s", w.log)
		}
	}},
	"LINSTOR knows the node as something else": {run: func(w *world) {
		w.git(map[string]any{})
		w.begin()
		w.after(10 * time.Second)
		w.server.SetType("a", "Controller")
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1"}})
		w.after(interval)
		w.logs("LINSTOR knows it as a node of type Controller; nothing is changed")
		if w.server.Node("a").Props["Aux/x"] != "" {
			w.Error("a property was set")
		}
	}},
	"LINSTOR is deleting the node": {run: func(w *world) {
		w.git(map[string]any{})
		w.begin()
		w.after(10 * time.Second)
		w.server.Flag("a", "DELETE")
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1"}})
		w.after(3 * interval)
		w.logs("LINSTOR is deleting the node; nothing is changed")
		for _, b := range w.server.Bodies() {
			if strings.Contains(b, "Aux/x") {
				w.Errorf("it was changed: %s", b)
			}
		}
	}},
}
