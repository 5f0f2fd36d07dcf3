package registrar

import (
	"fmt"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Cluster is what LINSTOR is to know of the cluster as a whole: cluster.json.
type Cluster struct {
	Name        string
	Properties  map[string]string
	Connections []Rule
}

// Rule gives paths and properties to the pairs of nodes that it selects.
type Rule struct {
	Name       string
	Selector   [][]Term // one of the lists must hold, all of its terms; empty: every pair
	Properties map[string]string
	Paths      []Path
}

// Term is a condition on a label of both nodes.
type Term struct {
	Key    string   `json:"key"`
	Op     string   `json:"op"` // Exists (default), DoesNotExist, In, NotIn, Same, NotSame
	Values []string `json:"values"`
}

// Path is a network path: an interface that both nodes have.
type Path struct {
	Name      string `json:"name"`
	Interface string `json:"interface"`
}

// clusterFile is cluster.json as it is written.
type clusterFile struct {
	Name        string            `json:"name"`
	Properties  map[string]string `json:"properties"`
	Connections []struct {
		Name     string `json:"name"`
		Selector []struct {
			MatchLabels []Term `json:"matchLabels"`
		} `json:"selector"`
		Properties []propertyFile `json:"properties"`
		Paths      []Path         `json:"paths"`
	} `json:"nodeConnections"`
	// For who evacuates nodes; a registrar does not.
	MaxConcurrentEvacuations *int32 `json:"maxConcurrentEvacuations"`
}

// ParseCluster reads cluster.json. The error is a problem.List of all its
// faults.
func ParseCluster(data []byte) (Cluster, error) {
	var file clusterFile
	if err := strictJSON(data, &file); err != nil {
		return Cluster{}, problem.List{{Subject: "cluster.json", Message: err.Error()}}
	}
	var faults problem.List
	fault := func(format string, args ...any) {
		faults.Add(problem.Problem{Subject: "cluster.json", Message: fmt.Sprintf(format, args...)})
	}
	c := Cluster{Name: file.Name, Properties: file.Properties}
	checkNames("properties", c.Properties, fault)
	for _, n := range file.Connections {
		where := "connection " + n.Name
		r := Rule{Name: n.Name, Properties: properties(where, n.Properties, fault), Paths: n.Paths}
		for _, s := range n.Selector {
			for i := range s.MatchLabels {
				term(&s.MatchLabels[i], where, fault)
			}
			r.Selector = append(r.Selector, s.MatchLabels)
		}
		for _, p := range r.Paths {
			if p.Name == "" || p.Interface == "" {
				fault("%s: a path needs a name and an interface", where)
			}
		}
		c.Connections = append(c.Connections, r)
	}
	return c, faults.Err()
}

var operators = []string{"Exists", "DoesNotExist", "In", "NotIn", "Same", "NotSame"}

func term(t *Term, where string, fault func(string, ...any)) {
	if t.Op == "" {
		t.Op = "Exists"
	}
	takes := t.Op == "In" || t.Op == "NotIn"
	switch {
	case t.Key == "":
		fault("%s: a rule on labels needs a key", where)
	case !slices.Contains(operators, t.Op):
		fault("%s: no operator: %q", where, t.Op)
	case takes != (len(t.Values) > 0):
		fault("%s: values go with In and NotIn, and only with them", where)
	}
}

// keys returns the labels that the rules look at.
func (c Cluster) keys() []string {
	var out []string
	for _, r := range c.Connections {
		for _, terms := range r.Selector {
			for _, t := range terms {
				if !slices.Contains(out, t.Key) {
					out = append(out, t.Key)
				}
			}
		}
	}
	return out
}

// Member is a registered node, as far as connections are concerned.
type Member struct {
	Name       string
	Interfaces []string
	Labels     map[string]string // those that a rule looks at
}

// selects tells whether the rule is for the pair.
func (r Rule) selects(a, b Member) bool {
	return len(r.Selector) == 0 || slices.ContainsFunc(r.Selector, func(terms []Term) bool {
		return !slices.ContainsFunc(terms, func(t Term) bool { return !t.holds(a.Labels, b.Labels) })
	})
}

// holds compares the label on both nodes. A label that is not there is empty,
// as Piraeus has it: two nodes without it are the Same.
func (t Term) holds(a, b map[string]string) bool {
	va, hasA := a[t.Key]
	vb, hasB := b[t.Key]
	switch t.Op {
	case "Exists":
		return hasA && hasB
	case "DoesNotExist":
		return !hasA && !hasB
	case "In":
		return slices.Contains(t.Values, va) && slices.Contains(t.Values, vb)
	case "NotIn":
		return !slices.Contains(t.Values, va) && !slices.Contains(t.Values, vb)
	case "Same":
		return va == vb
	case "NotSame":
		return va != vb
	}
	return false
}
