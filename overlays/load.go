package overlays

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/linstor-cmp/linstor-cmp/internal/manifest"
	"github.com/linstor-cmp/linstor-cmp/internal/problem"
)

// NodesFile is the file of the application path that lists nodes.
const NodesFile = "nodes.yaml"

const (
	// maxFile bounds one file of the folder, in bytes.
	maxFile = 64 << 20
	// maxMixedNodes is the size up to which nodes.yaml is also looked through
	// for documents that are no nodes.
	maxMixedNodes = 1 << 20
)

// Load reads the application path dir: every YAML file below it, or what
// kustomize builds of it if it has a kustomization at its root. Names that
// begin with a dot are left out. The error is a problem.List of all faults.
func Load(dir string) (*Input, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, problem.Problem{Message: fmt.Sprintf("cannot read the application path: %v", err), Hint: "give the folder with the LinstorCluster: linstor-cmp generate PATH"}
	case !info.IsDir():
		return nil, problem.Problem{Message: fmt.Sprintf("the application path %s is a file", dir), Hint: "give the folder that it is in"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read the application path: %w", err)
	}
	defer func() { _ = root.Close() }() // only read from
	folder := folder{root.FS()}
	if name := folder.kustomization(); name != "" {
		docs, err := buildKustomization(dir, name)
		if err != nil {
			return nil, err
		}
		return Read(docs, Files{Read: folder.read, FromRoot: true})
	}
	docs, err := folder.documents()
	if err != nil {
		return nil, err
	}
	return Read(docs, Files{Read: folder.read})
}

// folder is the application path. Its file system does not follow links out of it.
type folder struct{ fs fs.FS }

func (f folder) kustomization() string {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		if info, err := fs.Stat(f.fs, name); err == nil && !info.IsDir() {
			return name
		}
	}
	return ""
}

// documents reads the YAML files of the folder, in the order of their paths.
func (f folder) documents() ([]manifest.Document, error) {
	var docs []manifest.Document
	var faults problem.List
	err := fs.WalkDir(f.fs, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir() || !isYAML(name):
			return nil
		}
		if info, err := e.Info(); name == NodesFile && err == nil && info.Size() > maxMixedNodes {
			return nil // nodes and nothing else, read as a stream elsewhere
		}
		data, err := f.read(name)
		if err != nil {
			faults.Merge(err)
			return nil
		}
		found, err := manifest.ReadDocuments(name, data)
		faults.Merge(err)
		docs = append(docs, found...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the application path: %w", err)
	}
	return docs, faults.Err()
}

func isYAML(name string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, path.Ext(name))
}

// read returns the content of a file of the folder; its error has a place.
func (f folder) read(name string) ([]byte, error) {
	at := problem.Place{File: name}
	file, err := f.fs.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.Problem{Place: at, Message: "no such file in the application path"}
	case err != nil:
		return nil, problem.Problem{Place: at, Message: fmt.Sprintf("cannot read: %v", err), Hint: "links must not lead out of the application path"}
	}
	defer func() { _ = file.Close() }() // only read from
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, problem.Problem{Place: at, Message: "is a folder; want a file"}
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, problem.Problem{Place: at, Message: fmt.Sprintf("cannot read: %v", err)}
	}
	if len(data) > maxFile {
		return nil, problem.Problem{Place: at, Message: fmt.Sprintf("the file has more than %d MiB", maxFile>>20)}
	}
	return data, nil
}
