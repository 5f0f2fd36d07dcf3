package main

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/api"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// input is what there is to generate from, and what only passes through.
type input struct {
	list   *resourceList
	config *object // the functionConfig
	spec   config  // of a GeneratorConfig

	items  []*object          // all that came in
	said   []*object          // objects of our kinds, the functionConfig's copy left out; first come, first taken
	nodes  []*object          // Nodes and lists of them
	passed []*object          // what goes on as it is
	files  []*object          // what the files say
	labels map[string]*object // what came on stdin, by the name that it has in messages
	inKpt  bool               // the items are a kpt package

	notes problem.List
}

// sort finds out what each part of the ResourceList is for.
func (in *input) sort() error {
	if in.list.config == nil {
		return problem.Problem{
			Message: "the ResourceList has no functionConfig",
			Hint:    "name a LinstorCluster or a GeneratorConfig under generators in kustomization.yaml, or as configPath in a Kptfile",
		}
	}
	in.labels = map[string]*object{}
	in.config = in.object(fromConfig, "functionConfig", in.list.config)
	for i, n := range in.list.items {
		o := in.object(fromItems, fmt.Sprintf("items[%d]", i), n)
		in.items = append(in.items, o)
		in.inKpt = in.inKpt || o.group() == "kpt.dev" && o.kind == "Kptfile"
	}
	switch {
	case in.config.isCluster():
		in.said = append(in.said, in.config)
	case in.config.isConfig():
		if err := in.readConfig(); err != nil {
			return err
		}
	default:
		return in.config.fault(
			fmt.Sprintf("use a %s of %s or a %s of %s", api.KindCluster, api.PiraeusVersion, kindConfig, api.OwnVersion),
			fmt.Sprintf("%s means nothing as functionConfig", called(true, in.config.apiVersion, in.config.kind)), "kind")
	}
	return in.sortItems()
}

// object notes an object that came on stdin.
func (in *input) object(from source, what string, n *yaml.Node) *object {
	o := newObject(from, what, n)
	in.labels[o.Place.File] = o
	return o
}

func (in *input) sortItems() error {
	var faults problem.List
	for _, o := range in.items {
		switch {
		case o.isConfig(): // this function's, or another's
		case o.ours() && in.isCopy(o):
			if !sameSpec(o, in.config) {
				faults.Add(o.fault("leave one of the two out", o.title()+" is the functionConfig, and this item of its name says something else", "spec"))
			}
		case o.ours():
			in.said = append(in.said, o)
		case o.isNode():
			in.nodes = append(in.nodes, o)
		default:
			in.passed = append(in.passed, o)
			continue
		}
		if o.path != "" && (o.local || in.inKpt) {
			in.passed = append(in.passed, o)
		}
	}
	return faults.Err()
}

// isCopy reports whether an object is the functionConfig, by kind and name.
func (in *input) isCopy(o *object) bool {
	return o.apiVersion == in.config.apiVersion && o.kind == in.config.kind && o.name == in.config.name
}
