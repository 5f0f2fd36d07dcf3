package overlays

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// Within is an application path below a folder that nothing leads out of, such
// as that of a kustomization which is being built around this program.
type Within struct {
	Root string // the folder on disk
	// Path is the application path below Root, with slashes. It may be "." for
	// Root itself, whose own kustomization is then not built: it is the one that
	// runs the program. Files that it names, and folders with a kustomization of
	// their own, are kustomize's and not read. An empty Path is no files at all.
	Path string
	// OnlyOurs leaves out what is not of our API groups.
	OnlyOurs bool
}

// Load reads the documents of the application path as the function Load does,
// hands them to amend, and interprets what it returns, unless that is an error.
// The files of the documents are named relative to the application path.
func (w Within) Load(amend func([]manifest.Document) ([]manifest.Document, error)) (*Input, error) {
	if w.Path == "" {
		return amendAndRead(nil, Files{Read: noFiles}, amend)
	}
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return nil, fmt.Errorf("cannot read the folder: %w", err)
	}
	defer func() { _ = root.Close() }() // only read from
	below, err := root.OpenRoot(filepath.FromSlash(w.Path))
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, problem.Problem{Message: fmt.Sprintf("cannot read the folder %s: %v", w.Path, err), Hint: "the path is that of a folder below the kustomization's own"}
	}
	defer func() { _ = below.Close() }() // only read from
	f := folder{below.FS()}
	own := path.Clean(w.Path) == "."
	var docs []manifest.Document
	name := f.kustomization()
	switch {
	case own || name == "":
		docs, err = w.visible(f, own).documents()
		name = ""
	default:
		docs, err = buildKustomization(filepath.Join(w.Root, filepath.FromSlash(w.Path)), name)
	}
	if err != nil {
		return nil, err
	}
	if w.OnlyOurs {
		docs = slices.DeleteFunc(docs, func(d manifest.Document) bool { return !isOurs(d) })
	}
	return amendAndRead(docs, Files{Read: f.read, FromRoot: name != ""}, amend)
}

func amendAndRead(docs []manifest.Document, files Files, amend func([]manifest.Document) ([]manifest.Document, error)) (*Input, error) {
	docs, err := amend(docs)
	if err != nil {
		return nil, err
	}
	return Read(docs, files)
}

func noFiles(string) ([]byte, error) {
	return nil, errors.New("no files are read here; write the patch inline")
}

// visible is the folder without what is not input.
func (w Within) visible(f folder, own bool) folder {
	hidden := map[string]bool{}
	if name := f.kustomization(); own && name != "" {
		if data, err := f.read(name); err == nil { // kustomize itself says what is wrong with it
			collectPaths(data, hidden)
		}
	}
	return folder{part{f.fs, func(name string, dir bool) bool {
		switch {
		case hidden[name]:
			return true
		case dir:
			sub, err := fs.Sub(f.fs, name)
			return own && err == nil && folder{sub}.kustomization() != ""
		case own && isKustomizationFile(name):
			return true
		case w.OnlyOurs && isYAML(name):
			data, err := f.read(name)
			return err == nil && !mentionsOurs(data)
		}
		return false
	}}}
}

func isKustomizationFile(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, name)
}

// mentionsOurs reports whether a file can hold a document of our API groups,
// so that a chart's templates, which are no YAML, need not be read as such.
func mentionsOurs(data []byte) bool {
	return bytes.Contains(data, []byte("piraeus.io")) || bytes.Contains(data, []byte("linstor-cmp.io"))
}

// collectPaths adds the local files and folders that a kustomization names.
func collectPaths(data []byte, into map[string]bool) {
	docs, err := manifest.ReadDocuments("", data)
	if err != nil {
		return
	}
	var walk func(n *yaml.Node, field string, depth int)
	walk = func(n *yaml.Node, field string, depth int) {
		if depth > 50 {
			return
		}
		if n.Kind == yaml.ScalarNode && slices.Contains(pathFields, field) {
			into[path.Clean(n.Value)] = true
			if _, file, keyed := strings.Cut(n.Value, "="); keyed {
				into[path.Clean(file)] = true
			}
		}
		for i, c := range n.Content {
			switch {
			case n.Kind != yaml.MappingNode:
				walk(c, field, depth+1)
			case i%2 == 1:
				walk(c, n.Content[i-1].Value, depth+1)
			}
		}
	}
	for _, d := range docs {
		walk(d.Node, "", 0)
	}
	delete(into, ".")
}

// part is a file system without the entries that skip picks out.
type part struct {
	fs.FS
	skip func(name string, dir bool) bool
}

// ReadDir implements fs.ReadDirFS.
func (p part) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(p.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return p.skip(path.Join(name, e.Name()), e.IsDir())
	}), err
}
