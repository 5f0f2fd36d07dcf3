package overlays

import (
	"fmt"
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

func (p *patchReader) podTemplate(raw manifest.Raw) []*patch.Patch {
	if raw.Node == nil {
		return nil
	}
	one, err := patch.FromPodTemplate("podTemplate of "+p.owner, "DaemonSet", "linstor-satellite", raw)
	if err != nil {
		p.faults.Merge(err)
		return nil
	}
	return []*patch.Patch{one}
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
