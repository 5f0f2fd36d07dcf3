package api

import (
	"regexp"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Validate sets the defaults of a LinstorCluster and returns what is wrong
// with it, with places in doc, the document that it was read from.
func (l *LinstorCluster) Validate(doc manifest.Document) problem.List {
	c := &checker{doc: doc}
	s, spec := &l.Spec, []any{"spec"}
	c.name(l.Metadata)
	c.labels(at(spec, "nodeSelector"), s.NodeSelector)
	c.affinity(at(spec, "nodeAffinity"), s.NodeAffinity)
	c.tolerations(at(spec, "tolerations"), s.Tolerations)
	c.controllerProperties(at(spec, "properties"), s.Properties)
	c.patches(at(spec, "patches"), s.Patches)
	c.customize(at(spec, "customizeComponents"), s.CustomizeComponents, FlagComponents...)
	if s.ExternalController != nil {
		c.controllerURL(at(spec, "externalController", "url"), s.ExternalController.URL)
	}
	if t := s.InternalTLS; t != nil {
		c.issuer(at(spec, "internalTLS", "certManager"), t.CertManager)
		c.caReference(at(spec, "internalTLS", "caReference"), t.CAReference)
	}
	if t := s.APITLS; t != nil {
		c.issuer(at(spec, "apiTLS", "certManager"), t.CertManager)
		c.caReference(at(spec, "apiTLS", "caReference"), t.CAReference)
	}
	c.components(spec, s)
	if n := s.MaxConcurrentEvacuations; n != nil && *n < 0 {
		c.errorf(at(spec, "maxConcurrentEvacuations"), "must not be negative")
	}
	return c.faults
}

func (c *checker) components(spec []any, s *LinstorClusterSpec) {
	for name, k := range map[string]*Component{
		"controller": s.Controller, "csiNode": s.CSINode,
		"highAvailabilityController": s.HighAvailabilityController, "nfsServer": s.NFSServer,
	} {
		if k != nil {
			c.podTemplate(at(spec, name, "podTemplate"), k.PodTemplate)
		}
	}
	for name, k := range map[string]*ReplicatedComponent{"csiController": s.CSIController, "affinityController": s.AffinityController} {
		if k == nil {
			continue
		}
		c.podTemplate(at(spec, name, "podTemplate"), k.PodTemplate)
		if k.Replicas != nil && *k.Replicas < 0 {
			c.errorf(at(spec, name, "replicas"), "must not be negative")
		}
	}
}

// Validate sets the defaults of a LinstorNodeConnection and returns what is
// wrong with it.
func (l *LinstorNodeConnection) Validate(doc manifest.Document) problem.List {
	c := &checker{doc: doc}
	c.name(l.Metadata)
	for i := range l.Spec.Selector {
		for j := range l.Spec.Selector[i].MatchLabels {
			c.connectionLabel([]any{"spec", "selector", i, "matchLabels", j}, &l.Spec.Selector[i].MatchLabels[j])
		}
	}
	c.controllerProperties([]any{"spec", "properties"}, l.Spec.Properties)
	seen := map[string]bool{}
	for i, p := range l.Spec.Paths {
		path := []any{"spec", "paths", i}
		if p.Name == "" || p.Interface == "" {
			c.errorf(path, "a path needs a name and an interface")
		}
		if seen[p.Name] {
			c.errorf(path, "path %q is set twice", p.Name)
		}
		seen[p.Name] = true
	}
	return c.faults
}

func (c *checker) connectionLabel(path []any, l *ConnectionLabel) {
	if l.Key == "" {
		c.errorf(path, "the rule needs a key")
	}
	if l.Op == "" {
		l.Op = "Exists"
	}
	c.oneOf(at(path, "op"), l.Op, "Exists", "DoesNotExist", "In", "NotIn", "Same", "NotSame")
	if takes := l.Op == "In" || l.Op == "NotIn"; takes != (len(l.Values) > 0) {
		c.errorf(at(path, "values"), "values go with the operators In and NotIn, and only with them")
	}
}

// Validate returns what is wrong with a LinstorImageConfiguration. The names
// of its components are checked where the image table is known.
func (l *LinstorImageConfiguration) Validate(doc manifest.Document) problem.List {
	c := &checker{doc: doc}
	c.name(l.Metadata)
	c.oneOf([]any{"spec", "unknownOS"}, l.Spec.UnknownOS, "", "Fallback", "Skip", "Error")
	for _, name := range manifest.SortedKeys(l.Spec.Components) {
		c.digest([]any{"spec", "components", name, "digest"}, l.Spec.Components[name].Digest)
		for i, row := range l.Spec.Components[name].Match {
			path := []any{"spec", "components", name, "match", i}
			c.digest(at(path, "digest"), row.Digest)
			c.regexp(at(path, "osImage"), row.OSImage)
			c.regexp(at(path, "kernelVersion"), row.KernelVersion)
			if row.OSImage == "" && row.KernelVersion == "" && row.Architecture == "" {
				c.errorf(path, "the row needs an osImage, a kernelVersion or an architecture to match")
			}
		}
	}
	return c.faults
}

var digest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

func (c *checker) digest(path []any, text string) {
	if text != "" && !digest.MatchString(text) {
		c.errorf(path, "want sha256: and 64 hexadecimal digits, found %q", text)
	}
}

func (c *checker) regexp(path []any, expr string) {
	if _, err := regexp.Compile(expr); err != nil {
		c.errorf(path, "no regular expression: %v", err)
	}
}
