package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/generator"
	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

const (
	// outputFolder is where a package keeps what is generated: a file for each
	// node, and one for the objects of the whole cluster.
	outputFolder = "linstor-cmp/"
	clusterFile  = outputFolder + "cluster.yaml"

	nodeAnnotation = "linstor-cmp.io/node"
	managedBy      = "app.kubernetes.io/managed-by"
	manager        = "linstor-cmp"
)

// output is what a run puts out. Everything that can fail has not.
type output struct {
	passed    []*yaml.Node
	generated *generator.Result
	skip      map[string]bool   // generated objects that are among the passed ones, by id
	used      map[position]bool // what passes stands here
	notes     problem.List
}

// position is where in a package an object stands.
type position struct {
	file  string
	index int
}

// place finds out where what is generated goes among the items.
func (in *input) place(generated *generator.Result, notes problem.List) (*output, error) {
	r := &output{generated: generated, skip: map[string]bool{}, used: map[position]bool{}, notes: notes}
	passed := map[string]*object{}
	for _, o := range in.passed {
		passed[o.id()] = o
	}
	replaced := map[*object]bool{}
	var faults problem.List
	count := 0
	for v := range generated.Objects() {
		count++
		o := ofValue(v)
		old := passed[o.id()]
		switch {
		case old == nil || o.name == "":
		case isGenerated(old):
			replaced[old] = true
		case old.says(v):
			r.skip[o.id()] = true
		default:
			faults.Add(old.fault("leave one of the two out", fmt.Sprintf("%s is among the items, and generated or read from a file it is another", o.title()), "metadata", "name"))
		}
	}
	if count == 0 {
		faults.Add(problem.Problem{Message: "nothing is generated", Hint: "an empty output would remove everything, so it is an error here even with allow-empty"})
	}
	var stale []string
	for _, o := range in.passed {
		if replaced[o] {
			continue
		}
		if isGenerated(o) {
			stale = append(stale, o.title())
		}
		r.used[position{o.path, o.index}] = true
		r.passed = append(r.passed, o.Node)
	}
	if len(stale) > 0 {
		r.notes.Add(problem.Problem{
			Severity: problem.Warning,
			Message:  fmt.Sprintf("%d items of an earlier run are not generated any more, and stay: %s", len(stale), some(stale)),
			Hint:     "remove them where they are to go",
		})
	}
	return r, faults.Err()
}

// some lists the first few names.
func some(names []string) string {
	const most = 5
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "…")
	}
	return strings.Join(names, ", ")
}

// isGenerated reports whether an item is an earlier output: it has our label,
// or, where a patch took that off, it is in our folder of the package.
func isGenerated(o *object) bool {
	return !o.ours() && !o.isNode() && (text(field(field(o.Node, "metadata"), "labels"), managedBy) == manager || strings.HasPrefix(o.path, outputFolder))
}

// says reports whether an item is the object v, whatever orchestrators wrote on it.
func (o *object) says(v map[string]any) bool {
	mine, err := manifest.Value(o.Place.File, o.Node, nil)
	if err != nil {
		return false
	}
	withoutOrchestration(mine)
	other := manifest.Clone(v)
	withoutOrchestration(other)
	return manifest.Equal(mine, other)
}

// withoutOrchestration takes the annotations of orchestrators off a plain object.
func withoutOrchestration(v any) {
	object, _ := v.(map[string]any)
	meta, _ := object["metadata"].(map[string]any)
	annotations, ok := meta["annotations"].(map[string]any)
	if !ok {
		return
	}
	maps.DeleteFunc(annotations, func(k string, _ any) bool {
		return strings.HasPrefix(k, "internal.config.kubernetes.io/") || strings.HasPrefix(k, "kustomize.config.k8s.io/") ||
			k == "config.kubernetes.io/path" || k == "config.kubernetes.io/index" || k == "config.k8s.io/id"
	})
	if len(annotations) == 0 {
		delete(meta, "annotations")
	}
}

// ofValue returns the head of a plain object.
func ofValue(v map[string]any) *object {
	meta, _ := v["metadata"].(map[string]any)
	o := &object{}
	o.apiVersion, _ = v["apiVersion"].(string)
	o.kind, _ = v["kind"].(string)
	o.namespace, _ = meta["namespace"].(string)
	o.name, _ = meta["name"].(string)
	return o
}

// write writes the ResourceList of a run that succeeded: what passes, and then
// what is generated, one object at a time.
func (r *output) write(w io.Writer, list *resourceList, results []*yaml.Node) error {
	return list.write(w, r.passed, func(out *bufio.Writer) {
		indexes := map[string]int{}
		for v := range r.generated.Objects() {
			if r.skip[ofValue(v).id()] {
				continue
			}
			file := fileOf(v)
			for r.used[position{file, indexes[file]}] {
				indexes[file]++
			}
			writeElement(out, annotated(v, file, indexes[file]))
			indexes[file]++
		}
	}, results)
}

// fileOf is the file of a package that a generated object belongs in.
func fileOf(v map[string]any) string {
	meta, _ := v["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	if node, ok := annotations[nodeAnnotation].(string); ok {
		return outputFolder + node + ".yaml"
	}
	return clusterFile
}

// annotated returns the object with its file; the object itself stays as it is.
func annotated(v map[string]any, file string, index int) map[string]any {
	out := maps.Clone(v)
	meta, _ := v["metadata"].(map[string]any)
	meta = maps.Clone(meta)
	annotations, _ := meta["annotations"].(map[string]any)
	annotations = maps.Clone(annotations)
	if annotations == nil {
		annotations = map[string]any{}
	}
	for _, key := range pathAnnotations {
		annotations[key] = file
	}
	for _, key := range indexAnnotations {
		annotations[key] = strconv.Itoa(index)
	}
	meta["annotations"], out["metadata"] = annotations, meta
	return out
}

// writeElement writes an object as an element of a list.
func writeElement(out *bufio.Writer, v map[string]any) {
	_, document, _ := bytes.Cut(manifest.Compile(v, manifest.YAML).Append(nil, nil), []byte("\n"))
	indent := "- "
	for line := range bytes.Lines(document) {
		if len(line) > 1 {
			_, _ = out.WriteString(indent)
		}
		_, _ = out.Write(line)
		indent = "  "
	}
}
