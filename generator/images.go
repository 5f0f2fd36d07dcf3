package generator

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

//go:embed templates/images.yaml
var imageFile []byte

// imageTable is the file of the built-in images.
type imageTable struct {
	Base       string                        `json:"base"`
	Bases      map[string][]string           `json:"bases"`
	Components map[string]api.ComponentImage `json:"components"`
}

var builtinImages = sync.OnceValue(func() imageTable {
	docs, err := manifest.ReadDocuments("templates/images.yaml", imageFile)
	var t imageTable
	if err == nil {
		err = manifest.Decode("templates/images.yaml", docs[0].Node, &t)
	}
	if err != nil {
		panic(err) // the file is part of the program
	}
	return t
})

// images resolves placeholders to images.
type images struct {
	base       string // for all images; empty: each its own
	builtin    imageTable
	components map[string]component
	unknownOS  string
	nodes      map[[3]string]nodeImages // by what of a node decides
}

type component struct {
	api.ComponentImage
	rows []row
}

type row struct {
	api.ImageRow
	os, kernel *regexp.Regexp
}

// newImages lays what git says over the built-in table, field by field.
func newImages(in *overlays.Input) (*images, problem.List) {
	var faults problem.List
	im := &images{builtin: builtinImages(), components: map[string]component{}, unknownOS: "Fallback", nodes: map[[3]string]nodeImages{}}
	for name, c := range im.builtin.Components {
		im.components[name] = component{c, compileRows(c.Match)}
	}
	for _, layer := range in.Images {
		if layer.Spec.Base != "" {
			im.base = layer.Spec.Base
		}
		if layer.Spec.UnknownOS != "" {
			im.unknownOS = layer.Spec.UnknownOS
		}
		for _, name := range manifest.SortedKeys(layer.Spec.Components) {
			c, known := im.components[name]
			if !known {
				faults.Add(problem.Problem{
					Place:   layer.Doc.PlaceOf("spec", "components", name),
					Message: fmt.Sprintf("there is no component %q", name),
					Hint:    "the components are " + strings.Join(manifest.SortedKeys(im.components), ", "),
				})
				continue
			}
			if rows := layer.Spec.Components[name].Match; len(rows) > 0 && !slices.Contains(nodePlaceholders, name) {
				faults.Add(problem.Problem{
					Place:   layer.Doc.PlaceOf("spec", "components", name, "match"),
					Message: fmt.Sprintf("component %q runs on no particular node, so rows cannot match", name),
					Hint:    "rows are for " + strings.Join(nodePlaceholders, ", "),
				})
			}
			im.components[name] = c.over(layer.Spec.Components[name])
		}
	}
	if r := in.Cluster.Spec.Repository; r != "" {
		im.base = r
	}
	return im, faults
}

func (c component) over(l api.ComponentImage) component {
	for _, f := range []struct {
		from string
		into *string
	}{{l.Image, &c.Image}, {l.Tag, &c.Tag}, {l.Digest, &c.Digest}} {
		if f.from != "" {
			*f.into = f.from
		}
	}
	c.rows = append(compileRows(l.Match), c.rows...)
	return c
}

func compileRows(list []api.ImageRow) []row {
	rows := make([]row, len(list))
	for i, r := range list {
		rows[i] = row{r, regexp.MustCompile(r.OSImage), regexp.MustCompile(r.KernelVersion)}
	}
	return rows
}

func (r row) matches(n *nodes.Node) bool {
	return r.os.MatchString(n.OSImage) && r.kernel.MatchString(n.KernelVersion) &&
		(r.Architecture == "" || r.Architecture == n.Architecture)
}

// of returns the image of a placeholder that is the same on all nodes.
func (im *images) of(name string) string {
	c := im.components[name]
	return im.join(name, c.Image, c.Tag, c.Digest)
}

// nodePlaceholders are the images in the pods of a node: the ones that rows by
// OS, kernel and architecture can be for.
var nodePlaceholders = []string{"drbd-module-loader", "drbd-reactor", "drbd-shutdown-guard", "ktls-utils", "linstor-satellite", "pause"}

// nodeImages are the images in the pods of a node.
type nodeImages struct {
	of          map[string]string // by placeholder
	precompiled bool              // the loader's image brings its modules
	fallback    bool              // no row matched for the loader
	key         string            // equal for equal images
}

// on returns the images in the pods of a node.
func (im *images) on(n *nodes.Node) nodeImages {
	key := [3]string{n.OSImage, n.KernelVersion, n.Architecture}
	set, known := im.nodes[key]
	if known {
		return set
	}
	set.of = map[string]string{}
	for _, name := range nodePlaceholders {
		r, matched := im.components[name].match(n)
		set.of[name] = im.row(name, r)
		if name == loaderName {
			set.precompiled, set.fallback = r.Precompiled, !matched
		}
	}
	set.key = fmt.Sprint(set.of, set.precompiled, set.fallback) // maps print sorted
	im.nodes[key] = set
	return set
}

// match returns the first row that is for a node.
func (c component) match(n *nodes.Node) (row, bool) {
	at := slices.IndexFunc(c.rows, func(r row) bool { return r.matches(n) })
	if at < 0 {
		return row{}, false
	}
	return c.rows[at], true
}

// row is the image that a row gives; what it leaves out is the component's.
func (im *images) row(name string, r row) string {
	c := im.components[name]
	image, tag, digest := cmp.Or(r.Image, c.Image), cmp.Or(r.Tag, c.Tag), r.Digest
	if digest == "" && r.Image == "" && r.Tag == "" {
		digest = c.Digest // it is of the component's own image and tag
	}
	return im.join(name, image, tag, digest)
}

func (im *images) join(name, image, tag, digest string) string {
	base := im.base
	if base == "" {
		base = im.builtin.Base
		for other, names := range im.builtin.Bases {
			if slices.Contains(names, name) {
				base = other
			}
		}
	}
	full := strings.TrimSuffix(base, "/") + "/" + image
	if digest != "" {
		return full + "@" + digest
	}
	return full + ":" + tag
}
