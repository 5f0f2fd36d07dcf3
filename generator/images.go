package generator

import (
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
	loaders    map[[3]string]loaderImage // by what of a node decides
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
	im := &images{builtin: builtinImages(), components: map[string]component{}, unknownOS: "Fallback", loaders: map[[3]string]loaderImage{}}
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

// loaderImage is the loader's image on some nodes.
type loaderImage struct {
	image       string
	precompiled bool
	fallback    bool // no row matched
}

// loader returns the image of the loader on a node.
func (im *images) loader(n *nodes.Node) loaderImage {
	key := [3]string{n.OSImage, n.KernelVersion, n.Architecture}
	image, known := im.loaders[key]
	if !known {
		image = im.chooseLoader(n)
		im.loaders[key] = image
	}
	return image
}

func (im *images) chooseLoader(n *nodes.Node) loaderImage {
	const name = loaderName
	c := im.components[name]
	at := slices.IndexFunc(c.rows, func(r row) bool { return r.matches(n) })
	if at < 0 {
		return loaderImage{image: im.of(name), fallback: true}
	}
	r := c.rows[at]
	image, tag, digest := c.Image, c.Tag, r.Digest
	if r.Tag != "" {
		tag = r.Tag
	}
	if r.Image != "" {
		image = r.Image
	} else if digest == "" && r.Tag == "" {
		digest = c.Digest // the component's digest is of the component's image and tag
	}
	return loaderImage{image: im.join(name, image, tag, digest), precompiled: r.Precompiled}
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
