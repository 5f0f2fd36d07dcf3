package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/plugin"
)

// nodeItems is the name of the Nodes on stdin as a source.
const nodeItems = "Node items"

// options are the settings of the run: those of the functionConfig are as good
// as flags.
func (in *input) options(environ []string) (plugin.Options, error) {
	o, err := plugin.Resolve(in.spec.settings, environ)
	if err != nil {
		return o, err
	}
	if in.spec.settings["nodes"] != "" {
		o.Guarded = true // git chose the file
	}
	if o.Nodes == "-" {
		return o, problem.Problem{
			Message: "the setting nodes is -, and standard input is the ResourceList",
			Hint:    "name a file, or hand the Nodes over as items",
		}
	}
	return o, nil
}

// nodeList returns the nodes of the first source that there is.
func (in *input) nodeList(ctx context.Context, o plugin.Options) ([]nodes.Node, error) {
	set := o.Nodes != "" || o.Kubeconfig != "" || o.Context != "" || o.Cluster != ""
	if len(in.nodes) > 0 {
		if !set {
			return in.readNodeItems()
		}
		in.notes.Add(problem.Problem{
			Severity: problem.Warning, Place: in.nodes[0].Place,
			Message: fmt.Sprintf("the settings name a source of nodes, so Node objects on %s are not read (%d of them)", stdinName, len(in.nodes)),
		})
	}
	dir := in.folder() // without one, there is no nodes.yaml
	if o.Guarded {
		dir = "."
	}
	list, err := o.NodeList(ctx, dir, bytes.NewReader(nil), func(string) {})
	if err != nil && !set {
		return nil, in.located(err)
	}
	return list, err
}

// readNodeItems reads the Nodes on stdin, each as a line of JSON, so that the
// line in a fault tells which one has it.
func (in *input) readNodeItems() ([]nodes.Node, error) {
	var stream bytes.Buffer
	var faults problem.List
	for _, o := range in.nodes {
		v, err := manifest.Value(o.Place.File, o.Node, nil)
		if err != nil {
			faults.Merge(err)
			continue
		}
		withoutOrchestration(v)
		stream.Write(manifest.Compile(v, manifest.JSON).Append(nil, nil))
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	list, err := nodes.Read(&stream, nodeItems)
	faults = asList(err)
	for i, p := range faults {
		if n := p.Place.Line; p.Place.File == nodeItems && n > 0 && n <= len(in.nodes) {
			faults[i].Place = in.nodes[n-1].Place
		}
	}
	return list, faults.Err()
}
