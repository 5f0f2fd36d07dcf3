package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// notes adds what a person should know of a run that succeeds.
func (g *generation) notes(classes []*class) {
	g.reportConflicts()
	g.noteLiveFields()
	g.noteExternal()
	hints := map[string]bool{}
	for _, c := range classes {
		if len(c.members) == 0 {
			continue
		}
		for _, p := range c.hints() {
			if text := p.Error(); !hints[text] {
				hints[text] = true
				g.faults.Add(p)
			}
		}
		g.noteFallback(c)
	}
}

// noteFallback warns of nodes whose loader has the image of no row, unless a
// patch took the loader or chose another image.
func (g *generation) noteFallback(c *class) {
	if !c.images.fallback || !slices.ContainsFunc(c.objects, func(o *object) bool { return c.loads(o) }) {
		return
	}
	byOS := map[string][]string{}
	var order []string
	for _, e := range c.members {
		if byOS[e.node.OSImage] == nil {
			order = append(order, e.node.OSImage)
		}
		byOS[e.node.OSImage] = append(byOS[e.node.OSImage], e.node.Name)
	}
	for _, os := range order {
		g.faults.Add(problem.Problem{
			Severity: problem.Warning,
			Subject:  nodeList(byOS[os]),
			Message:  fmt.Sprintf("no image row matches osImage %q; the loader is %s", os, c.images.of[loaderName]),
			Hint:     "add a row to a LinstorImageConfiguration, or say unknownOS: Skip or Error there",
		})
	}
}

func (c *class) loads(o *object) bool {
	if o.kind != "DaemonSet" {
		return false
	}
	k := named(o.podSpec(), "initContainers", loaderName)
	return k != nil && k["image"] == c.images.of[loaderName]
}

// noteExternal warns of what is for a controller that is not rendered.
func (g *generation) noteExternal() {
	c := g.in.Cluster.Spec
	if c.ExternalController == nil && !disabled(c.Controller) {
		return
	}
	var idle []string
	for name, set := range map[string]bool{
		"properties": len(c.Properties) > 0, "linstorPassphraseSecret": c.LinstorPassphraseSecret != "", "internalTLS": c.InternalTLS != nil,
		"maxConcurrentEvacuations": c.MaxConcurrentEvacuations != nil, "LinstorNodeConnection": len(g.in.Connections) > 0,
	} {
		if set {
			idle = append(idle, name)
		}
	}
	if idle == nil {
		return
	}
	slices.Sort(idle)
	g.faults.Add(problem.Problem{
		Severity: problem.Warning, Place: g.in.Cluster.Place,
		Message: "the LINSTOR controller is not rendered, so these have no effect: " + strings.Join(idle, ", "),
		Hint:    "set them where the controller runs",
	})
}

// noteLiveFields warns once of the fields that only a live LINSTOR API can
// bring about: manifests carry some of them, and apply none.
func (g *generation) noteLiveFields() {
	used := map[string][]string{}
	note := func(owner string, fields map[string]bool) {
		for f, on := range fields {
			if on {
				used[f] = append(used[f], owner)
			}
		}
	}
	c := g.in.Cluster.Spec
	note("LinstorCluster", map[string]bool{"properties": len(c.Properties) > 0, "maxConcurrentEvacuations": c.MaxConcurrentEvacuations != nil})
	for _, o := range g.in.Overlays {
		s := o.Spec
		note(o.Name, map[string]bool{
			"properties": len(s.Properties) > 0, "storagePools": len(s.StoragePools) > 0, "ipFamilies": len(s.IPFamilies) > 0,
			"deletionPolicy": s.DeletionPolicy != "", "evacuationStrategy": s.EvacuationStrategy != nil,
		})
	}
	for _, k := range g.in.Connections {
		note(k.Name, map[string]bool{"LinstorNodeConnection": true})
	}
	if len(used) == 0 {
		return
	}
	var parts []string
	for field, owners := range used {
		slices.Sort(owners)
		parts = append(parts, fmt.Sprintf("%s (%s)", field, strings.Join(slices.Compact(owners), ", ")))
	}
	slices.Sort(parts)
	g.faults.Add(problem.Problem{
		Severity: problem.Warning,
		Message:  "these fields need a live LINSTOR API, which manifests do not call: " + strings.Join(parts, "; "),
		Hint:     g.whereLiveFieldsAre(),
	})
}

// whereLiveFieldsAre says where the stream carries what LINSTOR should know.
func (g *generation) whereLiveFieldsAre() string {
	hint := "what LINSTOR should know of a node is in the key node.json of its satellite-config"
	if c := g.in.Cluster.Spec; c.ExternalController == nil && !disabled(c.Controller) {
		hint += ", and of the cluster in cluster.json of linstor-controller-config"
	}
	return hint
}
