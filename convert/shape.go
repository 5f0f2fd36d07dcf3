package convert

import (
	"strings"
	"sync"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/nodes"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// shape is what an object that the program renders has before any patch, of
// what a patch has to know.
type shape struct {
	inits, containers, volumes []string          // names
	data                       map[string]string // of a ConfigMap
}

// plainShapes and tlsShapes are the shapes by kind and base name: those of an
// installation without any setting, and with TLS everywhere.
var (
	plainShapes = sync.OnceValue(func() map[string]shape { return shapes(plain) })
	tlsShapes   = sync.OnceValue(func() map[string]shape { return shapes(withTLS) })
)

const (
	plain   = "{apiVersion: piraeus.io/v1, kind: LinstorCluster, metadata: {name: linstor}}"
	withTLS = `
apiVersion: piraeus.io/v1
kind: LinstorCluster
metadata: {name: linstor}
spec: {apiTLS: {}, internalTLS: {}}
---
apiVersion: piraeus.io/v1
kind: LinstorSatelliteConfiguration
metadata: {name: all}
spec: {internalTLS: {}}
`
)

// shapes renders an installation with the loader where patches find it.
func shapes(text string) map[string]shape {
	result, err := render([]File{{"shape.yaml", []byte(text)}}, generator.LoaderInitContainer)
	if err != nil {
		panic(err) // the text is part of the program
	}
	out := map[string]shape{}
	for o := range result.Objects() {
		meta := at(o, "metadata")
		name, _ := meta["name"].(string)
		if at(meta, "annotations")["linstor-cmp.io/node"] != nil {
			name = strings.TrimSuffix(name, "-"+probe.Name)
		}
		pod := at(o, "spec", "template", "spec")
		s := shape{namesIn(pod, "initContainers"), namesIn(pod, "containers"), namesIn(pod, "volumes"), map[string]string{}}
		for key, v := range at(o, "data") {
			s.data[key], _ = v.(string)
		}
		out[o["kind"].(string)+"/"+name] = s
	}
	return out
}

// probe is the node for which the output is rendered to see whether it can be.
var probe = nodes.Node{Name: "node", OSImage: "Ubuntu 24.04 LTS", Architecture: "amd64"}

// render renders files for the probe.
func render(files []File, loader generator.Loader) (*generator.Result, error) {
	in, err := interpret(files)
	if err != nil {
		return nil, err
	}
	return generator.Generate(in, []nodes.Node{probe}, generator.Settings{Namespace: "piraeus-datastore", Loader: loader})
}

// interpret reads files as an application path is read.
func interpret(files []File) (*overlays.Input, error) {
	var docs []manifest.Document
	for _, f := range files {
		some, err := manifest.ReadDocuments(f.Name, f.Data)
		if err != nil {
			return nil, err
		}
		docs = append(docs, some...)
	}
	return overlays.Read(docs, overlays.Files{})
}

func at(v map[string]any, path ...string) map[string]any {
	for _, key := range path {
		v, _ = v[key].(map[string]any)
	}
	return v
}

func namesIn(pod map[string]any, list string) []string {
	items, _ := pod[list].([]any)
	var names []string
	for _, e := range items {
		m, _ := e.(map[string]any)
		name, _ := m["name"].(string)
		names = append(names, name)
	}
	return names
}
