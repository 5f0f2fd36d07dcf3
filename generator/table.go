package generator

import (
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// Row is what a person wants to know of one node.
type Row struct {
	Node        string
	WhyNot      string // why it gets no satellite; empty if it gets one
	OSImage     string
	LoaderImage string   // after all patches; empty without a loader
	Overlays    []string // in the order in which they apply
}

// Table returns a row for each node, by name.
func (r *Result) Table(in *overlays.Input, list []nodes.Node) []Row {
	chosen := map[string]*entry{}
	for _, e := range r.entries {
		chosen[e.node.Name] = e
	}
	sorted := append([]nodes.Node(nil), list...)
	nodes.Sort(sorted)
	rows := make([]Row, len(sorted))
	for i := range sorted {
		n := &sorted[i]
		rows[i] = Row{Node: n.Name, OSImage: n.OSImage, WhyNot: WhyNot(&in.Cluster, n)}
		e := chosen[n.Name]
		if e == nil {
			continue
		}
		rows[i].LoaderImage = e.class.loaderImageAfterPatches()
		for _, o := range e.class.overlays {
			rows[i].Overlays = append(rows[i].Overlays, o.Name)
		}
	}
	return rows
}

func (c *class) loaderImageAfterPatches() string {
	for _, o := range c.objects {
		if o.kind != "DaemonSet" {
			continue
		}
		if k := named(o.podSpec(), "initContainers", loaderName); k != nil {
			image, _ := k["image"].(string)
			return image
		}
	}
	return ""
}
