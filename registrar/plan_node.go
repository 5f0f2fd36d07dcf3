package registrar

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// Evidence tells whether the backing of a pool is on the node.
type Evidence int

// The kinds of Evidence.
const (
	Unknown Evidence = iota
	Present
	Absent
)

// Seen is what a look found. What was not asked for is zero.
type Seen struct {
	Node    *linstor.Node       // nil: not registered
	Pools   []linstor.Pool      // of the node
	Empty   []string            // devices that LINSTOR found empty
	Real    map[string]string   // device in git → what it is a link to
	Backing map[string]Evidence // pool → whether its backing is there
	Users   map[string][]string // pool that git removes → resources in it
}

// online is the one status with which a satellite can be used.
const online = "ONLINE"

// PlanNode returns what makes LINSTOR equal to what git says of a node with
// these addresses. It is a pure function.
func PlanNode(want Node, addresses []netip.Addr, seen Seen) Plan {
	p := Plan{}
	subject := "node " + want.Name
	interfaces := want.interfaces(addresses)
	if len(interfaces) == 0 {
		p.fault(KindConfig, subject, "change ipFamilies, or the pod's network",
			"the pod has no address of the families %s", strings.Join(want.Families, ", "))
		return p
	}
	if seen.Node == nil {
		first := true
		interfaces[0].Active = &first
		var told []string
		for _, i := range interfaces {
			told = append(told, describe(i))
		}
		p.step(KindRegister, subject, fmt.Sprintf("registers node %s with %s", want.Name, strings.Join(told, " and ")),
			linstor.RegisterNode(linstor.Node{
				Name: want.Name, Type: "Satellite", Props: marked(want.Properties), Interfaces: interfaces,
			}))
		return p
	}
	have := *seen.Node
	p.Registered = true
	if t := strings.ToLower(have.Type); t != "satellite" && t != "combined" {
		p.fault(KindRegister, subject, "delete that node in LINSTOR, or give this one another name",
			"LINSTOR knows it as a node of type %s; nothing is changed", have.Type)
		return p
	}
	if hasFlag(have, "DELETE") {
		p.fault(KindRegister, subject, "", "LINSTOR is deleting the node; nothing is changed")
		return p
	}
	p.interfaces(want, interfaces, have)
	if c := changes(want.Properties, have.Props, nil); !nothing(c) {
		p.step(KindProperties, subject, sentence(c)+" on node "+want.Name, linstor.ModifyNode(want.Name, c)).
			Topology = touchesTopology(c)
	}
	p.Online = strings.EqualFold(have.ConnectionStatus, online)
	if !p.Online {
		p.status(have, subject)
		return p
	}
	p.pools(want, seen)
	return p
}

// interfaces returns what the node's pod can be reached at, the preferred one
// first: at most one interface of each family.
func (n Node) interfaces(addresses []netip.Addr) []linstor.Interface {
	families := n.Families
	if len(families) == 0 {
		for _, a := range addresses {
			if f := familyOf(a); !slices.Contains(families, f) {
				families = append(families, f)
			}
		}
	}
	var out []linstor.Interface
	for _, f := range families {
		i := slices.IndexFunc(addresses, func(a netip.Addr) bool { return familyOf(a) == f })
		if i >= 0 {
			out = append(out, linstor.Interface{
				Name: "default-" + strings.ToLower(f), Address: addresses[i].WithZone("").String(),
				Port: n.Port(), Encryption: n.Encryption,
			})
		}
	}
	return out
}

func familyOf(a netip.Addr) string {
	if a.Is4() {
		return "IPv4"
	}
	return "IPv6"
}

// interfaces plans the interfaces that a registrar owns: those of its names.
func (p *Plan) interfaces(want Node, wanted []linstor.Interface, have linstor.Node) {
	for _, h := range have.Interfaces {
		stale := (h.Name == "default-ipv4" || h.Name == "default-ipv6") && find(wanted, h.Name) == nil
		if !stale {
			continue
		}
		p.warn(KindInterface, "node "+want.Name,
			fmt.Sprintf("when nothing uses it: linstor node interface delete %s %s", want.Name, h.Name),
			"interface %s (%s) is none of the pod's any more; it is left as it is", h.Name, h.Address)
		if h.Active != nil && *h.Active {
			active := true
			wanted[0].Active = &active
		}
	}
	for _, w := range wanted {
		h := find(have.Interfaces, w.Name)
		object := fmt.Sprintf("interface %s of node %s", w.Name, want.Name)
		switch {
		case h == nil:
			p.step(KindInterface, object, fmt.Sprintf("adds %s to node %s", describe(w), want.Name),
				linstor.CreateInterface(want.Name, w))
		case !same(*h, w) || w.Active != nil:
			p.step(KindInterface, object, fmt.Sprintf("changes %s of node %s to %s", describe(*h), want.Name, describe(w)),
				linstor.ModifyInterface(want.Name, w))
		}
	}
}

func find(list []linstor.Interface, name string) *linstor.Interface {
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return &list[i]
		}
	}
	return nil
}

// same compares what a registrar sets: LINSTOR spells encryption and IPv6
// addresses in its own way.
func same(have, want linstor.Interface) bool {
	h, err := netip.ParseAddr(have.Address)
	w, _ := netip.ParseAddr(want.Address)
	return err == nil && h.WithZone("").Unmap() == w &&
		have.Port == want.Port && strings.EqualFold(have.Encryption, want.Encryption)
}

func describe(i linstor.Interface) string {
	if i.Port == 0 {
		return fmt.Sprintf("%s %s", i.Name, i.Address)
	}
	return fmt.Sprintf("%s %s", i.Name, netip.AddrPortFrom(parse(i.Address), uint16(i.Port))) + " " + strings.ToUpper(i.Encryption)
}

func parse(text string) netip.Addr { a, _ := netip.ParseAddr(text); return a }

func hasFlag(n linstor.Node, flag string) bool {
	return slices.ContainsFunc(n.Flags, func(f string) bool { return strings.EqualFold(f, flag) })
}
