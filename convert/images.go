package convert

import (
	"fmt"
	"slices"
	"strings"
)

// image is an image of the input, and the component that has it here.
type image struct {
	component string
	f         field
}

// image lists an image of Piraeus 1: these manifests go with newer ones, whose
// flags it does not know.
func (c *converter) image(component string, f field) {
	if !f.has() {
		return
	}
	c.images = append(c.images, image{component, f})
	f.lost(fmt.Sprintf("an image of Piraeus 1 does not know what these manifests ask of it; %s keeps the one that does", component),
		"a LinstorImageConfiguration changes images, and repository of the LinstorCluster where all come from")
}

// stock are the registries that Piraeus 1 had by itself.
var stock = []string{"quay.io/piraeusdatastore", "registry.k8s.io/sig-storage", "k8s.gcr.io/sig-storage", "quay.io/k8scsi"}

// oneRegistry keeps a mirror: where all images came from one registry that is
// none of the stock ones, they still do.
func (c *converter) oneRegistry() {
	var from []string
	var at field
	for _, i := range c.images {
		registry := registryOf(text(i.f.n))
		if !slices.Contains(from, registry) {
			from = append(from, registry)
		}
		if at.n == nil {
			at = i.f
		}
	}
	has := func(component string) bool {
		return slices.ContainsFunc(c.images, func(i image) bool { return i.component == component })
	}
	if len(from) != 1 || from[0] == "" || slices.Contains(stock, from[0]) || !has("linstor-satellite") || !has("linstor-controller") || !has("linstor-csi") {
		return
	}
	c.cluster.set("repository", from[0], at)
	c.note(at.place(), fmt.Sprintf("all images came from %s, and so do those of the output, also what Piraeus 1 did not have", from[0]), "have the mirror hold them: `linstor-cmp generate` shows which")
}

// registryOf is an image without its last part: where it comes from.
func registryOf(image string) string {
	i := strings.LastIndexByte(image, '/')
	if i < 0 {
		return ""
	}
	return image[:i]
}
