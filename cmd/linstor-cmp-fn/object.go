package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// kindConfig is the function's own configuration.
const kindConfig = "GeneratorConfig"

// The annotations that say which file an item came from, newer spelling first.
var (
	pathAnnotations  = []string{"internal.config.kubernetes.io/path", "config.kubernetes.io/path"}
	indexAnnotations = []string{"internal.config.kubernetes.io/index", "config.kubernetes.io/index"}
)

// object is an object of the input with what is read of every object.
type object struct {
	manifest.Document
	apiVersion, kind, namespace, name string

	source source
	path   string // of its file, if it was read from one
	index  int    // in that file
	local  bool   // marked as no object of the cluster
}

// source is where an object was said; what comes first counts.
type source int

const (
	fromConfig source = iota // the functionConfig itself
	fromInline               // its spec.items
	fromItems                // the items of the ResourceList
	fromFiles
)

// piped reports whether the object came on stdin, so that its lines mean
// nothing to people.
func (o *object) piped() bool { return o.source != fromFiles }

// newObject reads the head of an object that came on stdin; what is its name in
// messages.
func newObject(from source, what string, n *yaml.Node) *object {
	o := &object{source: from}
	o.Document = manifest.Document{Node: n}
	o.head()
	annotations := field(field(n, "metadata"), "annotations")
	first := func(keys []string) string { return cmp.Or(text(annotations, keys[0]), text(annotations, keys[1])) }
	o.path = first(pathAnnotations)
	o.index, _ = strconv.Atoi(first(indexAnnotations))
	o.local = text(annotations, "config.kubernetes.io/local-config") == "true"
	if o.Place.File = what; o.path != "" {
		o.Place.File = fmt.Sprintf("%s (%s)", o.path, what)
	}
	return o
}

// head reads what the object is called. What is odd in it stays unsaid here:
// whoever reads the whole says so.
func (o *object) head() {
	meta := field(o.Node, "metadata")
	o.apiVersion, o.kind = text(o.Node, "apiVersion"), text(o.Node, "kind")
	o.namespace, o.name = text(meta, "namespace"), text(meta, "name")
}

func (o *object) group() string {
	group, _, versioned := strings.Cut(o.apiVersion, "/")
	if !versioned {
		return ""
	}
	return group
}

// ours reports whether the object is of our API groups.
func (o *object) ours() bool { return o.group() == "piraeus.io" || o.group() == "linstor-cmp.io" }

func (o *object) isConfig() bool { return o.apiVersion == api.OwnVersion && o.kind == kindConfig }

func (o *object) isCluster() bool {
	return o.apiVersion == api.PiraeusVersion && o.kind == api.KindCluster
}

func (o *object) isNode() bool {
	return o.apiVersion == "v1" && (o.kind == "Node" || o.kind == "NodeList")
}

// id tells the object from all others of a cluster.
func (o *object) id() string {
	return strings.Join([]string{o.group(), o.kind, o.namespace, o.name}, "/")
}

// title is the object in messages.
func (o *object) title() string { return o.kind + "/" + o.name }

// fault is a problem of a part of the object.
func (o *object) fault(hint, message string, path ...any) problem.Problem {
	return problem.Problem{Place: o.PlaceOf(path...), Message: message, Hint: hint}
}

// field returns the value of a member of a mapping, or nil.
func field(n *yaml.Node, key string) *yaml.Node {
	if n = target(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return target(n.Content[i+1])
		}
	}
	return nil
}

// target is what an alias stands for.
func target(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// text returns the text of a member that is a scalar, or nothing.
func text(n *yaml.Node, key string) string {
	if v := field(n, key); v != nil && v.Kind == yaml.ScalarNode && v.ShortTag() != "!!null" {
		return v.Value
	}
	return ""
}
