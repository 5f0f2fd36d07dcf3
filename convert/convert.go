// Package convert turns what people had for Piraeus Operator v1, the values of
// its Helm chart or its resources, into an application path: a LinstorCluster
// with customizeComponents patches, one for each sidecar and each list of
// volumes, and an overlay for each set of satellites.
//
// It is pure: documents in, files out. It accounts for every key of the input:
// what is not in the output is in the list of what is missing, with the reason
// and what to do by hand. What it gives, renders.
//
// It knows nothing of running clusters: it reads no Secret, moves no database
// and registers nothing with LINSTOR.
package convert

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Result is a converted installation.
type Result struct {
	Files   []File       // of the application path, linstor.yaml first
	Missing []Missing    // what has no counterpart, in the order of the input
	Notes   problem.List // what to know beside it, sorted
}

// File is a file of the application path.
type File struct {
	Name string // slash-separated, below the application path
	Data []byte // one YAML document
}

// Missing is a key of the input, with everything below it, that is not in the
// output.
type Missing struct {
	Path   string // as people write it: operator.controller.sidecars[0]
	Place  problem.Place
	Reason string
	Hint   string // what to do by hand; may be empty
}

// Problem is the missing key as a warning.
func (m Missing) Problem() problem.Problem {
	return problem.Problem{Severity: problem.Warning, Place: m.Place, Message: m.Path + ": " + m.Reason, Hint: m.Hint}
}

// Stream returns the files as one: a YAML stream which, as the only file of a
// folder, is the same application path.
func (r *Result) Stream() []byte {
	var out bytes.Buffer
	for _, f := range r.Files {
		out.WriteString("---\n")
		out.Write(f.Data)
	}
	return out.Bytes()
}

// Convert reads the documents of Piraeus Operator v1: the values of its chart in
// one document, or any number of its resources. The error is a problem.List of
// what is wrong with the input itself; then there is no result.
func Convert(docs []manifest.Document) (*Result, error) {
	c, err := read(docs)
	if err != nil {
		return nil, err
	}
	c.convert()
	if err := c.faults.Err(); err != nil {
		return nil, err
	}
	if err := c.settle(); err != nil {
		return nil, err
	}
	return c.result(), nil
}

// read grows the trees of the documents and finds what is in them.
func read(docs []manifest.Document) (*converter, error) {
	c := &converter{cluster: newTarget("linstor.yaml", clusterKind), names: map[string]bool{}}
	size := maxText
	for _, d := range docs {
		root, err := plant(d, &size)
		if err != nil {
			c.faults.Merge(err)
			continue
		}
		c.roots = append(c.roots, root)
	}
	if len(c.faults) == 0 {
		c.recognise()
	}
	return c, c.faults.Err()
}

// converter is one conversion.
type converter struct {
	roots   []*node
	in      input
	cluster *target
	sets    []*target
	images  []image
	names   map[string]bool // of containers and volumes that the input adds, by workload
	missing []Missing
	notes   problem.List
	faults  problem.List
}

// convert goes through the input, component by component. Which nodes have a
// satellite comes first, since that says where the others may run; and TLS next,
// since that changes the files that others amend.
func (c *converter) convert() {
	c.satelliteSets()
	c.endpoints()
	c.tls()
	for _, t := range c.sets {
		c.satelliteSet(t.section, t)
	}
	c.controller()
	c.csi()
	c.haController()
	c.oneRegistry()
	c.helmOnly()
	for _, t := range c.targets() {
		if len(t.patches) > maxPatches {
			c.faults.Errorf(c.roots[0].place, "%s would have more than %d patches, which are never needed", t.file, maxPatches)
		}
	}
}

// maxPatches bounds the patches of one file: to find out which of them do not
// render takes the longer the more there are.
const maxPatches = 150

// note tells people something that is no key of the input.
func (c *converter) note(at problem.Place, message, hint string) {
	c.notes.Add(problem.Problem{Severity: problem.Warning, Place: at, Message: message, Hint: hint})
}

// result lists what nothing has touched, and writes the files.
func (c *converter) result() *Result {
	for _, root := range c.roots {
		for _, n := range root.untouched() {
			field{c, n}.lost("no key of Piraeus 1 that this command knows", "look for a misspelling, or for a version of the chart before 1.0")
		}
	}
	slices.SortStableFunc(c.missing, func(a, b Missing) int {
		return cmp.Or(cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Path, b.Path))
	})
	r := &Result{Missing: c.missing, Notes: c.notes.Sorted()}
	for _, t := range c.targets() {
		r.Files = append(r.Files, t.encode(asWritten))
	}
	return r
}

func (c *converter) targets() []*target { return append([]*target{c.cluster}, c.sets...) }
