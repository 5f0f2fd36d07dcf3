package generator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/overlays"
	"github.com/linstor-cmp/linstor-cmp/overlays/patch"
)

// entry is a node that gets a satellite.
type entry struct {
	node  *nodes.Node
	fit   string // its name, fit for a label
	class *class
}

// class is a set of nodes whose objects differ only in what their names and
// node.json put in: expanded, patched and encoded once.
type class struct {
	members  []*entry
	overlays []*overlays.Overlay // in the order in which they apply
	images   nodeImages
	node     nodeConfig
	steps    []step

	objects  []*object
	template map[manifest.Format][]manifest.Template
}

// nodeConfig is what the overlays of a class say together, patches aside.
type nodeConfig struct {
	pools      []api.StoragePool
	properties []api.NodeProperty
	tls        *api.SatelliteTLSConfig
	profile    string
	separator  string
}

// step is one patch in the order in which a class's patches apply.
type step struct {
	patch   *patch.Patch
	overlay *overlays.Overlay // nil: the LinstorCluster
}

// vars are the texts that a node puts into the objects of its class.
type vars struct{ name, fit, json string }

func (v vars) list() []string { return []string{v.name, v.fit, v.json} }

// open stands for the node in a class's template; its list indexes are those
// of vars.list.
var open = vars{manifest.Placeholder(0), manifest.Placeholder(1), manifest.Placeholder(2)}

func (e *entry) vars() vars {
	c := e.class.node
	return vars{e.node.Name, e.fit, nodeJSON(e.node, c.properties, c.pools)}
}

// suffix is what comes after the base name of an object of a node.
func (c *class) suffix(v vars) string {
	if c.node.separator == "." {
		return "." + v.name
	}
	return "-" + v.fit
}

// classes sorts nodes into classes, in the order of their first nodes.
func (g *generation) classes(chosen []*entry) []*class {
	byKey := map[string]*class{}
	var list []*class
	for _, e := range chosen {
		c := g.classOf(e)
		key := g.key(c, e)
		if have := byKey[key]; have != nil {
			c = have
		} else {
			byKey[key] = c
			list = append(list, c)
		}
		e.class = c
		c.members = append(c.members, e)
	}
	return list
}

// classOf describes the class of one node.
func (g *generation) classOf(e *entry) *class {
	c := &class{images: g.images.on(e.node)}
	for _, o := range g.in.Overlays {
		if o.Matches(e.node) {
			c.overlays = append(c.overlays, o)
		}
	}
	for _, p := range slices.Concat(g.in.Cluster.Customize, g.in.Cluster.Flags) {
		if forNode(p, e.node) {
			c.steps = append(c.steps, step{p, nil})
		}
	}
	for _, o := range c.overlays {
		for _, p := range o.Patches {
			if forNode(p, e.node) {
				c.steps = append(c.steps, step{p, o})
			}
		}
	}
	c.node = g.merge(c.overlays)
	return c
}

func forNode(p *patch.Patch, n *nodes.Node) bool {
	return p.Nodes == nil || p.Nodes.Match(overlays.AsNode(n))
}

// key is equal for nodes of one class. A patch that names an object of the
// node by its final name, or a run that renders naively, makes the node a
// class of its own.
func (g *generation) key(c *class, e *entry) string {
	var b strings.Builder
	for _, o := range c.overlays {
		fmt.Fprintf(&b, "%p ", o)
	}
	for _, s := range c.steps {
		fmt.Fprintf(&b, "%p ", s.patch)
	}
	b.WriteString(c.images.key)
	if g.naive || g.namedByPatch(c, e) {
		b.WriteString(" node ")
		b.WriteString(e.node.Name)
	}
	return b.String()
}

// namedByPatch reports whether a patch names one of the node's objects by its
// final name.
func (g *generation) namedByPatch(c *class, e *entry) bool {
	suffix := c.suffix(vars{name: e.node.Name, fit: e.fit})
	for _, s := range c.steps {
		if !s.patch.NamesFinal() {
			continue
		}
		for _, k := range nodeKinds {
			if s.patch.SelectsFinal(k.kind, k.base, k.base+suffix) {
				return true
			}
		}
	}
	return false
}

// merge joins what several overlays say: pools and properties by name, a later
// one whole in the place of an earlier one; of everything else the last word.
func (g *generation) merge(list []*overlays.Overlay) nodeConfig {
	c := nodeConfig{separator: "-", properties: slices.Clone(defaultProperties)}
	for _, o := range list {
		c.pools = append(c.pools, o.Spec.StoragePools...)
		for _, p := range o.Spec.Properties {
			if p.Name != "" {
				c.properties = slices.DeleteFunc(c.properties, func(old api.NodeProperty) bool { return old.Name == p.Name })
			}
			c.properties = append(c.properties, p)
		}
		if o.Spec.InternalTLS != nil {
			c.tls = o.Spec.InternalTLS
		}
		c.separator = cmp.Or(o.Spec.ResourceNameSuffixSeparator, c.separator)
		c.profile = cmp.Or(o.Profile, c.profile)
	}
	c.pools = byName(c.pools, func(p api.StoragePool) string { return p.Name })
	for i := range c.pools {
		c.pools[i].Properties = byName(c.pools[i].Properties, func(p api.ControllerProperty) string { return p.Name })
	}
	return c
}
