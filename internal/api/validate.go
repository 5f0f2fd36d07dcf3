package api

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

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

func (c *checker) labels(path []any, selector map[string]string) {
	for _, key := range manifest.SortedKeys(selector) {
		for _, m := range validation.IsQualifiedName(key) {
			c.errorf(at(path, key), "no label key: %s", m)
		}
		for _, m := range validation.IsValidLabelValue(selector[key]) {
			c.errorf(at(path, key), "no label value: %s", m)
		}
	}
}

func (c *checker) affinity(path []any, s *corev1.NodeSelector) {
	if s != nil {
		c.terms(at(path, "nodeSelectorTerms"), s.NodeSelectorTerms, true)
	}
}

// terms holds selector terms against the strict rules of Kubernetes, and
// refuses what Kubernetes takes for "matches no node, ever": no terms, an empty
// term, a field other than the name.
func (c *checker) terms(path []any, terms []corev1.NodeSelectorTerm, wanted bool) {
	if len(terms) == 0 {
		if wanted || terms != nil {
			c.errorf(path, "without a term no node ever matches; leave the field out for all nodes")
		}
		return
	}
	for i, term := range terms {
		if len(term.MatchExpressions) == 0 && len(term.MatchFields) == 0 {
			c.errorf(at(path, i), "an empty term matches no node, ever; give it matchExpressions or matchFields")
		}
		for j, f := range term.MatchFields {
			if f.Key != "metadata.name" {
				c.errorf(at(path, i, "matchFields", j, "key"), "the only field to match is metadata.name, not %q", f.Key)
			}
		}
	}
	_, err := nodeaffinity.NewNodeSelector(&corev1.NodeSelector{NodeSelectorTerms: terms})
	for _, e := range flatten(err) {
		var fe *field.Error
		if errors.As(e, &fe) {
			steps := parsePath(fe.Field)[1:] // without nodeSelectorTerms
			c.errorf(at(path, steps...), "%s", fe.ErrorBody())
			continue
		}
		c.errorf(path, "%v", e)
	}
}

func flatten(err error) []error {
	var agg utilerrors.Aggregate
	switch {
	case err == nil:
		return nil
	case errors.As(err, &agg):
		return utilerrors.Flatten(agg).Errors()
	}
	return []error{err}
}

var pathStep = regexp.MustCompile(`[^.\[\]]+|\[\d+\]`)

func parsePath(p string) []any {
	var steps []any
	for _, s := range pathStep.FindAllString(p, -1) {
		if n, err := strconv.Atoi(strings.Trim(s, "[]")); err == nil && s[0] == '[' {
			steps = append(steps, n)
		} else {
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 {
		steps = []any{""}
	}
	return steps
}

func (c *checker) tolerations(path []any, list []corev1.Toleration) {
	for i, t := range list {
		p := at(path, i)
		switch t.Operator {
		case "", corev1.TolerationOpEqual:
			if t.Key == "" {
				c.errorf(p, "a toleration without a key needs operator Exists")
			}
			for _, m := range validation.IsValidLabelValue(t.Value) {
				c.errorf(at(p, "value"), "%s", m)
			}
		case corev1.TolerationOpExists:
			if t.Value != "" {
				c.errorf(at(p, "value"), "operator Exists takes no value")
			}
		default:
			c.errorf(at(p, "operator"), "want Exists or Equal, found %q", t.Operator)
		}
		if t.Key != "" {
			for _, m := range validation.IsQualifiedName(t.Key) {
				c.errorf(at(p, "key"), "%s", m)
			}
		}
		c.oneOf(at(p, "effect"), string(t.Effect), "", "NoSchedule", "PreferNoSchedule", "NoExecute")
		if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
			c.errorf(at(p, "tolerationSeconds"), "only with effect NoExecute")
		}
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
