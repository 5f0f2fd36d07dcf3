package generator

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
	"github.com/linstor-cmp/linstor-cmp/overlays/patch"
)

// Generate renders the objects of an installation. The error is a problem.List
// of everything that is wrong; then there is no result. The result's notes are
// warnings and hints.
func Generate(in *overlays.Input, list []nodes.Node, s Settings) (*Result, error) {
	return generate(in, list, s, false)
}

// generate renders; naively, it renders each node on its own, which must give
// the same bytes.
func generate(in *overlays.Input, list []nodes.Node, s Settings, naive bool) (*Result, error) {
	g := &generation{in: in, settings: s, naive: naive, selected: map[*patch.Patch]bool{}, conflicts: map[conflict][]string{}, said: map[problem.Problem]bool{}}
	g.faults = s.check()
	var faults problem.List
	g.images, faults = newImages(in)
	g.faults = append(g.faults, faults...)
	if err := g.faults.Err(); err != nil {
		return nil, err
	}
	chosen := g.choose(list)
	g.faults = append(g.faults, checkNames(chosen)...)
	g.checkImages(chosen)
	if err := g.faults.Err(); err != nil {
		return nil, err
	}
	shared := g.shared()
	classes := g.classes(chosen)
	g.faults = append(g.faults, checkPlainNames(chosen)...)
	for i := 0; i < len(classes); i++ {
		split := g.render(classes[i])
		classes = append(classes, split...)
	}
	g.unmatched(shared, chosen)
	g.doubles(shared, chosen)
	g.notes(classes)
	if err := g.faults.Err(); err != nil {
		return nil, err
	}
	return &Result{Notes: g.faults.Sorted(), shared: shared, entries: chosen, namespace: s.Namespace}, nil
}

// generation is one run.
type generation struct {
	in       *overlays.Input
	settings Settings
	images   *images
	naive    bool

	selected  map[*patch.Patch]bool // patches that found an object
	conflicts map[conflict][]string // node names
	said      map[problem.Problem]bool
	faults    problem.List
}

// choose returns the nodes that get a satellite, by name.
func (g *generation) choose(list []nodes.Node) []*entry {
	sorted := slices.Clone(list)
	nodes.Sort(sorted)
	var chosen []*entry
	for i := range sorted {
		n := &sorted[i]
		if m := validation.IsDNS1123Subdomain(strings.ToLower(n.Name)); len(m) > 0 {
			g.faults.Add(problem.Problem{Subject: fmt.Sprintf("node %q", n.Name), Message: "no name of a node: " + m[0]})
			continue
		}
		if i > 0 && sorted[i-1].Name == n.Name {
			g.faults.Add(problem.Problem{Subject: "node " + n.Name, Message: "is in the list of nodes twice"})
			continue
		}
		if WhyNot(&g.in.Cluster, n) == "" {
			chosen = append(chosen, &entry{node: n, fit: fit(n.Name, maxLabel)})
		}
	}
	if len(chosen) == 0 && !g.settings.AllowEmpty {
		p := problem.Problem{Message: "there are no nodes", Hint: "an empty stream would remove every satellite; --allow-empty allows it"}
		if len(list) > 0 {
			p = problem.Problem{
				Place:   g.in.Cluster.Place,
				Message: fmt.Sprintf("of %d nodes none qualifies for a satellite", len(list)),
				Hint:    fmt.Sprintf("node %s: %s; `linstor-cmp nodes` says why for each; --allow-empty allows it", sorted[0].Name, WhyNot(&g.in.Cluster, &sorted[0])),
			}
		}
		g.faults.Add(p)
	}
	return chosen
}

// WhyNot says why a node gets no satellite, or nothing if it gets one.
func WhyNot(c *overlays.Cluster, n *nodes.Node) string {
	if !c.Chooses(n) {
		return "not chosen by the LinstorCluster's nodeSelector or nodeAffinity"
	}
	if t, out := c.Untolerated(n); out {
		return fmt.Sprintf("taint %s is not tolerated", t.ToString())
	}
	return ""
}

// checkImages reports nodes of an unknown OS where git says that this is an error.
func (g *generation) checkImages(chosen []*entry) {
	if g.images.unknownOS != "Error" {
		return
	}
	for _, e := range chosen {
		if g.images.on(e.node).fallback {
			g.faults.Add(problem.Problem{
				Subject: "node " + e.node.Name,
				Message: fmt.Sprintf("no image row matches osImage %q", e.node.OSImage),
				Hint:    "add a row to a LinstorImageConfiguration, or say unknownOS: Fallback or Skip there",
			})
		}
	}
}

// unmatched reports overlays that are for no node, and patches that found no
// object.
func (g *generation) unmatched(shared []*object, chosen []*entry) {
	used := map[*overlays.Overlay]bool{}
	for _, e := range chosen {
		for _, o := range e.class.overlays {
			used[o] = true
		}
	}
	c := &g.in.Cluster
	ofNodes := "the objects of a node are " + g.nodeObjects()
	ofCluster := "the workloads of the cluster are " + workloads(shared)
	g.unselected(slices.Concat(c.Templates, c.Patches), chosen, ofCluster)
	if len(chosen) > 0 { // else patches for nodes have nothing to select
		g.unselected(slices.Concat(c.Customize, c.Flags), chosen, ofNodes+"; "+ofCluster)
	}
	for _, o := range g.in.Overlays {
		if used[o] {
			g.unselected(o.Patches, chosen, ofNodes)
		} else if len(chosen) > 0 {
			g.faults.Add(problem.Problem{Severity: problem.Warning, Place: o.Place, Message: fmt.Sprintf("overlay %q matches none of the %d nodes that get a satellite", o.Name, len(chosen))})
		}
	}
}

func (g *generation) unselected(list []*patch.Patch, chosen []*entry, hint string) {
	for _, p := range list {
		if g.selected[p] || p.AllowNoMatch {
			continue
		}
		fault := problem.Problem{
			Place:   p.Place,
			Message: p.Name + " selects no object",
			Hint:    hint + "; options: {allowNoMatch: true} allows it",
		}
		if p.Nodes != nil && !slices.ContainsFunc(chosen, func(e *entry) bool { return forNode(p, e.node) }) {
			fault = problem.Problem{Severity: problem.Warning, Place: p.Place, Message: p.Name + ": its nodeSelectorTerms match none of the nodes that get a satellite"}
		}
		g.faults.Add(fault)
	}
}

// workloads names the workloads among the objects of the cluster.
func workloads(shared []*object) string {
	var names []string
	for _, o := range shared {
		if o.base != "" && o.podTemplate() != nil {
			names = append(names, o.title())
		}
	}
	return strings.Join(names, ", ")
}

// nodeObjects names the objects of a node.
func (g *generation) nodeObjects() string {
	var names []string
	for _, k := range nodeKinds {
		if k.base == loaderName && g.settings.Loader == LoaderInitContainer {
			continue
		}
		names = append(names, k.kind+"/"+k.base)
	}
	return strings.Join(names, ", ")
}
