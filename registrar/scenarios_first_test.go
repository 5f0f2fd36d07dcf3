package registrar_test

import (
	"net/netip"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linstor-cmp/linstor-cmp/registrar/internal/linstortest"
)

// applied is the property in which a registrar remembers.
const applied = "Aux/linstor-cmp.io/applied"

// firstScenarios: a node is made known.
var firstScenarios = map[string]scenario{
	"first start, all is up": {run: func(w *world) {
		w.git(map[string]any{"properties": map[string]string{"Aux/topology/zone": "z1"}})
		w.begin()
		w.after(10 * time.Second)
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE",
			Props:      map[string]string{"Aux/topology/zone": "z1", applied: `["Aux/topology/zone"]`},
			Interfaces: map[string]string{"default-ipv4": address + " PLAIN *"},
		})
		w.ready(true, "registered and online")
		w.logs("registers node a with default-ipv4 10.0.0.1:3366 PLAIN")
	}},
	"first start, satellite last": {run: func(w *world) {
		w.listens.Store(false)
		w.server.Stop("a")
		w.git(map[string]any{})
		w.begin()
		w.after(5 * time.Minute)
		if calls := w.server.Calls(); len(calls) > 0 {
			w.Errorf("without a satellite the controller was asked: %v", calls)
		}
		w.ready(false, "nothing is registered")
		w.logs("the satellite does not accept connections yet")
		w.listens.Store(true)
		w.server.Start("a", linstortest.Satellite{Address: address, Port: 3366, Encryption: "PLAIN"})
		w.after(interval + 5*time.Second)
		w.ready(true, "the satellite has come")
	}},
	"first start, controller last": {run: func(w *world) {
		w.server.Trouble(linstortest.Trouble{Refused: true})
		w.git(map[string]any{})
		w.begin()
		w.after(5 * time.Minute)
		w.ready(false, "nothing is registered")
		w.logs("connection refused")
		if n := w.log.lines("connection refused"); n != 1 {
			w.Errorf("the same fault was logged %d times:\n%s", n, w.log)
		}
		w.server.Mend()
		w.after(interval + 5*time.Second)
		w.ready(true, "the controller has come")
	}},
	"first start, registered but offline for a while": {run: func(w *world) {
		w.server.Stop("a")
		w.git(map[string]any{})
		w.begin()
		w.after(time.Minute)
		w.ready(false, "registered and OFFLINE")
		w.logs("LINSTOR says that node a is OFFLINE, connecting through default-ipv4 10.0.0.1:3366 PLAIN")
		w.server.Start("a", linstortest.Satellite{Address: address, Port: 3366, Encryption: "PLAIN"})
		w.after(interval + 5*time.Second)
		w.ready(true, "the satellite has come")
	}},
	"TLS between controller and satellite": {run: func(w *world) {
		w.server.Start("a", linstortest.Satellite{Address: address, Port: 3367, Encryption: "SSL"})
		w.git(map[string]any{"encryption": "SSL"})
		w.begin()
		w.after(10 * time.Second)
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE", Props: map[string]string{applied: "[]"},
			Interfaces: map[string]string{"default-ipv4": address + " SSL *"},
		})
	}},
	"two families, the second preferred": {run: func(w *world) {
		w.node.Addresses = append(w.node.Addresses, netip.MustParseAddr("fd00::1"))
		w.server.Start("a", linstortest.Satellite{Address: "fd00::1", Port: 3366, Encryption: "PLAIN"})
		w.git(map[string]any{"ipFamilies": []string{"IPv6", "IPv4"}})
		w.begin()
		w.after(10 * time.Second)
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE", Props: map[string]string{applied: "[]"},
			Interfaces: map[string]string{"default-ipv4": address + " PLAIN", "default-ipv6": "fd00::1 PLAIN *"},
		})
	}},
	"the families of git only": {run: func(w *world) {
		w.node.Addresses = append(w.node.Addresses, netip.MustParseAddr("fd00::1"))
		w.server.Start("a", linstortest.Satellite{Address: "fd00::1", Port: 3366, Encryption: "PLAIN"})
		w.git(map[string]any{"ipFamilies": []string{"IPv6"}})
		w.begin()
		w.after(10 * time.Second)
		w.is(linstortest.View{
			Registered: true, Status: "ONLINE", Props: map[string]string{applied: "[]"},
			Interfaces: map[string]string{"default-ipv6": "fd00::1 PLAIN *"},
		})
	}},
	"a family that the pod does not have": {run: func(w *world) {
		w.git(map[string]any{"ipFamilies": []string{"IPv6"}})
		w.begin()
		w.after(interval)
		w.is(linstortest.View{})
		w.logs("the pod has no address of the families IPv6")
	}},
	"node.json of another node": {run: func(w *world) {
		w.git(map[string]any{"name": "b"})
		w.begin()
		w.after(3 * interval)
		if calls := w.server.Calls(); len(calls) > 0 {
			w.Errorf("the controller was asked: %v", calls)
		}
		w.logs(`node.json is of node \"b\", but the satellite calls itself \"a\"`)
	}},
	"node.json that is wrong, at first and later": {run: func(w *world) {
		w.text(`{"name": "a", "propertys": {}}`)
		w.begin()
		w.after(3 * interval)
		if calls := w.server.Calls(); len(calls) > 0 {
			w.Errorf("the controller was asked: %v", calls)
		}
		w.logs(`unknown field \"propertys\"`)
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1"}})
		w.after(10 * time.Second)
		w.ready(true, "it is right now")
		w.text(`{"name": "a"`)
		w.after(30 * time.Minute)
		w.ready(true, "what it said before is kept")
		if got := w.server.Node("a").Props["Aux/x"]; got != "1" {
			w.Errorf("Aux/x = %q, want it kept", got)
		}
		w.logs("what it said before is kept until it is right")
	}},
	"two registrars by mistake, with the same pod": {run: func(w *world) {
		w.git(map[string]any{"properties": map[string]string{"Aux/x": "1"}})
		w.twice(nil)
		w.after(10 * time.Minute)
		w.ready(true, "they agree")
		if n := w.log.lines("registers node a"); n != 1 {
			w.Errorf("the node was registered %d times:\n%s", n, w.log)
		}
	}},
	"two registrars by mistake, in two pods": {run: func(w *world) {
		w.git(map[string]any{})
		w.twice([]netip.Addr{netip.MustParseAddr("10.0.0.2")})
		w.after(30 * time.Minute)
		w.logs("a change does not last and is made again and again: it changes default-ipv4")
		if n := w.log.lines("changes default-ipv4"); n > 130 {
			w.Errorf("they fight without a pause: %d changes in 30 minutes", n)
		}
		if !strings.Contains(w.server.Node("a").Interfaces["default-ipv4"], "10.0.0.") {
			w.Errorf("interface: %v", w.server.Node("a").Interfaces)
		}
	}},
}

// is compares what the controller knows of node a.
func (w *world) is(want linstortest.View) {
	w.Helper()
	got := w.server.Node("a")
	if len(got.Pools) == 0 && len(want.Pools) == 0 {
		got.Pools = want.Pools
	}
	got.PoolProps = want.PoolProps
	if diff := cmp.Diff(want, got); diff != "" {
		w.Errorf("what LINSTOR knows of node a (-want +got):\n%s", diff)
	}
}

// twice starts a second registrar of the node, with other addresses if they
// are given.
func (w *world) twice(addresses []netip.Addr) {
	second := *w.node
	if addresses != nil {
		second.Addresses = addresses
	}
	w.begin()
	first := w.stop
	w.node = &second
	w.begin()
	other := w.stop
	w.stop = func() { first(); other() }
}
