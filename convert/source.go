package convert

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// group is the API group of Piraeus Operator v1.
const group = "piraeus.linbit.com"

// input is what there is to convert, whichever way it was written.
type input struct {
	helm       field // the chart's values; absent with resources
	controller *section
	sets       []*section
	csi        *section
	ha         *section
}

// section is one component: a resource's spec, or a part of the values.
type section struct {
	name                string // of a resource or a satellite set
	own                 field
	labels, annotations field
	shared              map[string]field // what the values say once for all, by the resources' names
	off                 bool
}

// at returns the first of the named fields that is there. The values and the
// resources have different names for a few.
func (s *section) at(names ...string) field {
	for _, name := range names {
		if f := s.own.at(name); f.n != nil {
			return f
		}
	}
	for _, name := range names {
		if f := s.shared[name]; f.n != nil {
			return f
		}
	}
	return field{c: s.own.c}
}

// helmKeys are the keys at the top of the chart's values.
var helmKeys = []string{
	"global", "etcd", "csi-snapshotter", "stork", "csi", "operator", "haController", "psp", "priorityClassName", "drbdRepoCred",
	"linstorSslMethod", "linstorHttpsMethod", "linstorHttpsControllerSecret", "linstorHttpsClientSecret", "controllerEndpoint",
	"nameOverride", "fullnameOverride",
}

// recognise finds the values or the resources among the documents.
func (c *converter) recognise() {
	for _, root := range c.roots {
		f := field{c, root}
		apiVersion, kind := text(root.member("apiVersion")), text(root.member("kind"))
		switch {
		case apiVersion == "" && kind == "" && slices.ContainsFunc(helmKeys, func(k string) bool { return root.member(k) != nil }):
			c.values(f)
		case apiVersion == "v1" && kind == "List":
			c.envelope(f)
			for _, item := range f.at("items").list() {
				c.resource(item)
			}
		case apiVersion != "" && kind != "":
			c.resource(f)
		default:
			c.faults.Add(problem.Problem{
				Place:   root.place,
				Message: "neither values of the chart of Piraeus Operator v1 nor one of its resources",
				Hint:    "give what `helm get values RELEASE --all` or `kubectl get linstorcontrollers,linstorsatellitesets,linstorcsidrivers -o yaml` prints",
			})
		}
	}
	if len(c.faults) == 0 && c.in.helm.n == nil && c.in.controller == nil && c.in.sets == nil && c.in.csi == nil {
		c.faults.Add(problem.Problem{Message: "there is nothing of Piraeus Operator v1 in the input", Hint: "give the values of its chart, or its resources"})
	}
}

func text(n *node) string {
	if n == nil || n.value == nil {
		return ""
	}
	return fmt.Sprint(n.value)
}

// envelope marks what every Kubernetes object has and nobody converts.
func (c *converter) envelope(f field) {
	f.at("apiVersion").done()
	f.at("kind").done()
	var names []string
	take := func(m field) {
		if m.has() {
			names = append(names, m.n.path())
			m.n.mark(listed)
		}
	}
	meta := f.at("metadata")
	for _, key := range []string{"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers", "generation", "managedFields", "ownerReferences", "resourceVersion", "selfLink", "uid"} {
		take(meta.at(key))
	}
	for _, a := range meta.at("annotations").mapping() {
		if domain, _, _ := strings.Cut(a.key(), "/"); domain == "kubectl.kubernetes.io" || strings.HasSuffix(domain, "helm.sh") {
			take(a)
		}
	}
	take(f.at("status"))
	if names != nil {
		c.missing = append(c.missing, Missing{Path: strings.Join(names, ", "), Place: f.place(), Reason: "bookkeeping of the cluster"})
	}
}

// resource takes one object.
func (c *converter) resource(f field) {
	apiVersion, kind := text(f.n.member("apiVersion")), text(f.n.member("kind"))
	name := text(f.n.member("metadata").member("name"))
	if g, _, _ := strings.Cut(apiVersion, "/"); g != group {
		f.lost("no resource of Piraeus Operator v1", "copy it into the folder: other objects pass through unchanged")
		return
	}
	c.envelope(f)
	meta := f.at("metadata")
	s := &section{name: name, own: f.at("spec"), labels: meta.at("labels"), annotations: meta.at("annotations")}
	s.own.mapping()
	meta.at("name").done()
	meta.at("namespace").drop("no namespace is in git", "it is the setting namespace, or the destination of the Application")
	switch kind {
	case "LinstorController":
		c.only(f, &c.in.controller, s)
	case "LinstorCSIDriver":
		c.only(f, &c.in.csi, s)
	case "LinstorSatelliteSet":
		c.addSet(f, s)
	default:
		c.faults.Add(problem.Problem{
			Place: f.place(), Message: fmt.Sprintf("there is no kind %s of %s to convert", kind, apiVersion),
			Hint: "the kinds are LinstorController, LinstorSatelliteSet, LinstorCSIDriver",
		})
	}
	if c.in.helm.n != nil {
		c.faults.Add(problem.Problem{Place: f.place(), Message: "the input has both values of the chart and resources, which the chart made of them", Hint: "give one or the other"})
	}
}

func (c *converter) only(f field, into **section, s *section) {
	if *into != nil {
		c.faults.Errorf(f.place(), "a second %s; the first is at %s", text(f.n.member("kind")), (*into).own.place())
		return
	}
	*into = s
}

func (c *converter) addSet(f field, s *section) {
	for _, m := range validation.IsDNS1123Subdomain(s.name) {
		c.faults.Errorf(f.place(), "no name of a satellite set: %q: %s", s.name, m)
	}
	for _, other := range c.in.sets {
		if other.name == s.name {
			c.faults.Errorf(f.place(), "a second LinstorSatelliteSet %q; the first is at %s", s.name, other.own.place())
		}
	}
	c.in.sets = append(c.in.sets, s)
}

// values takes the values of the chart apart into what its templates make of
// them.
func (c *converter) values(f field) {
	if c.in.helm.n != nil {
		c.faults.Add(problem.Problem{Place: f.place(), Message: "a second document with values of the chart; the first is at " + c.in.helm.place().String(), Hint: "`helm get values RELEASE --all` prints all of them as one"})
		return
	}
	c.in.helm = f
	shared := map[string]field{
		"imagePullPolicy": f.at("global").at("imagePullPolicy"),
		"imagePullSecret": f.at("drbdRepoCred"),
	}
	for _, key := range []string{"priorityClassName", "drbdRepoCred", "linstorHttpsControllerSecret", "linstorHttpsClientSecret", "controllerEndpoint"} {
		shared[key] = f.at(key)
	}
	part := func(name string, own field) *section {
		own.mapping()
		return &section{
			name: name, own: own, shared: shared, off: !own.at("enabled").flag(true),
			labels: own.at("customLabels"), annotations: own.at("customAnnotations"),
		}
	}
	c.in.controller = part("", f.at("operator").at("controller"))
	c.in.sets = []*section{part("satellites", f.at("operator").at("satelliteSet"))}
	c.in.csi = part("", f.at("csi"))
	c.in.ha = part("", f.at("haController"))
	if !f.at("operator").at("controller").at("controllerImage").has() {
		c.note(f.place(), "these seem not to be all values: what the chart has by default is not known here, and the output has the defaults of this project instead", "convert what `helm get values RELEASE --all` prints")
	}
}
