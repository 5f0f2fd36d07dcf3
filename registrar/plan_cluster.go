package registrar

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/registrar/linstor"
)

// mostSteps bounds a plan: a thousand nodes are half a million pairs.
const mostSteps = 500

// PlanController returns what makes the properties and the passphrase of the
// controller equal to what git says. An empty secret means that git says
// nothing of a passphrase; status is then not looked at. It is a pure function.
func PlanController(want Cluster, have map[string]string, secret, status string) Plan {
	p := Plan{Registered: true, Online: true}
	const subject = "controller"
	if c := changes(want.Properties, have, nil); !nothing(c) {
		p.step(KindProperties, subject, sentence(c)+" on the controller", linstor.ModifyController(c))
	}
	const object = "master passphrase"
	switch {
	case secret == "" || status == linstor.PassphraseUnlocked:
	case status == linstor.PassphraseUnset:
		p.step(KindPassphrase, object, "sets the controller's master passphrase", linstor.SetPassphrase(secret))
	case status == linstor.PassphraseLocked:
		p.step(KindPassphrase, object, "enters the controller's master passphrase", linstor.EnterPassphrase(secret))
	default:
		p.warn(KindPassphrase, object, "a controller with MASTER_PASSPHRASE in its environment needs no help",
			"LINSTOR does not say whether it is set and entered; nothing is done")
	}
	return p
}

// PlanConnections returns what makes the connections between the nodes equal to
// what git says. have yields the connections that LINSTOR knows, each once; it
// may be long, and is not kept. It is a pure function.
func PlanConnections(want Cluster, nodes []Member, have iter.Seq[linstor.Connection]) Plan {
	p := Plan{Registered: true, Online: true}
	nodes = slices.SortedFunc(slices.Values(nodes), func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	index := map[string]int{}
	for i, n := range nodes {
		index[strings.ToLower(n.Name)] = i
	}
	done := make([]bool, len(nodes)*len(nodes))
	lacking := lacks{}
	plan := func(i, j int, props map[string]string) {
		if len(p.Steps) >= mostSteps {
			p.More = true
			return
		}
		wanted, ok := want.pair(nodes[i], nodes[j], lacking)
		if !ok {
			return
		}
		if c := connectionChanges(wanted, props); !nothing(c) {
			pair := nodes[i].Name + " and " + nodes[j].Name
			p.step(KindConnection, "connection of "+pair, sentence(c)+" on the connection of "+pair,
				linstor.ModifyConnection(nodes[i].Name, nodes[j].Name, c))
		}
	}
	for c := range have {
		i, knownA := index[strings.ToLower(c.NodeA)]
		j, knownB := index[strings.ToLower(c.NodeB)]
		if !knownA || !knownB || i == j {
			continue // of a node that has just gone
		}
		i, j = min(i, j), max(i, j)
		done[i*len(nodes)+j] = true
		plan(i, j, c.Props)
	}
	if len(want.Connections) > 0 {
		for i := range nodes {
			for j := i + 1; j < len(nodes) && !p.More; j++ {
				if !done[i*len(nodes)+j] {
					plan(i, j, nil)
				}
			}
		}
	}
	lacking.report(&p)
	return p
}

// connectionChanges is changes for an object that is not ours to mark while git
// wants nothing of it.
func connectionChanges(want, have map[string]string) linstor.Properties {
	if len(want) > 0 {
		return changes(want, have, nil)
	}
	if _, ours := have[Remembered]; !ours {
		return linstor.Properties{}
	}
	c := changes(want, have, nil)
	return linstor.Properties{Delete: append(c.Delete, Remembered)}
}

// pair returns the properties of a pair: those of all rules that select it, in
// their order. It is false if a node lacks an interface that a path needs.
func (c Cluster) pair(a, b Member, lacking lacks) (map[string]string, bool) {
	out := map[string]string{}
	whole := true
	for _, r := range c.Connections {
		if !r.selects(a, b) {
			continue
		}
		maps.Copy(out, r.Properties)
		for _, path := range r.Paths {
			for _, n := range []Member{a, b} {
				if !slices.ContainsFunc(n.Interfaces, func(i string) bool { return strings.EqualFold(i, path.Interface) }) {
					lacking[lack{r.Name, path, n.Name}] = true
					whole = false
				}
				out["Paths/"+path.Name+"/"+n.Name] = path.Interface
			}
		}
	}
	return out, whole
}

// lack is an interface that a path needs and a node does not have.
type lack struct {
	rule string
	path Path
	node string
}

type lacks map[lack]bool

func (l lacks) report(p *Plan) {
	const most = 10
	all := slices.SortedFunc(maps.Keys(l), func(a, b lack) int {
		return strings.Compare(a.node+a.rule+a.path.Name, b.node+b.rule+b.path.Name)
	})
	for i, k := range all {
		if i == most {
			p.fault(KindConnection, "connections", "", "%d more nodes lack an interface of a path", len(all)-most)
			return
		}
		p.fault(KindConnection, fmt.Sprintf("connection %s, path %s", k.rule, k.path.Name), "create the interface in LINSTOR, or select other nodes",
			"node %s has no interface %q; its connections stay as they are", k.node, k.path.Interface)
	}
}
