package overlays

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays/patch"
)

// patchReader reads the patches of one input document.
type patchReader struct {
	r      *reader
	doc    manifest.Document
	owner  string
	faults problem.List
}

// workloads are the workloads of the components, by the names that a
// LinstorCluster has for them.
var workloads = map[string]patch.Workload{
	"controller":                 {Kind: "Deployment", Name: "linstor-controller", Container: "linstor-controller"},
	"satellite":                  {Kind: "DaemonSet", Name: "linstor-satellite", Container: "linstor-satellite"},
	"csiController":              {Kind: "Deployment", Name: "linstor-csi-controller", Container: "linstor-csi"},
	"csiNode":                    {Kind: "DaemonSet", Name: "linstor-csi-node", Container: "linstor-csi"},
	"highAvailabilityController": {Kind: "DaemonSet", Name: "ha-controller", Container: "ha-controller"},
	"affinityController":         {Kind: "Deployment", Name: "linstor-affinity-controller", Container: "linstor-affinity-controller"},
	"nfsServer":                  {Kind: "DaemonSet", Name: "linstor-csi-nfs-server"},
}

func (p *patchReader) podTemplate(name string, w patch.Workload, raw manifest.Raw) []*patch.Patch {
	if raw.Node == nil {
		return nil
	}
	one, err := patch.FromPodTemplate(name, w.Kind, w.Name, raw)
	if err != nil {
		p.faults.Merge(err)
		return nil
	}
	return []*patch.Patch{one}
}

// components reads the podTemplates of a LinstorCluster's components. One of a
// component that is switched off waits for it to be switched on.
func (p *patchReader) components(s *api.LinstorClusterSpec) []*patch.Patch {
	var list []*patch.Patch
	add := func(name string, enabled *bool, raw manifest.Raw) {
		for _, one := range p.podTemplate(name+".podTemplate of "+p.owner, workloads[name], raw) {
			one.AllowNoMatch = enabled != nil && !*enabled
			list = append(list, one)
		}
	}
	for name, c := range map[string]*api.Component{
		"controller": s.Controller, "csiNode": s.CSINode, "highAvailabilityController": s.HighAvailabilityController, "nfsServer": s.NFSServer,
	} {
		if c != nil {
			add(name, c.Enabled, c.PodTemplate)
		}
	}
	for name, c := range map[string]*api.ReplicatedComponent{"csiController": s.CSIController, "affinityController": s.AffinityController} {
		if c != nil {
			add(name, c.Enabled, c.PodTemplate)
		}
	}
	slices.SortFunc(list, func(a, b *patch.Patch) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

func (p *patchReader) flags(cc *api.CustomizeComponents) []*patch.Patch {
	if cc == nil {
		return nil
	}
	var list []*patch.Patch
	for _, name := range manifest.SortedKeys(cc.Flags) {
		at := p.doc.PlaceOf("spec", "customizeComponents", "flags", name)
		list = append(list, patch.FromFlags(fmt.Sprintf("customizeComponents.flags.%s of %s", name, p.owner), at, workloads[name], cc.Flags[name]))
	}
	return list
}

func (p *patchReader) customize(cc *api.CustomizeComponents) []*patch.Patch {
	if cc == nil {
		return nil
	}
	var list []*patch.Patch
	for i, c := range cc.Patches {
		at := p.doc.PlaceOf("spec", "customizeComponents", "patches", i)
		one, err := patch.FromCustomize(fmt.Sprintf("customizeComponents.patches[%d] of %s", i, p.owner), at, c)
		if err != nil {
			p.faults.Merge(err)
			continue
		}
		list = append(list, one)
	}
	return list
}

func (p *patchReader) kustomize(patches []api.Patch) []*patch.Patch {
	var list []*patch.Patch
	for i, k := range patches {
		at := p.doc.PlaceOf("spec", "patches", i)
		text := k.Patch
		text.Value = strings.TrimRight(text.Value, " \t\r\n") // as kustomize does: a block scalar that ends the patch ends without a newline
		if k.Path != "" {
			var err error
			if text, err = p.r.patchFile(at, k.Path); err != nil {
				p.faults.Merge(err)
				continue
			}
		}
		some, err := patch.FromKustomize(fmt.Sprintf("patches[%d] of %s", i, p.owner), at, k, text)
		if err != nil {
			p.faults.Merge(err)
			continue
		}
		list = append(list, some...)
	}
	return list
}
