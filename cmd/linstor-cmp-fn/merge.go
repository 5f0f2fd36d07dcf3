package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
	"github.com/linstor-cmp/linstor-cmp/overlays"
)

// load reads the files and interprets them with what else there is.
func (in *input) load() (*overlays.Input, error) {
	where := overlays.Within{Root: ".", Path: in.folder(), OnlyOurs: in.config.isCluster()}
	return where.Load(in.merge)
}

// folder is the application path: a folder below the function's own, or nothing
// where no files are read.
func (in *input) folder() string {
	switch {
	case in.spec.path != "":
		return in.spec.path
	case in.inKpt:
		return "" // the function runs in whatever folder kpt was called in
	case in.config.isCluster() && in.haveFiles() && !isKustomized("."):
		return ""
	}
	return "."
}

// haveFiles reports whether items were read from files, which kustomize's
// never were.
func (in *input) haveFiles() bool {
	for _, o := range in.items {
		if o.path != "" {
			return true
		}
	}
	return false
}

// merge returns the documents to interpret: those of the ResourceList, and
// those of files that it does not have.
func (in *input) merge(files []manifest.Document) ([]manifest.Document, error) {
	var faults problem.List
	var docs []manifest.Document
	indexes := map[string]int{}
	taken := map[string]*object{}
	for _, o := range in.said {
		docs, faults = in.take(o, taken, docs, faults)
	}
	for _, d := range files {
		o := &object{source: fromFiles, Document: d, path: in.inFolder(d.Place.File), index: indexes[d.Place.File]}
		indexes[d.Place.File]++
		if o.head(); o.isConfig() {
			continue
		}
		in.files = append(in.files, o)
		if !o.ours() {
			docs = append(docs, d)
			continue
		}
		docs, faults = in.take(o, taken, docs, faults)
	}
	return docs, faults.Err()
}

// take adds an object's document, unless another source has said the same.
func (in *input) take(o *object, taken map[string]*object, docs []manifest.Document, faults problem.List) ([]manifest.Document, problem.List) {
	first := taken[o.title()]
	switch {
	case first == nil || o.name == "" || first.source == o.source: // of doubles in one source the reader tells
		taken[o.title()] = o
		return append(docs, o.Document), faults
	case o.piped() || first.source != fromConfig && first.path != o.path:
		if !sameSpec(first, o) {
			faults.Add(o.fault("leave one of the two out, or make them the same",
				fmt.Sprintf("%s is also in %s, and the two differ", o.title(), first.Place.File), "metadata", "name"))
		}
	}
	return docs, faults
}

// sameSpec reports whether two objects say the same, whatever their metadata.
func sameSpec(first, second *object) bool {
	a, err := specOf(first)
	if err != nil {
		return true // the first is read, and its fault told
	}
	b, err := specOf(second)
	return err == nil && manifest.Equal(a, b)
}

// specOf returns the spec as a plain value; an empty one is none.
func specOf(o *object) (any, error) {
	spec := field(o.Node, "spec")
	if spec == nil {
		return nil, nil
	}
	v, err := manifest.Value(o.Place.File, spec, nil)
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return nil, err
	}
	return v, err
}

// inFolder returns the path of a file of the application path as seen from the
// function's folder.
func (in *input) inFolder(file string) string { return path.Join(in.folder(), file) }

// located returns problems that know files of the application path as problems
// that know files of the function's folder.
func (in *input) located(err error) problem.List {
	list := asList(err)
	for i, p := range list {
		if p.Place.File != "" && in.labels[p.Place.File] == nil {
			list[i].Place.File = in.inFolder(p.Place.File)
		}
	}
	return list
}

func isKustomized(dir string) bool {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}
