package api

import (
	"fmt"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// checker collects what is wrong with one input document.
type checker struct {
	doc    manifest.Document
	faults problem.List
}

// errorf adds an error at a path of the document.
func (c *checker) errorf(path []any, format string, args ...any) {
	c.faults.Errorf(c.doc.PlaceOf(path...), "%s: %s", fieldName(path), fmt.Sprintf(format, args...))
}

func at(base []any, more ...any) []any {
	return append(append(make([]any, 0, len(base)+len(more)), base...), more...)
}

func fieldName(path []any) string {
	var b strings.Builder
	for i, step := range path {
		switch s := step.(type) {
		case string:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		}
	}
	return b.String()
}

func (c *checker) name(m Metadata) {
	if m.Name == "" {
		c.errorf([]any{"metadata", "name"}, "every object needs a name")
	}
}

// oneOf checks an enumeration; an allowed "" means that the field may be absent.
func (c *checker) oneOf(path []any, value string, allowed ...string) {
	var names []string
	for _, a := range allowed {
		if value == a {
			return
		}
		if a != "" {
			names = append(names, a)
		}
	}
	c.errorf(path, "want one of %s, found %q", strings.Join(names, ", "), value)
}

func (c *checker) caReference(path []any, ca *CAReference) {
	if ca == nil {
		return
	}
	if ca.Name == "" {
		c.errorf(at(path, "name"), "the reference needs a name")
	}
	if ca.Kind == "" {
		ca.Kind = "Secret"
	}
	if ca.Key == "" {
		ca.Key = "ca.crt"
	}
	c.oneOf(at(path, "kind"), ca.Kind, "ConfigMap", "Secret")
}

func (c *checker) issuer(path []any, ref *IssuerReference) {
	if ref != nil && ref.Name == "" {
		c.errorf(at(path, "name"), "the issuer needs a name")
	}
}

func (c *checker) podTemplate(path []any, raw manifest.Raw) {
	if raw.Node != nil && raw.Node.Kind != yaml.MappingNode && raw.Node.Kind != yaml.AliasNode {
		c.errorf(path, "want a mapping with metadata and spec")
	}
}

func (c *checker) controllerProperties(path []any, list []ControllerProperty) {
	seen := map[string]bool{}
	for i, p := range list {
		switch {
		case p.Name == "":
			c.errorf(at(path, i), "the property needs a name")
		case seen[p.Name]:
			c.errorf(at(path, i), "property %q is set twice", p.Name)
		}
		seen[p.Name] = true
	}
}

func (c *checker) patches(path []any, list []Patch) {
	for i, p := range list {
		at := at(path, i)
		switch {
		case p.Patch.Value == "" && p.Path == "":
			c.errorf(at, "the patch needs a patch or a path")
		case p.Patch.Value != "" && p.Path != "":
			c.errorf(at, "give a patch or a path, not both")
		}
		c.options(at, p.Options, "allowNoMatch", "allowNameChange", "allowKindChange")
		for _, o := range []string{"allowNameChange", "allowKindChange"} {
			if p.Options[o] {
				c.errorf(append(at, "options", o), "the names and kinds of generated objects are fixed")
			}
		}
	}
}

func (c *checker) options(path []any, options map[string]bool, known ...string) {
	for _, o := range manifest.SortedKeys(options) {
		c.oneOf(at(path, "options", o), o, known...)
	}
}

// FlagComponents are the components that customizeComponents.flags may name in
// a LinstorCluster; in an overlay it is the satellite alone.
var FlagComponents = []string{"affinityController", "controller", "csiController", "csiNode", "highAvailabilityController", "satellite"}

func (c *checker) customize(path []any, cc *CustomizeComponents, components ...string) {
	if cc == nil {
		return
	}
	for _, name := range manifest.SortedKeys(cc.Flags) {
		c.oneOf(at(path, "flags", name), name, components...)
		for _, flag := range manifest.SortedKeys(cc.Flags[name]) {
			if flag == "" || strings.HasPrefix(flag, "-") || strings.ContainsAny(flag, "= \t\n") {
				c.errorf(at(path, "flags", name, flag), "want the name of a flag without dashes, found %q", flag)
			}
		}
	}
	for i, p := range cc.Patches {
		at := at(path, "patches", i)
		if p.ResourceType == "" {
			c.errorf(at, "the patch needs a resourceType: a kind, or *")
		}
		if p.ResourceName == "" {
			c.errorf(at, "the patch needs a resourceName: the name of an object, or *")
		}
		if p.Patch.Value == "" {
			c.errorf(at, "the patch needs a patch")
		}
		c.oneOf(append(at, "type"), p.Type, "", "strategic", "json", "merge")
		c.options(at, p.Options, "allowNoMatch")
		c.terms(append(at, "nodeSelectorTerms"), p.NodeSelectorTerms, false)
	}
}

// controllerURL checks the URL of an external controller: one, or several
// separated by commas.
func (c *checker) controllerURL(path []any, text string) {
	if len(text) < 3 {
		c.errorf(path, "the external controller needs a URL")
		return
	}
	for one := range strings.SplitSeq(text, ",") {
		if _, err := url.Parse(strings.TrimSpace(one)); err != nil {
			c.errorf(path, "no URL: %v", err)
		}
	}
}
