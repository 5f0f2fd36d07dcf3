package overlays

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// buildKustomization builds the kustomization of dir, in this process, from
// local files, without plugins and without the network, and returns its
// objects. A document's place is the file that kustomize says it came from.
func buildKustomization(dir, name string) (docs []manifest.Document, err error) {
	at := problem.Place{File: name}
	defer func() {
		if r := recover(); r != nil {
			docs, err = nil, problem.Problem{Place: at, Message: fmt.Sprintf("kustomize gave up: %v", r)}
		}
	}()
	abs, err := filepath.EvalSymlinks(dir)
	if err == nil {
		abs, err = filepath.Abs(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the application path: %w", err)
	}
	local := &localFiles{FileSystem: filesys.MakeFsOnDisk(), root: filepath.Join(abs, name)}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(local, abs)
	if local.remote != nil {
		return nil, *local.remote
	}
	if err != nil {
		text := strings.ReplaceAll(err.Error(), abs+string(filepath.Separator), "")
		return nil, problem.Problem{Place: at, Message: "kustomize cannot build it: " + strings.ReplaceAll(text, abs, ".")}
	}
	return builtDocuments(built, name)
}

func builtDocuments(built resmap.ResMap, name string) ([]manifest.Document, error) {
	var docs []manifest.Document
	var faults problem.List
	for _, res := range built.Resources() {
		file := originOf(res, name)
		text, err := res.AsYAML()
		if err != nil {
			faults.Merge(problem.Problem{Place: problem.Place{File: file}, Message: err.Error()})
			continue
		}
		found, err := manifest.ReadDocuments(file, text)
		faults.Merge(err)
		for _, d := range found {
			forgetLines(d.Node) // they are those of the build, not of a file
			d.Place.Line = 0
			docs = append(docs, d)
		}
	}
	return docs, faults.Err()
}

// originOf returns the file a resource came from and takes kustomize's record
// of it off the resource.
func originOf(res *resource.Resource, name string) string {
	file := name
	if origin, err := res.GetOrigin(); err == nil && origin != nil {
		switch {
		case origin.Path != "":
			file = origin.Path
		case origin.ConfiguredIn != "":
			file = origin.ConfiguredIn
		}
	}
	annotations := res.GetAnnotations()
	delete(annotations, "config.kubernetes.io/origin")
	if err := res.SetAnnotations(annotations); err != nil {
		return name
	}
	return path.Clean(file)
}

func forgetLines(n *yaml.Node) {
	n.Line = 0
	for _, c := range n.Content {
		forgetLines(c)
	}
}

// localFiles is the disk as kustomize may see it: every kustomization is read
// before kustomize acts on it, and one that names anything remote is refused.
type localFiles struct {
	filesys.FileSystem
	root   string // the file of the kustomization that is built
	remote *problem.Problem
}

// ReadFile implements filesys.FileSystem.
func (f *localFiles) ReadFile(name string) ([]byte, error) {
	data, err := f.FileSystem.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := filepath.Rel(filepath.Dir(f.root), name)
	if err != nil {
		file = name
	}
	if p := findRemote(filepath.ToSlash(file), data); p != nil {
		f.remote = p
		return nil, *p
	}
	if name == f.root {
		return withOrigins(data)
	}
	return data, nil
}

// remoteRef is what kustomize would fetch from the network.
var remoteRef = regexp.MustCompile(`(?i)^(git::|https?:|ssh://|file://|github\.com[/:]|[a-z][a-z0-9-]*@)`)

// pathFields are the fields of kustomizations and of built-in plugins that
// name files, folders and remote things.
var pathFields = []string{
	"resources", "bases", "components", "crds", "configurations", "generators", "transformers", "validators",
	"patchesStrategicMerge", "path", "paths", "files", "env", "envs", "repo", "valuesFile", "additionalValuesFiles",
}

func findRemote(file string, data []byte) *problem.Problem {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); err != nil {
			return nil // the end, or a syntax error, which kustomize reports
		}
		if !isKustomizeConfig(file, &doc) {
			continue
		}
		if n := remoteNode(&doc, "", 0); n != nil {
			return &problem.Problem{
				Place:   problem.Place{File: file, Line: n.Line},
				Message: fmt.Sprintf("%s is remote, and nothing is fetched from the network", n.Value),
				Hint:    "copy it into the repository and name the local path",
			}
		}
	}
}

func isKustomizeConfig(file string, doc *yaml.Node) bool {
	switch path.Base(file) {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return true
	}
	if doc.Kind != yaml.DocumentNode {
		return false
	}
	apiVersion, _ := typeOf(manifest.Document{Node: doc.Content[0]})
	return apiVersion == "builtin"
}

// remoteNode returns the first remote reference in the path fields below n.
func remoteNode(n *yaml.Node, field string, depth int) *yaml.Node {
	if depth > 50 {
		return nil
	}
	if n.Kind == yaml.ScalarNode && slices.Contains(pathFields, field) {
		if _, after, isKeyed := strings.Cut(n.Value, "="); isKeyed && remoteRef.MatchString(after) && field == "files" || remoteRef.MatchString(n.Value) {
			return n
		}
		if strings.Contains(n.Value, "\n") { // an inline plugin
			var inner yaml.Node
			if yaml.Unmarshal([]byte(n.Value), &inner) == nil && remoteNode(&inner, "", depth+1) != nil {
				return n
			}
		}
	}
	for i, c := range n.Content {
		below := field
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue
			}
			below = n.Content[i-1].Value
		}
		if found := remoteNode(c, below, depth+1); found != nil {
			return found
		}
	}
	if n.Kind == yaml.AliasNode {
		return remoteNode(n.Alias, field, depth+1)
	}
	return nil
}

// withOrigins makes kustomize record which file each object came from.
func withOrigins(data []byte) ([]byte, error) {
	var k map[string]any
	if err := yaml.Unmarshal(data, &k); err != nil || k == nil {
		return data, nil // kustomize says what is wrong with it
	}
	meta, _ := k["buildMetadata"].([]any)
	if !slices.Contains(meta, any("originAnnotations")) {
		k["buildMetadata"] = append(meta, "originAnnotations")
	}
	return yaml.Marshal(k)
}
